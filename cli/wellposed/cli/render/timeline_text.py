"""Charts as plain text: one section per scenario, never wider than a hundred columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from wellposed.cli.render.axis import FOLDED, JUMPED, TEXT, Axis, bands
from wellposed.cli.render.canvas import Line, Lines, clip
from wellposed.cli.render.escape import escape, pad
from wellposed.cli.timeline.chart import Bar, Chart, Lane, Mark, Row

WIDTH = 100
LABELS = 34
JOINED = 30
INDENT = "  "

EVENT, DEADLINE, SHARED, PARTING = "|", "!", "¦", ">"
WINDOW, HELD = "[=]", "(~)"
LEGEND = f"""\
{EVENT}event at its tick   [3==8] lawful window, first and last tick   {DEADLINE} last tick that is accepted
{FOLDED} quiet ticks left out   {JUMPED} ticks that a jump removes   {SHARED} for every lane   {PARTING} here the runs part
"""


HELD_LEGEND = """\
(3~~8) effects are held, first and last tick
"""


def render(charts: Sequence[Chart]) -> str:
    """The charts with the legend behind them; nothing without a chart."""
    sections = ["\n".join(_section(chart)) + "\n" for chart in charts]
    legend = LEGEND + HELD_LEGEND if any(chart.holds for chart in charts) else LEGEND
    return "\n".join([*sections, legend]) if sections else ""


def _section(chart: Chart) -> Iterator[str]:
    yield clip(f"{chart.id}  L{chart.level}  {chart.verdict}", WIDTH)
    if chart.title:
        yield clip(chart.title, WIDTH)
    yield clip(chart.source, WIDTH)
    labels = [row.label for lane in chart.lanes for row in lane.rows]
    margin = min(LABELS, max((len(label) for label in labels), default=0) + len(INDENT)) + 2
    for axis in bands(chart.ticks(), chart.jumps, WIDTH - margin, TEXT):
        yield ""
        yield from _Band(chart, axis, margin).lines()
    if chart.remarks:
        yield ""
        for remark in chart.remarks:
            yield from textwrap.wrap(escape(remark), WIDTH, subsequent_indent=INDENT, break_on_hyphens=False)


class _Band:
    """One stretch of the axis with what of the lanes falls into it."""

    def __init__(self, chart: Chart, axis: Axis, margin: int) -> None:
        self._chart = chart
        self._axis = axis
        self._margin = margin
        self._columns = WIDTH - margin

    def lines(self) -> Iterator[str]:
        yield from self._labelled("tick", [self._axis.labels()])
        yield from self._labelled("", [self._axis.ruler()])
        for lane in self._chart.lanes:
            lines = list(self._lane(lane)) if self._axis.reaches(lane.first, lane.last) else ()
            if lines:
                yield from self._labelled("", [self._shared(Line(self._columns)).text()])
                yield from lines
        difference = self._chart.difference
        if difference is not None and self._axis.owns(difference):
            texts = Lines(self._columns)
            texts.at(self._axis.columns[difference], f"the runs part at tick {difference}", "^")
            yield from self._labelled("", [line.text() for line in texts.lines])

    def _lane(self, lane: Lane) -> Iterator[str]:
        """The head of a lane and those of its rows that reach into this band; remarks stand where the lane begins."""
        begins = self._axis.owns(lane.first)
        here = [row for row in lane.rows if self._reached(row) or (begins and row.remark)]
        head = lane.rows[0]
        for row in here if not here or head in here else [head, *here]:
            label = row.label if row is head else INDENT + row.label
            yield from self._labelled(label, self._row(row))

    def _reached(self, row: Row) -> bool:
        marked = any(self._axis.owns(mark.tick) for mark in (*row.marks, *row.deadlines))
        return marked or any(self._axis.reaches(bar.first, bar.last) for bar in (*row.bars, *row.held))

    def _row(self, row: Row) -> list[str]:
        texts = Lines(self._columns)
        for bars, signs in ((row.bars, WINDOW), (row.held, HELD)):
            for bar in bars:
                if self._axis.reaches(bar.first, bar.last):
                    self._bar(texts, bar, signs)
        for (tick, parting), text in _joined(row.marks):
            if self._axis.owns(tick):
                texts.at(self._axis.columns[tick], text, PARTING if parting else EVENT)
        for mark in row.deadlines:
            if self._axis.owns(mark.tick):
                texts.ending(self._axis.columns[mark.tick], mark.text, DEADLINE)
        if row.remark:
            texts.at(0, row.remark, "")
        return [self._shared(line).text() for line in texts.lines or [Line(self._columns)]]

    def _shared(self, line: Line) -> Line:
        """The line with what concerns every lane, where there is room for it."""
        for tick in self._chart.shared:
            if self._axis.owns(tick):
                line.fill(self._axis.columns[tick], SHARED)
        return line

    def _bar(self, texts: Lines, bar: Bar, signs: str) -> None:
        """A stretch between two signs, filled with a third; where its ticks find no room inside, they stand beside it."""
        axis = self._axis
        opening, fill, closing = tuple(signs)
        if bar.first == bar.last:
            texts.span(axis.columns[bar.first], f"{opening}{bar.first}{closing}")
            return
        opens, closes = bar.first >= axis.first, bar.last <= axis.last
        start, end = axis.columns[max(bar.first, axis.first)], axis.columns[min(bar.last, axis.last)]
        inside = list(axis.line(start, end + 1, fill))
        left, right = str(bar.first) if opens else "", str(bar.last) if closes else ""
        if opens:
            inside[0] = opening
        if closes:
            inside[-1] = closing
        ends = slice(1, 1 + len(left)), slice(len(inside) - 1 - len(right), len(inside) - 1)
        if len(left) + len(right) + 3 <= len(inside) and set(inside[ends[0]] + inside[ends[1]]) <= {fill}:
            inside[ends[0]], inside[ends[1]] = left, right
            texts.span(start, "".join(inside))
        else:
            texts.span(start, "".join(inside), f"{bar.first}..{bar.last}")

    def _labelled(self, label: str, lines: Sequence[str]) -> Iterator[str]:
        """Lines behind a label, which stands before the first of them."""
        for index, line in enumerate(lines):
            yield (pad(clip(label if index == 0 else "", self._margin - 2), self._margin) + line).rstrip()


def _joined(marks: Sequence[Mark]) -> Iterator[tuple[tuple[int, bool], str]]:
    """What stands at one tick in one piece, in order, unless it gets long."""
    for key, group in groupby(marks, key=lambda mark: (mark.tick, mark.parting)):
        texts = [mark.text for mark in group]
        joined = "; ".join(texts)
        yield from ((key, text) for text in ([joined] if len(joined) <= JOINED else texts))
