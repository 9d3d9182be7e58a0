"""The obligations whose causes stand in the schedule, each with the instant of its cause and its budget.

An item is followed where its message has to be admitted. A cause is left out where a rejection or an escalation that
stands inside its window may excuse the response; what the system under test does is never guessed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from wellposed.compiler.lint.budgets import CRASH, DEATH, DRAFT, REPLY, SEND, TERMINAL
from wellposed.compiler.lint.fixture import Fixture, Mail
from wellposed.compiler.scenario import Crash, Decision, Escalation, Event, HolderDeath
from wellposed.dsl.findings import Span

Duty = tuple[int, int, int, str, Span]
"""Instant of the cause, ticks until the response is due, the instant when it is, obligation, cause."""


@dataclass(slots=True)
class _Item:
    """What the schedule says of one item, in order; no instant comes before that of its message."""

    mail: Mail
    gated: bool
    decisions: list[tuple[int, Event, str]] = field(default_factory=list)
    deaths: list[tuple[int, Event]] = field(default_factory=list)
    rejected: list[int] = field(default_factory=list)
    escalated: list[int] = field(default_factory=list)

    def excused(self, start: int, end: int) -> bool:
        """Whether an escalation up to its end, or a rejection inside it, may excuse what is due in a window."""
        later = bisect_left(self.rejected, start)
        excuses = (*self.escalated[:1], *self.rejected[later : later + 1])
        return any(excuse <= end for excuse in excuses)


def duties(fixture: Fixture) -> Iterator[Duty]:
    """The obligations that the schedule causes."""
    level = fixture.scenario.level
    pending: list[tuple[int, int]] = []
    for item in _items(fixture):
        at, span = item.mail.at, item.mail.event.span
        reply = fixture.outbox.until(at, REPLY)
        if item.gated and not item.excused(at, at + DRAFT):
            yield at, DRAFT, at + DRAFT, "L0.draft", span
        if not item.gated:
            if not item.excused(at, reply):
                yield at, REPLY, reply, "L0.reply", span
            pending.append((at + 1, reply))
        before = ""
        for number, (given, event, decision) in enumerate(item.decisions):
            budget = SEND if level >= 2 else REPLY
            if decision == "approve" and before != "approve":
                pending.append((max(given, at + 1), fixture.outbox.until(max(given, at + DRAFT + 1), budget)))
                end = fixture.outbox.until(given, budget)
                if not item.excused(given, end):
                    yield given, budget, end, "L2.send" if level >= 2 else "L0.reply", event.span
            end = fixture.outbox.until(given, TERMINAL)
            if level >= 3 and number == 0 and not item.excused(given + 1, end + 1):
                yield given, TERMINAL, end, "L3.terminal", event.span
            before = decision
        if level >= 3:
            yield from ((died, DEATH, died + DEATH, "L3.death", event.span) for died, event in item.deaths if died > at)
    if level >= 1:
        yield from _crashes(fixture, pending)


def _items(fixture: Fixture) -> tuple[_Item, ...]:
    gated = fixture.scenario.level >= 2
    items = {mail.delivery.message: _Item(mail, gated) for mail in fixture.required}
    for event in fixture.scenario.events:
        action = event.action
        if not isinstance(action, Decision | Escalation | HolderDeath) or action.message not in items:
            continue
        item = items[action.message]
        at = fixture.instant(event)
        if at is None and not isinstance(action, HolderDeath):
            del items[action.message]  # when it is decided or escalated depends on the system
        elif at is not None:
            waits = isinstance(action, Escalation | HolderDeath) and action.deferred
            _enter(item, max(at, item.mail.at + waits), event)
    return tuple(items.values())


def _enter(item: _Item, at: int, event: Event) -> None:
    match event.action:
        case Decision(decision=decision):
            item.gated = True
            item.decisions.append((at, event, decision))
            if decision == "reject":
                item.rejected.append(at)
        case Escalation():
            item.escalated.append(at)
        case HolderDeath():
            item.deaths.append((at, event))


def _crashes(fixture: Fixture, pending: list[tuple[int, int]]) -> Iterator[Duty]:
    """Crashes in a stretch in which some reply may be due and unsent."""
    pending.sort()
    firsts = [first for first, _ in pending]
    lasts = list(accumulate((last for _, last in pending), max))
    for at, event in fixture.timed:
        number = bisect_right(firsts, at)
        if isinstance(event.action, Crash) and number and at <= lasts[number - 1]:
            yield at, CRASH, fixture.outbox.until(at, CRASH), "L1.crash", event.span
