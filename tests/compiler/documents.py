"""Bundle documents of every kind that the language has words for, as a hypothesis strategy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from wellposed.dsl.vocabulary import (
    BUNDLE_FORMAT,
    FAULTY_SYSTEMS,
    NUMBER_FIELDS,
    NUMBER_OPERATORS,
    POSTURES,
    READINGS,
    REASONS,
    SPEC,
    TEXT_FIELDS,
    TEXT_OPERATORS,
    TRIGGERS,
    obligations_of_level,
)

Json = dict[str, Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

ALL_RULES = {"name": "all", "rules": [{"effect": "admit", "id": "all", "when": []}]}
# Words of the language, derived ids, dots, digits in front, hyphens that no plain name has.
AWKWARD = ("at", "rest", "anchor", "work-item", "m1.approve.1", "crash.1", "m.3", "m.04", "go.0", "go.17", "c.1.2", "0", "1a", "_", "a--b", "a-", "a.", "m.12" + ".34" * 41)  # fmt: skip
PLAIN = ("m1", "m2", "order", "refund", "go", "go-2", "Ada", "x_1")
IDS = (
    st.sampled_from(PLAIN)
    | st.sampled_from(AWKWARD)
    | st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}", fullmatch=True)
)
BITS = (
    "a", "ORD-1", " ", "\n", '"', '"""', "\\", "{", "}", "{anchor}", "{i}", "\\{", "::", "##[error]", "\t", "\r", "\u202e", "\u200d", "\u0301",
    "é", "漢", "\U0001f600", "\x7f", "\u2028", "#", "`", "\ufeff", "\ue000", "0",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(BITS), max_size=8).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)
CAP = 60
HORIZON = 80


def _unique(draw: Draw, used: set[str], strategy: st.SearchStrategy[str] = IDS) -> str:
    """An id that is not in use, not a ghost's, and no name that some systems keep for devices."""
    return str(draw(strategy.filter(lambda id: id.casefold() not in used and not id.casefold().startswith("ghost-"))))


def _named(draw: Draw, used: set[str], strategy: st.SearchStrategy[str] = IDS) -> str:
    id = _unique(draw, used, strategy)
    used.add(id.casefold())
    return id


def _short(id: str) -> bool:
    """Whether an id can stand in a string: only names in backquotes may be as long as expanded ones."""
    return len(id) <= 64


def _file_name(id: str) -> bool:
    return not id.endswith(".") and id.split(".")[0].casefold() not in ("con", "prn", "aux", "nul")


class _Maker:
    """Draws one document, part by part."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.used: set[str] = set()
        self.conversations: list[str] = []
        self.anchors: dict[str, str] = {}
        self.messages: dict[str, Json] = {}
        self.repeatable: list[tuple[int, str, Json]] = []
        self.versions: list[Json] = []
        self.timed: list[tuple[int, str, Json]] = []
        self.waiting: list[Json] = []

    def stub(self) -> Json:
        draw = self.draw
        used: set[str] = set()
        self.conversations = [_named(draw, used) for _ in range(draw(st.integers(1, 3)))]
        for one in self.conversations:
            if draw(st.booleans()):
                self.anchors[one] = draw(TEXTS.filter(bool) | st.just("ORD-1"))
        order = draw(st.permutations(list(self.anchors)))
        return {
            "anchors": [{"anchor": self.anchors[one], "conversation_id": one} for one in order],
            "replies": [{"conversation_id": one, "parts": self._parts(one)} for one in self.conversations],
        }

    def _parts(self, conversation: str) -> list[Any]:
        draw = self.draw
        anchored = conversation in self.anchors
        if draw(st.booleans()):
            return ["Regarding ", {"anchor": True}, "."] if anchored else ["Noted."]
        text = TEXTS.filter(bool)
        part = text | st.just({"anchor": True}) if anchored else text
        parts: list[Any] = []
        for one in draw(st.lists(part, max_size=4)):
            if not (parts and isinstance(parts[-1], str) and isinstance(one, str)):
                parts.append(one)
        return parts

    def rules(self, used: set[str]) -> Json:
        draw = self.draw
        name = _named(draw, used, IDS.filter(_file_name))
        rules: list[Json] = []
        ids: set[str] = set()
        for _ in range(draw(st.integers(0, 3))):
            when = draw(st.lists(_conditions(), min_size=1, max_size=3))
            rules.append({"id": _named(draw, ids), "effect": draw(st.sampled_from(("admit", "refuse"))), "when": when})
        if not rules or ("rest" not in ids and draw(st.booleans())):
            rest = {"id": "rest", "effect": draw(st.sampled_from(("admit", "refuse"))), "when": []}
            rules.insert(draw(st.integers(0, len(rules))), rest)
        return {"name": name, "rules": rules}

    def tick(self, low: int = 0) -> int:
        return int(self.draw(st.integers(low, CAP)))

    def deliveries(self) -> None:
        draw = self.draw
        for _ in range(draw(st.integers(1, 3))):
            conversation = draw(st.sampled_from(self.conversations))
            anchor = self.anchors.get(conversation)
            body = TEXTS if anchor is None else TEXTS | st.just(f"about {anchor}.") | st.just(f"{anchor}{anchor}")
            at = self.tick()
            record = {
                "id": _named(draw, self.used),
                "conversation_id": conversation,
                "from": draw(st.sampled_from(("ada@example.test", "bob@example.test")) | TEXTS),
                "subject": draw(st.sampled_from(("Hello", "Where?")) | body),
                "body": draw(body),
                "at": at,
            }
            self.messages[record["id"]] = record
            self.timed.append((at, "inbox", record))

    def statement(self) -> None:
        """One more entry at a tick, or one that waits for a record."""
        draw = self.draw
        when = None
        if draw(st.integers(0, 4)) == 0:
            of = draw(st.sampled_from(sorted(self.messages)))
            when = {"event": draw(st.sampled_from(TRIGGERS)), "work_id": f"work:{of}"}
        kind = draw(st.sampled_from(("decide", "decide", "signal", "fault", "forge", "again", "repeat")))
        channel, record, at = getattr(self, f"_{kind}")(when)
        if when is None:
            self.timed.append((at, channel, record))
        else:
            record = {key: value for key, value in record.items() if key != "at"}
            self.waiting.append({"when": when, "channel": channel, "record": record})

    def _own(self, stem: str) -> str:
        """A derived id, which may be the right one, or any other."""
        if self.draw(st.booleans()):
            taken = [n for n in range(1, 9) if f"{stem}.{n}".casefold() not in self.used]
            if taken and len(stem) < 60:
                id = f"{stem}.{self.draw(st.sampled_from(taken[:2]))}"
                self.used.add(id.casefold())
                return id
        return _named(self.draw, self.used)

    def _message(self) -> str:
        return str(self.draw(st.sampled_from(sorted(self.messages))))

    def _decide(self, when: Json | None) -> tuple[str, Json, int]:
        message, decision, at = self._message(), self.draw(st.sampled_from(("approve", "reject"))), self.tick()
        record = {"approval_id": self._own(f"{message}.{decision}"), "decision": decision}
        oldest = {"draft": "oldest"} if self.draw(st.integers(0, 2)) == 0 else {}
        record["match"] = {"work_id": f"work:{message}"} | oldest
        if when is None:
            self.repeatable.append((at, "approvals", record))
        return "approvals", record, at

    def _forge(self, when: Json | None) -> tuple[str, Json, int]:
        at = self.tick()
        id = _named(self.draw, self.used, IDS.filter(_short))
        record: Json = {"approval_id": id, "decision": self.draw(st.sampled_from(("approve", "reject")))}
        if self.draw(st.booleans()):
            record |= {"forged": "dangling", "draft_id": "ghost-" + self.draw(st.sampled_from(("1", "a.b", "")))}
        else:
            record |= {"forged": "wrong-hash", "match": {"work_id": f"work:{self._message()}"}}
        if when is None:
            self.repeatable.append((at, "approvals", record))
        return "approvals", record, at

    def _signal(self, when: Json | None) -> tuple[str, Json, int]:
        message, at = self._message(), self.tick()
        kind = self.draw(st.sampled_from(("escalate", "holder", "agent")))
        if kind == "escalate":
            record: Json = {"signal_type": "OPERATOR_ESCALATION", "target": f"work:{message}"}
            stem = f"{message}.escalate"
        elif kind == "holder":
            record = {"signal_type": "AGENT_DEATH", "target": {"holder_of": f"work:{message}"}}
            stem = f"{message}.death"
        else:
            agent = _unique(self.draw, set(), IDS.filter(_short))
            record = {"signal_type": "AGENT_DEATH", "target": agent}
            stem = f"{agent}.death"
        if kind != "agent" and when is None and self.draw(st.booleans()):
            record |= {"deferred": True}
        record |= {"signal_id": self._own(stem), "at": at}
        if when is None:
            self.repeatable.append((at, "signals", record))
        return "signals", record, at

    def _fault(self, when: Json | None) -> tuple[str, Json, int]:
        draw, at = self.draw, self.tick()
        fault = draw(st.sampled_from(("crash", "crash", "posture", "rules") if when is None else ("crash", "jump")))
        more: Json = {}
        if fault == "posture":
            more = {"posture": draw(st.sampled_from(POSTURES))}
        elif fault == "rules":
            more = {"rules": draw(st.sampled_from([one["name"] for one in self.versions]))}
        elif fault == "jump":
            more = draw(st.sampled_from(({"to": 70}, {"by": 5})))
        return "faults", {"fault_id": self._own(fault), "fault": fault} | more, at

    def _again(self, when: Json | None) -> tuple[str, Json, int]:
        if when is not None:  # in every run after the message that is waited for
            original = self.messages[when["work_id"].removeprefix("work:")]
            return "inbox", original, 0
        original = self.messages[self._message()]
        at = self.tick(original["at"])
        return "inbox", original | {"at": at}, at

    def _repeat(self, when: Json | None) -> tuple[str, Json, int]:
        known = self.repeatable
        if when is not None:
            due = self.messages[when["work_id"].removeprefix("work:")]["at"]
            known = [one for one in known if one[0] <= due]
        if not known:
            return self._decide(when)
        at, channel, record = self.draw(st.sampled_from(known))
        again = self.tick(at)
        return channel, record | {"at": again} if channel == "signals" else record, again

    def _holds(self) -> None:
        """Holds and releases in turn, some with no tick between them."""
        for number, at in enumerate(sorted(self.draw(st.lists(st.integers(0, CAP), max_size=4)))):
            fault = "release" if number % 2 else "hold"
            self.timed.append((at, "faults", {"fault_id": self._own(fault), "fault": fault}))

    def schedule(self) -> list[Json]:
        draw = self.draw
        self.deliveries()
        for _ in range(draw(st.integers(0, 8))):
            self.statement()
        self._holds()
        if draw(st.booleans()):
            self.timed.append((61, "faults", {"fault_id": self._own("jump"), "fault": "jump", "to": 66}))
        entries: list[Json] = [
            {"at": at, "channel": channel, "record": record}
            for at, channel, record in sorted(self.timed, key=lambda one: one[0])
        ]
        return [{"seq": seq, **entry} for seq, entry in enumerate((*entries, *self.waiting))]


@st.composite
def _conditions(draw: Draw) -> Json:
    kind = draw(st.sampled_from(("text", "number", "posture")))
    if kind == "number":
        operator, value = draw(st.sampled_from(NUMBER_OPERATORS)), draw(st.integers(0, 2**53 - 1))
        return {"field": draw(st.sampled_from(NUMBER_FIELDS)), "op": operator, "value": value}
    texts = list(TEXT_OPERATORS.values())
    field = draw(st.sampled_from(list(TEXT_FIELDS.values()))) if kind == "text" else "posture"
    operator = draw(st.sampled_from(texts if kind == "text" else ["is", "is-not", "in", "not-in"]))
    values = TEXTS if kind == "text" else st.sampled_from(POSTURES)
    value = draw(st.lists(values, min_size=1, max_size=3) if operator in ("in", "not-in") else values)
    return {"field": field, "op": operator, "value": value}


@st.composite
def _claims(draw: Draw, maker: _Maker, ids: list[str], depth: int = 0) -> Json:
    messages = sorted(maker.messages)
    message = draw(st.sampled_from(messages))
    within = draw(st.none() | st.integers(0, 50) | st.just(2**53 - 1))
    forms = ["admitted", "drafted", "not-admitted", "never-sent", "completed", "open", "reassigned-or-orphaned", "sent"]
    forms += ["not-sent-after", "abandoned", "reply-in", "claims-settle", "state-agrees", "only-sent"]
    forms += ["reply-anchor"] if maker.anchors else []
    forms += ["distinct"] if len(messages) > 1 else []
    forms += ["any", "if"] if depth < 3 else []
    form = draw(st.sampled_from(forms))
    inner = _claims(maker, ids, depth + 1)
    match form:
        case "admitted" | "drafted":
            more: Json = {"of": message, "within": within}
        case "claims-settle":
            more = {"of": message, "within": within or 0}
        case "sent":
            start = message if within is None else draw(st.sampled_from(ids))
            more = {"of": message, "once": draw(st.booleans()), "within": within, "from": start}
        case "not-sent-after":
            more = {"of": message, "after": draw(st.sampled_from(ids))}
        case "abandoned":
            more = {"of": message, "reason": draw(st.none() | st.sampled_from(REASONS))}
        case "reply-in":
            more = {"of": message, "conversation": draw(st.sampled_from(maker.conversations))}
        case "reply-anchor":
            more = {"of": message, "conversation": draw(st.sampled_from(sorted(maker.anchors)))}
        case "distinct":
            more = {"of": draw(st.permutations(messages))[:2]}
        case "only-sent":
            named = draw(st.lists(st.sampled_from(messages), min_size=1, unique=True))
            more = {"of": named, "ordered": len(named) > 1 and draw(st.booleans())}
        case "state-agrees":
            more = {}
        case "any":
            more = {"of": draw(st.lists(st.lists(inner, min_size=1, max_size=2), min_size=2, max_size=3))}
        case "if":
            more = {part: draw(inner) for part in ("if", "then", "else")}
        case _:
            more = {"of": message}
    return {"claim": form, **more}


@st.composite
def documents(draw: Draw) -> Json:
    """A valid bundle document that some source means."""
    maker = _Maker(draw)
    stub = maker.stub()
    names = {"all"}
    first = ALL_RULES if draw(st.booleans()) else maker.rules(names)
    maker.versions = [first] + [maker.rules(names) for _ in range(draw(st.integers(0, 2)))]
    if first is not ALL_RULES and draw(st.booleans()):
        maker.versions.append(ALL_RULES)
    schedule = maker.schedule()
    used = [one["record"]["rules"] for one in schedule if one["record"].get("fault") == "rules"]
    order = dict.fromkeys([first["name"], *used])
    by_name = {one["name"]: one for one in maker.versions}
    member = {"inbox": "id", "approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}
    ids = sorted({entry["record"][member[entry["channel"]]] for entry in schedule})
    level = draw(st.integers(0, 6))
    id = draw(IDS.filter(_file_name))
    return {
        "format": BUNDLE_FORMAT,
        "spec": SPEC,
        "readings": READINGS,
        "id": id,
        "title": draw(st.just(id) | TEXTS),
        "level": level,
        "skin": draw(st.just("support-desk") | IDS),
        "horizon": HORIZON,
        "mode": {"changed_at": 0, "posture": draw(st.sampled_from(POSTURES))},
        "rules": [by_name[name] for name in order],
        "stub": stub,
        "schedule": schedule,
        "invariants": list(draw(st.sampled_from(((), obligations_of_level(level))))),
        "expect": draw(st.lists(_claims(maker, ids), max_size=4)),
        "catches": draw(st.lists(st.sampled_from(FAULTY_SYSTEMS), max_size=3, unique=True)),
    }
