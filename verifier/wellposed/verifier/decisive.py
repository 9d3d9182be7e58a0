"""On which parts of what judges a scenario its kill matrix depends: those without which some cell is another.

Without an obligation a fault that attacks nothing else cannot show, and one that attacks more may pass; without an
expectation more runs pass. So a cell `-` stays as it is, and without an expectation a cell `.` does as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.judgement import Cell
from wellposed.verifier.models import MODELS
from wellposed.verifier.mutants import ABSENT, SURVIVES, kill_matrix
from wellposed.verifier.solver import Budget


def decisive_obligations(
    bundle: Bundle, cells: Iterable[Cell], obligations: Iterable[str], budget: int
) -> frozenset[str]:
    """Those that stand in the bundle and on which some of its cells depends, of obligations that may be left out.

    Raises OutOfBudget.
    """
    standing = bundle.document["invariants"]
    found = set()
    for obligation in (one for one in obligations if one in standing):
        without = {**bundle.document, "invariants": [one for one in standing if one != obligation]}
        attacked = [cell for cell in cells if cell.value != ABSENT and obligation in cell.attacked]
        if any(cell.attacked == (obligation,) for cell in attacked) or any(
            _differs(bundle, without, cell, budget) for cell in attacked
        ):
            found.add(obligation)
    return frozenset(found)


def idle_expectations(bundle: Bundle, cells: Iterable[Cell], budget: int) -> tuple[int, ...]:
    """The indexes of the expectations on which none of these cells depends, which are all of the bundle's. Raises OutOfBudget.

    Asked where the expectations alone count: elsewhere an expectation is a theorem about what the obligations demand.
    """
    expected = bundle.document["expect"]
    telling = [cell for cell in cells if cell.value not in (ABSENT, SURVIVES)]
    found = []
    for index in range(len(expected)) if not bundle.document["invariants"] else ():
        without = {**bundle.document, "expect": [*expected[:index], *expected[index + 1 :]]}
        if not any(_differs(bundle, without, cell, budget) for cell in telling):
            found.append(index)
    return tuple(found)


def _differs(bundle: Bundle, without: Mapping[str, Any], cell: Cell, budget: int) -> bool:
    work = Budget(budget)
    mutants = MODELS[bundle.document["spec"]].mutants(without, work, cell.system)
    return kill_matrix(mutants, work)[cell.system].value != cell.value
