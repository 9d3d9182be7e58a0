"""The schedule of a bundle as the engine reads it: events with the tick, or the record, that they wait for.

Ticks are indexes of visible ticks (`clock.py`). What happens at a tick that depends on the run is given by its trigger.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, product
from math import prod
from typing import Any

from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.clock import Clock
from wellposed.verifier.amr.outbox import Outbox
from wellposed.verifier.solver import OutOfBudget

TIMED, DEFERRED, TRIGGERED = 0, 1, 2
"""The classes of environment events within one tick, in order."""

MAX_CASES = 4096
"""How many unfoldings of triggered jumps, postures and rules are explored before the answer is "undecided"."""


class TooManyCases(OutOfBudget):
    """Triggered jumps, postures or rules can unfold in more ways than are explored, whatever the budget."""

    more_helps = False


@dataclass(frozen=True, slots=True)
class Trigger:
    """`when MESSAGE EVENT`: fires at the first tick after that record, or at the index `since` if that is later."""

    message: str
    event: str
    since: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the schedule: when (an index, a trigger, or None for never), its class and place in the order."""

    when: int | Trigger | None
    rank: int
    seq: int
    pointer: str
    id: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message at its first delivery. `history` holds the number fields that rules may read."""

    id: str
    conversation: str
    text: Mapping[str, str]
    history: Mapping[str, int]
    at: int
    seq: int
    pointer: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A genuine decision on a message's item: an approve or a reject, of its latest draft or of its `oldest`."""

    event: Event
    message: str
    approve: bool
    oldest: bool = False


@dataclass(frozen=True, slots=True)
class Escalation:
    event: Event
    message: str


@dataclass(frozen=True, slots=True)
class Death:
    """The death of the agent that holds a message's item, or (`message` None) of a literal agent."""

    event: Event
    message: str | None


@dataclass(frozen=True, slots=True)
class Forgery:
    """A forged decision: on a message's latest draft with a wrong hash, or (`message` None) on a draft that cannot exist."""

    event: Event
    message: str | None
    approve: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """A record once more: a message delivered again, a decision or a signal repeated.

    `of` is message, approve, reject, forged or signal.
    """

    event: Event
    message: str | None
    of: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of indexes, both ends included, under one posture and rules version."""

    first: int
    last: int
    posture: str
    rules: str


@dataclass(frozen=True, slots=True)
class Environment:
    """One unfolding of a bundle's schedule. `fixed` gives, per trigger, the index at which it is taken to fire (None: never)."""

    document: Mapping[str, Any]
    clock: Clock
    outbox: Outbox
    messages: Mapping[str, Message]
    decisions: tuple[Decision, ...]
    escalations: tuple[Escalation, ...]
    deaths: tuple[Death, ...]
    crashes: tuple[Event, ...]
    forgeries: tuple[Forgery, ...]
    copies: tuple[Copy, ...]
    segments: tuple[Segment, ...]
    fixed: Mapping[Trigger, int | None]
    named: Mapping[str, Event | str]
    """What a name means in an expectation: an event, or the id of the message whose decision it is."""

    @property
    def level(self) -> int:
        return int(self.document["level"])

    @property
    def events(self) -> tuple[Event, ...]:
        """Decisions, escalations, deaths, forgeries and crashes, in schedule order, repeats left out."""
        aimed = [entry.event for entry in self.aimed]
        return tuple(sorted((*aimed, *self.crashes), key=lambda event: event.seq))

    @property
    def aimed(self) -> tuple[Decision | Escalation | Death | Forgery, ...]:
        """The events that aim at a message's item, or (message None) at none."""
        return (*self.decisions, *self.escalations, *self.deaths, *self.forgeries)

    @property
    def conversations(self) -> tuple[str, ...]:
        """Every declared conversation, in order of declaration."""
        return tuple(entry["conversation_id"] for entry in self.document["stub"]["replies"])

    @property
    def anchored(self) -> frozenset[str]:
        """The conversations that declare an anchor."""
        return frozenset(entry["conversation_id"] for entry in self.document["stub"]["anchors"])


def message_of(reference: str) -> str:
    """The message id of a symbolic work id `work:m1`."""
    return reference.removeprefix("work:")


def unfold(document: Mapping[str, Any], answers: Answers = BASE) -> Iterator[Environment]:
    """Every way in which triggered jumps, postures and rules can fall; without any, the one environment there is.

    Raises TooManyCases.
    """
    wild: list[Trigger] = []
    for entry in document["schedule"]:
        trigger = _trigger(entry)
        if trigger is not None and entry["record"].get("fault") in ("jump", "posture", "rules") and trigger not in wild:
            wild.append(trigger)
    choices = [(None, *_possible_ticks(document, trigger)) for trigger in wild]
    if prod(map(len, choices)) > MAX_CASES:
        raise TooManyCases(f"triggered jumps, postures and rules can fall in more than {MAX_CASES} ways")
    for ticks in product(*choices):
        environment = _environment(document, dict(zip(wild, ticks, strict=True)), answers)
        if environment is not None:
            yield environment


def _possible_ticks(document: Mapping[str, Any], trigger: Trigger) -> range:
    """The ticks at which a trigger can fire at all: after the delivery of its message."""
    inbox = (entry for entry in document["schedule"] if entry["channel"] == "inbox" and "at" in entry)
    deliveries = (entry["at"] for entry in inbox if entry["record"]["id"] == trigger.message)
    return range(min(deliveries) + 1, int(document["horizon"]) + 1)


def _trigger(entry: Mapping[str, Any]) -> Trigger | None:
    when = entry.get("when")
    return None if when is None else Trigger(message_of(when["work_id"]), when["event"])


def _environment(
    document: Mapping[str, Any], ticks: Mapping[Trigger, int | None], answers: Answers
) -> Environment | None:
    """The environment in which each given trigger fires at the given real tick; None when that tick is not visible."""
    entries: list[tuple[int | Trigger | None, int, int, Mapping[str, Any]]] = []
    for seq, entry in enumerate(document["schedule"]):
        trigger = _trigger(entry)
        if trigger is None:
            entries.append((entry["at"], TIMED, seq, entry))
        elif trigger in ticks:
            entries.append((ticks[trigger], TRIGGERED, seq, entry))
        else:
            entries.append((trigger, TRIGGERED, seq, entry))
    jumps = []
    for when, rank, seq, entry in entries:
        record = entry["record"]
        if record.get("fault") == "jump" and isinstance(when, int):
            jumps.append((when, rank, seq, record["to"] if "to" in record else when + record["by"]))
    clock = Clock(document["horizon"], [(when, landing) for when, _, _, landing in sorted(jumps)], answers)
    fixed: dict[Trigger, int | None] = {}
    for trigger, tick in ticks.items():
        if tick is not None and clock.lands(tick) != tick:
            return None
        fixed[trigger] = None if tick is None else clock.index(tick)
    return _Reader(document, clock, fixed).read(entries)


class _Reader:
    """Sorts the entries of a schedule into the channels of an Environment."""

    def __init__(self, document: Mapping[str, Any], clock: Clock, fixed: Mapping[Trigger, int | None]) -> None:
        self._document = document
        self._clock = clock
        self._fixed = fixed
        self._messages: dict[str, Message] = {}
        self._decisions: list[Decision] = []
        self._escalations: list[Escalation] = []
        self._deaths: list[Death] = []
        self._crashes: list[Event] = []
        self._forgeries: list[Forgery] = []
        self._copies: list[Copy] = []
        self._changes: list[tuple[int, int, int, str, str]] = []
        self._switches: list[tuple[int, int, bool]] = []
        self._named: dict[str, Event | str] = {}

    def read(self, entries: list[tuple[int | Trigger | None, int, int, Mapping[str, Any]]]) -> Environment:
        deliveries: dict[str, tuple[int, int, Mapping[str, Any]]] = {}
        for when, rank, seq, entry in entries:
            record = entry["record"]
            if entry["channel"] == "inbox":
                if record["id"] in deliveries:
                    index = self._clock.index(when) if isinstance(when, int) else when
                    event = self._event(index, rank, seq, record["id"])
                    self._copies.append(Copy(event, record["id"], "message"))
                else:
                    assert isinstance(when, int)
                    deliveries[record["id"]] = (self._clock.index(when), seq, record)
        self._messages = _messages(deliveries)
        readers = {"approvals": self._approval, "signals": self._signal, "faults": self._fault}
        for when, rank, seq, entry in entries:
            if entry["channel"] != "inbox":
                index = self._clock.index(when) if isinstance(when, int) else when
                readers[entry["channel"]](entry["record"], index, rank, seq)
        return Environment(
            self._document,
            self._clock,
            Outbox.of(((index, hold) for index, _, hold in sorted(self._switches)), self._clock),
            self._messages,
            tuple(self._decisions),
            tuple(self._escalations),
            tuple(self._deaths),
            tuple(self._crashes),
            tuple(self._forgeries),
            tuple(self._copies),
            self._segments(),
            self._fixed,
            self._named,
        )

    def _event(self, when: int | Trigger | None, rank: int, seq: int, identity: str) -> Event:
        return Event(when, rank, seq, f"/schedule/{seq}", identity)

    def _approval(self, record: Mapping[str, Any], when: int | Trigger | None, rank: int, seq: int) -> None:
        identity = record["approval_id"]
        event = self._event(when, rank, seq, identity)
        target = message_of(record["match"]["work_id"]) if "match" in record else None
        if identity in self._named:
            self._copies.append(Copy(event, target, "forged" if "forged" in record else record["decision"]))
        elif "forged" in record:
            self._forgeries.append(Forgery(event, target, record["decision"] == "approve"))
            self._named[identity] = event
        else:
            assert target is not None
            oldest = record["match"].get("draft") == "oldest"
            self._decisions.append(Decision(event, target, record["decision"] == "approve", oldest))
            self._named[identity] = target

    def _signal(self, record: Mapping[str, Any], when: int | Trigger | None, rank: int, seq: int) -> None:
        escalation = record["signal_type"] == "OPERATOR_ESCALATION"
        target = record["target"] if escalation else record["target"]["holder_of"] if isinstance(record["target"], Mapping) else None
        message = None if target is None else message_of(target)
        if record.get("deferred") and isinstance(when, int):
            assert message is not None
            when = Trigger(message, "admitted", since=when)
        event = self._event(when, rank, seq, record["signal_id"])
        if event.id in self._named:
            self._copies.append(Copy(event, message, "signal"))
            return
        self._named[event.id] = event
        if message is not None and escalation:
            self._escalations.append(Escalation(event, message))
        else:
            self._deaths.append(Death(event, message))

    def _fault(self, record: Mapping[str, Any], when: int | Trigger | None, rank: int, seq: int) -> None:
        event = self._event(when, rank, seq, record["fault_id"])
        self._named[event.id] = event
        if record["fault"] == "crash":
            self._crashes.append(event)
        elif record["fault"] in ("hold", "release") and isinstance(when, int):
            self._switches.append((when, seq, record["fault"] == "hold"))
        elif record["fault"] in ("posture", "rules") and isinstance(when, int):
            self._changes.append((when, rank, seq, record["fault"], record[record["fault"]]))

    def _segments(self) -> tuple[Segment, ...]:
        """The stretches between changes; several changes of one tick count as one."""
        posture = self._document["mode"]["posture"]
        rules = self._document["rules"][0]["name"]
        segments: list[Segment] = []
        first = 0
        for when, _, _, kind, value in sorted(self._changes):
            if when > first:
                segments.append(Segment(first, when - 1, posture, rules))
                first = when
            if kind == "posture":
                posture = value
            else:
                rules = value
        segments.append(Segment(first, self._clock.horizon, posture, rules))
        return tuple(segments)


def _messages(deliveries: Mapping[str, tuple[int, int, Mapping[str, Any]]]) -> dict[str, Message]:
    """The messages in order of first delivery; history counts distinct messages delivered at a smaller tick."""
    messages: dict[str, Message] = {}
    threads: Counter[str] = Counter()
    senders: Counter[str] = Counter()
    conversations: dict[str, set[str]] = defaultdict(set)
    order = sorted(deliveries.values(), key=lambda delivery: delivery[:2])
    for at, delivered in groupby(order, key=lambda delivery: delivery[0]):
        together = list(delivered)
        for _, seq, record in together:
            history = {
                "thread.length": threads[record["conversation_id"]],
                "sender.messages": senders[record["from"]],
                "sender.conversations": len(conversations[record["from"]]),
            }
            text = {f"message.{field}": record[field] for field in ("from", "subject", "body", "conversation_id")}
            identity, conversation = record["id"], record["conversation_id"]
            messages[identity] = Message(identity, conversation, text, history, at, seq, f"/schedule/{seq}")
        for _, _, record in together:
            threads[record["conversation_id"]] += 1
            senders[record["from"]] += 1
            conversations[record["from"]].add(record["conversation_id"])
    return messages
