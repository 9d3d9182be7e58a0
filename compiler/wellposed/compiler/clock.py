"""The clock of a scenario as its timed jumps make it: which ticks are visible, and where an event lands.

A jump at t to u removes the ticks t+1 to u-1; what is written for one of them happens at u.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from wellposed.compiler.scenario import Event, Jump


@dataclass(frozen=True, slots=True)
class Gap:
    """The ticks strictly between `start` and `end` do not exist; `jump` removed them."""

    start: int
    end: int
    jump: Event


class Clock:
    """The gaps that timed jumps make, in order; `idle` are the jumps that do not lead beyond the tick they fire at."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._ends: list[int] = []
        self.gaps: list[Gap] = []
        self.idle: list[tuple[Event, int]] = []
        for event in events:
            if isinstance(event.action, Jump) and event.at is not None and event.action.to is not None:
                self._jump(event, event.at, event.action.to)
        self._removed = [0]
        for gap in self.gaps:
            self._removed.append(self._removed[-1] + gap.end - gap.start - 1)

    def _jump(self, event: Event, at: int, to: int) -> None:
        fires = self.lands(at)
        if to <= fires:
            self.idle.append((event, fires))
        elif self.gaps and self.gaps[-1].start == fires:
            if to > self.gaps[-1].end:
                self.gaps[-1] = Gap(fires, to, event)
                self._ends[-1] = to
        else:
            self.gaps.append(Gap(fires, to, event))
            self._ends.append(to)

    def lands(self, tick: int) -> int:
        """The visible tick at which an event written for `tick` fires."""
        gap = self.gap_over(tick)
        return tick if gap is None else gap.end

    def next_after(self, tick: int) -> int:
        """The first visible tick after `tick`."""
        return self.lands(tick + 1)

    def index(self, tick: int) -> int:
        """How many visible ticks come before the visible tick `tick`; budgets and windows count in these."""
        return tick - self._removed[bisect_right(self._ends, tick)]

    def tick(self, index: int) -> int:
        """The visible tick before which `index` visible ticks come."""
        passed = bisect_right(self._ends, index, key=self.index)
        return index + self._removed[passed]

    def gap_over(self, tick: int) -> Gap | None:
        """The gap that `tick` is removed by, or None where the tick is visible."""
        index = bisect_left(self._ends, tick + 1)
        if index < len(self.gaps) and self.gaps[index].start < tick:
            return self.gaps[index]
        return None
