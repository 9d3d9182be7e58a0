"""The verdict on a theory: the questions in order, each answered by a module of its own as far as the budget reaches.

Definitions: `docs/model.md`, Verdicts. Nothing here knows what the items are.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from wellposed.verifier import ambiguous, mutants, outcomes, satisfiable, vacuous
from wellposed.verifier.judgement import Inquiry, Judgement
from wellposed.verifier.solver import Budget, OutOfBudget
from wellposed.verifier.theory import Theory

QUESTIONS: tuple[tuple[str, Callable[[Inquiry], None]], ...] = (
    ("whether a conforming run passes", satisfiable.ask),
    ("whether every conforming run passes", ambiguous.ask),
    ("whether every expectation can fail", vacuous.ask_expectations),
    ("which levels are exercised", vacuous.ask_levels),
    ("whether every stimulus finds its target", vacuous.ask_stimuli),
    ("whether every faulty system under `catches` fails", mutants.ask_catches),
    ("whether a run that omits something due passes", vacuous.ask_omissions),
    ("whether a run of a faulty system passes", mutants.ask_lenience),
)
ONLY_EXPECT = 2
"""How many of them, the last ones, are asked only where the author's expectations alone count."""


def judge(theory: Theory, budget: Budget, windows: bool = False) -> Judgement:
    """Answer every question about a theory that the budget allows.

    The example without idle records, redundant expectations, the possible outcomes, and `windows` if asked for, come last and decide nothing: without the
    budget for them they are left out.
    """
    inquiry = Inquiry(theory, budget)
    for number, (_, ask) in enumerate(QUESTIONS):
        try:
            ask(inquiry)
        except OutOfBudget:
            asked = QUESTIONS if theory.only_expect else QUESTIONS[:-ONLY_EXPECT]
            inquiry.answers.unexplored = [question for question, _ in asked[number:]]
            return inquiry.answers
    with suppress(OutOfBudget):
        satisfiable.ask_quietest(inquiry)
        vacuous.ask_redundancy(inquiry)
        outcomes.ask(inquiry)
        if windows:
            outcomes.ask_windows(inquiry)
    return inquiry.answers
