"""The rows of a lane as shapes: marks with their labels, windows, deadlines, and the runs as lines that part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from wellposed.cli.render.axis import JUMPED, Axis
from wellposed.cli.render.escape import escape
from wellposed.cli.timeline.chart import RUNS, RowKind
from wellposed.cli.timeline.facts import Fact, FactLane, FactRow, LaneKind
from wellposed.cli.timeline.scene import Branch, Glyph, Line, Part, Rect, Spot, Text, fitted, text_width

ROW = 24
TRACK = 19
MIDDLE = 12
BASE = 16
REACH = 8
"""How far a glyph, and the end of a bar, may reach to each side of its tick."""
BREAK = 5
STUB = 26
"""How far the line of a run goes on behind the point where it parts, if nothing more happens in it."""


@dataclass(slots=True)
class Sheet:
    """What has been drawn of a band. `passing` is where the line of the run that passes lies in the lane that is drawn."""

    back: list[Part] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    passing: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a band stands: its first tick at `left`; nothing is drawn beyond `right`. `difference`: where the runs part."""

    axis: Axis
    left: int
    right: int
    difference: int | None

    def x(self, tick: int) -> int:
        """Where a tick is; one outside the band is at the end that is nearer."""
        return self.left + self.axis.columns[min(max(tick, self.axis.first), self.axis.last)]

    def gaps(self) -> Iterator[tuple[int, int, str, tuple[int, int]]]:
        """Neighbouring ticks, with what is drawn between them (see `Gap`) and, for a fold or a jump, where nothing else is."""
        for (before, after), gap in zip(pairwise(self.axis.columns), self.axis.gaps, strict=True):
            left, right = self.x(before), self.x(after)
            middle = left + (right - left) * 3 // 4  # behind the words of the tick before, if they are few
            free = (left + 14, right - 14) if gap.middle == JUMPED else (middle - BREAK, middle + BREAK)
            yield before, after, gap.middle, free

    def pieces(self, first: int, last: int, beyond: int = 0) -> list[tuple[int, int]]:
        """A stretch of ticks without what is folded or jumped, reaching so far beyond its own ends."""
        start = self.x(first) - (beyond if first >= self.axis.first else 0)
        end = self.x(last) + (beyond if last <= self.axis.last else 0)
        found = []
        for before, after, middle, (left, right) in self.gaps():
            if middle and first <= before and after <= last:
                found.append((start, left))
                start = right
        return [*found, (start, end)]


class _Tracks:
    """Lines below each other on which what is put down keeps apart."""

    def __init__(self) -> None:
        self._taken: list[list[tuple[int, int, int]]] = []

    def place(self, start: int, end: int, at: int, hangs: bool = False) -> int:
        """The first track with room from `start` to `end`. What `hangs` needs a free way up at `at`, past its like."""
        track = 0
        while not self._free(track, start, end) or (hangs and not self._way(track, at)):
            track += 1
            if track > len(self._taken):
                break
        while len(self._taken) <= track:
            self._taken.append([])
        self._taken[track].append((start, end, at))
        return track

    @property
    def count(self) -> int:
        return max(1, len(self._taken))

    def _free(self, track: int, start: int, end: int) -> bool:
        taken = self._taken[track] if track < len(self._taken) else []
        return all(end + 4 <= left or right + 4 <= start for left, right, _ in taken)

    def _way(self, track: int, at: int) -> bool:
        above = [one for taken in self._taken[:track] for one in taken]
        return all(at + 3 <= left or right + 3 <= at or at == own for left, right, own in above)


def draw_row(row: FactRow, lane: FactLane, frame: Frame, sheet: Sheet, top: int) -> int:
    """Draw what of a row is in the band, from `top` on. Returns how high it is."""
    if row.kind in RUNS:
        return _run(row, lane, frame, sheet, top)
    if row.kind in (RowKind.EVENTS, RowKind.EXPECTED):
        return _marks(row, lane, frame, sheet, top)
    for fact in row.facts:
        _stretch(row.kind, fact, frame, sheet, top, lane.first)
    return ROW


def _marks(row: FactRow, lane: FactLane, frame: Frame, sheet: Sheet, top: int) -> int:
    tracks = _Tracks()
    for fact in row.facts:
        if fact.first is not None and frame.axis.owns(fact.first):
            before = row.kind is RowKind.EXPECTED or fact.shape == "jump"
            label = _Label.of(fact, frame, before, "arrival" if lane.kind is LaneKind.CONVERSATION else "mark")
            y = top + TRACK * tracks.place(label.start, label.end, label.x)
            shape = "deadline" if row.kind is RowKind.EXPECTED else fact.shape
            sheet.spots.append(label.spot(y, Glyph(label.x, y + MIDDLE, shape)))
    return ROW + TRACK * (tracks.count - 1)


@dataclass(frozen=True, slots=True)
class _Label:
    """A glyph at x with its words behind it, or before it; from `start` to `end` together."""

    fact: Fact
    x: int
    start: int
    end: int
    words: str
    before: bool
    style: str = "mark"

    @staticmethod
    def of(fact: Fact, frame: Frame, before: bool = False, style: str = "mark") -> _Label:
        """On the side that is wished where there is room, else on the other one, else clipped where there is more."""
        x = frame.x(fact.first or 0)
        rooms = {False: frame.right - x - REACH - 3, True: x - REACH - 3 - frame.left}
        needed = text_width(escape(fact.text), style)
        sides = [side for side in (before, not before) if needed <= rooms[side]]
        side = sides[0] if sides else rooms[True] > rooms[False]
        words = fitted(fact.text, rooms[side], style)
        wide = text_width(words, style) + 3
        start, end = (x - REACH - wide, x + REACH) if side else (x - REACH, x + REACH + wide)
        return _Label(fact, x, start, end, words, side, style)

    def spot(self, y: int, *parts: Part) -> Spot:
        """The fact with its parts and its words, on the track at y."""
        x = self.x - REACH - 3 if self.before else self.x + REACH + 3
        text = Text(x, y + BASE, self.words, self.style, ends=self.before)
        return Spot(self.fact, self.start, y + 2, self.end - self.start, ROW - 4, (*parts, text))

    def clearing(self, y: int) -> Rect:
        """What hides a line behind the words."""
        start, end = (self.start, self.x - REACH) if self.before else (self.x + REACH, self.end)
        return Rect(start + 1, y + 4, end - start + 1, ROW - 8, "paper")


def _run(row: FactRow, lane: FactLane, frame: Frame, sheet: Sheet, top: int) -> int:
    """A run as a line with its records on it, or hanging from it where they stand too close."""
    tracks = _Tracks()
    line = top + MIDDLE
    own = [fact for fact in row.facts if fact.first is not None and frame.axis.owns(fact.first)]
    placed: list[tuple[_Label, int]] = []
    # From the right to the left, so that what hangs does so before the words of what stands further right.
    for _, group in reversed([(tick, list(facts)) for tick, facts in groupby(own, key=lambda fact: fact.first)]):
        for fact in group:
            label = _Label.of(fact, frame, style="parted" if fact.parting else "record")
            placed.append((label, tracks.place(label.start, label.end, label.x, hangs=True)))
    if row.kind is RowKind.PASSING:
        sheet.passing = line
    sheet.back += _thread(row, lane, frame, line, sheet.passing)
    for label, track in placed:
        y = top + TRACK * track
        if track:
            sheet.back.append(Line(label.x, line, label.x, y + MIDDLE, f"hang {_style(label.fact.kind)}"))
        glyph = Glyph(label.x, y + MIDDLE, label.fact.shape, _style(label.fact.kind))
        halo = [Glyph(label.x, y + MIDDLE, "halo", _style(label.fact.kind))] if label.fact.parting else []
        sheet.spots.append(label.spot(y, label.clearing(y), *halo, glyph))
    return ROW + TRACK * (tracks.count - 1)


def _style(kind: RowKind) -> str:
    return {RowKind.PASSING: "passing", RowKind.FAILING: "failing"}.get(kind, "common")


def _thread(row: FactRow, lane: FactLane, frame: Frame, y: int, passing: int | None) -> Iterator[Part]:
    """The line of a run. The run that fails leaves the one that passes, at that height, at the tick where they part."""
    ticks = [fact.first for fact in row.facts if fact.first is not None]
    difference = frame.difference
    if row.kind not in (RowKind.PASSING, RowKind.FAILING) or difference is None:
        if ticks:
            yield from _level(frame, min(ticks), max(ticks), y, _style(row.kind))
        return
    if row.kind is RowKind.PASSING:
        before, behind = [tick for tick in ticks if tick < difference], [tick for tick in ticks if tick >= difference]
        if before:
            yield from _level(frame, min(before), difference, y, "common")
            yield from _level(frame, difference, max(behind, default=difference), y, "passing", stub=not behind)
        elif behind:
            yield from _level(frame, min(behind), max(behind), y, "passing")
        return
    shared = [
        one for other in lane.rows if other.kind is RowKind.PASSING for one in other.facts if one.kind is RowKind.BOTH
    ]
    if not shared:
        if ticks:
            yield from _level(frame, min(ticks), max(ticks), y, "failing")
        return
    yield from _level(frame, difference, max(ticks, default=difference), y, "failing", stub=not ticks)
    if passing is not None and frame.axis.owns(difference):
        yield Branch(frame.x(difference) - 16, passing, frame.x(difference), y, "thread failing")


def _level(frame: Frame, first: int, last: int, y: int, style: str, stub: bool = False) -> Iterator[Part]:
    if not frame.axis.reaches(first, last):
        return
    for start, end in frame.pieces(first, last):
        if end > start:
            yield Line(start, y, end, y, f"thread {style}")
    if stub and frame.axis.owns(last):
        yield Line(frame.x(last), y, frame.x(last) + STUB, y, f"thread {style}")


def _stretch(kind: RowKind, fact: Fact, frame: Frame, sheet: Sheet, top: int, begins: int) -> None:
    """A window; or words where there is no tick to draw, at the one at which the lane begins."""
    axis = frame.axis
    if fact.first is None or fact.last is None:
        x = frame.x(begins)
        room = frame.right - x - REACH - 3
        words = fitted(fact.text, room, "said")
        glyph = [Glyph(x, top + MIDDLE, fact.shape, "waiting")] if kind is RowKind.WAITING else []
        text = Text(x + (REACH + 3 if glyph else -5), top + BASE, words, "said")
        wide = text_width(words, "said") + 2 * REACH + 3
        sheet.spots.append(Spot(fact, x - REACH, top + 2, wide, ROW - 4, (*glyph, text)))
        return
    if not axis.reaches(fact.first, fact.last):
        return
    pieces = frame.pieces(fact.first, fact.last, 5)
    style = f"bar {kind.value}-{fact.shape}" if kind is not RowKind.HELD else "bar held"
    bars: list[Part] = [Rect(start, top + 6, end - start, 12, style, 3) for start, end in pieces if end > start]
    start, end = pieces[0][0], pieces[-1][1]
    words = fitted(f"{fact.ticks}  {fact.text}".rstrip(), frame.right - frame.left, "span")
    wide = text_width(words, "span")
    left, right = start, end
    if end + 6 + wide <= frame.right:
        right = end + 6 + wide
        bars.append(Text(end + 6, top + BASE, words, "span"))
    elif start - 6 - wide >= frame.left - REACH:
        left = start - 6 - wide
        bars.append(Text(start - 6, top + BASE, words, "span", ends=True))
    else:
        bars.append(Rect(end - wide - 10, top + 4, wide + 6, ROW - 8, "paper"))
        bars.append(Text(end - 7, top + BASE, words, "span", ends=True))
    if axis.owns(fact.first):
        sheet.spots.append(Spot(fact, left - 2, top + 2, right - left + 4, ROW - 4, tuple(bars)))
    else:
        sheet.back += bars
