"""SPIN explores single items tick by tick and comes to the same answers."""

from __future__ import annotations

import os
from typing import Any

import pytest
from bench.peers import facts, spin
from bench.peers.compare import differences
from tests.clients.install_spin import missing
from tests.verifier.peer_instances import instances

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.verify import verify

INSTANCES = dict(instances())

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(bool(missing()) and "CI" not in os.environ, reason="spin or gcc is not on this machine"),
]


@pytest.fixture(scope="module")
def pan(tmp_path_factory: pytest.TempPathFactory) -> spin.Pan:
    return spin.Pan(tmp_path_factory.mktemp("pan"))


@pytest.mark.parametrize("document", INSTANCES.values(), ids=INSTANCES.keys())
def test_the_answers_are_the_same(document: dict[str, Any], pan: spin.Pan) -> None:
    told = facts.read(document)
    verification = verify(bundle_of(document, None, "test"), 10**9)
    assert differences(verification, told, spin.per_item(told, pan)) == []
