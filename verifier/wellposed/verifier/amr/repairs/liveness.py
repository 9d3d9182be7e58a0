"""Expectations that a system passes by doing nothing, or by something wrong: the half that asks for the work."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Insert, Remove
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Json, Proposal
from wellposed.verifier.amr.repairs.ends import accepting


def repairs(case: Case) -> Iterator[Proposal]:
    """What lawful runs do with an item, as one more expectation; or the standing obligations, where they are suspended."""
    for pointer in (*case.found("WP602"), *case.found("WP605"), *case.found("WP611")):
        for message in case.deliveries:
            for claim in _due(case, message):
                words = f"expect of {case.names.record(message)} what lawful runs do"
                yield Proposal(words, pointer, (Insert("/expect", claim),))
        if not case.document["invariants"]:
            words = f"leave the obligations of L0 to L{case.level} standing"
            yield Proposal(words, pointer, (Remove("/invariants"),))


def _due(case: Case, message: str) -> Iterator[Json]:
    ends = case.outcomes(message)
    if not ends or any(end.outcome == "not-admitted" for end in ends):
        return  # where the message may be left aside, nothing is due
    yield from accepting(case, message)
    yield {"claim": "admitted", "of": message, "within": BUDGETS.admit}
    yield {"claim": "drafted", "of": message, "within": BUDGETS.draft}
