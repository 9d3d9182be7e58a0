"""How many sends of one message a log needs, so that whatever some log satisfies, one with no more sends does too.

Of a log's sends all can be left out but the first, on which every deadline rests, and one for each claim that asks for a
send at a time of its own: what forbids a send forbids none less. So without L1.once as many places for sends are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = Mapping[str, Any]


def sends_wanted(claim: Json, message: str) -> int:
    """The sends, beside the first, that may be needed for a claim to hold."""
    return _needed(claim, message, True)


def sends_told_apart(claim: Json, message: str) -> int:
    """The sends, beside the first, that may be needed for a claim to hold, or to fail."""
    return max(_needed(claim, message, True), _needed(claim, message, False))


def _needed(claim: Json, message: str, holds: bool) -> int:
    kind = claim["claim"]
    if kind == "any":
        alternatives = [[_needed(part, message, holds) for part in alternative] for alternative in claim["of"]]
        return max(map(sum, alternatives)) if holds else sum(map(max, alternatives))
    if kind == "if":
        then = _needed(claim["if"], message, True) + _needed(claim["then"], message, holds)
        return max(then, _needed(claim["if"], message, False) + _needed(claim["else"], message, holds))
    if kind == "only-sent":
        return int(not holds and message in claim["of"])
    wanted = _ATOMS.get(kind)
    return int(wanted is not None and claim["of"] == message and wanted(claim, holds))


def _sent(claim: Json, holds: bool) -> bool:
    """A send within a window, or a second one of which there is to be one."""
    return not holds if claim["once"] else holds and claim["within"] is not None


_ATOMS: Mapping[str, Callable[[Json, bool], bool]] = {
    "sent": _sent,
    "not-sent-after": lambda claim, holds: not holds,
}
