"""The author's expectations as formulas, and what they mention (language reference, Expectations)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.environment import Environment, Event, Trigger
from wellposed.verifier.amr.items import COMPLETED, Item
from wellposed.verifier.formula import Formula, Space, Term, all_of, any_of, constant, negate

REASON_ENDINGS = {"operator_escalation": 1, "rejected": 2, "agent_death": 3, "crash": 4}

SNAPSHOTS = "snapshots"
"""What a claim about the state mentions, beside messages."""

Json = Mapping[str, Any]


class Named(NamedTuple):
    """What a name in an expectation stands for: an event, its tick, and whether it is an escalation."""

    tick: Term
    event: Event
    escalation: bool = False


def parts(index: int, claim: Json, messages: Iterable[str]) -> Iterator[tuple[int, Json]]:
    """An expectation as the claims that it is a conjunction of, so that it ties no items together which it need not."""
    if claim["claim"] != "only-sent":
        yield index, claim
        return
    named = frozenset(claim["of"])
    for message in messages:
        if message in named:
            yield index, {"claim": "sent", "of": message, "once": True, "within": None, "from": None}
        else:
            yield index, {"claim": "never-sent", "of": message}
    if claim["ordered"]:
        yield index, {"claim": "sent-in-order", "of": claim["of"]}


def atoms(claim: Json) -> Iterator[Json]:
    """The claims without parts that a claim is made of."""
    if claim["claim"] == "any":
        for alternative in claim["of"]:
            for part in alternative:
                yield from atoms(part)
    elif claim["claim"] == "if":
        for part in (claim["if"], claim["then"], claim["else"]):
            yield from atoms(part)
    else:
        yield claim


def mentions(claim: Json, environment: Environment) -> frozenset[str]:
    """The messages (and SNAPSHOTS) that a claim constrains together."""
    found: set[str] = set()
    for atom in atoms(claim):
        if atom["claim"] == "state-agrees":
            found.add(SNAPSHOTS)
            continue
        if atom["claim"] == "only-sent":
            found.update(environment.messages)
            continue
        of = atom["of"]
        found.update([of] if isinstance(of, str) else of)
        for label in (atom.get("from"), atom.get("after")):
            named = environment.named.get(label) if label is not None else None
            if isinstance(named, str):
                found.add(named)
            elif isinstance(named, Event) and isinstance(named.when, Trigger):
                found.add(named.when.message)
    return frozenset(found)


def spoken_of(claim: Json) -> tuple[str, ...]:
    """The messages whose items a claim speaks of, in order of mention."""
    found: dict[str, None] = {}
    for atom in atoms(claim):
        of = atom.get("of", ())
        found.update(dict.fromkeys([of] if isinstance(of, str) else of))
    return tuple(found)


class ClaimReader:
    """Turns claims into formulas over the items of one component."""

    def __init__(
        self,
        space: Space,
        items: Mapping[str, Item],
        environment: Environment,
        named: Mapping[str, Named],
        answers: Answers,
    ) -> None:
        self._space = space
        self._items = items
        self._environment = environment
        self._named = named
        self._answers = answers
        self._snapshots: Term | None = None

    @property
    def snapshots(self) -> Term:
        """Whether every state snapshot agrees with the logs: 1 or 0, one choice per run."""
        if self._snapshots is None:
            self._snapshots = self._space.variable("snapshots", 0, 1)
        return self._snapshots

    def formula(self, claim: Json) -> Formula:
        """The runs that satisfy a claim."""
        kind = claim["claim"]
        if kind == "any":
            return any_of(all_of(self.formula(part) for part in alternative) for alternative in claim["of"])
        if kind == "if":
            condition = self.formula(claim["if"])
            return all_of(
                (
                    any_of((negate(condition), self.formula(claim["then"]))),
                    any_of((condition, self.formula(claim["else"]))),
                )
            )
        if kind == "state-agrees":
            return self._space.le(constant(1), self.snapshots)
        if kind == "only-sent":
            return all_of(self.formula(part) for _, part in parts(0, claim, self._environment.messages))
        if kind == "sent-in-order":
            sends = [self._items[message].send for message in claim["of"]]
            return all_of(self._space.le(first, second) for first, second in pairwise(sends))
        if kind == "distinct":
            return all_of(self._items[message].happens(self._items[message].admitted) for message in claim["of"])
        return _FORMS[kind](self, self._items[claim["of"]], claim)

    def _within(self, claim: Json) -> int | None:
        """How many ticks behind its start a window ends."""
        within: int | None = claim["within"]
        return within if within is None or not self._answers.open_windows else within - 1

    def _record_within(self, item: Item, record: Term, claim: Json) -> Formula:
        within = self._within(claim)
        if within is None:
            return item.happens(record)
        return all_of((item.happens(record), self._space.le(record, constant(item.message.at + within))))

    def _admitted(self, item: Item, claim: Json) -> Formula:
        return self._record_within(item, item.admitted, claim)

    def _not_admitted(self, item: Item, claim: Json) -> Formula:
        return item.absent(item.admitted)

    def _drafted(self, item: Item, claim: Json) -> Formula:
        return self._record_within(item, item.draft, claim)

    def _sent(self, item: Item, claim: Json) -> Formula:
        within = self._within(claim)
        candidates = item.sends[:1] if claim["once"] else item.sends
        single = all_of(item.absent(extra) for extra in item.sends[1:]) if claim["once"] else all_of(())
        if within is None:
            return all_of((item.happens(item.send), single))
        start = constant(item.message.at) if claim["from"] is None else self._named[claim["from"]].tick
        inside = (
            all_of((item.happens(send), self._space.between(start, send, item.send_by(start, within)))) for send in candidates
        )
        return all_of((item.happens(start), any_of(inside), single))

    def _never_sent(self, item: Item, claim: Json) -> Formula:
        return item.absent(item.send)

    def _not_sent_after(self, item: Item, claim: Json) -> Formula:
        tick, event, escalation = self._named[claim["after"]]

        def before(send: Term) -> Formula:
            if escalation and self._answers.same_tick_is_before:
                return self._space.le(send, tick)
            return item.precedes(send, event, tick)

        early = all_of(any_of((item.absent(send), before(send))) for send in item.sends)
        return any_of((item.absent(tick), early))

    def _completed(self, item: Item, claim: Json) -> Formula:
        return all_of((item.happens(item.resolved), item.ends(COMPLETED)))

    def _abandoned(self, item: Item, claim: Json) -> Formula:
        if claim["reason"] is None:
            return item.abandoned()
        return all_of((item.happens(item.resolved), item.ends(REASON_ENDINGS[claim["reason"]])))

    def _open(self, item: Item, claim: Json) -> Formula:
        return all_of((item.absent(item.send), item.absent(item.resolved)))

    def _reassigned_or_orphaned(self, item: Item, claim: Json) -> Formula:
        space = self._space
        taken = []
        for touch in item.touches:
            won = any_of(all_of((item.happens(other.won), space.le(touch.tick, other.won))) for other in item.touches)
            orphaned = all_of((item.abandoned(), space.le(touch.tick, item.resolved)))
            taken.append(all_of((touch.touched, any_of((won, orphaned)))))
        return any_of(taken)

    def _reply_in(self, item: Item, claim: Json) -> Formula:
        return all_of((item.happens(item.send), self._space.le(constant(1), item.lies_in[claim["conversation"]])))

    def _reply_anchor(self, item: Item, claim: Json) -> Formula:
        return all_of((item.happens(item.send), self._space.le(constant(1), item.carries[claim["conversation"]])))

    def _claims_settle(self, item: Item, claim: Json) -> Formula:
        assert item.contended is not None
        end = item.contended.claimed.plus(self._within(claim) or 0)
        beyond = self._space.lt(constant(self._environment.clock.horizon), end)
        return any_of((self._space.le(item.contended.settled, end), beyond))


_FORMS: Mapping[str, Callable[[ClaimReader, Item, Json], Formula]] = {
    "admitted": ClaimReader._admitted,
    "not-admitted": ClaimReader._not_admitted,
    "drafted": ClaimReader._drafted,
    "sent": ClaimReader._sent,
    "never-sent": ClaimReader._never_sent,
    "not-sent-after": ClaimReader._not_sent_after,
    "completed": ClaimReader._completed,
    "abandoned": ClaimReader._abandoned,
    "open": ClaimReader._open,
    "reassigned-or-orphaned": ClaimReader._reassigned_or_orphaned,
    "reply-in": ClaimReader._reply_in,
    "reply-anchor": ClaimReader._reply_anchor,
    "claims-settle": ClaimReader._claims_settle,
}

_ENDS = {"not-admitted": "not admitted", "never-sent": "never sent", "reassigned-or-orphaned": "reassigned or orphaned"}


def text(claim: Json) -> str:
    """A claim as the author writes it."""
    kind = claim["claim"]
    of = claim.get("of")
    within = f" within {claim['within']}" if claim.get("within") is not None else ""
    if kind == "any":
        return "any of " + " or ".join("{ " + " ".join(text(part) for part in parts) + " }" for parts in claim["of"])
    if kind == "if":
        return f"if {text(claim['if'])} then {text(claim['then'])} else {text(claim['else'])}"
    if kind in ("admitted", "drafted"):
        return f"{of} {kind}{within}"
    if kind == "sent":
        source = f" of {claim['from']}" if claim["from"] not in (None, of) and within else ""
        return f"{of} sent{' exactly once' if claim['once'] else ''}{within}{source}"
    if kind == "not-sent-after":
        return f"{of} not sent after {claim['after']}"
    if kind == "abandoned":
        return f"{of} abandoned" + (f" because {claim['reason']}" if claim["reason"] is not None else "")
    if kind == "reply-in":
        return f"{of} reply in {claim['conversation']}"
    if kind == "reply-anchor":
        return f"{of} reply carries anchor of {claim['conversation']}"
    if kind == "distinct":
        return f"{claim['of'][0]}, {claim['of'][1]} distinct"
    if kind == "only-sent":
        return f"only {(' then ' if claim['ordered'] else ', ').join(claim['of'])} sent"
    if kind == "claims-settle":
        return f"claims on {of} settle{within}"
    if kind == "state-agrees":
        return "state agrees"
    return f"{of} {_ENDS.get(kind, kind)}"
