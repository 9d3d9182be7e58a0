"""Why a value is refused: the first violation of the profile, with its pointer. The encoder only finds that there is one."""

from __future__ import annotations

from typing import Any, NoReturn

from wellposed.compiler.profile import (
    FLOAT,
    MAX_DEPTH,
    MAX_VALUES,
    NOT_A_NUMBER,
    TOO_DEEP,
    TOO_LARGE,
    CanonicalError,
    integer_fault,
    key_fault,
    pointer_to,
    string_fault,
)


def explain(value: object) -> NoReturn:
    """Raise for the first violation of a value, in the order of its members as they stand.

    Raises `CanonicalError`, or `TypeError` for what is not JSON at all. Iterative, and bounded for values that hold
    themselves.
    """
    stack: list[tuple[list[str | int], Any]] = [([], value)]
    size = 0
    while stack:
        steps, item = stack.pop()
        fault: tuple[str, str] | None = None
        if type(item) is str:
            fault = string_fault(item)
        elif type(item) is int:
            fault = integer_fault(item)
        elif isinstance(item, float):
            finite = item - item == 0.0
            fault = (FLOAT, f"{item!r} is not an integer") if finite else (NOT_A_NUMBER, f"{item!r} is not JSON")
        elif type(item) is dict or type(item) is list:
            size += len(item) or 1
            if len(steps) == MAX_DEPTH:
                fault = (TOO_DEEP, f"objects and arrays nested more than {MAX_DEPTH} deep")
            elif size > MAX_VALUES:
                fault = (TOO_LARGE, f"more than {MAX_VALUES} values")
            else:
                members = list(item.items()) if type(item) is dict else list(enumerate(item))
                for key, _ in members:
                    if type(key) is not str and type(item) is dict:
                        raise TypeError(f"a member name of type {type(key).__name__} at {pointer_to(steps)!r}")
                    fault = fault or (key_fault(key) if type(key) is str else None)
                stack += [([*steps, key], below) for key, below in reversed(members)]
        elif item is not None and type(item) is not bool:
            raise TypeError(f"a value of type {type(item).__name__} at {pointer_to(steps)!r} is not JSON")
        if fault is not None:
            raise CanonicalError(*fault, pointer_to(steps))
    raise AssertionError("a value was refused that has no fault")
