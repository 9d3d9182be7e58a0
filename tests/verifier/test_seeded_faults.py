"""Every seeded fault of the engine shows in the sets of runs: the comparison with the oracle is strong enough."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any

import pytest
from tests.oracle import Budgets as OracleBudgets
from tests.oracle import explore
from tests.oracle.basics import TooLarge
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.verifier.agreement import MAX_DRAFTS, engine_runs, seen_alike
from tests.verifier.engine_traces import TooMany
from tests.verifier.known_answers import document
from tests.verifier.seeded_faults import BUDGET_STEPS, EDITS, EQUIVALENT, Edit, seeded

from wellposed.verifier.amr.answers import Answers

POOL = range(20_000, 20_700)
FEATURES = range(20_000, 20_240)
LIMIT = 600
AMPLE = 20_000


def rare() -> list[tuple[dict[str, Any], OracleBudgets]]:
    """Schedules that random generation seldom hits.

    A crash budget restarted, a reject overruled in its own tick; effects held when the approval fires, behind a crash that
    allows to give up, and so long that a crash ends behind the horizon.
    """
    budgets = OracleBudgets(admit=2, lag=2, draft=2, reply=2, send=2, crash=3, death=2, claims=2, terminal=3)
    crashes = document(1, [(2, "crash"), (4, "crash")], [], horizon=8)
    overruled = document(2, [(3, "approve", "m1"), (4, "reject", "m1"), (4, "approve", "m1")], [], horizon=8)
    held = document(2, [(2, "hold"), (3, "approve", "m1"), (5, "release")], [], horizon=8)
    given_up = document(1, [(2, "crash"), (3, "hold"), (5, "release")], [], horizon=8)
    ends_late = document(3, [(3, "approve", "m1"), (5, "crash"), (6, "hold"), (8, "release")], [], horizon=8)
    return [(one, budgets) for one in (crashes, overruled, held, given_up, ends_late)]


@cache
def pool() -> list[tuple[dict[str, Any], Answers, frozenset[Any]]]:
    """Small scenarios with what the oracle says of them."""
    found = []
    drawn = [*map(sample, POOL), *map(sample_features, FEATURES)]
    for limit, (scenario, budgets) in [*((AMPLE, one) for one in rare()), *((LIMIT, one) for one in drawn)]:
        try:
            traces = explore(scenario, budgets, max_drafts=MAX_DRAFTS, max_traces=limit)
        except TooLarge:
            continue
        engine = Answers(**dataclasses.asdict(budgets))
        found.append((scenario, engine, frozenset(seen_alike(trace) for trace in traces)))
    return found


def killed(step: tuple[str, int] | None = None) -> bool:
    """Whether some scenario of the pool shows that the engine is wrong; `step` changes one budget of the engine."""
    for scenario, budgets, wanted in pool():
        changed = budgets
        if step is not None:
            changed = dataclasses.replace(budgets, **{step[0]: getattr(budgets, step[0]) + step[1]})
        try:
            if engine_runs(scenario, changed, AMPLE) != wanted:
                return True
        except TooMany:
            return True  # far more runs than there should be
        except (AssertionError, ValueError, IndexError):
            return True  # a run that cannot be written down is not a run of the scenario either
    return False


def test_the_pool_holds_no_difference_without_a_fault() -> None:
    assert len(pool()) > (len(POOL) + len(FEATURES)) // 3
    assert [scenario for scenario, _, _ in pool()[: len(rare())]] == [scenario for scenario, _ in rare()]
    assert not killed()


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.id)
def test_a_seeded_fault_is_killed(edit: Edit) -> None:
    with seeded(edit):
        assert killed()


@pytest.mark.parametrize("step", BUDGET_STEPS, ids=lambda step: f"{step[0]}{step[1]:+d}")
def test_a_budget_that_is_off_by_one_is_killed(step: tuple[str, int]) -> None:
    assert killed(step)


@pytest.mark.parametrize("edit", EQUIVALENT, ids=lambda edit: edit.id)
def test_an_equivalent_edit_changes_no_run(edit: Edit) -> None:
    with seeded(edit):
        assert not killed()
