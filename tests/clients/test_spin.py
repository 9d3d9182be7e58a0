"""SPIN explores single items tick by tick and comes to the same answers."""

from __future__ import annotations

import os
from typing import Any

import pytest
from bench.peers import facts, spin
from bench.peers.compare import differences
from tests.clients.install_debian import missing
from tests.verifier.peer_instances import instances, scattered

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.verify import verify

INSTANCES = dict(instances())

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(bool(missing("spin")) and "CI" not in os.environ, reason="spin or gcc is not on this machine"),
]


@pytest.fixture(scope="module")
def pan(tmp_path_factory: pytest.TempPathFactory) -> spin.Pan:
    return spin.Pan(tmp_path_factory.mktemp("pan"))


def compare(document: dict[str, Any], pan: spin.Pan) -> None:
    told = facts.read(document)
    verification = verify(bundle_of(document, None, "test"), 10**9)
    assert differences(verification, told, spin.per_item(told, pan)) == []


@pytest.mark.parametrize("document", INSTANCES.values(), ids=INSTANCES.keys())
def test_the_answers_are_the_same(document: dict[str, Any], pan: spin.Pan) -> None:
    compare(document, pan)


def test_the_answers_to_random_scenarios_are_the_same(pan: spin.Pan) -> None:
    compared = 0
    for seed in range(80):
        try:
            compare(scattered(seed), pan)
            compared += 1
        except (facts.Uncertain, facts.Unsupported):
            continue
    assert compared > 60
