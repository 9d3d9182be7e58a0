"""Simulated runs, judged: the reference passes, and a faulty system is caught where the kill matrix says that it always is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.simulator.library import NAMES, published, violations

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.amr.simulator import simulate
from wellposed.verifier.judged import JudgedRun
from wellposed.verifier.judgement import Cell
from wellposed.verifier.models import FAULT_TABLES, JUDGES, MODELS
from wellposed.verifier.mutants import KILLED, kill_matrix
from wellposed.verifier.solver import Budget
from wellposed.verifier.verify import verify

SYSTEMS = tuple(fault.id for fault in FAULT_TABLES["amr/0.14"])
ONLY_IN_LOGS = {"K.redeclare", "form"}
"""What a run in the checker's terms cannot show."""


def judged(bundle: Bundle, system: str, seed: int, folder: Path) -> JudgedRun:
    folder = folder / f"{bundle.id}.{system}.{seed}"
    folder.mkdir()
    for name, raw in simulate(bundle.document, system, seed).written().items():
        (folder / name).write_bytes(raw)
    return JUDGES["amr/0.14"].run(bundle, folder, "run")


def broken(run: JudgedRun) -> set[tuple[str, str | None]]:
    """The obligations that a run breaks, with the items."""
    return {(one.obligation, one.message) for failure in run.failures for one in (failure.root, *failure.follows)}


@cache
def cells(name: str) -> dict[str, Cell]:
    mutants = MODELS["amr/0.14"].mutants(published(name).document, Budget(10**9))
    return dict(kill_matrix(mutants, Budget(50_000_000)))


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_passes(name: str, tmp_path: Path) -> None:
    bundle = published(name)
    levels = verify(bundle).levels
    runs = [judged(bundle, "reference", seed, tmp_path) for seed in range(5)]
    for run in runs:
        assert (run.harness, run.failures, run.findings) == ((), (), ())
        assert all(run.expectations) and run.recorded
    results = JUDGES["amr/0.14"].runs(bundle, levels, runs, ()).levels
    assert {level: found.result for level, found in results.items() if level in levels} == {
        level: "pass" if static == "exercised" else "untested" for level, static in levels.items()
    }


def agree(name: str, system: str, seed: int, folder: Path) -> None:
    run = judged(published(name), system, seed, folder)
    assert run.harness == ()
    checked = {(one.obligation, one.message) for one in violations(name, system, seed)}
    assert {one for one in broken(run) if one[0] not in ONLY_IN_LOGS} == checked
    if cells(name)[system].value == KILLED:
        attacked = set(cells(name)[system].attacked)
        assert {obligation for obligation, _ in broken(run)} & (attacked | {"expect"}), (name, system, seed)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    "name", ["l2-forged-approvals", "l3-fleet-concurrent-redelivery", "l6-post-approval-escalation"]
)
def test_a_faulty_system(name: str, system: str, tmp_path: Path) -> None:
    """The judge finds what the log checker finds in the same logs, read by another reader; and it catches what is a K."""
    agree(name, system, 0, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_faulty_system_many_times(name: str, tmp_path: Path) -> None:
    for system in SYSTEMS:
        for seed in range(20):
            agree(name, system, seed, tmp_path)
