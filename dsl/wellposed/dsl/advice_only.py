"""What to write instead in `only m1, m2 sent` and `only m1 then m2 sent`.

Functions of the `WrongToken`, as those of `advice.py`, which asks them.
"""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from wellposed.dsl.place import WrongToken

_NAMES = frozenset(
    {*("NAME", "BACKQUOTED", "COMMA", "THEN", "SENT"), *("LSQB", "RSQB", "NUMBER", "PLUS", "MINUS", "STAR")}
)
_MOST = 1_000
"""How many tokens are looked at before the wrong one."""


def _first(tokens: Sequence[Token], end: int) -> int | None:
    """The index of the `only` whose names, and perhaps `sent`, go up to an index; None where there is none."""
    for index in range(end - 1, max(-1, end - _MOST), -1):
        if tokens[index].type not in _NAMES:
            return index if tokens[index].type == "ONLY" else None
    return None


def _begins(place: WrongToken) -> bool:
    """Whether what stands before is `only` with names behind it, and perhaps `sent`."""
    return _first(place.tokens, place.wrong) is not None


def is_condition(tokens: Sequence[Token], end: int) -> bool:
    """Whether an `only` whose names go up to an index is the condition of an `if`."""
    only = _first(tokens, end)
    return only is not None and only > 0 and tokens[only - 1].type == "IF"


def said_already(place: WrongToken) -> str | None:
    """`only m1 sent exactly once`, `only m1 sent within 5`."""
    if place.before is None or place.before.type != "SENT" or not _begins(place):
        return None
    if place.token.type == "EXACTLY":
        return "`only` says exactly once of each message that it names: `only m1 sent`"
    if place.token.type == "WITHIN":
        return "an `only` has no window; beside it, write `m1 sent within 5`"
    return None


def joined(place: WrongToken) -> str | None:
    """Names that are joined by something else, or by both words."""
    if "SENT" not in place.possible or not place.same_line or not _begins(place):
        return None
    if place.token.type in ("COMMA", "THEN"):
        return "between all names stands `,`, for sends in any order, or `then`, for sends in this order; `sent` ends them"
    if place.token.type in ("AND", "OR", "NAME", "BACKQUOTED"):
        return "the names are joined by `,`, for sends in any order, or by `then`, for sends in this order"
    return None


def unsent(place: WrongToken) -> str | None:
    """`only m1, m2` without `sent`."""
    if "SENT" in place.possible and _begins(place) and place.before is not None and place.before.type != "COMMA":
        return "an `only` ends with `sent`: `only m1, m2 sent`"
    return None


FOUND = (said_already, joined)
"""Those that look at the wrong token."""
MISSING = (unsent,)
"""Those that look at what stands before it."""
