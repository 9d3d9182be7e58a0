"""What a rule says of a message: conditions evaluated on its fields and a posture. First match wins."""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.compiler.conditions import POSTURE
from wellposed.compiler.operators import HOLDS
from wellposed.compiler.scenario import Condition, Rule, RuleSet

ADMIT = "admit"


def holds(condition: Condition, value: str | int) -> bool:
    """Whether a value of the condition's field satisfies it."""
    return HOLDS[condition.operator](value, condition.value)


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
