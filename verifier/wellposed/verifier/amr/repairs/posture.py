"""Mail that no rule admits under the posture that the scenario begins with: another posture."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Replace
from wellposed.dsl.vocabulary import POSTURES
from wellposed.verifier.amr.repairs.case import Case, Proposal


def repairs(case: Case) -> Iterator[Proposal]:
    """The other postures, where a failing expectation is about mail that is never admitted."""
    for message, pointer in case.concerned.items():
        if [end.outcome for end in case.outcomes(message)] == ["not-admitted"]:
            for posture in POSTURES:
                if posture != case.document["mode"]["posture"]:
                    words = f"begin with the posture {posture}"
                    yield Proposal(words, pointer, (Replace("/mode/posture", posture),))
