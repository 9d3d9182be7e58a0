"""WP322: the clock jumps while windows are open."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.lint.found import found
from wellposed.compiler.lint.windows import Window, windows
from wellposed.dsl.findings import Finding

CODE = "WP322"


def check(fixture: Fixture) -> Iterator[Finding]:
    """Jumps inside windows: what is counted are visible ticks, so such a window ends later than its length suggests."""
    clock = fixture.clock
    if not clock.gaps:
        return
    waiting = sorted(windows(fixture), key=lambda one: one.start, reverse=True)
    opened: list[tuple[int, int, Window]] = []
    for gap in clock.gaps:
        at = clock.index(gap.start)
        while waiting and waiting[-1].start <= at:
            window = waiting.pop()
            heapq.heappush(opened, (window.end, len(waiting), window))
        while opened and opened[0][0] <= at:
            heapq.heappop(opened)
        if opened:
            many = "a window is" if len(opened) == 1 else f"{len(opened)} windows are"
            first = [window for _, _, window in heapq.nsmallest(LIMITS.chain_labels, opened)]
            yield found(
                CODE,
                gap.jump.span,
                f"the clock jumps from tick {gap.start} to {gap.end} while {many} open",
                labels=[(window.span, _told(fixture, window)) for window in first],
                notes=("windows and budgets count the ticks that are seen: a jump costs one, however far it leads",),
                help="jump before the window opens or when it has closed, or give its end as it is with the jump",
            )


def _told(fixture: Fixture, window: Window) -> str:
    start, end = fixture.clock.tick(window.start), fixture.clock.tick(window.end)
    what = f"{window.duty}: " if window.duty else ""
    return f"{what}{window.counted} from {start} end at {end} with the jump"
