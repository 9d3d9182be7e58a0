"""The windows of records are those of the oracle's runs, and asking for them changes no verdict."""

from __future__ import annotations

from typing import Any

import pytest
from tests.oracle import explore
from tests.oracle.basics import TooLarge
from tests.oracle.generate import sample
from tests.second_model.expiring_approval import Scenario
from tests.second_model.expiring_approval import theory as clerk
from tests.verifier.agreement import engine_answers
from tests.verifier.known_answers import document

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.amr.environment import unfold
from wellposed.verifier.amr.model import theory
from wellposed.verifier.report import Window
from wellposed.verifier.solver import Budget
from wellposed.verifier.verdict import judge
from wellposed.verifier.verify import verify

CHUNK = 25
NEVER_SENT = [{"claim": "never-sent", "of": "m1"}]


def _windows(document: dict[str, Any], budgets: Any) -> dict[tuple[str, str], tuple[int, int]]:
    judgement = judge(theory(document, Budget(50_000_000), engine_answers(budgets)), Budget(50_000_000), windows=True)
    return {
        (window.item, window.record): (window.first, window.last)
        for window in judgement.windows
        if window.item is not None and window.record in ("admitted", "drafted")
    }


def _seen(order: list[str], traces: Any) -> dict[tuple[str, str], tuple[int, int]]:
    ticks: dict[tuple[str, str], list[int]] = {}
    for trace in traces:
        for name, (admitted, _, drafts, *_) in zip(order, trace, strict=True):
            if admitted is not None:
                ticks.setdefault((name, "admitted"), []).append(admitted)
            if drafts:
                ticks.setdefault((name, "drafted"), []).append(drafts[0])
    return {what: (min(found), max(found)) for what, found in ticks.items()}


@pytest.mark.parametrize("first", range(0, 100, CHUNK))
def test_windows_are_those_of_all_runs(first: int) -> None:
    compared = 0
    for seed in range(first, first + CHUNK):
        scenario, budgets = sample(seed)
        try:
            traces = explore(scenario, budgets, max_drafts=2, max_traces=4_000)
        except TooLarge:
            continue
        compared += 1
        order = list(next(iter(unfold(scenario))).messages)
        assert _windows(scenario, budgets) == _seen(order, traces), f"seed {seed}"
    assert compared * 2 > CHUNK


def _verified(level: int, events: list[tuple[Any, ...]], **options: Any) -> tuple[Window, ...]:
    bundle = bundle_of(document(level, events, NEVER_SENT, **options), None, "x.json")
    plain, asked = verify(bundle), verify(bundle, windows=True)
    assert plain.windows == ()
    assert (plain.verdict, plain.outcomes, plain.findings) == (asked.verdict, asked.outcomes, asked.findings)
    return asked.windows


def test_an_approval_that_has_to_wait() -> None:
    windows = _verified(2, [(4, "approve", "m1")])
    assert windows == (
        Window("m1", "admitted", 0, 5),
        Window("m1", "drafted", 0, 10),
        Window("m1", "/schedule/1", 4, 11),
    )


def test_an_approval_that_has_not() -> None:
    assert Window("m1", "/schedule/1", 12, 12) in _verified(2, [(12, "approve", "m1")])


def test_nothing_without_a_conforming_run_and_nothing_beyond_the_budget() -> None:
    bundle = bundle_of(document(2, [(12, "approve", "m1")], NEVER_SENT), None, "x.json")
    assert verify(bundle, budget=1, windows=True).windows == ()
    full = verify(bundle)
    for budget in range(100, 3_000, 100):
        plain, asked = verify(bundle, budget), verify(bundle, budget, windows=True)
        assert plain == asked or (asked.verdict == full.verdict and asked.windows)


def test_the_kernel_knows_no_records() -> None:
    assert (
        judge(clerk(Scenario(approved=3, good_for=5, horizon=20), "done"), Budget(10_000), windows=True).windows == []
    )
