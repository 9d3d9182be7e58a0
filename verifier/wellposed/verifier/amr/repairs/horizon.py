"""A horizon that cuts off what would become due: the nearest at which it is seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from wellposed.compiler.bundle_edits import Replace
from wellposed.dsl.vocabulary import MAX_HORIZON
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Proposal

MOST = 12
"""How many horizons are tried."""


def repairs(case: Case) -> Iterator[Proposal]:
    """Later horizons, the nearest first: those at which something becomes due of what comes before."""
    for index in case.failing[:1]:
        for horizon in _horizons(case)[:MOST]:
            yield Proposal(f"raise the horizon to {horizon}", f"/expect/{index}", (Replace("/horizon", horizon),))


def _horizons(case: Case) -> list[int]:
    """Every deadline beyond the horizon that some event may start, in ticks; a deferred decision waits for its draft."""
    starts = [case.clock.index(one["at"]) for one in case.document["schedule"] if "at" in one]
    indexes = {start + budget for start in starts for budget in (BUDGETS.admit, BUDGETS.draft)}
    for start, budget in product(starts, (BUDGETS.send, BUDGETS.reply)):
        indexes.add(case.outbox.end(start + BUDGETS.draft + 1, budget))
    for start, budget in product(starts, (BUDGETS.send, BUDGETS.reply, BUDGETS.crash)):
        indexes.add(case.outbox.end(start, budget))
    ends = map(case.clock.tick, indexes)
    return sorted(end for end in ends if case.horizon < end <= MAX_HORIZON)
