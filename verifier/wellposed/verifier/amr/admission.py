"""Which messages the rules admit, and when: the constants behind L2.admit and L2.only.

A message's history is fixed when it is delivered, so whether it matches depends on the tick only through the posture and
the rules version in force. Source: seed section 4, L2; clarified in `docs/model.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.operators import HOLDS
from wellposed.verifier.amr.budgets import Budgets
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


class Admissions:
    """Evaluates the rules of an environment; segments are walked once per message."""

    def __init__(self, environment: Environment, budgets: Budgets) -> None:
        self._environment = environment
        self._budgets = budgets
        self._rules = {version["name"]: version["rules"] for version in environment.document["rules"]}

    def of(self, message: Message) -> Admission:
        """The admission of one message, in indexes of visible ticks."""
        at = message.at
        horizon = self._environment.clock.horizon
        near, far = at - (self._budgets.lag - 1), at + self._budgets.admit
        windows: list[tuple[int, int, str]] = []
        versions: list[tuple[int, int, str]] = []
        matches_at_delivery = altered = False
        before: bool | None = None
        for segment in self._environment.segments:
            match = self._matches(message, segment)
            if segment.first <= at <= segment.last:
                matches_at_delivery = match
            if before is not None and before != match and near <= segment.first <= far:
                altered = True
            before = match
            first, last = max(at, segment.first), min(segment.last + self._budgets.lag, horizon)
            if first <= last:
                versions.append((first, last, segment.rules))
                if match:
                    windows.append((first, last, segment.rules))
        return Admission(matches_at_delivery and not altered, tuple(windows), tuple(versions))

    def _matches(self, message: Message, segment: Segment) -> bool:
        for rule in self._rules[segment.rules]:
            if all(_holds(condition, message, segment.posture) for condition in rule["when"]):
                return bool(rule["effect"] == "admit")
        return False


def _holds(condition: Mapping[str, Any], message: Message, posture: str) -> bool:
    field = condition["field"]
    if field == "posture":
        value: str | int = posture
    elif field in message.text:
        value = message.text[field]
    else:
        value = message.history[field]
    return HOLDS[condition["op"]](value, condition["value"])
