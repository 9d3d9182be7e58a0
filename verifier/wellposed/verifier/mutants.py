"""The kill matrix of one scenario: for every faulty system whether it is caught under every timing, under some, or never.

A cell is `K` (every run of the system is caught), `k` (some runs are), `.` (no run that shows the fault is caught) or `-`
(no run shows it here). A run is caught if it fails an expectation or, unless the expectations alone count, breaks an
obligation that the fault attacks; what else goes wrong kills nothing. Definitions: `docs/mutants.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from wellposed.verifier.formula import Formula, all_of, negate
from wellposed.verifier.judgement import Cell, Inquiry, Solution
from wellposed.verifier.prover import Values
from wellposed.verifier.solver import Budget, Conflict, Solver, prepare
from wellposed.verifier.theory import Case, Mutants, Suspects, Variant

KILLED, SOMETIMES, SURVIVES, ABSENT = "K", "k", ".", "-"


def ask_catches(inquiry: Inquiry) -> None:
    """Sets `uncaught`: the faulty systems that the author says the scenario fails, and that it does not always fail."""
    if inquiry.theory.catches and inquiry.conforming:
        cells = kill_matrix(inquiry.mutants, inquiry.budget, inquiry.theory.catches)
        inquiry.answers.uncaught.extend(cell for cell in cells.values() if cell.value != KILLED)


def ask_lenience(inquiry: Inquiry) -> None:
    """Sets `accepted`, where only the author's expectations count: the faulty systems with a run that shows it and passes.

    Not asked where a simpler wrong run passes already.
    """
    told = inquiry.answers.idle_passes or inquiry.answers.omission is not None
    if inquiry.theory.only_expect and inquiry.conforming and not told:
        cells = kill_matrix(inquiry.mutants, inquiry.budget)
        inquiry.answers.accepted.extend(cell for cell in cells.values() if cell.shown)


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
        self.quiet = suspects.component.quiet
        self.shows = negate(rows)
        self.passes = claims if only_expect else all_of((claims, rows))
        runs = (*suspects.component.physics, *variant.runs)
        prepared = prepare(suspects.component.space, runs, budget)
        self._solver: Solver | None = None if prepared is None else prepared.greatest

    def quietest(self, *formulas: Formula) -> Values | None:
        """A run with the formulas and no record that it can do without."""
        kept, found = list(formulas), self.run(*formulas)
        for absence in self.quiet if found is not None else ():
            without = self.run(*kept, absence)
            if without is not None:
                kept.append(absence)
                found = without
        return found

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
    runs = (
        one.quietest(one.passes) if run is None else one.quietest(one.shows, one.passes)
        for one, run in zip(accused, unnoticed, strict=True)
    )
    survivor = Solution(case, tuple(run for run in runs if run is not None))
    return Cell(system, SOMETIMES if caught else SURVIVES, attacked, survivor, hidden)
