"""The two runs of an ambiguity are as close as two such runs can be: compared with every pair there is, on small scenarios."""

from __future__ import annotations

import dataclasses
from itertools import product
from typing import Any

import pytest
from tests.oracle.generate import sample
from tests.verifier.engine_traces import TooMany, solutions

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.model import theory
from wellposed.verifier.formula import holds
from wellposed.verifier.judgement import Ambiguity, Judgement
from wellposed.verifier.prover import Values
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Component
from wellposed.verifier.verdict import judge

LIMIT = 1_500
WANTED = 12


def different(component: Component, one: Values, other: Values) -> list[tuple[int, ...]]:
    """The records in which two runs differ, but for what one of them might as well have as the other."""

    def differs(part: int) -> bool:
        if one[part] == other[part] or part not in component.loose:
            return one[part] != other[part]
        loose, last = component.loose[part]
        bounds = [(holds(loose, run), run[last.var] + last.offset) for run in (one, other)]
        return not any(
            free and then[part] <= end for (free, end), then in zip(bounds, (other, one), strict=True)
        )

    return [record for record in component.records if any(map(differs, record))]


def difference(component: Component, one: Values, other: Values) -> tuple[int, int]:
    """How many records differ, and the tick of the first that does."""
    records = different(component, one, other)
    return len(records), min((min(one[record[0]], other[record[0]]) for record in records), default=-1)


def idle(component: Component, run: Values) -> frozenset[int]:
    """The records that a run does without."""
    return frozenset(number for number, absence in enumerate(component.quiet) if holds(absence, run))


def every_pair(component: Component, index: int) -> list[tuple[Values, Values]]:
    """All pairs of a failing and a passing conforming run. Raises TooMany."""
    runs = list(solutions(component, LIMIT))
    claim = next(claim.formula for claim in component.claims if claim.index == index)
    failing = [run for run in runs if not holds(claim, run)]
    passing = [run for run in runs if all(holds(claim.formula, run) for claim in component.claims)]
    if len(failing) * len(passing) > 400_000:
        raise TooMany
    return list(product(failing, passing))


def ambiguous(seeds: range) -> list[tuple[Judgement, Ambiguity, list[tuple[Values, Values]]]]:
    """Ambiguities that are the first of their component, with every pair that could have been shown."""
    found = []
    for seed in seeds:
        document, budgets = sample(seed)
        work = Budget(50_000_000)
        judged = judge(theory(document, work, Answers(**dataclasses.asdict(budgets))), work)
        seen: set[tuple[Any, int]] = set()
        for ambiguity in judged.ambiguities:
            first = (id(ambiguity.failing.case), ambiguity.focus) not in seen
            seen.add((id(ambiguity.failing.case), ambiguity.focus))
            if first and ambiguity.passing.case is ambiguity.failing.case:
                try:
                    pairs = every_pair(ambiguity.failing.case.components[ambiguity.focus], ambiguity.index)
                except TooMany:
                    continue
                found.append((judged, ambiguity, pairs))
        if len(found) >= WANTED:
            break
    return found


@pytest.mark.parametrize("first", [1_000, 4_000])
def test_no_pair_is_closer(first: int) -> None:
    cases = ambiguous(range(first, first + 400))
    assert len(cases) >= WANTED
    for _, ambiguity, pairs in cases:
        component = ambiguity.failing.case.components[ambiguity.focus]
        failing, passing = ambiguity.failing.values[ambiguity.focus], ambiguity.passing.values[ambiguity.focus]
        shown = difference(component, failing, passing)
        assert shown == min(difference(component, *pair) for pair in pairs)
        without = idle(component, failing), idle(component, passing)
        for one, other in pairs:
            if different(component, one, other) == different(component, failing, passing):
                leaner = idle(component, one), idle(component, other)
                spared = leaner[0] >= without[0] and leaner[1] >= without[1] and leaner != without
                assert not spared or difference(component, one, other) != shown, "a record could be left out of both runs"
