"""Both formulations decide alike under every alternative reading, on scenarios on which the reading matters."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from tests.oracle import Answers, Budgets, TooLarge, judge
from tests.oracle.basics import Document
from tests.oracle.comparing import (
    compare_candidates,
    compare_instances,
    compare_judgements,
    compare_omissions,
    compare_with_base,
)
from tests.oracle.document import read_document
from tests.oracle.generate_alternatives import FOCUS, alternative, sample_for

ONLY_JUDGED = ("claims_always",)
"""Answers that no trace shows: what they add to a run is possible in every run and compared in judgements."""


def compare_runs(flag: str, seeds: range, count: int, enough: int, max_traces: int) -> tuple[int, int]:
    """How many documents were compared, and on how many the sets of runs differ from the base's; stops at enough."""
    compared = different = 0
    for seed in seeds:
        document, budgets = sample_for(flag, seed, expecting=False)
        changed, answers = alternative(flag, budgets)
        try:
            different += compare_with_base(document, budgets, Random(seed), count, changed, answers, max_traces)
        except TooLarge:
            continue
        compared += 1
        if compared >= 40 and different >= enough or flag in ONLY_JUDGED and compared >= 40:
            break
    return compared, different


@pytest.mark.parametrize("flag", FOCUS)
def test_runs(flag: str) -> None:
    compared, different = compare_runs(flag, range(60 if flag in ONLY_JUDGED else 150), 5, 10, 2_000)
    assert compared >= 40
    assert different == 0 if flag in ONLY_JUDGED else different >= 10


@pytest.mark.slow
@pytest.mark.parametrize("flag", FOCUS)
def test_many_runs(flag: str) -> None:
    compared, different = compare_runs(flag, range(1000, 1300), 20, 300, 50_000)
    assert compared >= 250
    assert different == 0 if flag in ONLY_JUDGED else different >= 25


def judged(flag: str, seeds: range, max_traces: int, enough: int) -> tuple[int, int]:
    """How many judgements were compared, and how many differ from the base's; stops at enough comparisons."""
    compared = different = 0
    for seed in seeds:
        document, budgets = sample_for(flag, seed)
        changed, answers = alternative(flag, budgets)
        if compare_judgements(document, changed, max_traces, answers):
            compared += 1
            different += judge(document, budgets) != judge(document, changed, answers=answers)
        if compared == enough:
            break
    return compared, different


@pytest.mark.parametrize("flag", FOCUS)
def test_judgements(flag: str) -> None:
    assert judged(flag, range(2000, 2040), 150, 4)[0] == 4


@pytest.mark.slow
@pytest.mark.parametrize("flag", FOCUS)
def test_many_judgements(flag: str) -> None:
    compared, different = judged(flag, range(3000, 3120), 1000, 60)
    assert compared >= 30
    assert different >= 5


def tiny_documents(flag: str, seeds: range, deaths: int) -> Iterator[tuple[Document, Budgets, Answers, Random]]:
    """Documents of one message with at most so many deaths, each of which multiplies the candidate traces."""
    for seed in seeds:
        document, budgets = sample_for(flag, seed, tiny=True)
        kinds = [s.kind for s in read_document(document).statements]
        if kinds.count("kill") + kinds.count("kill-literal") <= deaths:
            yield document, *alternative(flag, budgets), Random(seed)


@pytest.mark.parametrize("flag", FOCUS)
def test_all_candidates_of_tiny_documents(flag: str) -> None:
    for document, budgets, answers, _ in islice(tiny_documents(flag, range(4000, 4100), deaths=0), 10):
        compare_candidates(document, budgets, answers)


@pytest.mark.slow
@pytest.mark.parametrize("flag", FOCUS)
def test_many_tiny_documents(flag: str) -> None:
    """The whole set of runs, single instances, and what can be omitted."""
    compared = 0
    for document, budgets, answers, rng in tiny_documents(flag, range(40), deaths=1):
        compare_candidates(document, budgets, answers)
        compare_instances(document, budgets, rng, 8, answers)
        compare_omissions(document, budgets, answers)
        compared += 1
    assert compared >= 20
