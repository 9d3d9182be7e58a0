"""Visible ticks: a forward jump removes the ticks between, and every budget counts only what is left.

The engine works on indexes of visible ticks, so that a jump needs no special case anywhere else.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable


class Clock:
    """The visible ticks of 0..horizon after the jumps, each given as (tick at which it is written, landing tick)."""

    def __init__(self, horizon: int, jumps: Iterable[tuple[int, int]]) -> None:
        self._gaps: list[tuple[int, int]] = []
        self._starts: list[int] = []
        for written, landing in jumps:
            tick = self.lands(written)
            if self._starts and self._starts[-1] == tick + 1:  # the furthest jump of a tick counts
                landing = max(landing, self._gaps.pop()[1] + 1)
                self._starts.pop()
            if landing > tick + 1:
                self._gaps.append((tick + 1, landing - 1))
                self._starts.append(tick + 1)
        self._removed = [0]
        for start, end in self._gaps:
            self._removed.append(self._removed[-1] + end - start + 1)
        self.horizon = self.index(horizon)
        """Index of the last visible tick."""
        self.never = self.horizon + 1
        """The index that stands for "does not happen"."""

    def lands(self, tick: int) -> int:
        """The visible tick at which something written for `tick` happens."""
        place = bisect_right(self._starts, tick) - 1
        if place >= 0 and tick <= self._gaps[place][1]:
            return self._gaps[place][1] + 1
        return tick

    def index(self, tick: int) -> int:
        """The index of the visible tick at which something written for `tick` happens."""
        landed = self.lands(tick)
        return landed - self._removed[bisect_right(self._starts, landed)]

    def tick(self, index: int) -> int:
        """The real tick of a visible index."""
        tick = index
        for start, end in self._gaps:
            if start > tick:
                break
            tick += end - start + 1
        return tick
