"""When the outbox is open: `hold effects` and `release effects` (`docs/model.md`, Holding effects).

All numbers are indexes of `clock.py`. At a held index no send stands, and the windows of sends do not count it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wellposed.verifier.amr.clock import Clock


class Piece(NamedTuple):
    """Where windows that start in `first`..`last` end: so many indexes `behind` their start, or all `at` one index."""

    first: int
    last: int
    behind: int | None
    at: int | None


@dataclass(frozen=True, slots=True)
class Outbox:
    """The stretches of indexes at which effects are held: first and last of each, ascending and apart from each other."""

    held: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(switches: Iterable[tuple[int, bool]], clock: Clock) -> Outbox:
        """From the holds (True) and releases in order, each with its index; what is never released lasts to the horizon.

        Where removed ticks have an index, because they count, they count in a hold as well.
        """
        held: list[tuple[int, int]] = []
        closed: int | None = None
        for index, hold in switches:
            if hold:
                closed = index if closed is None else closed
            elif closed is not None:
                held.append((closed, index - 1))
                closed = None
        if closed is not None:
            held.append((closed, clock.horizon))
        return Outbox(tuple(part for stretch in _joined(held) for part in _without(stretch, clock.jumped)))

    def end(self, start: int, budget: int) -> int:
        """The index at which the window of so many open indexes behind `start` ends; those beyond the horizon are open."""
        end = start + budget
        for first, last in self.held:
            if first > end or budget <= 0:
                break
            if last > start:
                end += last - max(first, start + 1) + 1
        return end

    def open_between(self, start: int, end: int) -> int:
        """How many open indexes lie behind `start` and not behind `end`: the least window from the one to the other."""
        return end - start - sum(max(0, min(last, end) - max(first, start + 1) + 1) for first, last in self.held)

    def pieces(self, low: int, high: int, budget: int) -> Iterator[Piece]:
        """`end` as a function of a start in `low`..`high`: linear pieces, no more than a few per held stretch."""
        start = low
        while start <= high:
            end = self.end(start, budget)
            inside = next((last for first, last in self.held if first <= start + 1 <= last), None)
            if inside is not None and budget > 0:
                # Up to the last held index the window ends at the same place, wherever it starts.
                last = min(inside, high)
                yield Piece(start, last, None, end)
            else:
                # Until the start reaches a held stretch, or its end does.
                borders = [first - 2 - start for first, _ in self.held if first - 1 > start]
                borders += [first - 1 - end for first, _ in self.held if first > end]
                last = min([high, *(start + border for border in borders)])
                yield Piece(start, last, end - start, None)
            start = last + 1


def _joined(held: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Without the empty ones, and those that touch made one."""
    kept: list[tuple[int, int]] = []
    for first, last in held:
        if first > last:
            continue
        if kept and first <= kept[-1][1] + 1:
            kept[-1] = (kept[-1][0], max(kept[-1][1], last))
        else:
            kept.append((first, last))
    yield from kept


def _without(stretch: tuple[int, int], removed: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The parts of a stretch between the removed ones."""
    first, end = stretch
    for start, last in removed:
        if first <= start - 1 and start <= end:
            yield first, start - 1
        if start <= end:
            first = max(first, last + 1)
    if first <= end:
        yield first, end
