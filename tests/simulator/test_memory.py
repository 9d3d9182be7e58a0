"""Runs can be made again, byte for byte; and what the reference remembers after a crash is what it knew before it."""

from __future__ import annotations

import pytest
from tests.oracle.generate import sample
from tests.simulator.library import NAMES, published
from tests.simulator.scenes import death, decision, escalation, fault, message, scene

from wellposed.compiler.canonical import decode
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator import SYSTEMS, simulate
from wellposed.verifier.amr.simulator.harness import Harness
from wellposed.verifier.amr.simulator.memory import Memory
from wellposed.verifier.amr.simulator.reference import Reference
from wellposed.verifier.amr.simulator.sandbox import Sandbox
from wellposed.verifier.amr.simulator.schedule import brief_of
from wellposed.verifier.amr.simulator.stub import Stub


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_seed_makes_the_same_bytes(system: str) -> None:
    document = published("l3-fleet-concurrent").document
    assert simulate(document, system, 3).written() == simulate(document, system, 3).written()


def test_seeds_make_different_runs() -> None:
    document = published("l2-crash-at-approval").document
    assert len({tuple(simulate(document, "reference", seed).written().items()) for seed in range(20)}) > 15


@pytest.mark.parametrize("name", NAMES)
def test_every_line_is_canonical(name: str) -> None:
    for file, raw in simulate(published(name).document, "reference", 1).written().items():
        assert raw == b"" or raw.endswith(b"\n"), file
        for line in raw.splitlines(keepends=True):
            assert isinstance(decode(line), dict), file


class Remembering(Reference):
    """Compares, in each tick, what it knows with what a process would know that started then."""

    compared = 0

    def act(self) -> None:
        known = self.memory
        if self.box.kept is not None and known.calendar.now >= 0:
            restarts = list(known.notes.restarts)
            fresh = Memory(self.box)
            known.notes.restarts[:] = restarts
            assert fresh.tickets == known.tickets
            assert list(fresh.tickets) == list(known.tickets)
            assert fresh.agents == known.agents
            assert fresh.dangling == known.dangling
            assert vars(fresh.calendar) == vars(known.calendar)
            Remembering.compared += 1
        super().act()


def remembers(document: dict, seeds: range) -> None:  # type: ignore[type-arg]
    brief = brief_of(document)
    for seed in seeds:
        Harness(document, lambda box, seed=seed: Remembering(brief, box, str(seed), Budgets())).run()


def test_a_restart_remembers_what_was_written_down() -> None:
    Remembering.compared = 0
    for seed in range(60):
        remembers(sample(seed)[0], range(3))
    for name in NAMES:
        remembers(dict(published(name).document), range(3))
    assert Remembering.compared > 2_000


def test_a_restart_remembers_jumps_and_held_effects() -> None:
    schedule = (message(0), fault(2, "hold"), fault(3, "jump", to=7), decision(8), death(9), fault(10, "release"))
    remembers(scene(*schedule, escalation(14), horizon=20), range(20))


def test_held_ticks_do_not_count_for_the_reference() -> None:
    """Approved at 12 and held from 13 to 29: the first of the 5 ticks behind the approval is 30."""
    document = scene(message(0), decision(12), fault(13, "hold"), fault(30, "release"), horizon=50)
    sent = set()
    for seed in range(200):
        (record,) = simulate(document, "reference", seed).files["outbox.jsonl"]
        sent.add(record["sent_at"])
    assert sent == {12, *range(30, 35)}


def test_the_sandbox_is_all_that_a_new_process_has() -> None:
    """A process that starts on an empty sandbox knows nothing, however much another one has done."""
    document = published("l1-follow-up").document
    simulate(document, "reference", 0)
    assert Memory(Sandbox(Stub.of(document), "normal")).tickets == {}
