"""What the peers are told of a scenario: constants per message, read straight from the bundle document.

Only what the measured instances use: deliveries, timed approvals and rejections, escalations, deaths of a holder, crashes,
one rule that admits everything, and expectations that speak of one message each. Nothing here comes from the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the schedule: its position there, its tick and its id; `approve` tells the decisions apart."""

    seq: int
    tick: int
    id: str
    approve: bool = False


@dataclass(frozen=True, slots=True)
class Death:
    """The death of the holder of `target`."""

    seq: int
    tick: int
    target: str


@dataclass(frozen=True, slots=True)
class Item:
    """The constants of one message: its delivery, what aims at it, and its expectations by index."""

    message: str
    at: int
    subject: str
    decisions: tuple[Event, ...]
    escalations: tuple[Event, ...]
    claims: tuple[tuple[int, Json], ...]

    @property
    def rejects(self) -> bool:
        return any(not decision.approve for decision in self.decisions)


@dataclass(frozen=True, slots=True)
class Facts:
    """A scenario: its level and horizon, its items, and the events that concern all of them.

    `deaths` are those that come after the delivery of their target: no other one touches anything. `events` are the
    positions of everything that could find its target dead.
    """

    level: int
    horizon: int
    items: tuple[Item, ...]
    deaths: tuple[Death, ...]
    crashes: tuple[Event, ...]
    claims: int
    events: tuple[int, ...]

    def gated(self, item: Item) -> bool:
        return self.level >= 2 or bool(item.decisions)


class Unsupported(Exception):
    """The scenario uses something that the peers are not told of."""


class Uncertain(Exception):
    """A death may miss its target, so that items can't be asked one by one."""


def read(document: Mapping[str, Any]) -> Facts:
    """The facts of a bundle document. Raises Unsupported."""
    if [rule["when"] for rules in document["rules"] for rule in rules["rules"]] != [[]]:
        raise Unsupported("rules with conditions")
    deliveries: list[tuple[str, int, str]] = []
    decisions: dict[str, list[Event]] = {}
    escalations: dict[str, list[Event]] = {}
    deaths: list[Death] = []
    crashes: list[Event] = []
    events: list[int] = []
    names: set[str] = set()
    for entry in document["schedule"]:
        seq, record = entry["seq"], entry["record"]
        name = next(record[key] for key in ("id", "approval_id", "signal_id", "fault_id") if key in record)
        if name in names:
            raise Unsupported("a repeat or redelivery")
        if record.get("deferred") or "draft" in record.get("match", {}):
            raise Unsupported("a signal that waits for its item, or a decision on the oldest draft")
        names.add(name)
        if "at" not in entry or entry["at"] > document["horizon"]:
            raise Unsupported("an event without a tick in the horizon")
        tick = entry["at"]
        if entry["channel"] == "inbox":
            deliveries.append((name, tick, record["subject"]))
            continue
        events.append(seq)
        if "decision" in record and "match" in record:
            event = Event(seq, tick, name, record["decision"] == "approve")
            decisions.setdefault(_message(record["match"]["work_id"]), []).append(event)
        elif record.get("signal_type") == "OPERATOR_ESCALATION":
            escalations.setdefault(_message(record["target"]), []).append(Event(seq, tick, name))
        elif record.get("signal_type") == "AGENT_DEATH" and isinstance(record["target"], dict):
            deaths.append(Death(seq, tick, _message(record["target"]["holder_of"])))
        elif record.get("fault") == "crash":
            crashes.append(Event(seq, tick, name))
        else:
            raise Unsupported(f"a record in {entry['channel']}")
    claims: dict[str, list[tuple[int, Json]]] = {}
    for index, claim in enumerate(document["expect"]):
        (message,) = set(_mentioned(claim))
        claims.setdefault(message, []).append((index, claim))
    items = tuple(
        Item(
            message,
            at,
            subject,
            tuple(decisions.get(message, ())),
            tuple(escalations.get(message, ())),
            tuple(claims.get(message, ())),
        )
        for message, at, subject in deliveries
    )
    delivered = {message: at for message, at, _ in deliveries}
    hits = tuple(death for death in deaths if delivered[death.target] < death.tick)
    return Facts(
        int(document["level"]), document["horizon"], items, hits, tuple(crashes), len(document["expect"]), tuple(events)
    )


def _message(work: str) -> str:
    return work.removeprefix("work:")


def _mentioned(claim: Json) -> Iterator[str]:
    if claim["claim"] == "any":
        for alternative in claim["of"]:
            for inner in alternative:
                yield from _mentioned(inner)
    elif claim["claim"] in ("sent", "never-sent", "abandoned", "completed"):
        yield claim["of"]
    else:
        raise Unsupported(f"the expectation {claim['claim']}")
