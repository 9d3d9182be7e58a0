"""The verdicts against a direct encoding for z3 that shares nothing with the verifier but `docs/model.md`."""

from __future__ import annotations

from typing import Any

import pytest
from bench.peers import facts, z3_questions
from bench.peers.compare import differences
from tests.verifier.peer_instances import instances

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.verify import verify

INSTANCES = dict(instances())


@pytest.mark.parametrize("document", INSTANCES.values(), ids=INSTANCES.keys())
def test_the_answers_are_the_same(document: dict[str, Any]) -> None:
    told = facts.read(document)
    verification = verify(bundle_of(document, None, "test"), 10**9)
    assert differences(verification, told, z3_questions.per_item(told, endings=True)) == []
    assert differences(verification, told, z3_questions.one_formula(told)) == []
