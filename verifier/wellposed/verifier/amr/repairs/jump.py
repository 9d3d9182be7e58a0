"""A jump that takes the ticks away in which something was to happen: later, when it has happened."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Replace
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Proposal


def repairs(case: Case) -> Iterator[Proposal]:
    """The jump moved behind the deadlines that start before it, the nearest first."""
    for index in case.failing[:1]:
        for jump in case.timed("faults"):
            if jump["record"]["fault"] == "jump":
                for tick in _later(case, jump["at"], jump["record"]["to"]):
                    words = f"jump at {tick} only, when what starts before it is over"
                    yield Proposal(words, f"/expect/{index}", (Replace(f"/schedule/{jump['seq']}/at", tick),))


def _later(case: Case, at: int, to: int) -> list[int]:
    """The deadlines of what is written before the jump and reaches beyond it; the tick of a jump is still seen."""
    before = [one["at"] for one in case.document["schedule"] if "at" in one and one["at"] <= at]
    budgets = (BUDGETS.admit, BUDGETS.send, BUDGETS.reply, BUDGETS.draft, BUDGETS.crash)
    ends = {end for start in before for budget in budgets for end in (start + budget, case.outbox.end(start, budget))}
    return sorted(end for end in ends if at < end < to)
