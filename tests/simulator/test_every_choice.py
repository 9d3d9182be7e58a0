"""Nothing lawful is beyond the reference: it can be led through every conforming run that the oracle finds.

Only its pace is taken over, act by act; what it may do and must do, and every other choice, stays its own. Each wait has
a chance (`pace`), so what it can be led to, some seed leads it to.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest
from tests.oracle import MessageTrace, TooLarge, explore
from tests.oracle.generate import sample
from tests.simulator.reading import run_of
from tests.verifier.agreement import seen_alike
from tests.verifier.engine_traces import flat

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.run import ItemRun
from wellposed.verifier.amr.simulator.calendar import Calendar
from wellposed.verifier.amr.simulator.harness import Harness
from wellposed.verifier.amr.simulator.pace import Pace
from wellposed.verifier.amr.simulator.reference import Reference
from wellposed.verifier.amr.simulator.sandbox import Brief, Sandbox
from wellposed.verifier.amr.simulator.schedule import brief_of

TRIES = 400
MOST = 150
"""Runs of a scenario beyond which it is passed over."""


class Led(Pace):
    """Does what a given run does, at its tick, as far as that is allowed."""

    def __init__(self, script: dict[str, MessageTrace], calendar: Calendar) -> None:
        self._script = script
        self._calendar = calendar

    def ready(self, item: str, act: str, allowed: bool) -> bool:
        return allowed and self._calendar.now in self._ticks(self._script[item], act)

    def _ticks(self, run: MessageTrace, act: str) -> tuple[int | None, ...]:
        end = run.resolution[0] if run.resolution else None
        completed = run.resolution is not None and run.resolution[1] == "completed"
        return {
            "admit": (run.admitted,),
            "draft": run.drafts,
            "redraft": run.drafts,
            "send": (run.send[0] if run.send else None,),
            "reassign": run.won,
            "complete": (end if completed else None,),
            "give up": (None if completed else end,),
        }.get(act, ())


class LedReference(Reference):
    """The reference, led through a run."""

    def __init__(self, brief: Brief, box: Sandbox, seed: str, budgets: Budgets, script: dict[str, MessageTrace]) -> None:
        super().__init__(brief, box, seed, budgets)
        self.pace = Led(script, self.calendar)


def reaches(document: dict[str, Any], budgets: Answers, order: list[str], wanted: tuple[Any, ...]) -> bool:
    """Whether the reference, led, makes this run."""
    script = {message: MessageTrace(*trace) for message, trace in zip(order, wanted, strict=True)}
    brief = brief_of(document)
    for number in range(TRIES):
        harness = Harness(document, lambda box, number=number: LedReference(brief, box, str(number), budgets, script))
        run = run_of(document, harness.run().files)
        run = replace(run, items={message: run.items.get(message, ItemRun()) for message in order})
        if seen_alike(flat(order, run)) == wanted:
            return True
    return False


def reach_all(seeds: range) -> int:
    """Leads the reference through every run of generated scenarios that have few, and counts these runs."""
    reached = 0
    for seed in seeds:
        document, budgets = sample(seed)
        if min(budgets.draft, budgets.reply) < budgets.admit:
            continue
        try:
            conforming = {seen_alike(trace) for trace in explore(document, budgets)}
        except TooLarge:
            continue
        if len(conforming) > MOST:
            continue
        inbox = (entry["record"]["id"] for entry in document["schedule"] if entry["channel"] == "inbox")
        order = list(dict.fromkeys(inbox))
        answers = Answers(**asdict(budgets))
        for wanted in sorted(conforming, key=str):
            assert reaches(document, answers, order, wanted), f"document {seed} has the run {wanted}"
            reached += 1
    return reached


@pytest.mark.parametrize("first", range(0, 120, 60))
def test_every_conforming_run_can_be_made(first: int) -> None:
    assert reach_all(range(first, first + 60)) > 150


@pytest.mark.slow
@pytest.mark.parametrize("first", range(20_000, 20_600, 60))
def test_every_conforming_run_can_be_made_at_length(first: int) -> None:
    assert reach_all(range(first, first + 60)) > 200


def test_what_has_left_can_be_given_up_in_the_same_tick() -> None:
    """20004: escalated in the last tick of a scenario of level 1, sent in it, and abandoned for the escalation."""
    assert reach_all(range(20_004, 20_005)) > 0
