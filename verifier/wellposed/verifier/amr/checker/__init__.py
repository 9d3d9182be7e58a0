"""The log checker: judges one concrete run of one scenario by plain evaluation, with everything known.

Every run that the product shows is judged again by this package, so it shares nothing with the engine that found the
run: it reads the bundle document and the run, replays the schedule, and evaluates every row of the obligation table
(`docs/model.md`) and every expectation. Ticks in texts are real ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellposed.dsl.vocabulary import obligations_of_level
from wellposed.verifier.amr.budgets import BASE, Budgets
from wellposed.verifier.amr.checker.case import Case, open_case
from wellposed.verifier.amr.checker.claims import EXPECT, expectations
from wellposed.verifier.amr.checker.environment import Happening, replay
from wellposed.verifier.amr.checker.form import WELL_FORMED, placement, shape
from wellposed.verifier.amr.checker.prohibitions import PROHIBITIONS
from wellposed.verifier.amr.checker.responses import RESPONSES
from wellposed.verifier.amr.run import Run, Violation

__all__ = ["EXPECT", "WELL_FORMED", "Happening", "check_run", "environment", "is_conforming", "well_formed"]

ROWS = PROHIBITIONS | RESPONSES
"""The rows of the table that look at one item at a time, by obligation id."""


def check_run(document: Mapping[str, Any], run: Run, budgets: Budgets = BASE) -> tuple[Violation, ...]:
    """Everything that a run breaks: form, K and the obligations of levels 0..L in table order, expectations.

    `document` is a valid bundle document. Its `invariants` are not looked at: what conforms does not depend on them.
    A run whose shape cannot be read has only `well-formed` violations. Raises ValueError for a claim form, field or
    operator outside the vocabulary.
    """
    clock, happenings = replay(document, run)
    unreadable = shape(document, run, clock)
    if unreadable:
        return unreadable
    case = open_case(document, run, budgets, clock, happenings)
    return (*placement(case), *_obligations(case), *expectations(case))


def environment(document: Mapping[str, Any], run: Run) -> tuple[Happening, ...]:
    """What the environment did in this run, in order, with what a schedule leaves open (see `Happening`)."""
    return replay(document, run)[1]


def well_formed(document: Mapping[str, Any], run: Run, budgets: Budgets = BASE) -> tuple[Violation, ...]:
    """What makes this no log of the scenario at all, whatever a system does: see `checker.form`.

    Of `budgets` only `lag` matters (which rules an admission below level 2 may cite).
    """
    clock, happenings = replay(document, run)
    return shape(document, run, clock) or placement(open_case(document, run, budgets, clock, happenings))


def is_conforming(document: Mapping[str, Any], run: Run, budgets: Budgets = BASE) -> bool:
    """Whether a run is well formed and breaks no K row and no obligation of the scenario's level."""
    return all(violation.obligation == EXPECT for violation in check_run(document, run, budgets))


def _obligations(case: Case) -> list[Violation]:
    found = []
    for obligation in obligations_of_level(case.level):
        if obligation == "L3.state" and not case.run.state_agrees:
            found.append(Violation(obligation, "/level", None, "a state snapshot disagrees with the logs"))
        row = ROWS.get(obligation)
        if row is None:
            continue
        for item in case.items.values():
            found.extend(Violation(obligation, pointer, item.message, text) for pointer, text in row(case, item))
    return found
