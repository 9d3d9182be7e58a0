"""Whether a constant and a text are so near that the one is probably meant for the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wellposed.compiler.suggest import distance

NEAR = 4
"""The most letters that two texts can be apart and be near: two on each side of an `@`."""

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")


def pieces(operator: str, constant: str, text: str) -> Iterator[str]:
    """What of a text a constant is compared with: all of it, its beginning, its end, or as many words as it has."""
    size = len(constant)
    match operator:
        case "starts-with":
            yield from (text[:length] for length in range(max(1, size - 1), size + 2))
        case "ends-with":
            yield from (text[-length:] for length in range(max(1, size - 1), size + 2))
        case "contains":
            own = list(_WORD.finditer(constant))
            words = list(_WORD.finditer(text)) if own else []
            before, behind = (own[0].start(), size - own[-1].end()) if own else (0, 0)
            for first, last in zip(words, words[len(own) - 1 :], strict=False):
                yield text[max(0, first.start() - before) : last.end() + behind]
        case _:
            yield text


def apart(constant: str, piece: str) -> int | None:
    """How many letters two texts are apart, 0 where only case tells them apart; None where they are not near.

    One letter in four to seven, two in more, none in fewer, the two sides of an `@` each for itself. Texts that differ
    in digits only are different numbers, not typing errors.
    """
    if constant.casefold() == piece.casefold():
        return 0
    if _DIGIT.sub("0", constant) == _DIGIT.sub("0", piece):
        return None
    total = 0
    sides = zip(constant.partition("@"), piece.partition("@"), strict=True)
    for mine, theirs in sides:
        limit = 0 if len(mine) < 4 else 1 if len(mine) < 8 else 2
        found = distance(mine, theirs, limit) if mine != theirs else 0
        if found > limit:
            return None
        total += found
    return total
