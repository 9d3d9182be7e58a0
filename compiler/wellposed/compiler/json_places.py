"""Where in a JSON text a value stands."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()

Step = str | int


def stretch_of(text: str, steps: Sequence[Step]) -> tuple[int, int]:
    """Start and end, as offsets, of the value that these member names and indices lead to.

    `text` is JSON; steps that lead nowhere are left out from the first on. Each step reads what stands before its value
    once more, so this is for the few values that something is said about.
    """
    start = _skip(text, 0)
    for step in steps:
        found = _inside(text, start, step)
        if found is None:
            break
        start = found
    return start, _end(text, start)


def _inside(text: str, start: int, step: Step) -> int | None:
    """Where the element of the object or array at `start` begins, if it has that element."""
    is_object = text[start] == "{"
    if not (is_object and isinstance(step, str)) and not (text[start] == "[" and isinstance(step, int)):
        return None
    at = _skip(text, start + 1)
    number = 0
    while text[at] not in "]}":
        name: Step = number
        if is_object:
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if name == step:
            return at
        at = _skip(text, _end(text, at))
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1
    return None


def _end(text: str, start: int) -> int:
    return _DECODER.raw_decode(text, start)[1]


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return at if space is None else space.end()
