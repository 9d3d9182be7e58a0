"""The faulty systems do in process what the kill matrix says of them, and err in nothing else."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache

import pytest
from tests.oracle import TooLarge
from tests.oracle.faulty import cells as cells_by_force
from tests.oracle.generate import sample
from tests.simulator.library import NAMES, published, violations
from tests.simulator.reading import run_of
from tests.simulator.scenes import scene

from wellposed.dsl.vocabulary import FAULTY_SYSTEMS
from wellposed.verifier.amr import simulator
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker import EXPECT, check_run
from wellposed.verifier.amr.faulty import FAULTS
from wellposed.verifier.amr.run import Violation
from wellposed.verifier.amr.simulator import SYSTEMS, Logs, simulate
from wellposed.verifier.matrix import matrix
from wellposed.verifier.verify import DEFAULT_BUDGET

FAULT = {fault.id: fault for fault in FAULTS}


def test_the_names_are_those_of_the_tables() -> None:
    assert set(SYSTEMS[1:]) == set(FAULT) == set(FAULTY_SYSTEMS)
    assert SYSTEMS[0] == "reference"
    assert len(SYSTEMS) == 32


@cache
def cells(name: str) -> dict[str, str]:
    """The kill matrix of a published scenario, by proof."""
    return {kill.cell.system: kill.cell.value for kill in matrix(published(name), DEFAULT_BUDGET)}


def disagreement(
    system: str, cell: str, invariants: bool, runs: list[tuple[Violation, ...]], sampled: bool
) -> str | None:
    """What some runs of a faulty system do that its cell and its definition do not say; `sampled`: `k` may not show yet."""
    fault = FAULT[system]
    shown = [any(one.obligation in fault.attacks for one in found) for found in runs]
    failed = [any(one.obligation == EXPECT for one in found) for found in runs]
    caught = [fails or (invariants and shows) for fails, shows in zip(failed, shown, strict=True)]
    broken = {one.obligation for found in runs for one in found} - {EXPECT, *fault.attacks, *fault.owes_not}
    if broken:
        return f"breaks {sorted(broken)}, which it keeps by definition"
    if cell == "K" and not all(caught):
        return f"passes {caught.count(False)} of {len(runs)} times, where it is always caught"
    if cell == "k" and not any(caught) and not sampled:
        return "is never caught, where it sometimes is"
    if cell == "." and any(caught[place] for place, shows in enumerate(shown) if shows):
        return "is caught, where it never is"
    if cell == "-" and any(shown):
        return "shows its fault, where it cannot"
    return None


def compare(name: str, systems: list[str], seeds: range) -> None:
    invariants = bool(published(name).document["invariants"])
    for system in systems:
        runs = [violations(name, system, seed) for seed in seeds]
        assert disagreement(system, cells(name)[system], invariants, runs, sampled=False) is None, system


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_of_the_kill_matrix(name: str) -> None:
    place = NAMES.index(name)
    compare(name, [system for number, system in enumerate(FAULT) if (number + place) % 4 == 0], range(10))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_kill_matrix(name: str) -> None:
    compare(name, list(FAULT), range(100))


def compare_generated(seeds: range, each: int) -> int:
    """Generated scenarios, whose cells are found by writing out every log; counts the cells that were compared."""
    compared = 0
    for seed in seeds:
        document, budgets = sample(seed)
        if min(budgets.draft, budgets.reply) < budgets.admit:
            continue
        try:
            known = cells_by_force(document, budgets)
        except TooLarge:
            continue
        answers = Answers(**asdict(budgets))
        for system, cell in known.items():
            logs = (simulate(document, system, number, answers) for number in range(each))
            runs = [check_run(document, run_of(document, one.files), answers) for one in logs]
            different = disagreement(system, cell, bool(document["invariants"]), runs, sampled=True)
            assert different is None, f"document {seed}: {system} {different}"
            compared += 1
    return compared


@pytest.mark.parametrize("first", (40, 55))
def test_generated_scenarios(first: int) -> None:
    assert compare_generated(range(first, first + 5), 3) > 60


@pytest.mark.parametrize("seed", (30_024, 30_029))
def test_what_once_went_wrong(seed: int) -> None:
    """A message was taken up before the one that it belongs to could be work; a reply was where no fault had put it."""
    assert compare_generated(range(seed, seed + 1), 6) > 0


@pytest.mark.slow
@pytest.mark.parametrize("first", range(30_000, 30_600, 60))
def test_generated_scenarios_at_length(first: int) -> None:
    assert compare_generated(range(first, first + 60), 6) > 600


def test_back_dated_sends_are_stamped_in_time_and_seen_late() -> None:
    for seed in range(10):
        files = simulate(published("l2-approval-redelivery").document, "back-dates", seed).files
        seen = [line["tick"] for line in files["run.jsonl"] if line.get("file") == "outbox.jsonl"]
        assert [record["sent_at"] for record in files["outbox.jsonl"]] == [tick - 1 for tick in seen] == [17]


@pytest.mark.parametrize(("system", "winners"), [("double-owner", 2), ("no-stand-down", 1)])
def test_contending_agents_never_settle(system: str, winners: int) -> None:
    claims = [
        record
        for record in simulate(published("l2-approval-redelivery").document, system, 1).files["audit.jsonl"]
        if record["event"] == "claim"
    ]
    assert [record["outcome"] for record in claims] == ["claimed"] * 2 + ["won"] * winners


def test_a_fork_is_a_second_item_of_the_same_message() -> None:
    audit = simulate(published("l3-fleet-concurrent").document, "forks-on-redelivery", 0).files["audit.jsonl"]
    works = [record["work_id"] for record in audit if record["event"] == "admission" and record["message_id"] == "m1"]
    assert len(works) == len(set(works)) == 2


def test_where_a_fault_cannot_show_what_goes_with_it_may() -> None:
    """m2 is escalated and never approved: who heeds no escalation has nothing to send, and does not give it up either."""
    name, system = "l5-identity-fallibility", "sends-after-escalation"
    assert cells(name)[system] == "-"
    for seed in range(10):
        assert {one.obligation for one in violations(name, system, seed)} == {"L4.resolve", EXPECT}


@pytest.mark.parametrize(("horizon", "level", "drawn"), [(60, 2, 1500), (99_999, 2, 15), (99_999, 0, 7), (999_999, 3, 7)])
def test_how_often_a_run_is_drawn_depends_on_its_length(
    horizon: int, level: int, drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is late here. Of the seven variants five can be at level 2, and two at level 0, where the first drawn is another."""
    counted = []

    def tried(*arguments: object) -> tuple[Logs, bool]:
        counted.append(arguments)
        return Logs({}), False

    monkeypatch.setattr(simulator, "_tried", tried)
    simulate(scene(horizon=horizon, level=level), "late-by-one", 0)
    assert len(counted) == drawn
