"""Ticks to columns: stretches in which nothing happens are folded, and an axis that stays too wide is cut into bands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

FOLDED = "···"
JUMPED = ">>>"

# Columns for a tick (0: as few as its label needs), and the longest quiet stretch that is not folded where that saves
# columns: the first that fits is taken.
_SCALES = ((3, 12), (2, 12), (1, 12), (1, 8), (0, 5))


@dataclass(frozen=True, slots=True)
class Gap:
    """The first column between two neighbouring ticks, and what is drawn there: nothing, a fold, a jump."""

    start: int
    middle: str


@dataclass(frozen=True, slots=True)
class Axis:
    """One band: its ticks with their columns, in order, and the gaps between them. `width` is in columns.

    The last tick of a band that is not the final one belongs to the next.
    """

    columns: Mapping[int, int]
    gaps: tuple[Gap, ...]
    width: int
    first: int
    last: int
    final: bool = True

    def owns(self, tick: int) -> bool:
        """Whether what stands at this tick is drawn in this band."""
        return self.first <= tick < self.last or (self.final and tick == self.last)

    def reaches(self, first: int, last: int) -> bool:
        """Whether a part of this window is drawn in this band: more than the tick that two bands share."""
        return self.owns(first) or self.owns(last) and last > self.first or first < self.first and last >= self.last

    def labels(self) -> str:
        """The ticks, each at its column."""
        line = ""
        for tick, column in self.columns.items():
            line = line.ljust(column) + str(tick)
        return line

    def line(self, start: int, end: int, fill: str) -> str:
        """The columns from `start` up to `end`, filled, with a fold or jump behind the first column of its gap."""
        drawn = [fill] * self.width
        for gap in self.gaps:
            drawn[gap.start + 1 : gap.start + 1 + len(gap.middle)] = gap.middle
        return "".join(drawn[start:end])

    def ruler(self) -> str:
        """The axis itself."""
        end = self.columns[self.last] + 1
        drawn = list(self.line(0, end, "-"))
        for column in self.columns.values():
            drawn[column] = "+"
        return "".join(drawn)


@dataclass(frozen=True, slots=True)
class Measure:
    """How wide an axis is drawn, and in what: columns of text, or units of a picture.

    `scales` are widths for a tick with the longest quiet stretch that is not folded; the first that fits is taken. `step`
    says how far two neighbouring ticks are apart, whether a jump removes what is between them, for a scale, and what is drawn between them.
    `lead` is how far behind a tick its gap begins, `tail` how much room the last tick needs.
    """

    scales: Sequence[tuple[int, int]]
    step: Callable[[int, int, bool, int, int], tuple[int, str]]
    tail: Callable[[int], int]
    lead: int
    even: int | None = None
    """Where several bands are about equally wide: by how much narrower ones are tried."""


def bands(ticks: Sequence[int], jumps: Sequence[tuple[int, int]], width: int, measure: Measure) -> list[Axis]:
    """The axis of these ticks in at most `width`: one band where that is possible."""
    drawn = _Drawn(frozenset(jumps), measure)
    for scale in measure.scales:
        axis = drawn.axis(ticks, scale)
        if axis.width <= width:
            return [axis]
    parts = drawn.parts(ticks, width)
    if measure.even is not None:
        rooms = range(width // 2, width, measure.even)
        parts = next((found for room in rooms if len(found := drawn.parts(ticks, room)) <= len(parts)), parts)
    *before, final = [drawn.axis(part, measure.scales[-1]) for part in parts]
    return [*(replace(axis, final=False) for axis in before), final]


@dataclass(frozen=True, slots=True)
class _Drawn:
    jumped: frozenset[tuple[int, int]]
    measure: Measure

    def axis(self, ticks: Sequence[int], scale: tuple[int, int]) -> Axis:
        columns = {ticks[0]: 0}
        gaps = []
        at = 0
        for before, after in pairwise(ticks):
            step, middle = self.measure.step(before, after, (before, after) in self.jumped, *scale)
            gaps.append(Gap(at + self.measure.lead, middle))
            at += step
            columns[after] = at
        return Axis(columns, tuple(gaps), at + self.measure.tail(ticks[-1]), ticks[0], ticks[-1])

    def parts(self, ticks: Sequence[int], width: int) -> list[list[int]]:
        """The ticks cut into as few parts as fit. A part begins with the tick at which the one before it ends."""
        parts = [[ticks[0]]]
        for tick in ticks[1:]:
            part = parts[-1]
            if len(part) > 1 and self.axis([*part, tick], self.measure.scales[-1]).width > width:
                parts.append([part[-1]])
            parts[-1].append(tick)
        return parts


def _step(before: int, after: int, jumped: bool, scale: int, limit: int) -> tuple[int, str]:
    quiet = after - before
    label = len(str(before)) + 1
    # Behind a fold there is room for the last tick of a window that ends there.
    folded, plain = max(label, len(FOLDED) + 2 + len(str(after))), max(label, quiet * scale)
    middle = JUMPED if jumped else FOLDED if quiet > limit and (folded < plain or not scale) else ""
    return (folded if middle else plain), middle


TEXT = Measure(_SCALES, _step, lambda tick: len(str(tick)), lead=1)
"""Columns, with room for the label of each tick."""
