"""The kill matrix against the explicit oracle, cell by cell, on generated scenarios with scaled-down budgets."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import pytest
from tests.oracle.basics import TooLarge
from tests.oracle.faulty import cells
from tests.oracle.generate import sample

from wellposed.dsl.vocabulary import FAULTY_SYSTEMS
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.faulty import SYSTEMS
from wellposed.verifier.amr.model import mutants
from wellposed.verifier.mutants import kill_matrix
from wellposed.verifier.solver import Budget

CHUNK = 10


def matrix(document: dict[str, Any], budgets: Any) -> dict[str, str]:
    """The engine's cells."""
    found = kill_matrix(mutants(document, Answers(**dataclasses.asdict(budgets))), Budget(50_000_000))
    return {system: cell.value for system, cell in found.items()}


def compare(seeds: range, messages: int = 1, max_logs: int = 30_000) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        document, budgets = sample(seed)
        if len({entry["record"]["id"] for entry in document["schedule"] if entry["channel"] == "inbox"}) > messages:
            continue
        try:
            wanted = cells(document, budgets, max_logs=max_logs)
        except TooLarge:
            continue
        assert matrix(document, budgets) == wanted, f"seed {seed}"
        seen.update(wanted.values())
    return seen


@pytest.mark.parametrize("first", range(0, 60, CHUNK))
def test_every_cell_agrees(first: int) -> None:
    assert sum(compare(range(first, first + CHUNK)).values()) >= len(FAULTY_SYSTEMS)


def test_a_repeat_that_waits_for_its_original() -> None:
    """40514: the repeat of an approval that never fires is none."""
    assert compare(range(40_514, 40_515), 2)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(40_000, 41_000, 100))
def test_cells_of_two_messages_agree(first: int) -> None:
    assert compare(range(first, first + 100), 2, 8_000)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 12_000, 200))
def test_every_cell_agrees_at_length(first: int) -> None:
    assert set(compare(range(first, first + 200))) == set("Kk.-")


def test_the_table_has_every_system_of_the_vocabulary() -> None:
    assert set(FAULTY_SYSTEMS) == {system.id for system in SYSTEMS}
