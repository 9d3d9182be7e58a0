"""WP323: windows that are still open at the horizon."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.compiler.lint.windows import Window, windows
from wellposed.compiler.reporting import listed
from wellposed.dsl.findings import Finding, Span

CODE = "WP323"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Causes and expectations whose windows end after the last tick, each text once, with its windows and the last end."""
    horizon, last = fixture.scenario.horizon, fixture.last
    cut: dict[Span, list[Window]] = {}
    for window in windows(fixture):
        if window.end > last:
            cut.setdefault(window.span, []).append(window)
    for several in cut.values():
        longest = max(several, key=lambda window: window.end)
        start, needed = fixture.clock.tick(longest.start), horizon + longest.end - last
        duties = listed(dict.fromkeys(window.duty for window in several if window.duty), "and")
        yield found(
            CODE,
            longest.span,
            f"{f'{duties} may take' if duties else 'this window reaches'} to tick {needed}, but the last one is {horizon}",
            labels=((fixture.place("/horizon"), f"{longest.counted} from {start} end at {needed}"),),
            notes=("what is due after the last tick is not demanded of anybody",) if duties else (),
            help="write `release effects` early enough, or let it start earlier"
            if longest.is_longer and not fixture.outbox.released
            else f"write `horizon {needed}` or more, or let it start earlier",
        )
