"""Step 3: every line is allowed by those above it, and what was due by the day is there."""

from __future__ import annotations

from wellposed.reserve.lines import LEDGER
from wellposed.reserve.rules import replay
from wellposed.reserve.rules.due import check_due, excused
from wellposed.reserve.verify.case import Case


def check(case: Case) -> None:
    """The state is that of the lines that could be read; what is due is only judged where that is all of them."""
    path = case.path(LEDGER)
    case.state, found = replay(case.chain.lines, path)
    case.findings += found
    state, options = case.state, case.options
    case.checked.append(
        f"{len(state.entries)} entries in {len(state.batches)} batches: sealed, announced, applied and revealed as wholes"
    )
    if case.chain.findings:
        case.unchecked.append("what is due: the ledger could not be read to its end")
        return
    missing = sum(len(list(excused(batch))) for batch in state.batches.values())
    if missing:
        case.unchecked.append(
            f"why {missing} announced results are missing: their entries leaked or were forfeited after the announcement, so the operator says"
        )
    case.findings += check_due(state, path, options.as_of, options.now)
    case.checked.append(f"what was due on {options.as_of.isoformat()}")
