"""A scenario as the checks see it: its clock, its messages with their history, the postures and rules in force.

All of it follows from the immutable Scenario, and is computed when it is first asked for. Instants are indexes of
visible ticks (`Clock.index`), in which budgets and windows count. What stands under `when` has no instant and is left
out.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from wellposed.compiler.clock import Clock
from wellposed.compiler.lint.budgets import ADMIT, LAG
from wellposed.compiler.lint.matching import admits
from wellposed.compiler.lint.outbox import Outbox
from wellposed.compiler.scenario import (
    Delivery,
    Event,
    PostureChange,
    Redelivery,
    Repetition,
    RulesChange,
    RuleSet,
    Scenario,
)
from wellposed.dsl.findings import Span


@dataclass(frozen=True, slots=True)
class Mail:
    """The first delivery of a message at the instant `at`; `fields` are what conditions can ask for, posture left out.

    `in_turn` are the fields if messages of one tick counted in each other's history, in the order of the schedule.
    """

    event: Event
    delivery: Delivery
    at: int
    fields: Mapping[str, str | int]
    in_turn: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class Regime:
    """The posture and the rules in force from the instant `first` until the next regime; `changes` brought them."""

    first: int
    posture: str
    rules: RuleSet
    changes: tuple[Event, ...]


class _History:
    """Counts distinct messages; every delivery here is a first one."""

    def __init__(self) -> None:
        self._thread: Counter[str] = Counter()
        self._sender: Counter[str] = Counter()
        self._threads: dict[str, set[str]] = {}

    def add(self, delivery: Delivery) -> None:
        self._thread[delivery.conversation] += 1
        self._sender[delivery.sender] += 1
        self._threads.setdefault(delivery.sender, set()).add(delivery.conversation)

    def of(self, delivery: Delivery) -> dict[str, str | int]:
        """What came before, as far as conditions on this message can count it."""
        return {
            "thread.length": self._thread[delivery.conversation],
            "sender.messages": self._sender[delivery.sender],
            "sender.conversations": len(self._threads.get(delivery.sender, ())),
        }


class Fixture:
    """Everything that several checks need of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    @cached_property
    def clock(self) -> Clock:
        """The clock with its timed jumps."""
        return Clock(self.scenario.events)

    def instant(self, event: Event) -> int | None:
        """The instant for which an event is written, None under `when`."""
        return None if event.at is None else self.clock.index(self.clock.lands(event.at))

    @cached_property
    def last(self) -> int:
        """The instant of the horizon."""
        return self.clock.index(self.scenario.horizon)

    @cached_property
    def timed(self) -> tuple[tuple[int, Event], ...]:
        """The events that have an instant, with it, in order."""
        pairs = ((self.instant(event), event) for event in self.scenario.events)
        return tuple((at, event) for at, event in pairs if at is not None)

    @cached_property
    def outbox(self) -> Outbox:
        """When effects are held."""
        return Outbox(self.timed, self.last)

    @cached_property
    def records(self) -> Mapping[str, Event]:
        """The first event of every id."""
        first: dict[str, Event] = {}
        for event in self.scenario.events:
            if not isinstance(event.action, Redelivery | Repetition):
                first.setdefault(event.id, event)
        return first

    @cached_property
    def mails(self) -> tuple[Mail, ...]:
        """The messages in the order of their first deliveries. History counts what came at smaller ticks."""
        past = _History()
        mails: list[Mail] = []
        pairs = ((at, event, event.action) for at, event in self.timed if isinstance(event.action, Delivery))
        for at, together in groupby(pairs, key=lambda pair: pair[0]):
            group = [(event, delivery, past.of(delivery)) for _, event, delivery in together]
            for event, delivery, history in group:
                texts = {
                    "message.from": delivery.sender,
                    "message.subject": delivery.subject,
                    "message.body": delivery.body,
                    "message.conversation_id": delivery.conversation,
                }
                mails.append(Mail(event, delivery, at, texts | history, texts | past.of(delivery)))
                past.add(delivery)
        return tuple(mails)

    @cached_property
    def regimes(self) -> tuple[Regime, ...]:
        """The regimes in order; all changes of one instant count as one."""
        versions = {one.name: one for one in self.scenario.rules}
        regimes = [Regime(0, self.scenario.posture, self.scenario.rules[0], ())]
        for at, event in self.timed:
            if not isinstance(event.action, PostureChange | RulesChange):
                continue
            last = regimes.pop() if regimes[-1].first == at else regimes[-1]
            posture, rules = last.posture, last.rules
            if isinstance(event.action, PostureChange):
                posture = event.action.posture
            else:
                rules = versions[event.action.rules]
            before = last.changes if last.first == at else ()
            regimes.append(Regime(at, posture, rules, (*before, event)))
        return tuple(regimes)

    def regime_at(self, instant: int) -> Regime:
        """The regime in force at an instant."""
        return self.regimes[bisect_right(self._starts, instant) - 1]

    def admitted_under(self, mail: Mail, regime: Regime) -> bool:
        """Whether the rules and the posture of a regime admit a message."""
        return admits(regime.rules, mail.fields, regime.posture)

    def altered_by(self, mail: Mail) -> Regime | None:
        """The first regime whose start alters what happens to a message that may lawfully go either way for it."""
        first = max(1, bisect_left(self._starts, mail.at - (LAG - 1)))
        last = bisect_right(self._starts, mail.at + ADMIT)
        for number in range(first, last):
            before, after = self.regimes[number - 1], self.regimes[number]
            if self.admitted_under(mail, before) != self.admitted_under(mail, after):
                return after
        return None

    @cached_property
    def required(self) -> tuple[Mail, ...]:
        """The messages that have to be admitted: the rules admit them at their delivery, and no change excuses it."""
        admitted = (one for one in self.mails if self.admitted_under(one, self.regime_at(one.at)))
        return tuple(one for one in admitted if self.altered_by(one) is None)

    def place(self, pointer: str) -> Span | None:
        """Where a header line stands, by its pointer in the bundle; None where it is not written."""
        return self._places.get(pointer)

    @cached_property
    def _starts(self) -> list[int]:
        return [one.first for one in self.regimes]

    @cached_property
    def _places(self) -> Mapping[str, Span]:
        return dict(self.scenario.places)
