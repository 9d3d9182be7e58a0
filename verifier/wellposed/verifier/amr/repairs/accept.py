"""An expectation of one end of an item where others are lawful, or only another one is: expect what lawful runs do."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Replace
from wellposed.verifier.amr.claims import spoken_of
from wellposed.verifier.amr.repairs.case import Case, Json, Proposal
from wellposed.verifier.amr.repairs.ends import MOST, accepting, others


def repairs(case: Case) -> Iterator[Proposal]:
    """The expectation with the missing ends beside it, or else the lawful ends in its place."""
    hollow = [int(pointer.rpartition("/")[2]) for pointer in case.found("WP601")]
    for index in (*case.failing, *hollow):
        claim, pointer = case.document["expect"][index], f"/expect/{index}"
        messages = spoken_of(claim)
        if len(messages) != 1:
            continue
        name = case.names.record(messages[0])
        if index not in hollow:
            for wider in _widened(case, claim, messages[0]):
                yield Proposal(f"accept every lawful end of {name}", pointer, (Replace(pointer, wider),))
        for other in accepting(case, messages[0]):
            yield Proposal(f"expect of {name} what lawful runs do", pointer, (Replace(pointer, other),))


def _widened(case: Case, claim: Json, message: str) -> Iterator[Json]:
    """The claim, if it is of a send, or is alternatives already, with those ends beside it that are no sends."""
    alternatives = others(case, message)
    if not 0 < len(alternatives) < MOST:
        return
    if claim["claim"] == "sent" and case.outcome(message, "sent") is not None:
        yield {"claim": "any", "of": [[claim], *alternatives]}
    elif claim["claim"] == "any":
        yield {"claim": "any", "of": [*claim["of"], *(one for one in alternatives if one not in claim["of"])]}
