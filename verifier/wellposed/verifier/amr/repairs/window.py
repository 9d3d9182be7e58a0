"""A window that is tighter than what lawful runs need: the shortest that holds them all."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Replace
from wellposed.compiler.decompile.claims import claim_text, nested
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Json, Proposal

MOST = 24
"""How many lengths are tried where the start of the window hangs on the run."""


def repairs(case: Case) -> Iterator[Proposal]:
    """Longer windows for failing expectations, the shortest first."""
    for index in case.failing:
        yield from _longer(case, index, f"/expect/{index}", case.document["expect"][index])


def inner(case: Case) -> Iterator[Proposal]:
    """Longer windows for the claims that failing expectations are made of."""
    for place, claim in nested(case.document["expect"], "/expect"):
        index, *path = place.split("/")[2:]
        if path and int(index) in case.failing:
            yield from _longer(case, int(index), place, claim)


def _longer(case: Case, index: int, place: str, claim: Json) -> Iterator[Proposal]:
    if claim.get("within") is not None:
        for ticks in _lengths(case, claim):
            words = f"give `{claim_text(claim, case.names)}` the {ticks} ticks that lawful runs need"
            yield Proposal(words, f"/expect/{index}", (Replace(f"{place}/within", ticks),))


def _lengths(case: Case, claim: Json) -> range:
    """The lengths that may do. Where the start is certain there is one: up to the last tick of the record."""
    within: int = claim["within"]
    if claim["claim"] == "claims-settle":
        return range(within + 1, (1 + case.deaths) * BUDGETS.claims + 1)
    of, record = claim["of"], claim["claim"]
    last = case.outcome(of, record) if record == "sent" else case.window(of, record)
    start = case.happens(claim.get("from", of))
    if last is None or start is None:
        return range(0)
    counted = case.outbox.open_between if record == "sent" else lambda first, end: end - first
    least = max(within + 1, counted(start.last, last.last))
    return range(least, min(counted(start.first, last.last), least + MOST) + 1)
