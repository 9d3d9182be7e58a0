"""Engine and oracle agree under every alternative reading: trace sets, and verdicts with everything they rest on."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.oracle.answers import BASE as ORACLE_BASE
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.verifier.agreement import trace_difference, verdict_difference
from tests.verifier.test_agreement import Draw

from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.readings import ALTERNATIVES

TRACE_LIMIT = 2_000
SCENARIOS = 15
FEATURES = 10
NAMES = [field.name for field in dataclasses.fields(Budgets)]


def reading_of(name: str, budgets: Any) -> tuple[Any, Any]:
    """The scaled budgets and the oracle's answers under an alternative."""
    change = ALTERNATIVES[name].change
    scaled = {field: getattr(budgets, field) for field in NAMES}
    changed = change(dataclasses.replace(BASE, **scaled))
    flags = {field.name: getattr(changed, field.name) for field in dataclasses.fields(ORACLE_BASE)}
    numbers = {field: getattr(changed, field) for field in NAMES}
    return dataclasses.replace(budgets, **numbers), dataclasses.replace(ORACLE_BASE, **flags)


def compare(name: str, seeds: range, draw: Draw = sample, least: int = 3) -> None:
    compared = judged = 0
    for seed in seeds:
        document, base = draw(seed)
        budgets, reading = reading_of(name, base)
        difference = trace_difference(document, budgets, TRACE_LIMIT, reading)
        if difference is not None:
            compared += 1
            assert difference == (set(), set()), f"seed {seed}: only the oracle, only the engine"
        result = verdict_difference(document, budgets, reading)
        if result is not None:
            judged += 1
            assert result[1] == [], f"seed {seed}"
    assert compared * least > len(seeds) and judged * 3 > len(seeds), "too many scenarios are too large to be compared"


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_every_reading_agrees(name: str) -> None:
    first = 1_000 * list(ALTERNATIVES).index(name)
    compare(name, range(first, first + SCENARIOS))


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_every_reading_agrees_with_every_feature(name: str) -> None:
    first = 1_000 * list(ALTERNATIVES).index(name)
    compare(name, range(first, first + FEATURES), sample_features, 6)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALTERNATIVES)
def test_every_reading_agrees_at_length(name: str) -> None:
    first = 100_000 + 10_000 * list(ALTERNATIVES).index(name)
    compare(name, range(first, first + 500))
