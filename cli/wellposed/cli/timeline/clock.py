"""The ticks that are seen: jumps that are written for a tick remove those between, and a budget counts only what is left."""

from __future__ import annotations

from collections.abc import Iterable


class Clock:
    """The clock after jumps, each given as (tick for which it is written, landing tick)."""

    def __init__(self, jumps: Iterable[tuple[int, int]]) -> None:
        self.jumps: list[tuple[int, int]] = []
        """(last tick before, first tick after), in order."""
        for written, landing in sorted(jumps):
            tick = self.lands(written)
            if self.jumps and self.jumps[-1][0] == tick:  # the furthest jump of a tick counts
                landing = max(landing, self.jumps.pop()[1])
            if landing > tick + 1:
                self.jumps.append((tick, landing))

    def lands(self, tick: int) -> int:
        """The tick at which something written for `tick` happens."""
        return next((after for before, after in self.jumps if before < tick < after), tick)

    def seen(self, first: int, last: int) -> int:
        """How many ticks from `first` to `last` are seen, both of them included."""
        gone = (min(after - 1, last) - max(before + 1, first) + 1 for before, after in self.jumps)
        return last - first + 1 - sum(max(0, ticks) for ticks in gone)

    def before(self, tick: int) -> int:
        """The last tick that is seen before `tick`."""
        return next((start for start, after in self.jumps if start < tick <= after), tick - 1)

    def later(self, tick: int, ticks: int) -> int:
        """The tick that is so many seen ticks after `tick`."""
        for before, after in self.jumps:
            if before < tick:
                continue
            if tick + ticks <= before:
                break
            ticks -= before - tick + 1
            tick = after
        return tick + ticks
