"""What a rule says of a message: conditions evaluated on its fields and a posture. First match wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wellposed.compiler.conditions import POSTURE
from wellposed.compiler.scenario import Condition, Rule, RuleSet

_HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is": lambda value, constant: bool(value == constant),
    "is-not": lambda value, constant: bool(value != constant),
    "in": lambda value, constants: value in constants,
    "not-in": lambda value, constants: value not in constants,
    "contains": lambda value, constant: constant in value,
    "starts-with": lambda value, constant: bool(value.startswith(constant)),
    "ends-with": lambda value, constant: bool(value.endswith(constant)),
    "=": lambda value, constant: bool(value == constant),
    "!=": lambda value, constant: bool(value != constant),
    "<": lambda value, constant: bool(value < constant),
    "<=": lambda value, constant: bool(value <= constant),
    ">": lambda value, constant: bool(value > constant),
    ">=": lambda value, constant: bool(value >= constant),
}

ADMIT = "admit"


def holds(condition: Condition, value: str | int) -> bool:
    """Whether a value of the condition's field satisfies it."""
    return _HOLDS[condition.operator](value, condition.value)


def decides(rules: RuleSet, fields: Mapping[str, str | int], posture: str) -> Rule | None:
    """The first rule that matches a message with these fields under a posture, None where none does."""
    for rule in rules.rules:
        if all(holds(one, posture if one.field == POSTURE else fields[one.field]) for one in rule.conditions):
            return rule
    return None


def admits(rules: RuleSet, fields: Mapping[str, str | int], posture: str) -> bool:
    """Whether the rules admit a message; nothing matched is a refusal."""
    rule = decides(rules, fields, posture)
    return rule is not None and rule.effect == ADMIT
