"""The log checker: judges one concrete run of one scenario by plain evaluation, with everything known.

Every run that the product shows is judged again by this package, so it shares nothing with the engine that found the
run: it reads the bundle document and the run, replays the schedule, and evaluates every row of the obligation table
(`docs/model.md`) and every expectation, under the base readings or any other answers. Ticks in texts are real ticks.

One thing a run leaves open: where a send lies among the events of its tick, under `Answers.interleaved`. Such a run is
judged under the choice of places that suits it best, obligations and expectations under the same one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from wellposed.dsl.vocabulary import OBLIGATIONS
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.checker.case import Case, open_case
from wellposed.verifier.amr.checker.claims import EXPECT, expectation, expectations
from wellposed.verifier.amr.checker.environment import Happening, replay
from wellposed.verifier.amr.checker.form import WELL_FORMED, placement, shape
from wellposed.verifier.amr.checker.places import choices, with_holdings
from wellposed.verifier.amr.checker.prohibitions import PROHIBITIONS
from wellposed.verifier.amr.checker.responses import RESPONSES
from wellposed.verifier.amr.run import Run, Violation

__all__ = ["EXPECT", "WELL_FORMED", "Happening", "check_run", "environment", "is_conforming", "well_formed"]

ROWS = PROHIBITIONS | RESPONSES
"""The rows of the table that look at one item at a time, by obligation id."""

Found = tuple[Violation, ...]


def check_run(document: Mapping[str, Any], run: Run, answers: Answers = BASE, *, failing: int | None = None) -> Found:
    """Everything that a run breaks: form, K and the obligations in force in table order, expectations.

    `document` is a valid bundle document. Its `invariants` are not looked at: what conforms does not depend on them.
    A run whose shape cannot be read has only `well-formed` violations.

    Where the run leaves the places of its sends open, the choice that counts is one that breaks no obligation, if there
    is one; among the equal, one with the fewest violations. With `failing`, the number of an expectation, it is one
    that breaks no obligation and fails this expectation, if there is one: that is how to ask whether the run is a
    conforming one that fails it. Otherwise `failing` changes nothing.

    Raises ValueError for a claim form, field or operator outside the vocabulary, and for a run that leaves more than
    `places.MOST_CHOICES` choices.
    """
    return _judge(document, run, answers, _everything, None if failing is None else expectation(failing))


def environment(document: Mapping[str, Any], run: Run, answers: Answers = BASE) -> tuple[Happening, ...]:
    """What the environment did in this run, in order, with what a schedule leaves open (see `Happening`).

    Deaths find what they find if each send lies behind all events of its tick.
    """
    _, happenings = replay(document, run, answers)
    return with_holdings(run, happenings, next(choices(run, happenings, BASE)))


def well_formed(document: Mapping[str, Any], run: Run, answers: Answers = BASE) -> Found:
    """What makes this no log of the scenario at all, whatever a system does: see `checker.form`.

    Where the places of sends are open, of the choice that leaves the least. Raises ValueError as `check_run` does.
    """
    return _judge(document, run, answers, placement, None)


def is_conforming(document: Mapping[str, Any], run: Run, answers: Answers = BASE) -> bool:
    """Whether a run is well formed and breaks no K row and no obligation of the scenario's level."""
    return all(violation.obligation == EXPECT for violation in check_run(document, run, answers))


def _judge(
    document: Mapping[str, Any], run: Run, answers: Answers, judge: Callable[[Case], Found], failing: str | None
) -> Found:
    """What `judge` finds under the choice of places that suits best."""
    clock, happenings = replay(document, run, answers)
    unreadable = shape(document, run, clock)
    if unreadable:
        return unreadable
    cases = (
        open_case(document, run, answers, clock, happenings, places) for places in choices(run, happenings, answers)
    )
    return min(map(judge, cases), key=partial(_rank, failing))


def _rank(failing: str | None, found: Found) -> tuple[bool, bool, int]:
    """How ill a choice of places suits: it breaks an obligation, it passes what it should fail, it breaks much."""
    broken = any(violation.obligation != EXPECT for violation in found)
    passes = all(violation.pointer != failing for violation in found)
    return broken, passes, len(found)


def _everything(case: Case) -> Found:
    return (*placement(case), *_obligations(case), *expectations(case))


def _in_force(level: int, answers: Answers) -> list[str]:
    """The ids of the rows that are in force at a level, in table order."""
    return [
        row.id
        for row in OBLIGATIONS
        if (row.level <= level or (row.id == "L2.authority" and answers.always_gated))
        and (row.id != "L0.draft" or answers.draft_due)
    ]


def _obligations(case: Case) -> list[Violation]:
    found = []
    for obligation in _in_force(case.level, case.answers):
        if obligation == "L3.state" and not case.run.state_agrees:
            found.append(Violation(obligation, "/level", None, "a state snapshot disagrees with the logs"))
        row = ROWS.get(obligation)
        if row is None:
            continue
        for item in case.items.values():
            found.extend(Violation(obligation, pointer, item.message, text) for pointer, text in row(case, item))
    return found
