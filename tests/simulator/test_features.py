"""Held effects, decisions on the oldest draft, deferred and repeated signals, exactly these sends, guarded stimuli.

Generated scenarios of all of these, with scaled-down budgets: what the simulated systems do is what the log checker allows
the reference and what the kill matrix says of the others, and the judge reads the same out of the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.oracle import TooLarge
from tests.oracle.faulty import cells
from tests.oracle.generate_features import sample_features
from tests.simulator.reading import run_of
from tests.simulator.test_faults import disagreement
from tests.verifier.test_kill_matrix import matrix

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker import EXPECT, check_run
from wellposed.verifier.amr.judge.one import judge_run
from wellposed.verifier.amr.simulator import SYSTEMS, simulate

STAMPED = {"back-dates"}
"""The systems of whose stamps the judge tells, beside the obligations."""


def scenarios(seeds: range) -> Iterator[tuple[int, dict[str, Any], Answers]]:
    """Generated documents, with budgets that leave time to know what is required before a draft is due."""
    for seed in seeds:
        document, budgets = sample_features(seed)
        if min(budgets.draft, budgets.reply) >= budgets.admit:
            yield seed, document, Answers(**asdict(budgets))


def keeps(seeds: range, each: int) -> int:
    """The reference breaks no obligation; counts its runs."""
    runs = 0
    for seed, document, answers in scenarios(seeds):
        for number in range(each):
            found = check_run(
                document, run_of(document, simulate(document, "reference", number, answers).files), answers
            )
            assert [one for one in found if one.obligation != EXPECT] == [], f"document {seed}, seed {number}"
            runs += 1
    return runs


def compare_cells(seeds: range, each: int) -> int:
    """Each faulty system does what its cell says, which is found by writing out every log; counts the cells."""
    compared = 0
    for seed, document, answers in scenarios(seeds):
        try:
            known = cells(document, answers)
        except TooLarge:
            continue
        for system, cell in known.items():
            logs = (simulate(document, system, number, answers) for number in range(each))
            runs = [check_run(document, run_of(document, one.files), answers) for one in logs]
            different = disagreement(system, cell, bool(document["invariants"]), runs, sampled=True)
            assert different is None, f"document {seed}: {system} {different}"
            compared += 1
    return compared


def judged_alike(seeds: range, each: int, folder: Path) -> int:
    """The judge finds in the files what the log checker finds in the run; counts the runs."""
    runs = 0
    for seed, document, answers in scenarios(seeds):
        bundle = bundle_of(document, None, "generated")
        for system in SYSTEMS:
            for number in range(each):
                logs = simulate(document, system, number, answers)
                wanted = {
                    (one.obligation, one.message) for one in check_run(document, run_of(document, logs.files), answers)
                }
                if not document["invariants"]:
                    wanted = {one for one in wanted if one[0] == EXPECT}
                for name, raw in logs.written().items():
                    (folder / name).write_bytes(raw)
                judged = judge_run(bundle, folder, "run", answers=answers)
                found = {
                    (one.obligation, one.message)
                    for failure in judged.failures
                    for one in (failure.root, *failure.follows)
                }
                assert judged.harness == (), f"document {seed}, {system} {number}"
                assert found == wanted, f"document {seed}, {system} {number}"
                assert judged.findings == () or system in STAMPED, f"document {seed}, {system} {number}"
                runs += 1
    return runs


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_the_reference_keeps_the_obligations(first: int) -> None:
    assert keeps(range(first, first + 40), 6) > 120


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 11_000, 200))
def test_the_reference_keeps_the_obligations_at_length(first: int) -> None:
    assert keeps(range(first, first + 200), 40) > 4_000


@pytest.mark.parametrize("first", (3, 10))
def test_faulty_systems_do_what_their_cells_say(first: int) -> None:
    assert compare_cells(range(first, first + 6), 2) > 60


@pytest.mark.slow
@pytest.mark.parametrize("first", range(30_000, 30_300, 60))
def test_faulty_systems_do_what_their_cells_say_at_length(first: int) -> None:
    assert compare_cells(range(first, first + 60), 6) > 600


FOUND = {
    107: "sends-unapproved-redraft",
    126: "late-by-one",
    161: "late-by-one",
    224: "sends-after-escalation",
    275: "sends-after-escalation",
    481: "late-by-one",
    906: "resends-on-crash",
    991: "back-dates",
}
"""Scenarios in which a system once did otherwise: it owed a redraft at the end of the run; settled claims as it gave up for a
death; was late with two things at once; took a crash behind an escalation for an excuse; or was given up too early."""


@pytest.mark.parametrize("seed", FOUND)
def test_what_once_went_wrong(seed: int) -> None:
    ((_, document, answers),) = scenarios(range(seed, seed + 1))
    system = FOUND[seed]
    logs = (simulate(document, system, number, answers) for number in range(20))
    runs = [check_run(document, run_of(document, one.files), answers) for one in logs]
    cell = matrix(document, answers)[system]
    assert disagreement(system, cell, bool(document["invariants"]), runs, sampled=True) is None


@pytest.mark.parametrize("first", (0, 6, 33))
def test_the_judge_is_of_one_mind_with_the_checker(first: int, tmp_path: Path) -> None:
    assert judged_alike(range(first, first + 6), 1, tmp_path) > 60


@pytest.mark.slow
@pytest.mark.parametrize("first", range(40_000, 40_200, 40))
def test_the_judge_is_of_one_mind_with_the_checker_at_length(first: int, tmp_path: Path) -> None:
    assert judged_alike(range(first, first + 40), 3, tmp_path) > 2_000
