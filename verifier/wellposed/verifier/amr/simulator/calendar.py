"""The ticks that a system has seen, in the order in which they came: what its deadlines are counted in.

A jump removes the ticks that it passes over, and a tick at which effects are held does not count for a send
(`docs/model.md`, "Time and order").
"""

from __future__ import annotations

from bisect import bisect_left


class Calendar:
    """Every tick seen so far, the last of which is now, and how many of them were open for effects."""

    def __init__(self) -> None:
        self._ticks: list[int] = []
        self._opened = [0]
        self.open = True

    def advance(self, tick: int, is_open: bool) -> None:
        """The next tick has come."""
        self._ticks.append(tick)
        self._opened.append(self._opened[-1] + is_open)
        self.open = is_open

    @property
    def now(self) -> int:
        """The tick that it is, or -1 before the first."""
        return self._ticks[-1] if self._ticks else -1

    def index(self, tick: int) -> int:
        """How many ticks were seen before this one."""
        return bisect_left(self._ticks, tick)

    def since(self, tick: int) -> int:
        """How many ticks behind `tick` have come."""
        return len(self._ticks) - 1 - self.index(tick)

    def opened_since(self, tick: int) -> int:
        """How many ticks behind `tick` have come at which an effect could be sent."""
        return self._opened[-1] - self._opened[self.index(tick) + 1]

    def between(self, first: int, last: int) -> int:
        """How many ticks behind `first` had come at `last`."""
        return self.index(last) - self.index(first)

    def opened_between(self, first: int, last: int) -> int:
        """How many ticks behind `first` had come by `last` at which an effect could be sent."""
        return self._opened[self.index(last) + 1] - self._opened[self.index(first) + 1]

    def back(self, ticks: int) -> list[int]:
        """The last ticks: now, and so many before it."""
        return self._ticks[-ticks - 1 :]

    def within(self, cause: int, budget: int) -> bool:
        """Whether now lies in the window of `budget` open ticks behind a cause."""
        passed = self.opened_since(cause)
        return passed < budget or (passed == budget and (self.open or cause == self.now))

    def due(self, cause: int, budget: int) -> bool:
        """Whether now is the last tick of that window."""
        return self.open and self.opened_since(cause) == budget

    def span(self, first: int, last: int) -> list[int]:
        """The ticks from one index to another, both included, that have come."""
        return self._ticks[first : last + 1]
