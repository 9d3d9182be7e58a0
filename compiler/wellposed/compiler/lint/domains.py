"""What conditions on one field leave open: whether some value satisfies them all, and what follows from them.

Exact for numbers and postures, of which a few values stand for all. For texts nothing is claimed that is not so, but
not all that is so is seen: fragments that overlap, and lists above a limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wellposed.compiler.conditions import POSTURE
from wellposed.compiler.lint.matching import holds
from wellposed.compiler.scenario import Condition
from wellposed.dsl.vocabulary import NUMBER_FIELDS, POSTURES

CONSTANTS = 1_000
"""Constants of one rule that are looked at; a rule with more is believed to be fine."""

_CHOICES = ("is", "in")
_EXCLUSIONS = ("is-not", "not-in")


def constants(condition: Condition) -> tuple[str | int, ...]:
    """The constants of a condition: one, or those of its list."""
    return condition.value if isinstance(condition.value, tuple) else (condition.value,)


def by_field(conditions: Iterable[Condition]) -> dict[str, tuple[Condition, ...]]:
    """Conditions by the field that they are on."""
    fields: dict[str, tuple[Condition, ...]] = {}
    for one in conditions:
        fields[one.field] = (*fields.get(one.field, ()), one)
    return fields


def values(field: str, conditions: Sequence[Condition], also: Sequence[Condition] = ()) -> tuple[str | int, ...] | None:
    """Values that satisfy all conditions and stand for every other that does; None where a text is not in a list.

    They also stand for the others where it matters to number conditions in `also`.
    """
    candidates: Iterable[str | int]
    if field == POSTURE:
        candidates = POSTURES
    elif field in NUMBER_FIELDS:
        bounds = [one.value for one in (*conditions, *also) if isinstance(one.value, int)]
        candidates = sorted({0, *(max(0, bound + step) for bound in bounds for step in (-1, 0, 1))})
    else:
        lists = [constants(one) for one in conditions if one.operator in _CHOICES]
        if not lists:
            return None
        lists.sort(key=len)
        candidates = lists[0]
    return tuple(value for value in candidates if all(holds(one, value) for one in conditions))


def contradict(field: str, conditions: Sequence[Condition]) -> bool:
    """Whether no value of the field satisfies all of these conditions on it."""
    possible = values(field, conditions)
    if possible is not None:
        return not possible
    heads = sorted((str(one.value) for one in conditions if one.operator == "starts-with"), key=len)
    tails = sorted((str(one.value) for one in conditions if one.operator == "ends-with"), key=len)
    return any(not heads[-1].startswith(one) for one in heads) or any(not tails[-1].endswith(one) for one in tails)


def follows(condition: Condition, conditions: Sequence[Condition]) -> bool:
    """Whether every value that satisfies `conditions`, all on the field of `condition`, satisfies it too."""
    possible = values(condition.field, conditions, (condition,))
    if possible is not None:
        return all(holds(condition, value) for value in possible)
    if condition.operator in _EXCLUSIONS:
        return all(any(not holds(one, str(value)) for one in conditions) for value in constants(condition))
    return condition.operator not in _CHOICES and (
        condition.value == "" or any(_fragment(condition, one) for one in conditions)
    )


def _fragment(condition: Condition, of: Condition) -> bool:
    """Whether a text with the fragment `of` has the one that `condition` asks for."""
    part, whole = str(condition.value), str(of.value)
    match condition.operator:
        case "starts-with":
            return of.operator == "starts-with" and whole.startswith(part)
        case "ends-with":
            return of.operator == "ends-with" and whole.endswith(part)
        case _:
            return of.operator in ("starts-with", "ends-with", "contains") and part in whole
