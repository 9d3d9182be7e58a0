"""The stretches in which effects are held, and the open instants between them, in which windows for sends count.

Source: "Holding effects" of `docs/model.md`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from wellposed.compiler.scenario import Event, Hold, Release


class Outbox:
    """`held` are the stretches, each with its first instant and the first open one behind it.

    A stretch that no release ends goes on to the horizon, the instant `last`: what comes behind that counts as open.
    """

    def __init__(self, timed: Iterable[tuple[int, Event]], last: int) -> None:
        """From the events that have an instant, in order; holds and releases take turns."""
        stretches: list[tuple[int, int]] = []
        since: int | None = None
        for at, event in timed:
            if isinstance(event.action, Hold):
                since = at
            elif isinstance(event.action, Release) and since is not None:
                if since < at:
                    stretches.append((since, at))
                since = None
        self.released = since is None
        if since is not None:
            stretches.append((since, last + 1))
        self.held = tuple(stretches)
        self._firsts = [first for first, _ in stretches]
        self._before = [0]
        for first, behind in stretches:
            self._before.append(self._before[-1] + behind - first)

    def until(self, start: int, length: int) -> int:
        """The last of so many open instants behind `start`, or `start` itself: where a window for a send ends."""
        if length == 0:
            return start
        stretch = bisect_right(self._firsts, start)
        held = self._before[stretch]
        if stretch:
            held -= max(0, self.held[stretch - 1][1] - start - 1)
        number = start + 1 - held + length
        passed = bisect_left(range(len(self.held)), number, key=lambda one: self._firsts[one] - self._before[one])
        return number - 1 + self._before[passed]
