"""Ticks to units of a picture: one even scale, long quiet stretches folded, and bands where that stays too wide."""

from __future__ import annotations

from wellposed.cli.render.axis import FOLDED, JUMPED, Measure

FOLD = 80
"""How wide a folded stretch is, in units."""
JUMP = 72
"""How wide the ticks are that a jump removes, in units."""

# Units for a tick, and the longest quiet stretch that is not folded: the first that fits is taken.
_SCALES = ((30, 12), (26, 12), (22, 12), (18, 12), (16, 12), (14, 10), (12, 6))


def _step(before: int, after: int, jumped: bool, units: int, limit: int) -> tuple[int, str]:
    if jumped:
        return JUMP, JUMPED
    plain = (after - before) * units
    return (FOLD, FOLDED) if after - before > limit and plain > FOLD else (plain, "")


PICTURE = Measure(_SCALES, _step, lambda tick: 0, lead=0, even=20)
"""Units, with bands about equally wide."""
