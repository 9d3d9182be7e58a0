"""WP334: effects that are held and released with no held tick between."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.compiler.scenario import Event, Hold, Release
from wellposed.dsl.findings import Finding

CODE = "WP334"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Holds whose release happens in their own tick, perhaps because a jump moves one of the two."""
    hold: tuple[int, Event] | None = None
    for at, event in fixture.timed:
        if isinstance(event.action, Hold):
            hold = at, event
        elif isinstance(event.action, Release) and hold is not None and hold[0] == at:
            tick = fixture.clock.tick(at)
            moved = (hold[1].at, event.at) != (tick, tick)
            yield found(
                CODE,
                hold[1].span,
                f"no tick is held: effects are held and released again in tick {tick}",
                labels=((event.span, "they are released here"),),
                notes=(f"a jump moves what is jumped over to tick {tick}",) if moved else (),
                help=f"release them at tick {fixture.clock.next_after(tick)} or later, or remove both",
            )
