"""Ticks to units of a picture: one even scale, long quiet stretches folded, and bands where that stays too wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from wellposed.cli.render.axis import FOLDED, JUMPED, Axis, Gap

FOLD = 80
"""How wide a folded stretch is, in units."""
JUMP = 72
STEP = 20
"""How wide the ticks are that a jump removes, in units."""

# Units for a tick, and the longest quiet stretch that is not folded: the first that fits is taken.
_SCALES = ((30, 12), (26, 12), (22, 12), (18, 12), (16, 12), (14, 10), (12, 6))


def bands(ticks: Sequence[int], jumps: Sequence[tuple[int, int]], width: int) -> list[Axis]:
    """The axis of these ticks in at most `width` units: one band where that is possible."""
    jumped = set(jumps)
    for units, limit in _SCALES:
        axis = _axis(ticks, jumped, units, limit)
        if axis.width <= width:
            return [axis]
    parts = _parts(ticks, jumped, width)
    # As many bands as needed, and these about equally wide.
    even = next(
        room for room in range(width // 2, width + STEP, STEP) if len(_parts(ticks, jumped, room)) <= len(parts)
    )
    *before, final = [_axis(part, jumped, *_SCALES[-1]) for part in _parts(ticks, jumped, min(even, width))]
    return [*(replace(axis, final=False) for axis in before), final]


def _parts(ticks: Sequence[int], jumped: set[tuple[int, int]], width: int) -> list[list[int]]:
    """The ticks cut into as few parts as fit. A part begins with the tick at which the one before it ends."""
    parts = [[ticks[0]]]
    used = 0
    for before, after in pairwise(ticks):
        step, _ = _step(before, after, jumped, *_SCALES[-1])
        if used and used + step > width:
            parts.append([before])
            used = 0
        used += step
        parts[-1].append(after)
    return parts


def _axis(ticks: Sequence[int], jumped: set[tuple[int, int]], units: int, limit: int) -> Axis:
    columns = {ticks[0]: 0}
    gaps = []
    at = 0
    for before, after in pairwise(ticks):
        step, middle = _step(before, after, jumped, units, limit)
        gaps.append(Gap(at, middle))
        at += step
        columns[after] = at
    return Axis(columns, tuple(gaps), at, ticks[0], ticks[-1])


def _step(before: int, after: int, jumped: set[tuple[int, int]], units: int, limit: int) -> tuple[int, str]:
    """How far two neighbouring ticks are apart, and what is drawn between them."""
    if (before, after) in jumped:
        return JUMP, JUMPED
    plain = (after - before) * units
    return (FOLD, FOLDED) if after - before > limit and plain > FOLD else (plain, "")
