"""The reference keeps every obligation and passes every published scenario, whatever its seed."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import Any

import pytest
from tests.oracle.generate import sample
from tests.simulator.library import NAMES, published, run, violations
from tests.simulator.reading import run_of

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker import check_run
from wellposed.verifier.amr.run import ItemRun
from wellposed.verifier.amr.simulator import simulate
from wellposed.verifier.verify import verify

Ends = dict[tuple[str, str, str | None], set[int]]


@pytest.mark.parametrize("name", NAMES)
def test_every_published_scenario_is_passed(name: str) -> None:
    assert {seed: found for seed in range(10) if (found := violations(name, "reference", seed))} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_published_scenario_is_passed_at_length(name: str) -> None:
    assert {seed: found for seed in range(200) if (found := violations(name, "reference", seed))} == {}


def scaled(seed: int) -> tuple[dict[str, Any], Answers] | None:
    """A generated document, with budgets that leave time to know what is required before a draft is due."""
    document, budgets = sample(seed)
    if min(budgets.draft, budgets.reply) < budgets.admit:
        return None
    return document, Answers(**asdict(budgets))


def generated(seeds: range, each: int) -> int:
    """Simulates generated scenarios of every channel, and counts the runs."""
    runs = 0
    for seed in seeds:
        made = scaled(seed)
        if made is None:
            continue
        document, answers = made
        for number in range(each):
            found = check_run(document, run_of(document, simulate(document, "reference", number, answers).files), answers)
            broken = [violation for violation in found if violation.obligation != "expect"]
            assert broken == [], f"document {seed}, seed {number}"
            runs += 1
    return runs


@pytest.mark.parametrize("first", range(0, 240, 60))
def test_the_obligations_are_kept_in_generated_scenarios(first: int) -> None:
    assert generated(range(first, first + 60), 6) > 200


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 12_000, 200))
def test_the_obligations_are_kept_in_generated_scenarios_at_length(first: int) -> None:
    assert generated(range(first, first + 200), 40) > 4_000


def end_of(item: ItemRun) -> tuple[str, str | None, int | None]:
    """How an item ends, in the words of a verification's outcomes."""
    if item.admitted is None:
        return "not-admitted", None, None
    if item.sends:
        return "sent", None, item.sends[0][0]
    if item.resolution is not None:
        tick, outcome, reason = item.resolution
        return outcome, reason, tick
    return "open", None, None


def compare_ends(name: str, seeds: int) -> None:
    """Every end of every item occurs over the seeds, no other one does, and each falls on its first and its last tick."""
    wanted: dict[tuple[str, str, str | None], tuple[int | None, int | None]] = {}
    for message, outcomes in verify(published(name)).outcomes.items():
        for one in outcomes:
            wanted[message, one.outcome, one.reason] = one.first, one.last
    seen: dict[tuple[str, str, str | None], set[int | None]] = defaultdict(set)
    messages = {message for message, _, _ in wanted}
    for seed in range(seeds):
        items = run(name, "reference", seed).items
        for message in messages:
            outcome, reason, tick = end_of(items.get(message, ItemRun()))
            seen[message, outcome, reason].add(tick)
    windows = {end: (None, None) if None in ticks else (min(ticks), max(ticks)) for end, ticks in seen.items()}  # type: ignore[type-var]
    assert windows == wanted


RARE = {"l1-crash-before-send", "l2-withdrawn-approval"}
"""Scenarios with an end whose last tick takes more seeds to be seen."""


@pytest.mark.parametrize("name", [name for name in NAMES if name not in RARE])
def test_every_lawful_end_is_reached_at_its_first_and_last_tick(name: str) -> None:
    compare_ends(name, 300)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(RARE))
def test_every_lawful_end_is_reached_at_its_first_and_last_tick_at_length(name: str) -> None:
    compare_ends(name, 6_000)
