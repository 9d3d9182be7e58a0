"""The kill matrix of one scenario: for every faulty system whether it is caught under every timing, under some, or never.

A cell is `K` (every run of the system is caught), `k` (some runs are), `.` (no run that shows the fault is caught) or `-`
(no run shows it here). A run is caught if it fails an expectation or, unless the expectations alone count, breaks an
obligation that the fault attacks; what else goes wrong kills nothing. Definitions: `docs/mutants.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from wellposed.verifier.formula import Formula, all_of, negate
from wellposed.verifier.judgement import Solution
from wellposed.verifier.prover import Values
from wellposed.verifier.solver import Budget, Conflict, Solver, prepare
from wellposed.verifier.theory import Case, Mutants, Suspects, Variant

KILLED, SOMETIMES, SURVIVES, ABSENT = "K", "k", ".", "-"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the matrix.

    `survivor` is a run that is not caught, one that shows the fault where there is one (`shown`); `attacked` are the ids
    of the obligations through which the fault can be caught here.
    """

    system: str
    value: str
    attacked: tuple[str, ...] = ()
    survivor: Solution | None = None
    shown: bool = False


def kill_matrix(mutants: Mutants, budget: Budget, systems: Iterable[str] | None = None) -> Mapping[str, Cell]:
    """The cells of a scenario, by system in the order of the table. Raises OutOfBudget."""
    wanted = mutants.systems if systems is None else tuple(systems)
    return {system: _cell(mutants, system, budget) for system in wanted}


def _cell(mutants: Mutants, system: str, budget: Budget) -> Cell:
    """Variants and cases are taken together: those in which the fault shows must agree for anything but `k`."""
    found: list[Cell] = []
    for case, suspects in mutants.cases:
        count = max((len(one.systems.get(system, ())) for one in suspects), default=0)
        for number in range(count):
            found.append(_variant(case, suspects, system, number, mutants.only_expect, budget))
    present = [cell for cell in found if cell.value != ABSENT]
    if not present:
        return Cell(system, ABSENT, found[0].attacked if found else ())
    attacked = tuple(dict.fromkeys(row for cell in present for row in cell.attacked))
    values = {cell.value for cell in present}
    value = values.pop() if len(values) == 1 else SOMETIMES
    survivors = sorted((cell for cell in present if cell.survivor is not None), key=lambda cell: not cell.shown)
    if not survivors:
        return Cell(system, value, attacked)
    return Cell(system, value, attacked, survivors[0].survivor, survivors[0].shown)


class _Accused:
    """One component in the hands of one variant of a faulty system."""

    def __init__(self, suspects: Suspects, variant: Variant, only_expect: bool, budget: Budget) -> None:
        rows = all_of(row.formula for row in variant.attacked)
        claims = all_of(claim.formula for claim in suspects.component.claims)
        self.shows = negate(rows)
        self.passes = claims if only_expect else all_of((claims, rows))
        runs = (*suspects.component.physics, *variant.runs)
        prepared = prepare(suspects.component.space, runs, budget)
        self._solver: Solver | None = None if prepared is None else prepared[0]

    def run(self, *formulas: Formula) -> Values | None:
        found = None if self._solver is None else self._solver.find([(0, all_of(formulas))])
        return None if found is None or isinstance(found, Conflict) else found


def _variant(
    case: Case, suspects: Sequence[Suspects], system: str, number: int, only_expect: bool, budget: Budget
) -> Cell:
    accused = [_Accused(one, one.systems[system][number], only_expect, budget) for one in suspects]
    variants = [one.systems[system][number] for one in suspects]
    attacked = tuple(dict.fromkeys(row.obligation for variant in variants for row in variant.attacked))
    anything = [one.run() for one in accused]
    showing = [one.run(one.shows) for one in accused]
    if any(run is None for run in anything) or all(run is None for run in showing):
        return Cell(system, ABSENT, attacked)
    passing = [one.run(one.passes) for one in accused]
    unnoticed = [one.run(one.shows, one.passes) for one in accused]
    hidden = any(run is not None for run in unnoticed)
    if any(run is None for run in passing) or (variants[0].shows and not hidden):
        return Cell(system, KILLED, attacked)
    caught = any(one.run(one.shows, negate(one.passes)) is not None for one in accused)
    values = tuple(quiet or plain for quiet, plain in zip(unnoticed, passing, strict=True))
    survivor = Solution(case, tuple(run for run in values if run is not None))
    return Cell(system, SOMETIMES if caught else SURVIVES, attacked, survivor, hidden)
