"""From the facts of a chart to its picture: bands of the axis below each other, in each of them the lanes that reach into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.cli.render.axis import FOLDED, JUMPED, Axis, bands
from wellposed.cli.render.escape import escape
from wellposed.cli.timeline import metrics, scale
from wellposed.cli.timeline.chart import Chart
from wellposed.cli.timeline.facts import HARNESS, Fact, FactLane, FactRow, Facts, LaneKind
from wellposed.cli.timeline.legend import Entry, entries
from wellposed.cli.timeline.rows import BASE, REACH, Frame, Sheet, draw_row
from wellposed.cli.timeline.scene import SMALL_SIZE, Line, Part, Rect, Scene, Spot, Text, fitted, font, text_width

CHART = 800
"""The most units that the ticks of a band take."""
MARGIN = 16
BESIDE = 172
"""Room at the right of the last tick, for its labels."""
LABELS = (96, 216)
LEAST = 560
TICK_LINE = 13
BETWEEN = 30
INDENT = 12
CONVERSATION = "lane-conversation"
"""The style of what lies behind the lane of a conversation."""


def scene_of(chart: Chart, facts: Facts, head: bool = True) -> Scene:
    """The picture of a chart; without its head where a page says above it what it is of."""
    return _Picture(chart, facts).scene(head)


class _Picture:
    def __init__(self, chart: Chart, facts: Facts) -> None:
        self._chart = chart
        self._facts = facts
        self._bands = bands(chart.ticks(), chart.jumps, CHART, scale.PICTURE)
        labels = [_label_width(lane, row, index) for lane in facts.lanes for index, row in enumerate(lane.rows)]
        self._left = MARGIN + min(LABELS[1], max(LABELS[0], *labels, 0)) + 16
        self._width = max(LEAST, self._left + max(axis.width for axis in self._bands) + BESIDE)
        self._back: list[Part] = []
        self._names: list[Part] = []
        self._spots: list[Spot] = []
        self._at = MARGIN

    def scene(self, head: bool) -> Scene:
        if head:
            self._head()
        for axis in self._bands:
            self._band(axis)
            self._at += BETWEEN
        self._at -= BETWEEN - 14
        foot = self._at
        self._foot()
        chart = self._chart
        summary = (
            f"Level L{chart.level}, {chart.verdict}. Lanes of the harness, of each conversation and of each work item over the "
            f"ticks 0 to {chart.horizon}."
        )
        if chart.difference is not None:
            summary += f" The run that passes and the run that fails part at tick {chart.difference}."
        return Scene(
            escape(chart.title or chart.id),
            summary,
            self._width,
            self._at,
            self._left - REACH - 4,
            foot,
            tuple(self._back),
            tuple(self._names),
            tuple(sorted(self._spots, key=lambda spot: spot.fact.number)),
        )

    def _head(self) -> None:
        chart = self._chart
        room = self._width - 2 * MARGIN
        self._at += 16
        self._back.append(Text(MARGIN, self._at, fitted(chart.title or chart.id, room, "title"), "title"))
        self._at += 20
        named = f"{chart.id} · " if chart.title else ""
        verdict = fitted(chart.verdict, room, "good")
        told = fitted(f"{named}L{chart.level} ·", room - text_width(verdict, "good") - 8, "row")
        style = "good" if chart.verdict == "well-posed" else "bad"
        self._back.append(Text(MARGIN, self._at, told, "row"))
        self._back.append(Text(MARGIN + text_width(told, "row") + 4, self._at, verdict, style))
        self._at += 14

    def _band(self, axis: Axis) -> None:
        frame = Frame(axis, self._left, self._width - MARGIN, self._chart.difference)
        self._ticks(axis, frame)
        top = self._at
        sheet = Sheet()
        backgrounds: list[Part] = []
        of = ""
        for lane in self._facts.lanes:
            rows = self._reached(lane, axis)
            if lane.kind is LaneKind.CONVERSATION:
                of = "" if rows else lane.name
            if rows:
                self._lane(lane, rows, frame, sheet, backgrounds, of)
        bottom = self._at + 4
        self._at = bottom
        self._back += backgrounds
        self._back += self._across(axis, frame, top, bottom)
        self._back += sheet.back
        self._spots += sheet.spots
        difference = self._chart.difference
        if difference is not None and axis.owns(difference):
            x = frame.x(difference)
            self._back.append(Line(x, top, x, bottom + 12, "parting"))
            words = f"the runs part at tick {difference}"
            fits = x + 8 + text_width(words, "parted") <= frame.right
            self._back.append(Text(x + 6 if fits else x - 6, bottom + 12, words, "parted", ends=not fits))
            self._at += 14

    def _ticks(self, axis: Axis, frame: Frame) -> None:
        """The numbers of the ticks, on as many lines as they need, and the axis itself with its folds and jumps."""
        ends: list[int] = []
        placed: list[tuple[int, int, int]] = []
        for tick in axis.columns:
            x, wide = frame.x(tick), text_width(str(tick), "tick")
            level = next((level for level, end in enumerate(ends) if end + 5 <= x - wide // 2), len(ends))
            ends[level : level + 1] = [x + wide // 2]
            placed.append((tick, level, x - wide // 2))
        self._at += TICK_LINE * len(ends)
        for tick, level, x in placed:
            self._back.append(Text(x, self._at - TICK_LINE * level, str(tick), "tick"))
        self._names.append(Text(MARGIN, self._at, "tick", "tick"))
        self._at += 8
        for start, end in frame.pieces(axis.first, axis.last):
            self._back.append(Line(start, self._at, end, self._at, "axis"))
        for _, _, middle, (left, right) in frame.gaps():
            if middle:
                self._back += [Line(x - 2, self._at + 4, x + 2, self._at - 4, "axis") for x in (left, right)]
            if middle == JUMPED:
                x = (left + right - text_width("jump", "tick")) // 2
                self._back.append(Text(x, self._at + 4, "jump", "tick"))
        for tick in axis.columns:
            self._back.append(Line(frame.x(tick), self._at - 4, frame.x(tick), self._at + 3, "axis"))
        self._at += 8

    def _reached(self, lane: FactLane, axis: Axis) -> list[FactRow]:
        """The rows of a lane that have something in this band, with its head; none where nothing of it is there."""
        if not axis.reaches(lane.first, lane.last):
            return []
        begins = axis.owns(lane.first)
        if not any(_ends(fact, axis, begins) for row in lane.rows for fact in row.facts):
            return []  # at most a window runs through the band, from one end to the other
        own = [row for row in lane.rows if any(_here(fact, axis, begins) for fact in row.facts)]
        head = lane.rows[0]
        return own if head in own else [head, *own]

    def _lane(
        self, lane: FactLane, rows: Sequence[FactRow], frame: Frame, sheet: Sheet, back: list[Part], of: str
    ) -> None:
        top = self._at
        item = lane.kind is LaneKind.ITEM
        sheet.passing = None
        for row in rows:
            base = self._at + BASE
            indent = MARGIN + (INDENT if item else 0)
            if row is lane.rows[0]:
                self._names += self._named(lane, indent, base, of)
            else:
                label = fitted(row.label, self._left - indent - INDENT - 12, "row")
                self._names.append(Text(indent + INDENT, base, label, _label_style(row)))
            self._at += draw_row(row, lane, frame, sheet, self._at)
        if lane.kind is LaneKind.CONVERSATION:
            back.append(Rect(MARGIN - 8, top, self._width - 2 * MARGIN + 16, self._at - top, CONVERSATION))
        self._at += 3

    def _named(self, lane: FactLane, x: int, base: int, of: str) -> Iterator[Text]:
        """Whose lane it is. Where the lane of its conversation is not in the band, an item says which it is, if there is room."""
        end = self._left - 12
        if lane.kind is not LaneKind.HARNESS:
            yield Text(x, base, lane.kind.value, "kind")
            x += text_width(lane.kind.value, "kind") + 6
        name = Text(x, base, fitted(lane.name, end - x, "lane"), "lane")
        yield name
        told = Text(x + name.width + 6, base, escape(f"in {of}"), "kind")
        if of and told.x + told.width <= end:
            yield told

    def _across(self, axis: Axis, frame: Frame, top: int, bottom: int) -> Iterator[Part]:
        """What runs through all lanes: a hairline per tick, the folds, the jumps, and what concerns every item."""
        for tick in axis.columns:
            yield Line(frame.x(tick), top, frame.x(tick), bottom, "grid")
        for _, _, middle, (left, right) in frame.gaps():
            if middle == JUMPED:
                yield Rect(left, top, right - left, bottom - top, "jump")
            if middle:
                style = "fold" if middle == FOLDED else "jump-edge"
                yield from (Line(x, top, x, bottom, style) for x in (left, right))
        for tick in self._chart.shared:
            if axis.owns(tick):
                yield Line(frame.x(tick), top, frame.x(tick), bottom, "shared")

    def _foot(self) -> None:
        """What cannot be drawn, and what the signs mean."""
        room = self._width - 2 * MARGIN
        for remark in self._chart.remarks:
            self._at += 4
            for number, line in enumerate(metrics.wrap(remark, room - INDENT, *font("row")[:1])):
                self._at += 16
                self._back.append(Text(MARGIN + (INDENT if number else 0), self._at, line, "remark"))
        self._at += 14
        self._back.append(Line(MARGIN - 8, self._at, self._width - MARGIN + 8, self._at, "rule"))
        self._at += 8
        x = MARGIN
        self._at += 12
        for entry in entries(self._chart, self._facts, self._bands):
            wide = entry.width + metrics.width(entry.words, *SMALL_SIZE) + 8
            if x > MARGIN and x + wide > self._width - MARGIN:
                x = MARGIN
                self._at += 18
            self._entry(entry, x)
            x += wide + 18
        self._at += MARGIN

    def _entry(self, entry: Entry, x: int) -> None:
        self._back += entry.parts(x, self._at - 4)
        self._back.append(Text(x + entry.width + 8, self._at, entry.words, "note"))


def _here(fact: Fact, axis: Axis, begins: bool) -> bool:
    if fact.first is None or fact.last is None:
        return begins
    return axis.reaches(fact.first, fact.last)


def _ends(fact: Fact, axis: Axis, begins: bool) -> bool:
    if fact.first is None or fact.last is None:
        return begins
    return axis.owns(fact.first) or axis.owns(fact.last)


def _label_style(row: FactRow) -> str:
    return f"run-{row.kind.name.lower()}" if row.kind.name in ("PASSING", "FAILING") else "row"


def _label_width(lane: FactLane, row: FactRow, index: int) -> int:
    if index:
        return 2 * INDENT + text_width(escape(row.label), "row")
    kind = 0 if lane.name == HARNESS else text_width(lane.kind.value, "kind") + 6
    return INDENT + kind + text_width(escape(lane.name), "lane")
