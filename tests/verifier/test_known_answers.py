"""The known answers of the model page come out of the engine, with their cores."""

from __future__ import annotations

import pytest
from tests.verifier.known_answers import Known, known_answers

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.verify import verify

KNOWN = list(known_answers())


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_known_answer(known: Known) -> None:
    result = verify(bundle_of(known.document, None, "known.json"))
    assert result.verdict == known.verdict
    if known.cores:
        assert frozenset(member.obligation for member in result.core) in known.cores
    ends = [(end.outcome, end.first, end.last) for end in result.outcomes.get("m1", ())]
    assert set(known.ends) <= set(ends)
