"""The rows of the obligation table on one log that is written down record by record, without any search.

A log gives ticks by the names of the engine's variables (`admitted`, `draft`, `send.0`, `resolved`, …; those of another message
than m1 with its id before them). What it does not name does not exist, an end that it does not name is `completed`, and a choice
that it does not name is not made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.verifier.known_answers import document

from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.model import theory
from wellposed.verifier.formula import Formula, Term, all_of, constant, holds, negate
from wellposed.verifier.prover import Prover
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Component, Constraint

ESCALATED, REJECTED, AGENT_DIED, CRASHED = 1, 2, 3, 4
"""Values of `ending`: abandoned, with this reason."""

CHOICES = ("ending", "held.", "carries.", "lies-in.")
TIME = ("admitted", "draft", "sent-draft", "next-draft", "send.", "resolved", "claimed", "claimed-first", "settled", "won.")


def component(document: dict[str, Any], answers: Answers = BASE, message: str = "m1") -> Component:
    """The component of a message in the only unfolding of a document."""
    (case,) = theory(document, Budget(10_000), answers).cases
    (found,) = (component for component in case.components if message in component.items)
    return found


def values(made: Component, log: Mapping[str, int], formulas: Sequence[Formula] = ()) -> list[int] | None:
    """The assignment that a log stands for, with the formulas; None if no system can write it.

    What waits for a record follows from the log, which is asked for as well, unless there are formulas.
    """
    space = made.space
    unread = set(log)
    fixed = []
    for variable, name in enumerate(space.names):
        message, _, record = name.partition(".")
        of = "" if message == "m1" else f"{message}."
        if record.startswith(CHOICES):
            value = log.get(of + record, 0)
        elif record.startswith("sent-draft"):
            value = log.get(of + record, log.get(f"{of}draft", space.highs[variable]))
        elif record.startswith(TIME) and not record.endswith(".open") and ".before." not in record:
            value = log.get(of + record, space.highs[variable])
        else:
            continue
        unread.discard(of + record)
        fixed.append(space.eq(Term(variable, 0), constant(value)))
    assert not unread, f"no such records: {sorted(unread)}"
    prover = Prover(made, Budget(10_000))
    found = prover.logs_with([*fixed, *formulas])
    if found is not None and not formulas:
        same = all_of(space.eq(Term(variable, 0), constant(value)) for variable, value in enumerate(found))
        assert prover.logs_with([*fixed, negate(same)]) is None, "the log leaves something open"
    return found


def broken(document: dict[str, Any], log: Mapping[str, int], answers: Answers = BASE, message: str = "m1") -> list[str]:
    """The rows that a log breaks, item after item in the order of the table, each as often as it is broken."""
    made = component(document, answers, message)
    found = values(made, log)
    assert found is not None, "no system can write this log"
    return [row.obligation for row in made.standing if not holds(row.formula, found)]


def breaks(level: int, events: list[Any], log: Mapping[str, int], *rows: str, answers: Answers = BASE) -> bool:
    """Whether a log of m1 under these events breaks exactly these rows, in this order."""
    return broken(document(level, events, []), log, answers) == list(rows)


def instances(document: dict[str, Any], answers: Answers = BASE) -> list[Constraint]:
    """The instances of all rows for the item of m1, in the order of the table."""
    return [row for row in component(document, answers).standing if row.item == "m1"]


def writable(document: dict[str, Any], log: Mapping[str, int], answers: Answers = BASE) -> bool:
    """Whether some system can write a log at all."""
    return values(component(document, answers), log) is not None


def lawful(document: dict[str, Any], log: Mapping[str, int], answers: Answers = BASE) -> bool:
    """Whether a log, with what it leaves open placed in one way or another, breaks no row."""
    made = component(document, answers)
    return values(made, log, [row.formula for row in made.standing]) is not None
