"""Step 8: the figures, and what was not checked. Never a bare "ok"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from wellposed.compiler.load import MAX_FINDINGS
from wellposed.dsl.findings import Finding
from wellposed.reserve.dates import day
from wellposed.reserve.rules.due import excused, overdue, pending, withheld
from wellposed.reserve.state import FORFEITED, REVEALED, STATES, Batch, Entry
from wellposed.reserve.verify.case import Case, Verified

REMEMBER = "that lines were cut off the end, or the whole ledger written anew: give a checkpoint that you noted (--since), or compare an older clone"
ANOTHER = "that other readers see the same ledger: compare checkpoints with them"
SECRET = "that nobody ran a system on an entry before it was announced: the operator holds the scenarios"


def summarise(case: Case) -> Verified:
    """Everything that the steps found."""
    state, options = case.state, case.options
    as_of = options.as_of
    batches = list(state.batches.values())
    results = [one for entry in state.entries.values() for one in entry.results]
    known = state.genesis
    figures = {
        "sealed": len(state.entries),
        **{name: state.count(name) for name in STATES[1:]},
        "unused": sum(entry.state == REVEALED and not entry.results for entry in state.entries.values()),
        "results": len(results),
        "voided": sum(one.voided is not None for one in results),
        "own": sum(_own(entry) for entry in state.entries.values()),
        "pending": sum(map(pending, batches)),
        "withheld": sum(len(list(withheld(batch, as_of))) for batch in batches),
        "excused": sum(len(list(excused(batch))) for batch in batches),
        "overdue": sum(len(list(overdue(batch, state, as_of))) for batch in batches),
        "anchored": sum(case.in_time(batch.line) for batch in batches),
    }
    classes = Counter(
        entry.forfeit.body["class"] for entry in state.entries.values() if entry.forfeit is not None
    )
    caveats = [] if options.since else [REMEMBER]
    last = case.chain.lines[-1] if case.chain.lines else None
    return Verified(
        options,
        case.revision,
        _capped(case.findings),
        tuple(case.checked),
        tuple(case.unchecked),
        (*caveats, ANOTHER, SECRET) if case.chain.lines else (),
        figures,
        dict(sorted(classes.items())),
        tuple(_batch(case, batch) for batch in batches),
        None if known is None else str(known.body["ledger"]),
        None if last is None else (last.seq, last.head),
        tuple(case.anchored),
        state,
    )


def _capped(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """As many as anybody reads; the last one says how many more there are."""
    more = len(findings) - MAX_FINDINGS
    if more <= 0:
        return tuple(findings)
    last = findings[MAX_FINDINGS - 1]
    return (*findings[: MAX_FINDINGS - 1], replace(last, notes=(*last.notes, f"{more} more findings are not shown")))


def _own(entry: Entry) -> int:
    """Results of a system on a scenario that its own author wrote: they are shown, and count for nothing."""
    authors = [] if entry.reveal is None else entry.reveal.body["authors"]
    return sum(one.line.body["submission"] in authors for one in entry.results)


def _batch(case: Case, batch: Batch) -> Mapping[str, Any]:
    proven = min((one.time for one in case.anchored if one.seq >= batch.line.seq), default=None)
    by = batch.line.body["reveal_by"]
    return {
        "batch": batch.name,
        "entries": len(batch.entries),
        "sealed": batch.line.t,
        "sealed_by_proof": proven,
        "announced": None if batch.announce is None else batch.announce.t,
        "reveal_by": by,
        "submissions": sorted(batch.submissions),
        "revealed": sum(entry.state == REVEALED for entry in batch.entries),
        "forfeited": sum(entry.state == FORFEITED for entry in batch.entries),
        "open": sum(entry.state not in (REVEALED, FORFEITED) for entry in batch.entries),
        "days_left": _days_left(case, by),
    }


def _days_left(case: Case, by: str) -> int | None:
    try:
        return (day(by) - case.options.as_of).days
    except ValueError:
        return None
