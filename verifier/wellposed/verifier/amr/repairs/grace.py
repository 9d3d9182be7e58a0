"""Mail so near a change of posture or rules that it may be treated either way: the nearest ticks that are decided."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Replace
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Json, Proposal


def repairs(case: Case) -> Iterator[Proposal]:
    """The delivery, or else the change, moved as little as it takes for the two to be apart."""
    changes = [one for one in case.timed("faults") if one["record"]["fault"] in ("posture", "rules")]
    for message in case.concerned:
        delivery = case.deliveries.get(message)
        for change in changes if delivery is not None else ():
            assert delivery is not None
            yield from _apart(case, message, delivery, change)


def _apart(case: Case, message: str, delivery: Json, change: Json) -> Iterator[Proposal]:
    arrives, changes = case.clock.index(delivery["at"]), case.clock.index(change["at"])
    if not changes - BUDGETS.admit <= arrives < changes + BUDGETS.lag:
        return
    name, what = case.names.record(message), f"`{case.statement(change)}`"
    for tick in _nearest(case, arrives, changes - BUDGETS.admit - 1, changes + BUDGETS.lag):
        words = f"deliver {name} at {tick}, where {what} leaves no choice"
        yield Proposal(words, case.concerned[message], (Replace(f"/schedule/{delivery['seq']}/at", tick),))
    for tick in _nearest(case, changes, arrives - BUDGETS.lag, arrives + BUDGETS.admit + 1):
        words = f"move {what} to {tick}, where it leaves no choice about {name}"
        yield Proposal(words, case.concerned[message], (Replace(f"/schedule/{change['seq']}/at", tick),))


def _nearest(case: Case, index: int, *others: int) -> list[int]:
    """The ticks of those indexes, the nearest first."""
    possible = sorted((one for one in others if one >= 0), key=lambda one: abs(one - index))
    return [case.clock.tick(one) for one in possible]
