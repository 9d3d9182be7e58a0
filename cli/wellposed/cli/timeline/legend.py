"""What the signs of a picture mean: one entry for each kind of sign that it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wellposed.cli.render.axis import FOLDED, JUMPED, Axis
from wellposed.cli.timeline.chart import RUNS, Chart, RowKind
from wellposed.cli.timeline.facts import Facts
from wellposed.cli.timeline.scene import Glyph, Line, Part, Rect


@dataclass(frozen=True, slots=True)
class Entry:
    """A sample of a sign, so many units wide, and its meaning."""

    words: str
    width: int
    parts: Callable[[int, int], Sequence[Part]]
    """The sample at a left end and a middle line."""


def entries(chart: Chart, facts: Facts, bands: Sequence[Axis]) -> Iterator[Entry]:
    """The entries for what a picture has, in order."""
    kinds = {fact.kind for fact in facts.ordered}
    gaps = {gap.middle for axis in bands for gap in axis.gaps}
    if RowKind.EVENTS in kinds:
        yield Entry("the harness acts", 30, lambda x, y: (Glyph(x + 7, y, "deliver"), Glyph(x + 23, y, "approve")))
    if kinds & set(RUNS):
        yield Entry(
            "a system acts", 28, lambda x, y: (Glyph(x + 7, y, "draft", "common"), Glyph(x + 22, y, "send", "common"))
        )
    if RowKind.WINDOW in kinds:
        yield Entry("lawful window", 26, lambda x, y: (Rect(x, y - 6, 26, 12, "bar window", 3),))
    ends = {fact.shape for fact in facts.ordered if fact.kind is RowKind.OUTCOME and fact.first is not None}
    for outcome in (outcome for outcome in ("sent", "abandoned") if outcome in ends):
        yield Entry(f"can be {outcome}", 26, _bar(f"bar outcome-{outcome}"))
    if RowKind.EXPECTED in kinds:
        yield Entry("expected by this tick", 12, lambda x, y: (Glyph(x + 8, y, "deadline"),))
    if FOLDED in gaps:
        yield Entry(
            "quiet ticks left out",
            14,
            lambda x, y: (Line(x + 2, y - 8, x + 2, y + 8, "fold"), Line(x + 12, y - 8, x + 12, y + 8, "fold")),
        )
    if JUMPED in gaps:
        yield Entry("ticks that a jump removes", 26, lambda x, y: (Rect(x, y - 7, 26, 14, "jump"),))
    if chart.shared:
        yield Entry("for every lane", 6, lambda x, y: (Line(x + 3, y - 8, x + 3, y + 8, "shared"),))


def _bar(style: str) -> Callable[[int, int], Sequence[Part]]:
    return lambda x, y: (Rect(x, y - 6, 26, 12, style, 3),)
