"""Engine and oracle agree over generated scenarios of every channel, on scaled-down budgets.

Trace sets, not verdicts alone: seeded off-by-one faults show in the sets of runs long before they show in a verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from tests.oracle.generate import sample
from tests.oracle.generate_features import sample_features
from tests.verifier.agreement import trace_difference, verdict_difference

TRACE_LIMIT = 4_000
CHUNK = 25
LONG = frozenset((1_018, 1_073))
"""Seeds with features for which the oracle alone takes ten seconds and more: they have a lane of their own."""
Draw = Callable[[int], tuple[dict[str, Any], Any]]


def compare_traces(seeds: range, draw: Draw = sample, least: int = 2) -> None:
    """At least one of so many scenarios is small enough to be compared."""
    compared = 0
    for seed in seeds:
        document, budgets = draw(seed)
        difference = trace_difference(document, budgets, TRACE_LIMIT)
        if difference is not None:
            compared += 1
            assert difference == (set(), set()), f"seed {seed}: only the oracle, only the engine"
    assert compared * least > len(seeds), "too many scenarios are too large to be compared"


def compare_verdicts(seeds: Iterable[int], draw: Draw = sample) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    for seed in seeds:
        document, budgets = draw(seed)
        result = verdict_difference(document, budgets)
        if result is not None:
            verdict, different = result
            assert not different, f"seed {seed}: {different}"
            verdicts[verdict] += 1
    return verdicts


@pytest.mark.parametrize("first", range(0, 300, CHUNK))
def test_trace_sets_agree(first: int) -> None:
    compare_traces(range(first, first + CHUNK))


@pytest.mark.parametrize("first", range(1_000, 1_300, CHUNK))
def test_verdicts_agree(first: int) -> None:
    assert sum(compare_verdicts(range(first, first + CHUNK)).values()) > CHUNK // 2


@pytest.mark.parametrize("first", range(0, 150, CHUNK))
def test_trace_sets_agree_with_every_feature(first: int) -> None:
    """Effects held, decisions on the oldest draft, signals deferred and repeated, among everything else."""
    compare_traces(range(first, first + CHUNK), sample_features, 4)


@pytest.mark.parametrize("first", range(1_000, 1_150, CHUNK))
def test_verdicts_agree_with_every_feature(first: int) -> None:
    """The same, with expectations of exactly these sends, and with what each stimulus finds."""
    seeds = [seed for seed in range(first, first + CHUNK) if seed not in LONG]
    assert sum(compare_verdicts(seeds, sample_features).values()) > CHUNK // 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted(LONG))
def test_verdicts_agree_where_the_oracle_takes_long(seed: int) -> None:
    assert sum(compare_verdicts([seed], sample_features).values()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 20_000, 1_000))
def test_trace_sets_agree_with_every_feature_at_length(first: int) -> None:
    compare_traces(range(first, first + 1_000), sample_features, 4)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(50_000, 60_000, 1_000))
def test_verdicts_agree_with_every_feature_at_length(first: int) -> None:
    verdicts = compare_verdicts(range(first, first + 1_000), sample_features)
    assert set(verdicts) == {"unsatisfiable", "ambiguous", "vacuous", "undecided", "well-posed"}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 30_000, 1_000))
def test_trace_sets_agree_at_length(first: int) -> None:
    compare_traces(range(first, first + 1_000))


@pytest.mark.slow
@pytest.mark.parametrize("first", range(50_000, 70_000, 1_000))
def test_verdicts_agree_at_length(first: int) -> None:
    verdicts = compare_verdicts(range(first, first + 1_000))
    assert set(verdicts) == {"unsatisfiable", "ambiguous", "vacuous", "undecided", "well-posed"}
    assert min(verdicts.values()) >= 20


@pytest.mark.parametrize("seed", [501_914])
def test_scenarios_that_once_disagreed(seed: int) -> None:
    """501914: of decisions that wait for one draft, those that also waited for a record fire last."""
    compare_traces(range(seed, seed + 1))


@pytest.mark.parametrize("seed", [3_000_187])
def test_verdicts_that_once_disagreed(seed: int) -> None:
    """3000187: whoever sends twice has not sent exactly once, so the core needs L1.once."""
    assert compare_verdicts(range(seed, seed + 1))
