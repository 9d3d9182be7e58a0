"""WP321: an event at a tick that a jump removes."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.dsl.findings import Finding, Span

CODE = "WP321"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Blocks that are written for one tick and happen at another, the one where the clock lands."""
    seen: set[tuple[int, Span]] = set()
    for event in fixture.scenario.events:
        gap = None if event.at is None else fixture.clock.gap_over(event.at)
        if event.at is None or gap is None or (event.at, event.timing) in seen:
            continue
        seen.add((event.at, event.timing))
        yield found(
            CODE,
            event.timing,
            f"tick {event.at} is jumped over, so what stands here happens at tick {gap.end}",
            labels=((gap.jump.span, f"from tick {gap.start} the clock goes to {gap.end}"),),
            help=f"write the tick that is meant: {gap.start} or earlier, {gap.end} or later",
        )
