"""WP320: one tick written in places that are far apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.dsl.findings import Finding, Span

CODE = "WP320"
FAR = 8
"""Statements between two blocks of one tick that a reader still takes in together."""


def check(fixture: Fixture) -> Iterator[Finding]:
    """Blocks of one tick with more than `FAR` other statements between them, whatever the layout.

    A block that a loop writes for several ticks meets others by arithmetic and is left out.
    """
    events = fixture.scenario.events
    spans = sorted({event.span for event in events}, key=lambda span: span.start)
    position = {span: number for number, span in enumerate(spans)}
    ticks: dict[Span, set[int]] = {}
    blocks: dict[Span, list[int]] = {}
    for event in events:
        if event.at is not None:
            ticks.setdefault(event.timing, set()).add(event.at)
            blocks.setdefault(event.timing, []).append(position[event.span])
    same: dict[int, list[Span]] = {}
    for block in sorted(blocks, key=lambda span: span.start):
        if len(ticks[block]) == 1:
            same.setdefault(min(ticks[block]), []).append(block)
    for tick, written in same.items():
        for before, after in pairwise(written):
            between = min(blocks[after]) - max(blocks[before]) - 1
            if between > FAR:
                yield found(
                    CODE,
                    after,
                    f"tick {tick} is also written {between} statements further up",
                    labels=((before, f"tick {tick} stands here"),),
                    help="write them side by side: what stands in one tick happens together, in the order of the text",
                )
