"""The data of one chart. Every tick is a tick of the scenario's own clock; texts are not escaped yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happens at a tick. `parting` says that two runs differ here for the first time.

    `kind` is one word for what it is, by which formats that have shapes choose one; `detail` the same as `text` in more
    words; `seq` the place of an event of the schedule, None for what only a run does.
    """

    tick: int
    text: str
    parting: bool = False
    kind: str = ""
    detail: str = ""
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of ticks, the first and the last: that of a window, at which something can lawfully stand, or another."""

    first: int
    last: int


class RowKind(Enum):
    """What a row of a lane shows."""

    EVENTS = "events"
    WAITING = "waiting"
    HELD = "held"
    EXPECTED = "expected"
    WINDOW = "window"
    OUTCOME = "outcome"
    ONE = "a lawful run"
    BOTH = "both runs"
    PASSING = "a run that passes"
    FAILING = "a run that fails"


RUNS = (RowKind.ONE, RowKind.BOTH, RowKind.PASSING, RowKind.FAILING)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a lane: what stands at ticks, the windows, and the last ticks that an expectation accepts.

    `held` are the stretches in which effects are held. A `remark` is said of the row as a whole, where there is no tick to draw.
    `of` is one word for what a window or an outcome is of, `reason` the reason of an outcome. `seq` is the place of the event of the schedule that the whole
    row stands for: one that waits for a record of the run.
    """

    label: str
    kind: RowKind
    marks: tuple[Mark, ...] = ()
    bars: tuple[Bar, ...] = ()
    held: tuple[Bar, ...] = ()
    deadlines: tuple[Mark, ...] = ()
    remark: str = ""
    of: str = ""
    reason: str = ""
    seq: int | None = None

    def ticks(self) -> Iterator[int]:
        """Every tick that has to be found on the axis."""
        yield from (mark.tick for mark in (*self.marks, *self.deadlines))
        for bar in (*self.bars, *self.held):
            yield from (bar.first, bar.last)


@dataclass(frozen=True, slots=True)
class Lane:
    """An item, or (the first lane) what concerns them all; with the first and the last tick at which it has anything.

    `item` and `conversation` are None for the lane of what concerns them all.
    """

    rows: tuple[Row, ...]
    first: int
    last: int
    item: str | None = None
    conversation: str | None = None

    @staticmethod
    def of(rows: Sequence[Row], item: str | None = None, conversation: str | None = None) -> Lane:
        """The lane of these rows; one without any tick stands at the beginning."""
        ticks = [tick for row in rows for tick in row.ticks()]
        return Lane(tuple(rows), min(ticks, default=0), max(ticks, default=0), item, conversation)


@dataclass(frozen=True, slots=True)
class Chart:
    """One scenario.

    - `jumps`: (last tick before, first tick after) of the ticks that a jump removes.
    - `shared`: the ticks at which something concerns every lane.
    - `difference`: the first tick at which the passing and the failing run differ.
    - `remarks`: what cannot be drawn: expectations that do not hold, the core of a contradiction.
    """

    id: str
    title: str
    source: str
    level: int
    verdict: str
    horizon: int
    lanes: tuple[Lane, ...]
    jumps: tuple[tuple[int, int], ...] = ()
    shared: tuple[int, ...] = ()
    difference: int | None = None
    remarks: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether effects are held at some tick."""
        return any(row.held for lane in self.lanes for row in lane.rows)

    def ticks(self) -> list[int]:
        """The ticks that something is drawn at, in order; the first and the last tick are always among them."""
        drawn = {tick for lane in self.lanes for row in lane.rows for tick in row.ticks()}
        ends = {tick for jump in self.jumps for tick in jump}
        difference = set() if self.difference is None else {self.difference}
        return sorted(drawn | ends | set(self.shared) | difference | {0, self.horizon})
