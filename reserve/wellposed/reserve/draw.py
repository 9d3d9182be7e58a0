"""Drawing members of a family: from the randomness of the operating system, never from a seed that could be found."""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.seal import COPY, Known, refusals


def draw(family: str, members: Sequence[Bundle], count: int, known: Known) -> tuple[Bundle, ...]:
    """`count` members that are different tests, in a random order, none of them known already. Raises Refusal.

    A member that is not well-posed refuses the whole draw: the author of the family decides what it holds, not chance.
    """
    order = list(members)
    secrets.SystemRandom().shuffle(order)
    drawn: list[Bundle] = []
    copies: list[Finding] = []
    for bundle in order:
        if len(drawn) == count:
            break
        why = list(refusals(bundle, known))
        if not why:
            drawn.append(bundle)
        elif why[0].code == COPY:
            copies += why
        else:
            raise Refusal(*why)
    if len(drawn) < count:
        what = f"family {family} has {len(drawn)} different tests that are not known yet, and {count} are to be drawn"
        place = members[0].path if members else None
        raise Refusal(at_file("WP887", what, place), *copies[:3])
    return tuple(drawn)


def bits(members: int) -> float:
    """How many bits a guesser lacks who knows the family and not the draw: what would be left without a nonce."""
    return math.log2(members) if members else 0.0
