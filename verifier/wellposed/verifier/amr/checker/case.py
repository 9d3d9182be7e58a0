"""One run in the checker's terms: per work item what happened to it, on visible indexes, and the model's predicates.

All numbers in here are indexes of visible ticks (`Clock`). Predicates carry the names of the model page: standing,
pending, gated, required, lawful abandonment.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.environment import Happening, entry_id, subject_of
from wellposed.verifier.amr.checker.rules import Arrival, Policy, arrivals
from wellposed.verifier.amr.run import ItemRun, Run


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of the environment that an obligation looks at: when (visible index), where in the order, and what.

    `approve` and `draft` (an index into `ItemRun.drafts`) are those of a decision; both are None otherwise.
    """

    index: int
    order: int
    pointer: str
    approve: bool | None = None
    draft: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """The work item of one message in one run. `arrival` is None if the message is never delivered.

    `decisions` are the genuine ones, each once, in order; `escalations`, `deaths` (those that touched the item) and
    `crashes` likewise. `matched` says that the rules in force at the delivery admit the message, `altered` that a
    change near it alters this (L2.admit's excuse).
    """

    message: str
    run: ItemRun
    arrival: Arrival | None
    pointer: str
    gated: bool
    matched: bool
    altered: bool
    admitted: int | None
    drafts: tuple[int, ...]
    sends: tuple[int, ...]
    resolved: int | None
    won: tuple[int, ...]
    decisions: tuple[Moment, ...]
    escalations: tuple[Moment, ...]
    deaths: tuple[Moment, ...]
    crashes: tuple[Moment, ...]

    @property
    def required(self) -> bool:
        """Whether the message must be admitted: it matches at its delivery, and nothing alters that nearby."""
        return self.matched and not self.altered

    @property
    def outcome(self) -> str | None:
        """`completed`, `abandoned` or None."""
        return self.run.resolution[1] if self.run.resolution else None

    @property
    def reason(self) -> str | None:
        """The reason that the resolution names."""
        return self.run.resolution[2] if self.run.resolution else None

    @property
    def approves(self) -> tuple[Moment, ...]:
        """The genuine approves, in order."""
        return tuple(decision for decision in self.decisions if decision.approve)

    @property
    def rejects(self) -> tuple[Moment, ...]:
        """The genuine rejects, in order."""
        return tuple(decision for decision in self.decisions if not decision.approve)

    def sent_before(self, index: int) -> bool:
        """A send at a smaller index."""
        return any(sent < index for sent in self.sends)

    def resolved_before(self, index: int) -> bool:
        """The resolution at a smaller index."""
        return self.resolved is not None and self.resolved < index

    def abandoned_in(self, first: int, last: int) -> bool:
        """A resolution `abandoned`, lawful or not, in [first, last]."""
        return self.outcome == "abandoned" and self.resolved is not None and first <= self.resolved <= last

    def escalated_by(self, index: int) -> bool:
        """An escalation of the item fired at or before this index, be the item there or not."""
        return any(escalation.index <= index for escalation in self.escalations)

    def standing(self, index: int) -> bool:
        """The last genuine decision fired by this index, whatever draft it bound, is an approve."""
        fired = [decision for decision in self.decisions if decision.index <= index]
        return bool(fired) and fired[-1].approve is True

    def rejected_later(self, deadline: int, *, order: int = -1, index: int = -1) -> bool:
        """A later reject: fired after this place in the order and this index, by the deadline, that ends the standing.

        A cause that is itself a decision is followed by its tick's later decisions, so it counts by `order`; a crash
        sees the decisions of its own tick, so it counts by `index`.
        """
        return any(
            reject.order > order and index < reject.index <= deadline and not self.standing(reject.index)
            for reject in self.rejects
        )

    def pending(self, crash: int) -> bool:
        """Whether a crash at this index finds the item pending."""
        return (
            any(draft < crash for draft in self.drafts)
            and not self.sent_before(crash)
            and not self.resolved_before(crash)
            and not self.escalated_by(crash)
            and (not self.gated or self.standing(crash))
        )

    def pending_crash_in(self, first: int, last: int) -> bool:
        """A crash in [first, last] that finds the item pending."""
        return any(first <= crash.index <= last and self.pending(crash.index) for crash in self.crashes)

    def may_be_abandoned(self, at: int, budgets: Budgets) -> bool:
        """Whether an abandonment at this index is lawful (L0.abandon). The word it gives is not looked at."""
        if self.escalated_by(at):
            return True
        if any(sent <= at for sent in self.sends):
            return False
        if any(reject.index <= at for reject in self.rejects) and not self.standing(at):
            return True
        for death in self.deaths:
            if at - budgets.death <= death.index <= at and not any(death.index <= won <= at for won in self.won):
                return True
        return self.pending_crash_in(at - budgets.crash, at)

    def lawfully_abandoned_by(self, deadline: int, budgets: Budgets) -> bool:
        """The excuse: the item is abandoned by the deadline, and lawfully."""
        if self.outcome != "abandoned" or self.resolved is None or self.resolved > deadline:
            return False
        return self.may_be_abandoned(self.resolved, budgets)


@dataclass(frozen=True, slots=True)
class Case:
    """A bundle document, a run of it, and everything that follows from the two.

    `anchored` are the conversations that declare an anchor; `named` maps the messages that were delivered and the named
    statements that fired to the (visible) index of that; `last` is the last visible index.
    """

    document: Mapping[str, Any]
    run: Run
    budgets: Budgets
    clock: Clock
    happenings: tuple[Happening, ...]
    items: Mapping[str, Item]
    policy: Policy
    anchored: frozenset[str]
    named: Mapping[str, int]
    last: int

    def tick(self, index: int) -> int:
        """The real tick of a visible index."""
        return self.clock.tick(index)

    @property
    def level(self) -> int:
        """The scenario's declared level."""
        return int(self.document["level"])


def anchored(document: Mapping[str, Any]) -> frozenset[str]:
    """The conversations that declare an anchor."""
    return frozenset(row["conversation_id"] for row in document["stub"]["anchors"])


def open_case(
    document: Mapping[str, Any], run: Run, budgets: Budgets, clock: Clock, happenings: tuple[Happening, ...]
) -> Case:
    """Gathers the items of a run and its replayed environment. Every tick of the run must be visible (`form.shape`)."""
    policy, arrived = Policy.of(document, clock, happenings), arrivals(clock, happenings)
    gated, pointers = _scheduled(document)
    events: defaultdict[tuple[str, str], list[Moment]] = defaultdict(list)
    crashes = []
    for event in happenings:
        moment = Moment(clock.index(event.tick), event.order, event.pointer)
        if event.kind in ("approve", "reject") and not event.again:
            approve = event.kind == "approve"
            decision = Moment(moment.index, moment.order, moment.pointer, approve, event.draft)
            events["decision", event.message or ""].append(decision)
        elif event.kind == "escalation":
            events["escalation", event.message or ""].append(moment)
        elif event.kind == "death":
            for message in event.touched:
                events["death", message].append(moment)
        elif event.kind == "crash":
            crashes.append(moment)
    named = {event.name: clock.index(event.tick) for event in happenings if not event.again}
    last = clock.last
    items = {}
    for message, pointer in pointers.items():
        item, arrival = run.items.get(message, ItemRun()), arrived.get(message)
        items[message] = Item(
            message=message,
            run=item,
            arrival=arrival,
            pointer=pointer,
            gated=document["level"] >= 2 or message in gated,
            matched=arrival is not None and policy.matches(arrival, arrival.index),
            altered=arrival is not None and _altered(policy, arrival, budgets, last),
            admitted=None if item.admitted is None else clock.index(item.admitted),
            drafts=_indexes(clock, (draft.tick for draft in item.drafts)),
            sends=_indexes(clock, (tick for tick, _ in item.sends)),
            resolved=clock.index(item.resolution[0]) if item.resolution else None,
            won=_indexes(clock, item.won),
            decisions=tuple(events["decision", message]),
            escalations=tuple(events["escalation", message]),
            deaths=tuple(events["death", message]),
            crashes=tuple(crashes),
        )
    return Case(document, run, budgets, clock, happenings, items, policy, anchored(document), named, last)


def _scheduled(document: Mapping[str, Any]) -> tuple[set[str], dict[str, str]]:
    """The messages with a genuine decision in the schedule, and the pointer of every message's delivery."""
    gated: set[str] = set()
    pointers: dict[str, str] = {}
    for position, entry in enumerate(document["schedule"]):
        channel, record = entry["channel"], entry["record"]
        if channel == "inbox":
            pointers.setdefault(entry_id(channel, record), f"/schedule/{position}")
        elif channel == "approvals" and "forged" not in record:
            gated.add(subject_of(channel, record) or "")
    return gated, pointers


def _altered(policy: Policy, arrival: Arrival, budgets: Budgets, last: int) -> bool:
    first = max(1, arrival.index - (budgets.lag - 1))
    window = range(first, min(last, arrival.index + budgets.admit) + 1)
    return any(policy.matches(arrival, index) != policy.matches(arrival, index - 1) for index in window)


def _indexes(clock: Clock, ticks: Iterable[int]) -> tuple[int, ...]:
    return tuple(clock.index(tick) for tick in ticks)
