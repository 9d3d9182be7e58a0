"""The verdicts against a direct encoding for z3 that shares nothing with the verifier but `docs/model.md`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from bench.peers import facts, z3_questions
from bench.peers.compare import differences
from tests.verifier.peer_instances import instances, scattered

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.verify import verify

INSTANCES = dict(instances())


def compare(document: dict[str, Any]) -> str:
    """The verdict on which both sides agree; per item only where that can be asked."""
    told = facts.read(document)
    verification = verify(bundle_of(document, None, "test"), 10**9)
    assert differences(verification, told, z3_questions.one_formula(told)) == []
    try:
        by_item = z3_questions.per_item(told, endings=True)
    except facts.Uncertain:
        return verification.verdict
    assert differences(verification, told, by_item) == []
    return verification.verdict


@pytest.mark.parametrize("document", INSTANCES.values(), ids=INSTANCES.keys())
def test_the_answers_are_the_same(document: dict[str, Any]) -> None:
    compare(document)


@pytest.mark.parametrize("first", [0, pytest.param(1_000, marks=pytest.mark.slow), pytest.param(2_000, marks=pytest.mark.slow)])
def test_the_answers_to_random_scenarios_are_the_same(first: int) -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(first, first + (1_000 if first else 40)):
        verdicts[compare(scattered(seed))] += 1
    assert verdicts.keys() >= {"unsatisfiable", "ambiguous", "vacuous"}
    assert not first or verdicts["well-posed"] > 10
