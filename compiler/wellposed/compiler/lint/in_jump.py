"""WP321: an event at a tick that a jump removes."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.dsl.findings import Finding

CODE = "WP321"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Events that are written for one tick and happen at another, the one where the clock lands."""
    for event in fixture.scenario.events:
        gap = None if event.at is None else fixture.clock.gap_over(event.at)
        if gap is not None:
            yield found(
                CODE,
                event.timing,
                f"tick {event.at} is jumped over, so what stands here happens at tick {gap.end}",
                labels=((gap.jump.span, f"from tick {gap.start} the clock goes to {gap.end}"),),
                help=f"write the tick that is meant: {gap.start} or earlier, {gap.end} or later",
            )
