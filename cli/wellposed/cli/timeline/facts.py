"""The facts of a chart, numbered, in the lanes of a picture: the harness, each conversation, each work item.

Pictures, their tables and diagrams all read this, so none of them can leave out what another one shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from wellposed.cli.timeline.chart import RUNS, Bar, Chart, Lane, Mark, Row, RowKind

HARNESS = "harness"
ARRIVALS = ("deliver", "redeliver")
"""The kinds of events that stand in the lane of a conversation."""

_SAID = {
    RowKind.ONE: "in a lawful run",
    RowKind.BOTH: "in both runs",
    RowKind.PASSING: "in the run that passes",
    RowKind.FAILING: "in the run that fails",
}


class LaneKind(Enum):
    """Whose lane it is."""

    HARNESS = "harness"
    CONVERSATION = "conversation"
    ITEM = "work item"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a picture shows: an event, a record of a run, a window, a deadline.

    `first` and `last` are its ticks, equal for what stands at one, None for what has none. `kind` and `shape` say what it
    is; `place` is whose; `text` what stands beside its sign, `detail` all of it in words; `seq` the place of an event in the schedule. `parting`
    says that the two runs differ here for the first time. Facts are numbered from 1 in the order of their ticks.
    """

    kind: RowKind
    shape: str
    place: str
    text: str
    detail: str
    first: int | None = None
    last: int | None = None
    parting: bool = False
    seq: int | None = None
    number: int = 0

    @property
    def ticks(self) -> str:
        """Its tick, or its first and last one."""
        if self.first is None:
            return ""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    @property
    def when(self) -> str:
        """Its ticks, in words; nothing for what has none."""
        return "" if self.first is None else f"tick {self.ticks}" if self.first == self.last else f"ticks {self.ticks}"

    @property
    def said(self) -> str:
        """In which run; nothing for what is in no run in particular."""
        return _SAID.get(self.kind, "")

    @property
    def sentence(self) -> str:
        """All that is to be said of it, on one line."""
        where = "" if self.kind in RUNS and self.place != HARNESS else f"{self.place}: "
        parting = "here the runs part" if self.parting else ""
        told = ", ".join(part for part in (where + self.detail, self.said, parting) if part)
        return f"{self.when} · {told}" if self.when else told


@dataclass(frozen=True, slots=True)
class FactRow:
    """One row of a lane: its label and its facts in order."""

    label: str
    kind: RowKind
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class FactLane:
    """One lane with its rows, the first of which is its head, between the first and the last tick at which it has anything."""

    name: str
    kind: LaneKind
    rows: tuple[FactRow, ...]
    first: int
    last: int

    @property
    def place(self) -> str:
        """What its facts say of whose they are."""
        return f"conversation {self.name}" if self.kind is LaneKind.CONVERSATION else self.name


@dataclass(frozen=True, slots=True)
class Facts:
    """The lanes of a picture, and all facts of them in the order of their numbers."""

    lanes: tuple[FactLane, ...]
    ordered: tuple[Fact, ...] = field(default=())


def facts_of(chart: Chart) -> Facts:
    """The facts of a chart."""
    lanes = list(_lanes(chart))
    drawn = [fact for lane in lanes for row in lane.rows for fact in row.facts]
    order = sorted(range(len(drawn)), key=lambda place: (drawn[place].first is None, drawn[place].first or 0, place))
    numbers = {place: number for number, place in enumerate(order, start=1)}
    numbered = iter([replace(fact, number=numbers[place]) for place, fact in enumerate(drawn)])
    told = tuple(
        replace(lane, rows=tuple(replace(row, facts=tuple(next(numbered) for _ in row.facts)) for row in lane.rows))
        for lane in lanes
    )
    everything = (fact for lane in told for row in lane.rows for fact in row.facts)
    return Facts(told, tuple(sorted(everything, key=lambda fact: fact.number)))


def _lanes(chart: Chart) -> Iterator[FactLane]:
    """The harness first, then each conversation in the order of its first delivery, with its items below it."""
    conversations: dict[str, list[Lane]] = {}
    for lane in chart.lanes:
        if lane.conversation is None:
            yield FactLane(HARNESS, LaneKind.HARNESS, tuple(_rows(chart, lane.rows, HARNESS)), lane.first, lane.last)
        else:
            conversations.setdefault(lane.conversation, []).append(lane)
    for conversation, items in conversations.items():
        place = f"conversation {conversation}"
        arrivals = [_arrival(place, lane, mark) for lane in items for mark in lane.rows[0].marks if _arrives(mark)]
        arrivals.sort(key=lambda fact: fact.seq or 0)
        row = FactRow("", RowKind.EVENTS, tuple(arrivals))
        ticks = [fact.first for fact in arrivals if fact.first is not None]
        yield FactLane(conversation, LaneKind.CONVERSATION, (row,), min(ticks, default=0), max(ticks, default=0))
        for lane in items:
            head, *rows = lane.rows
            own = replace(head, marks=tuple(mark for mark in head.marks if not _arrives(mark)))
            name = str(lane.item)
            yield FactLane(name, LaneKind.ITEM, tuple(_rows(chart, [own, *rows], name)), lane.first, lane.last)


def _arrives(mark: Mark) -> bool:
    return mark.kind in ARRIVALS


def _arrival(place: str, lane: Lane, mark: Mark) -> Fact:
    text = mark.text.replace(mark.kind, f"{mark.kind} {lane.item}", 1)
    return Fact(RowKind.EVENTS, mark.kind, place, text, text, mark.tick, mark.tick, seq=mark.seq)


def _rows(chart: Chart, rows: Sequence[Row], place: str) -> Iterator[FactRow]:
    for number, row in enumerate(rows):
        label = "" if number == 0 else row.of if row.reason else row.label
        match row.kind:
            case RowKind.PASSING:
                yield FactRow(label, row.kind, tuple(_passing(row.marks, place, chart.difference)))
            case RowKind.FAILING if chart.difference is not None:
                own = [mark for mark in row.marks if mark.tick >= chart.difference]
                yield FactRow(label, row.kind, tuple(_records(row.kind, own, place)))
            case RowKind.EVENTS:
                yield FactRow(label, row.kind, tuple(_events(row.marks, place)))
            case kind if kind in RUNS:
                yield FactRow(label, kind, tuple(_records(kind, row.marks, place)))
            case _:
                yield FactRow(label, row.kind, tuple(_stretches(row, place)))


def _passing(marks: Iterable[Mark], place: str, difference: int | None) -> Iterator[Fact]:
    """The run that passes; what is before the first difference stands for both runs."""
    for mark in marks:
        common = difference is not None and mark.tick < difference
        yield from _records(RowKind.BOTH if common else RowKind.PASSING, [mark], place)


def _events(marks: Iterable[Mark], place: str) -> Iterator[Fact]:
    for mark in marks:
        yield Fact(RowKind.EVENTS, mark.kind, place, mark.text, mark.text, mark.tick, mark.tick, seq=mark.seq)


def _records(kind: RowKind, marks: Iterable[Mark], place: str) -> Iterator[Fact]:
    for mark in marks:
        yield Fact(kind, mark.kind, place, mark.text, mark.detail, mark.tick, mark.tick, mark.parting, mark.seq)


def _stretches(row: Row, place: str) -> Iterator[Fact]:
    """What a row says that is no happening: of it as a whole, its windows, its deadlines."""
    label = f"{row.of} ({row.reason})" if row.reason else row.label
    if row.remark:
        yield Fact(row.kind, row.of, place, row.remark, f"{label} {row.remark}", seq=row.seq)
    for bar in row.bars:
        detail = f"{label}, lawful {_span(bar)}"
        yield Fact(row.kind, row.of, place, row.reason, detail, bar.first, bar.last, seq=row.seq)
    for bar in row.held:
        yield Fact(row.kind, row.of, place, "", f"{label} {_span(bar)}", bar.first, bar.last)
    for mark in row.deadlines:
        detail = f"expected {mark.text}, so by {mark.tick}"
        yield Fact(row.kind, row.of, place, mark.text, detail, mark.tick, mark.tick)


def _span(bar: Bar) -> str:
    return f"at {bar.first}" if bar.first == bar.last else f"from {bar.first} to {bar.last}"
