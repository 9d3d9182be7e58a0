"""Visible ticks: the scenario's clock without the ticks that jumps removed.

A jump from t to u removes t+1..u-1: t stays visible and the jump costs one (model, "Time and order"). Windows and
deadlines count visible ticks, so the checker computes on *indexes* of visible ticks (the first, tick 0, has index 0)
and turns them back into ticks only to speak about them. Where the ticks that a jump removes count too
(`Answers.jumps_cost_all`), the index of a tick is the tick itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Clock:
    """The ticks 0..`horizon` without those inside `jumps`, which are (tick, landing tick), disjoint and ascending.

    `removed` holds, per jump, how many ticks it and its predecessors take out of the count. Made by `Clock.of`.
    """

    horizon: int
    jumps: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]

    @staticmethod
    def of(horizon: int, jumps: Iterable[tuple[int, int]] = (), *, cost_all: bool = False) -> Clock:
        """The clock that ends at tick `horizon` and makes these jumps (real ticks, ascending, disjoint).

        `cost_all`: the ticks that a jump removes count, though nothing can happen at them.
        """
        taken = tuple(jumps)
        total, removed = 0, []
        for start, landing in taken:
            if not cost_all:
                total += min(landing, horizon + 1) - start - 1
            removed.append(total)
        return Clock(horizon, taken, tuple(removed))

    def visible(self, tick: int) -> bool:
        """Whether this tick exists: in 0..horizon and not jumped over."""
        if not 0 <= tick <= self.horizon:
            return False
        before = self._jumps_before(tick)
        return before == 0 or self.jumps[before - 1][1] <= tick

    def index(self, tick: int) -> int:
        """The number of ticks that count before this one. Raises ValueError for a tick that is not visible."""
        if not self.visible(tick):
            raise ValueError(f"tick {tick} is not visible")
        before = self._jumps_before(tick)
        return tick - (self.removed[before - 1] if before else 0)

    def tick(self, index: int) -> int:
        """The real tick of an index; beyond the last index ticks go on one by one."""
        before = bisect_left(range(len(self.jumps)), index, key=self._start_index)
        return index + (self.removed[before - 1] if before else 0)

    @property
    def last(self) -> int:
        """The index of the horizon, or of the last tick that counts if a jump leads beyond the horizon."""
        return self.horizon - (self.removed[-1] if self.removed else 0)

    def _jumps_before(self, tick: int) -> int:
        return bisect_left(self.jumps, tick, key=_start)

    def _start_index(self, jump: int) -> int:
        return self.jumps[jump][0] - (self.removed[jump - 1] if jump else 0)


def _start(jump: tuple[int, int]) -> int:
    return jump[0]
