"""The kill matrix of a bundle for whoever shows it: cells, every survivor's run judged again by the log checker."""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.findings import Reporter
from wellposed.verifier.judgement import Cell, Judgement
from wellposed.verifier.models import MODELS
from wellposed.verifier.mutants import kill_matrix
from wellposed.verifier.report import Trace
from wellposed.verifier.solver import Budget


@dataclass(frozen=True, slots=True)
class Survivor:
    """A run of a faulty system that is not caught. `broken` are the obligations that it breaks, attacked or not."""

    trace: Trace
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kill:
    """A cell, with the run of it that survives, if there is one."""

    cell: Cell
    survivor: Survivor | None


def matrix(bundle: Bundle, budget: int) -> tuple[Kill, ...]:
    """The cells of a bundle, in the order of the table of faulty systems. Raises OutOfBudget, WitnessRejected."""
    model = MODELS[bundle.document["spec"]]
    work = Budget(budget)
    cells = kill_matrix(model.mutants(bundle.document, work), work)
    return tuple(Kill(cell, judged(bundle, cell)) for cell in cells.values())


def judged(bundle: Bundle, cell: Cell) -> Survivor | None:
    """The survivor of a cell, if it has one. Raises WitnessRejected."""
    if cell.survivor is None:
        return None
    witness = Reporter(bundle, MODELS[bundle.document["spec"]], Judgement(), (), "").survivor(cell)
    return Survivor(witness.trace, tuple(sorted(witness.broken)))
