"""The indexes on which the engine computes: visible ticks, so that a jump needs no special case anywhere else.

A forward jump removes the ticks between. In the base readings every budget counts only what is left, so the index of a
tick is the number of visible ticks before it. Where jumps cost all (`answers.py`) the index is the tick itself, and no
record can stand in a gap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from wellposed.verifier.amr.answers import BASE, Answers


class Clock:
    """The visible ticks of 0..horizon after the jumps, each given as (tick at which it is written, landing tick)."""

    def __init__(self, horizon: int, jumps: Iterable[tuple[int, int]], answers: Answers = BASE) -> None:
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
            self._removed.append(self._removed[-1] + (0 if answers.jumps_cost_all else end - start + 1))
        self.jumped: tuple[tuple[int, int], ...] = tuple(self._gaps) if answers.jumps_cost_all else ()
        """The stretches of indexes that are no visible tick: first and last of each."""
        self.horizon = self.index(horizon)
        """Index of the last visible tick."""
        self.never = self.horizon + 1
        """The index that stands for "does not happen"; beyond every deadline where those beyond the horizon are due."""
        if answers.due_at_horizon:
            self.never += 1 + max(answers.admit, answers.draft, answers.reply, answers.send, answers.crash, answers.death, answers.claims)

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
        """The real tick of an index."""
        if self.jumped:
            return index
        tick = index
        for start, end in self._gaps:
            if start > tick:
                break
            tick += end - start + 1
        return tick

    def before(self, index: int) -> int:
        """The index of the last visible tick before this one."""
        return next((first - 1 for first, last in self.jumped if first < index <= last + 1), index - 1)

    @property
    def unused(self) -> tuple[tuple[int, int], ...]:
        """The stretches of indexes up to `never` at which no record can stand."""
        beyond = ((self.horizon + 1, self.never - 1),) if self.never > self.horizon + 1 else ()
        return (*self.jumped, *beyond)
