"""Seeded random documents with holds, decisions on the oldest draft, deferred and repeated signals, and ``only`` claims.

``sample_features(seed)`` gives a document with budgets; the same seed gives the same pair for ever. The documents of
``generate.sample`` are others and stay as they are. Unlike those, these are bundles that can be loaded.
"""

from collections.abc import Callable
from random import Random

from tests.oracle.basics import Budgets, Document
from tests.oracle.generate import LEVELS, random_budgets, random_document
from tests.oracle.generate_claims import Claim, ClaimMaker, sent
from tests.oracle.generate_schedule import Entry, Maker
from tests.oracle.regime import FIRST_LEVEL

EVENTS = ("admitted", "drafted", "sent")
PHYSICS = ("K.declared", "K.redeclare", "K.admitted", "K.completed", "K.reason", "K.closed")


class FeatureClaims(ClaimMaker):
    """Claims of every form, often ``only``, and windows that begin where effects are held or released."""

    def _likely(self) -> Claim:
        draw = self.rng.random()
        if draw < 0.22:
            return self._only(self._approved())
        held = [name for name in self.names if name.startswith(("hold.", "release."))]
        if draw < 0.34 and held:
            of, name = self.rng.choice(self.messages), self.rng.choice(held)
            later = sent(of, self._near(self.budgets.send), name, once=self.rng.random() < 0.5)
            return self.rng.choice((later, {"claim": "not-sent-after", "of": of, "after": name}))
        return self._of_two(super()._likely())

    def _atom(self) -> Claim:
        if self.rng.random() < 0.18:
            return self._only(self.rng.sample(self.messages, self.rng.randint(1, len(self.messages))))
        return self._of_two(super()._atom())

    def _of_two(self, claim: Claim) -> Claim:
        """The claim, about two messages at most."""
        if claim["claim"] != "distinct" or len(claim["of"]) <= 2:
            return claim
        return claim | {"of": self.rng.sample(claim["of"], 2)}

    def _approved(self) -> list[str]:
        """The messages of which a reply can be expected, most often."""
        expected = [m for m in self.messages if self.level < 2 or self._of_kind(m, "approvals", "decision", "approve")]
        return expected if expected and self.rng.random() < 0.8 else list(self.messages)

    def _only(self, names: list[str]) -> Claim:
        ordered = len(names) > 1 and self.rng.random() < 0.5
        if self.rng.random() < 0.5:
            names = self.rng.sample(names, len(names))
        return {"claim": "only-sent", "of": names, "ordered": ordered}


def _near_events(maker: Maker, *steps: int) -> int:
    """A tick some steps from an approval, crash, escalation or jump, or from anything that happens."""
    near = [
        e["at"]
        for e in maker.entries
        if "at" in e and (e["channel"] in ("approvals", "signals") or e["record"].get("fault") in ("crash", "jump"))
    ]
    base = maker.rng.choice(near if near and maker.rng.random() < 0.8 else maker.times)
    return min(maker.horizon, max(0, base + maker.rng.choice(steps)))


def _holds(maker: Maker) -> None:
    """One or two held stretches, behind all other events of their ticks or before them; the last may have no end.

    Sometimes a jump begins in one of them, or leads into it.
    """
    rng, budgets = maker.rng, maker.budgets
    starts = sorted(_near_events(maker, -2, -1, -1, 0, 0, 0, 1) for _ in range(rng.choice((1, 1, 1, 2))))
    before = len(maker.entries)
    free = 0
    for place, start in enumerate(starts):
        begin = max(free, start)
        maker.fault("hold", at=begin)
        if place == len(starts) - 1 and rng.random() < 0.25:
            break
        free = min(maker.horizon, begin + rng.choice((0, 1, 1, 2, 2, 3, budgets.send, budgets.crash)))
        maker.fault("release", at=free)
    if rng.random() < 0.2:
        maker.fault("jump", at=min(maker.horizon - 1, max(0, starts[0] + rng.choice((-1, 0, 0, 1, 2)))))
    added, maker.entries = maker.entries[before:], maker.entries[:before]
    maker.entries = added + maker.entries if rng.random() < 0.4 else maker.entries + added


def _oldest(maker: Maker) -> None:
    """Some decisions are on the oldest draft; often one more pair of decisions, of which one or both are."""
    rng = maker.rng
    if rng.random() < 0.5:
        message = rng.choice(maker.messages)
        at = maker.delivered[message] + rng.choice((0, 1, 1, 2, 3))
        kinds = rng.choice((("approve", "reject"), ("approve", "approve"), ("reject", "approve")))
        for kind in kinds:
            maker.decide(message, kind, min(maker.horizon, at))
            at += rng.choice((0, 0, 1, 1, 2))
    chosen: dict[str, bool] = {}
    for entry in maker.entries:
        record = entry["record"]
        if entry["channel"] != "approvals" or "forged" in record:
            continue
        if chosen.setdefault(record["approval_id"], rng.random() < 0.6):
            record["match"]["draft"] = "oldest"


def _deferred(maker: Maker) -> None:
    """Some timed signals about an item wait for it, and often one more does, written for a tick around its delivery."""
    rng, message = maker.rng, maker.rng.choice(maker.messages)
    draw = rng.random()
    at = min(maker.horizon, max(0, maker.delivered[message] + rng.choice((-2, -1, 0, 0, 1, 2))))
    if draw < 0.35:
        maker.escalate(message, at=at)
    elif draw < 0.75:
        maker.kill(message, at=at)
    for entry in maker.entries:
        if entry["channel"] != "signals" or "at" not in entry or entry["record"]["target"] == "a1":
            continue
        if entry is maker.entries[-1] or rng.random() < 0.5:
            entry["record"]["deferred"] = True


def _repeats(maker: Maker) -> None:
    """One or two signals come once more, at their tick or later, or behind a record."""
    rng = maker.rng
    signals = [entry for entry in maker.entries if entry["channel"] == "signals"]
    if not signals:
        maker.escalate(rng.choice(maker.messages))
        signals = maker.entries[-1:]
    for _ in range(rng.choice((1, 1, 2))):
        original = rng.choice(signals)
        trigger = _behind(maker, original)
        if trigger is not None and ("at" not in original or rng.random() < 0.3):
            maker.triggers.add((trigger["event"], trigger["work_id"].partition(":")[2]))
            maker._add(None, "signals", original["record"], trigger)
        elif "at" in original:
            at = min(maker.horizon, original["at"] + rng.choice((0, 0, 1, 1, 2, 3)))
            maker._add(at, "signals", original["record"] | {"at": at})


def _behind(maker: Maker, original: Entry) -> Entry | None:
    """Something to wait for that comes behind an original whenever it comes, if there is such a thing."""
    if "when" in original:
        first = EVENTS.index(original["when"]["event"])
        return {"event": maker.rng.choice(EVENTS[first:]), "work_id": original["when"]["work_id"]}
    late = [message for message, at in maker.delivered.items() if original["at"] <= at + 1]
    return {"event": maker.rng.choice(EVENTS), "work_id": f"work:{maker.rng.choice(late)}"} if late else None


FEATURES: tuple[tuple[Callable[[Maker], None], float], ...] = (
    (_oldest, 0.45),
    (_deferred, 0.5),
    (_holds, 0.6),
    (_repeats, 0.35),
)
"""What is added to a document, each with its probability."""


def add_features(maker: Maker) -> None:
    """Statements of the features, in any combination with those that are there."""
    for add, probability in FEATURES:
        if maker.rng.random() < probability:
            add(maker)


def sample_features(
    seed: int,
    messages: int | None = None,
    horizon: int | None = None,
    level: int | None = None,
    expecting: bool = True,
) -> tuple[Document, Budgets]:
    """The document and budgets of a seed; what is not given is drawn. Without ``expecting`` nothing is claimed."""
    rng = Random(f"features {seed}")
    budgets = random_budgets(rng)
    while True:
        count = messages or rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 2, 3))
        ticks = horizon or (rng.choice((4, 5)) if count == 3 else rng.choice((5, 6, 6, 7, 8, 9)))
        top = rng.choice(LEVELS) if level is None else level
        document = random_document(rng, budgets, count, ticks, top, add_features, expecting, FeatureClaims)
        if _jumps_forward(document) and not _early_copies(document):
            return _written_out(document), budgets


def _jumps_forward(document: Document) -> bool:
    """Whether every timed jump leads forward from the tick at which it happens."""
    removed: set[int] = set()
    for entry in document["schedule"]:
        if entry["record"].get("fault") == "jump" and "at" in entry:
            at = entry["at"]
            while at in removed:
                at += 1
            if entry["record"]["to"] <= at:
                return False
            removed |= set(range(at + 1, entry["record"]["to"]))
    return True


def _early_copies(document: Document) -> bool:
    """Whether a message might be delivered again before it is delivered."""
    first: dict[str, int] = {}
    for entry in document["schedule"]:
        if entry["channel"] != "inbox":
            continue
        name = entry["record"]["id"]
        if "at" in entry:
            first.setdefault(name, entry["at"])
        elif first[name] > first[entry["when"]["work_id"].partition(":")[2]] + 1:
            return True
    return False


def _written_out(document: Document) -> Document:
    """The document in the form that a bundle has: rows in order, used versions only, ticks of copies their own."""
    schedule = []
    used = [document["rules"][0]["name"]]
    for entry in document["schedule"]:
        record = entry["record"]
        if "at" in entry and "at" in record:
            record = record | {"at": entry["at"]}
        schedule.append(entry | {"record": record})
        if record.get("fault") == "rules":
            used.append(record["rules"])
    versions = {version["name"]: version for version in document["rules"]}
    in_order = [*PHYSICS, *(row for row in FIRST_LEVEL if row in document["invariants"])]
    rules = [versions[name] for name in dict.fromkeys(used)]
    return document | {
        "schedule": schedule,
        "invariants": in_order if document["invariants"] else [],
        "rules": rules,
        "expect": [_with_start(claim) for claim in document["expect"]],
    }


def _with_start(claim: Claim) -> Claim:
    """The claim with its parts; where it has no window it begins at its message all the same."""
    if claim["claim"] == "any":
        return claim | {"of": [[_with_start(part) for part in group] for group in claim["of"]]}
    if claim["claim"] == "if":
        return claim | {key: _with_start(claim[key]) for key in ("if", "then", "else")}
    return claim | {"from": claim["from"] or claim["of"]} if claim["claim"] == "sent" else claim
