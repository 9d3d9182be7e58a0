"""Two formulations of the model, the stepping explorer and the declarative one, decide every trace alike."""

from random import Random

import pytest
from tests.oracle import Budgets, TooLarge
from tests.oracle.basics import Document
from tests.oracle.comparing import (
    compare_candidates,
    compare_instances,
    compare_judgements,
    compare_mutants,
    compare_omissions,
)
from tests.oracle.generate import random_budgets, random_document, sample
from tests.oracle.generate_features import sample_features


def tiny(seed: int) -> tuple[Document, Budgets]:
    """A one-message document with few enough candidate traces to try them all."""
    rng = Random(seed)
    budgets = random_budgets(rng)
    return random_document(rng, budgets, messages=1, horizon=3), budgets


@pytest.mark.parametrize("seed", range(60))
def test_all_candidates_of_tiny_documents(seed: int) -> None:
    compare_candidates(*tiny(seed))


def mutants(document: Document, budgets: Budgets, seed: int, count: int) -> int:
    """How many conforming traces and mutants were put to both formulations."""
    try:
        return compare_mutants(document, budgets, Random(seed), count)
    except TooLarge:
        return 0


def test_mutants_of_conforming_traces() -> None:
    assert sum(mutants(*sample(seed), seed, 30) for seed in range(90)) > 2000


@pytest.mark.slow
def test_many_mutants_of_conforming_traces() -> None:
    assert sum(mutants(*sample(seed), seed, 100) for seed in range(120, 1000)) > 80_000


def test_judgements_of_small_sets() -> None:
    assert sum(compare_judgements(*sample(seed), 300) for seed in range(80)) > 15


@pytest.mark.slow
def test_judgements_of_larger_sets() -> None:
    assert sum(compare_judgements(*sample(seed), 1500) for seed in range(80, 400)) > 150


@pytest.mark.parametrize("seed", range(100, 140))
def test_single_instances(seed: int) -> None:
    compare_instances(*tiny(seed), Random(seed), 8)


def test_omissions_under_only_the_expectations() -> None:
    compared = 0
    for seed in range(200, 280):
        compared += compare_omissions(*tiny(seed))
        if compared >= 12:
            break
    assert compared >= 5


# With holds, decisions on the oldest draft, deferred and repeated signals, and claims of exactly these sends.


@pytest.mark.parametrize("seed", range(30))
def test_all_candidates_of_tiny_documents_with_features(seed: int) -> None:
    compare_candidates(*sample_features(seed, messages=1, horizon=3, expecting=False))


def test_mutants_of_conforming_traces_with_features() -> None:
    assert sum(mutants(*sample_features(seed, expecting=False), seed, 30) for seed in range(90)) > 1500


@pytest.mark.slow
def test_many_mutants_of_conforming_traces_with_features() -> None:
    assert sum(mutants(*sample_features(seed, expecting=False), seed, 100) for seed in range(120, 1000)) > 50_000


def test_judgements_of_small_sets_with_features() -> None:
    assert sum(compare_judgements(*sample_features(seed), 300) for seed in range(80)) > 15


@pytest.mark.slow
def test_judgements_of_larger_sets_with_features() -> None:
    assert sum(compare_judgements(*sample_features(seed), 1500) for seed in range(80, 400)) > 100


@pytest.mark.parametrize("seed", range(100, 115))
def test_single_instances_with_features(seed: int) -> None:
    compare_instances(*sample_features(seed, messages=1, horizon=3), Random(seed), 8)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(500, 800))
def test_many_tiny_documents_with_features(seed: int) -> None:
    """The whole set of runs, single instances, and what can be omitted."""
    document, budgets = sample_features(seed, messages=1, horizon=3)
    compare_candidates(document, budgets)
    compare_instances(document, budgets, Random(seed), 8)
    compare_omissions(document, budgets)
