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


def _always(theory: Theory) -> bool:
    return True


def _catches(theory: Theory) -> bool:
    return bool(theory.catches)


def _only_expect(theory: Theory) -> bool:
    return theory.only_expect


QUESTIONS: tuple[tuple[str, Callable[[Inquiry], None], Callable[[Theory], bool]], ...] = (
    ("whether a conforming run passes", satisfiable.ask, _always),
    ("whether every conforming run passes", ambiguous.ask, _always),
    ("whether every expectation can fail", vacuous.ask_expectations, _always),
    ("which levels are exercised", vacuous.ask_levels, _always),
    ("whether every stimulus finds its target", vacuous.ask_stimuli, _always),
    ("whether every faulty system under `catches` fails", mutants.ask_catches, _catches),
    ("whether a run that omits something due passes", vacuous.ask_omissions, _only_expect),
    ("whether a run of a faulty system passes", mutants.ask_lenience, _only_expect),
)
"""What is asked, by whom, and of which theories."""


def judge(theory: Theory, budget: Budget, windows: bool = False) -> Judgement:
    """Answer every question about a theory that the budget allows.

    The example without idle records, redundant expectations, the possible outcomes, `windows` if asked for, and guarded
    stimuli come last and decide nothing: without the budget for them they are left out.
    """
    inquiry = Inquiry(theory, budget)
    asked = [(question, ask) for question, ask, concerns in QUESTIONS if concerns(theory)]
    for number, (_, ask) in enumerate(asked):
        try:
            ask(inquiry)
        except OutOfBudget:
            inquiry.answers.unexplored = [question for question, _ in asked[number:]]
            return inquiry.answers
    with suppress(OutOfBudget):
        satisfiable.ask_quietest(inquiry)
        vacuous.ask_redundancy(inquiry)
        outcomes.ask(inquiry)
        if windows:
            outcomes.ask_windows(inquiry)
        vacuous.ask_guarded(inquiry)
    return inquiry.answers
