"""Two runs side by side, tick by tick, with the first difference marked; and one run alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wellposed.verifier.report import Trace, TraceEvent

ENVIRONMENT = "environment"


def concerning(trace: Trace, items: Iterable[str]) -> Trace:
    """The part of a run that concerns some items: their events, and those of the environment that concern all."""
    wanted = {None, *items}
    return tuple(event for event in trace if event.item in wanted)


def first_difference(one: Trace, other: Trace) -> int | None:
    """The first tick at which two runs do not have the same events; None where they never differ."""
    ticks = sorted({event.tick for event in (*one, *other)})
    return next((tick for tick in ticks if _done_at(one, tick) != _done_at(other, tick)), None)


def side_by_side(passing: Trace, failing: Trace) -> tuple[str, ...]:
    """A table with the shared part of the environment in one column, and a `>` before the first difference."""
    shared = {(event.tick, event.text) for event in passing if event.actor == ENVIRONMENT}
    shared &= {(event.tick, event.text) for event in failing if event.actor == ENVIRONMENT}
    rows: list[tuple[str, ...]] = [("tick", "environment", "a run that passes", "a run that fails")]
    for tick in sorted({event.tick for event in (*passing, *failing)}):
        common = [event.text for event in passing if event.tick == tick and (tick, event.text) in shared]
        columns = [[text for text in _at(trace, tick) if (tick, text) not in shared] for trace in (passing, failing)]
        rows.append((str(tick), *("; ".join(texts) for texts in (common, *columns))))
    difference = first_difference(passing, failing)
    return _aligned(rows, {str(difference)})


def alone(trace: Trace, heading: str) -> tuple[str, ...]:
    """The table of one run."""
    rows = [("tick", "environment", heading)]
    for tick in sorted({event.tick for event in trace}):
        here = [event for event in trace if event.tick == tick]
        environment = [event.text for event in here if event.actor == ENVIRONMENT]
        system = [event.text for event in here if event.actor != ENVIRONMENT]
        rows.append((str(tick), "; ".join(environment), "; ".join(system)))
    return _aligned(rows, set())


def schedule_around(trace: Trace, tick: int) -> tuple[TraceEvent | None, TraceEvent | None]:
    """The last event of the environment at or before a tick, and the first one after it."""
    events = [event for event in trace if event.actor == ENVIRONMENT]
    before = [event for event in events if event.tick <= tick]
    after = [event for event in events if event.tick > tick]
    return before[-1] if before else None, after[0] if after else None


def acts_before(trace: Trace, tick: int) -> list[str]:
    """What the system has done before a tick, whenever it was."""
    return sorted(event.text for event in trace if event.actor != ENVIRONMENT and event.tick < tick)


def _done_at(trace: Trace, tick: int) -> list[object]:
    """What is told of the environment at a tick, and what the system does there, in whatever words it is told."""
    here = [event for event in trace if event.tick == tick]
    return [event.text if event.actor == ENVIRONMENT else event.data for event in here]


def _at(trace: Trace, tick: int) -> list[str]:
    return [event.text for event in trace if event.tick == tick]


def _aligned(rows: Sequence[tuple[str, ...]], marked: set[str]) -> tuple[str, ...]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].rjust(widths[0]), *(cell.ljust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append((("> " if row[0] in marked else "  ") + "  ".join(cells)).rstrip())
    return tuple(lines)
