"""Where the time of a verification goes: its stages, timed where they are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import ModuleType
from typing import Any
from unittest.mock import patch

from bench.measure import processor_seconds

from wellposed.compiler.bundle import Bundle
from wellposed.verifier import ambiguous, outcomes, satisfiable, vacuous, verdict, verify
from wellposed.verifier.findings import Reporter
from wellposed.verifier.models import MODELS

BESIDE = "beside the verdict: "
"""Begins the names of the stages on which no verdict rests."""

QUESTIONS = {"satisfiable": satisfiable, "ambiguous": ambiguous, "vacuous": vacuous, "outcomes": outcomes}
"""The modules whose functions `ask…` are the questions to a theory."""


def phases(bundle: Bundle, budget: int) -> dict[str, float]:
    """Seconds per stage of one verification; what is in none of them is the rest."""
    spent: dict[str, float] = {}

    def timed(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*arguments: Any, **named: Any) -> Any:
            start = processor_seconds()
            result = work(*arguments, **named)
            if isinstance(result, Iterator):
                result = list(result)
            spent[name] = spent.get(name, 0.0) + processor_seconds() - start
            return result

        return measured

    def asked(module: ModuleType) -> Iterator[str]:
        return (name for name, value in vars(module).items() if name.startswith("ask") and callable(value))

    with ExitStack() as stack:
        model = type(MODELS[bundle.document["spec"]])
        for owner, name, label in (
            (model, "theory", "building the theory"),
            (Reporter, "checked", "runs replayed and judged by the log checker"),
            (Reporter, "findings", "findings"),
        ):
            stack.enter_context(patch.object(owner, name, timed(label, getattr(owner, name))))
        of_verdict = {ask: question for question, ask, _ in verdict.QUESTIONS}
        stack.enter_context(
            patch.object(verdict, "QUESTIONS", tuple((question, timed(question, ask), when) for question, ask, when in verdict.QUESTIONS))
        )
        for place, module in QUESTIONS.items():
            for name in asked(module):
                if getattr(module, name) not in of_verdict:
                    label = f"{BESIDE}`{place}.{name}`"
                    stack.enter_context(patch.object(module, name, timed(label, getattr(module, name))))
        timed("", verify.verify)(bundle, budget)
    whole = spent.pop("")
    return {**spent, "the rest": whole - sum(spent.values())}
