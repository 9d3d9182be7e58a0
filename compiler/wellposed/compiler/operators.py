"""What the operators of rule conditions mean (language reference, Rules): exact, case-sensitive, on Unicode scalar values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
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
"""Whether a message's value satisfies an operator and its constant, by operator."""
