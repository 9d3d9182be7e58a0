"""What one scenario covers of the obligations: which come into question in it, and which of these it would see broken.

An obligation **counts** in a scenario if its cause is there in some conforming run and some log breaks it. It is
**noticed** there if every log that breaks it, whatever else it does, is rejected. While the standing obligations are
judged that is so by definition; under `invariants only expect` it is so if no log breaks the obligation and satisfies
every expectation.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.judgement import Inquiry
from wellposed.verifier.matrix import Survivor, judged
from wellposed.verifier.models import MODELS
from wellposed.verifier.mutants import ABSENT, kill_matrix
from wellposed.verifier.solver import Budget


@dataclass(frozen=True, slots=True)
class Covered:
    """An obligation that counts in a scenario; `unnoticed` is a run that breaks it and passes, if there is one."""

    obligation: str
    unnoticed: Survivor | None


def coverage(bundle: Bundle, budget: int) -> tuple[Covered, ...]:
    """The obligations that count in a scenario. Raises OutOfBudget, WitnessRejected."""
    work = Budget(budget)
    violators = MODELS[bundle.document["spec"]].violators(bundle.document, work)
    cells = kill_matrix(violators, work, _caused(bundle, budget)).values()
    counting = (cell for cell in cells if cell.value != ABSENT)
    return tuple(Covered(cell.system, judged(bundle, cell) if cell.shown else None) for cell in counting)


def _caused(bundle: Bundle, budget: int) -> dict[str, None]:
    """The obligations whose cause some conforming run has."""
    work = Budget(budget)
    model = MODELS[bundle.document["spec"]]
    inquiry = Inquiry(model.theory(bundle.document, work), work)
    found: dict[str, None] = {}
    for number in inquiry.conforming:
        for place, obligation, formula in model.causes(inquiry.theory.cases[number]):
            if obligation not in found and inquiry.provers[number][place].conforming_with(formula) is not None:
                found[obligation] = None
    return found
