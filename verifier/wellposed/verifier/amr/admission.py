"""Which messages the rules admit, and when: the constants behind L2.admit and L2.only.

A message's history is fixed when it is delivered, so whether it matches depends on the tick only through the posture and
the rules version in force. Source: seed section 4, L2; clarified in `docs/model.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.operators import HOLDS
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.environment import Environment, Message, Segment


@dataclass(frozen=True, slots=True)
class Admission:
    """What the rules say of one message.

    `required`: L2.admit owes it an admission. `windows`: stretches of indexes (first, last, rules version) in which
    L2.only lets it be admitted. `versions`: stretches in which an admission may cite a version at all.
    """

    required: bool
    windows: tuple[tuple[int, int, str], ...]
    versions: tuple[tuple[int, int, str], ...]

    @property
    def ticks(self) -> tuple[tuple[int, int], ...]:
        """The stretches of `windows`, joined where they meet or overlap."""
        joined: list[tuple[int, int]] = []
        for first, last, _ in sorted(self.windows):
            if joined and first <= joined[-1][1] + 1:
                joined[-1] = joined[-1][0], max(joined[-1][1], last)
            else:
                joined.append((first, last))
        return tuple(joined)


class Admissions:
    """Evaluates the rules of an environment; segments are walked once per message."""

    def __init__(self, environment: Environment, answers: Answers) -> None:
        self._environment = environment
        self._answers = answers
        self._of: dict[str, Admission] = {}
        self._rules = {version["name"]: version["rules"] for version in environment.document["rules"]}

    def of(self, message: Message) -> Admission:
        """The admission of one message, in indexes of visible ticks."""
        if message.id not in self._of:
            self._of[message.id] = self._admission(message)
        return self._of[message.id]

    def _admission(self, message: Message) -> Admission:
        at = message.at
        horizon = self._environment.clock.horizon
        if self._answers.item_per_conversation and self._follows(message):
            return Admission(False, (), self._versions(at, horizon))
        if self._answers.arrival_decides:
            return self._on_arrival(message, at, horizon)
        near, far = at - (self._answers.lag - 1), at + self._answers.admit
        windows: list[tuple[int, int, str]] = []
        matches_at_delivery = altered = False
        before: bool | None = None
        for segment in self._environment.segments:
            match = self._matches(message, segment)
            if segment.first <= at <= segment.last:
                matches_at_delivery = match
            if before is not None and before != match and near <= segment.first <= far:
                altered = True
            before = match
            first, last = max(at, segment.first), min(segment.last + self._answers.lag, horizon)
            if first <= last and match:
                windows.append((first, last, segment.rules))
        return Admission(matches_at_delivery and not altered, tuple(windows), self._versions(at, horizon))

    def _versions(self, at: int, horizon: int) -> tuple[tuple[int, int, str], ...]:
        spans = ((max(at, s.first), min(s.last + self._answers.lag, horizon), s.rules) for s in self._environment.segments)
        return tuple(span for span in spans if span[0] <= span[1])

    def _on_arrival(self, message: Message, at: int, horizon: int) -> Admission:
        """Only what is in force at the delivery counts."""
        segment = next(segment for segment in self._environment.segments if segment.first <= at <= segment.last)
        whenever = ((at, horizon, segment.rules),)
        match = self._matches(message, segment)
        return Admission(match, whenever if match else (), whenever)

    def _follows(self, message: Message) -> bool:
        """Whether another message of the conversation was delivered before this one."""
        first = next(m for m in self._environment.messages.values() if m.conversation == message.conversation)
        return first is not message

    def _matches(self, message: Message, segment: Segment) -> bool:
        for rule in self._rules[segment.rules]:
            if all(holds_of(condition, message, segment.posture) for condition in rule["when"]):
                return bool(rule["effect"] == "admit")
        return False


def holds_of(condition: Mapping[str, Any], message: Message, posture: str) -> bool:
    """Whether a condition holds of a message under a posture."""
    return HOLDS[condition["op"]](value_of(condition, message, posture), condition["value"])


def value_of(condition: Mapping[str, Any], message: Message, posture: str) -> str | int:
    """What a condition asks about."""
    field = condition["field"]
    if field == "posture":
        return posture
    return message.text[field] if field in message.text else message.history[field]
