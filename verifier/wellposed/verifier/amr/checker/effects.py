"""When effects were held in one run: the ticks at which no send can stand, and the windows that do not count them.

A tick is held if the outbox is closed once all its events have happened (model, "Holding effects"). Only visible ticks
are held: where the ticks that a jump removes count (`Answers.jumps_cost_all`), they count though the outbox be closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.environment import Happening


@dataclass(frozen=True, slots=True)
class Effects:
    """The stretches of held ticks, first and last index of each, ascending. Behind the horizon nothing is held."""

    held: tuple[tuple[int, int], ...]

    @staticmethod
    def of(clock: Clock, happenings: Iterable[Happening]) -> Effects:
        """From the holds and releases of a run, which are in order."""
        stretches: list[tuple[int, int]] = []
        closed: int | None = None
        for event in happenings:
            if event.kind == "hold" and closed is None:
                closed = event.tick
            elif event.kind == "release" and closed is not None:
                stretches += _visible(clock, closed, event.tick)
                closed = None
        if closed is not None:
            stretches += _visible(clock, closed, clock.horizon + 1)
        return Effects(tuple(stretches))

    def at(self, index: int) -> bool:
        """Whether the tick of this index is held."""
        return any(first <= index <= last for first, last in self.held)

    def until(self, index: int, count: int) -> int:
        """The index of the last of `count` open ticks behind this one, or this one itself if `count` is 0."""
        end = index + count
        for first, last in self.held:
            first = max(first, index + 1)
            if first > end or count == 0:
                break
            end += max(0, last - first + 1)
        return end


def _visible(clock: Clock, closed: int, opened: int) -> list[tuple[int, int]]:
    """The visible ticks from `closed` up to the one before `opened`, as indexes, cut where jumps cut them."""
    pieces = []
    for start, landing in clock.jumps:
        if closed <= start < opened:
            pieces.append((closed, start))
            closed = landing
    pieces.append((closed, opened - 1))
    return [(clock.index(first), clock.index(last)) for first, last in pieces if first <= last]
