"""Admission rules: what is in force at a tick, and whether a message matches.

The first rule that matches decides, by its effect; nothing matched means not admitted. History fields are those of the
message's own first delivery: distinct messages delivered at a smaller tick, admitted or not.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.environment import Happening


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message as it was first delivered: its id, record, delivery (visible index), pointer and history fields.

    `follows` says that its conversation has an item already, so that no rule asks for another one.
    """

    message: str
    record: Mapping[str, Any]
    index: int
    pointer: str
    thread_length: int
    sender_messages: int
    sender_conversations: int
    follows: bool

    @property
    def conversation(self) -> str:
        """The id of the message's own conversation."""
        return str(self.record["conversation_id"])

    def field(self, name: str, posture: str) -> str | int:
        """The value of a condition's field. Raises ValueError for a field that the rules do not know."""
        if name == "posture":
            return posture
        if name == "thread.length":
            return self.thread_length
        if name == "sender.messages":
            return self.sender_messages
        if name == "sender.conversations":
            return self.sender_conversations
        if name.startswith("message."):
            return str(self.record[name.removeprefix("message.")])
        raise ValueError(f"unknown field {name}")


def arrivals(clock: Clock, happenings: Iterable[Happening], answers: Answers) -> dict[str, Arrival]:
    """The first delivery of every message that is delivered, with the history before it."""
    threads: Counter[str] = Counter()
    senders: Counter[str] = Counter()
    conversations: dict[str, set[str]] = {}
    opened: set[str] = set()
    arrived: dict[str, Arrival] = {}
    same_tick: list[Mapping[str, Any]] = []
    now = -1
    for event in happenings:
        if event.kind != "deliver" or event.again or event.message is None:
            continue
        if event.tick != now:
            for record in same_tick:
                threads[record["conversation_id"]] += 1
                senders[record["from"]] += 1
                conversations.setdefault(record["from"], set()).add(record["conversation_id"])
            same_tick, now = [], event.tick
        record = event.record
        arrived[event.message] = Arrival(
            event.message,
            record,
            clock.index(event.tick),
            event.pointer,
            threads[record["conversation_id"]],
            senders[record["from"]],
            len(conversations.get(record["from"], ())),
            answers.item_per_conversation and record["conversation_id"] in opened,
        )
        opened.add(record["conversation_id"])
        same_tick.append(record)
    return arrived


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules versions of a scenario, and which of them and which posture are in force from which visible index on.

    `changes` are (index, posture, version), ascending, one per tick that changed anything (net of the tick).
    """

    versions: Mapping[str, Sequence[Mapping[str, Any]]]
    changes: tuple[tuple[int, str, str], ...]

    @staticmethod
    def of(document: Mapping[str, Any], clock: Clock, happenings: Iterable[Happening]) -> Policy:
        """The policy of a scenario in one run. The first entry of `rules` is in force from the start."""
        versions = {version["name"]: version["rules"] for version in document["rules"]}
        posture, name = document["mode"]["posture"], document["rules"][0]["name"]
        changes = {0: (posture, name)}
        for event in happenings:
            if event.kind in ("posture", "rules"):
                posture = event.record.get("posture", posture)
                name = event.record.get("rules", name)
                changes[clock.index(event.tick)] = (posture, name)
        return Policy(versions, tuple((index, *pair) for index, pair in sorted(changes.items())))

    def at(self, index: int) -> tuple[str, str]:
        """The posture and the name of the rules version in force at a visible index, after its environment part."""
        _, posture, name = self.changes[bisect_right(self.changes, index, key=_index) - 1]
        return posture, name

    def admits(self, message: Arrival, posture: str, version: str) -> bool:
        """Whether the first rule of the version that matches under this posture has effect `admit`."""
        if message.follows:
            return False
        for rule in self.versions[version]:
            if all(holds(condition, message, posture) for condition in rule["when"]):
                return bool(rule["effect"] == "admit")
        return False

    def matches(self, message: Arrival, index: int) -> bool:
        """Whether the message is admitted by what is in force at a visible index."""
        return self.admits(message, *self.at(index))


def holds(condition: Mapping[str, Any], message: Arrival, posture: str) -> bool:
    """Evaluates one condition: exact and case-sensitive on text. Raises ValueError for an unknown operator."""
    actual, value = message.field(condition["field"], posture), condition["value"]
    operator = condition["op"]
    if isinstance(actual, str):
        if operator in ("in", "not-in"):
            return (actual in list(value)) is (operator == "in")
        if operator in ("is", "is-not"):
            return (actual == value) is (operator == "is")
        if operator == "contains":
            return bool(value in actual)
        if operator == "starts-with":
            return actual.startswith(value)
        if operator == "ends-with":
            return actual.endswith(value)
    else:
        if operator in ("=", "!="):
            return (actual == value) is (operator == "=")
        if operator in ("<", "<="):
            return bool(actual < value or (operator == "<=" and actual == value))
        if operator in (">", ">="):
            return bool(actual > value or (operator == ">=" and actual == value))
    raise ValueError(f"unknown operator {operator} on {condition['field']}")


def _index(change: tuple[int, str, str]) -> int:
    return change[0]
