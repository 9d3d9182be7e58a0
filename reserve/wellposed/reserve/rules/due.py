"""What is due by a day: results that were announced, reveals, and batches that are opened as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from wellposed.dsl.findings import Finding
from wellposed.reserve.dates import day
from wellposed.reserve.report import at_line
from wellposed.reserve.state import FORFEITED, LEAKED, LIVE, OPEN, Batch, Entry, State, short

WITHHELD, PARTLY, OVERDUE, FUTURE = "WP846", "WP851", "WP880", "WP881"


def check_due(state: State, path: str, as_of: date, now: date) -> tuple[Finding, ...]:
    """What is missing on the day `as_of`, and lines of a day after `now`."""
    findings: list[Finding] = []
    ahead = next((line for line in state.lines if day(line.t) > now), None)
    if ahead is not None:
        what = f"the line says {ahead.t}, and today is {now.isoformat()}"
        findings.append(at_line(FUTURE, what, path, ahead.number))
    for batch in state.batches.values():
        for entry in overdue(batch, state, as_of):
            what = f"{short(entry.commit)} was due {entry.due(state.policy['logs'])} and is still {entry.state}"
            findings.append(at_line(OVERDUE, f"{what}: counted as withheld", path, batch.line.number))
        for entry, name in withheld(batch, as_of):
            line = batch.line if batch.announce is None else batch.announce
            what = f"batch {batch.name}: announced and not reported: {name} on {short(entry.commit)}"
            findings.append(at_line(WITHHELD, what, path, line.number))
        open_ = [entry for entry in batch.entries if entry.state in OPEN]
        shown = [entry.reveal for entry in batch.entries if entry.reveal is not None]
        if shown and open_:
            what = f"batch {batch.name} is revealed in part: {len(open_)} of {len(batch.entries)} entries are not open"
            findings.append(at_line(PARTLY, what, path, shown[-1].number))
    return tuple(findings)


def overdue(batch: Batch, state: State, as_of: date) -> Iterator[Entry]:
    """Entries that were due before the day and are neither revealed nor forfeited."""
    logs = state.policy["logs"]
    return (entry for entry in batch.entries if entry.state in OPEN and _due(entry, logs) < as_of)


def _due(entry: Entry, logs: str) -> date:
    try:
        return entry.due(logs)
    except ValueError:  # a day on no calendar, which the seal line is told for
        return date.min


def withheld(batch: Batch, as_of: date) -> Iterator[tuple[Entry, str]]:
    """Entries and submissions that were announced and have no standing result though it is due.

    It is due when the announced day is over, and once anything of the batch is revealed.
    """
    if batch.announce is None:
        return
    try:
        over = day(batch.announce.body["until"]) < as_of
    except ValueError:  # told where it was announced
        over = False
    if not over and all(entry.reveal is None for entry in batch.entries):
        return
    for entry in batch.entries:
        if entry.commit not in batch.pool or entry.leak is not None or entry.state in (LEAKED, FORFEITED):
            continue
        for name in batch.submissions:
            results = entry.of(name)
            if not any(one.voided is None or one.voided_after_reveal for one in results):
                yield entry, name


def excused(batch: Batch) -> Iterator[tuple[Entry, str]]:
    """Entries and submissions that were announced and owe no result any more, since the entry leaked or was given up."""
    for entry in batch.entries:
        if entry.commit in batch.pool and (entry.leak is not None or entry.state == FORFEITED):
            yield from ((entry, name) for name in batch.submissions if all(one.voided for one in entry.of(name)))


def pending(batch: Batch) -> int:
    """How many announced results are still missing, due or not."""
    if batch.announce is None:
        return 0
    applied = [entry for entry in batch.entries if entry.commit in batch.pool and entry.state in LIVE]
    missing = [name for entry in applied for name in batch.submissions if all(one.voided for one in entry.of(name))]
    return len(missing)
