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
        inquiry.answers.cells.update({system: cell.value for system, cell in cells.items()})
        inquiry.answers.uncaught.extend(cell for cell in cells.values() if cell.value != KILLED)


def ask_lenience(inquiry: Inquiry) -> None:
    """Sets `accepted`, where only the author's expectations count: the faulty systems with a run that shows it and passes.

    Not asked where a simpler wrong run passes already.
    """
    told = inquiry.answers.idle_passes or inquiry.answers.omission is not None
    if inquiry.theory.only_expect and inquiry.conforming and not told:
        cells = kill_matrix(inquiry.mutants, inquiry.budget)
        inquiry.answers.cells.update({system: cell.value for system, cell in cells.items()})
        inquiry.answers.accepted.extend(cell for cell in cells.values() if cell.shown)


def kill_matrix(mutants: Mutants, budget: Budget, systems: Iterable[str] | None = None) -> Mapping[str, Cell]:
    """The cells of a scenario, by system in the order of the table. Raises OutOfBudget."""
    wanted = mutants.systems if systems is None else tuple(systems)
    return {system: _cell(mutants, system, budget) for system in wanted}


def _cell(mutants: Mutants, system: str, budget: Budget) -> Cell:
    """Variants are systems of their own: those whose fault shows must agree for anything but `k`."""
    number = max((len(one.systems.get(system, ())) for _, all_of_them in mutants.cases for one in all_of_them), default=0)
    found = [_variant(mutants, system, variant, budget) for variant in range(number)]
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


def _variant(mutants: Mutants, system: str, number: int, budget: Budget) -> Cell:
    """One variant: its runs are those of all cases together."""
    trials = [
        trial
        for case, suspects in mutants.cases
        if (trial := _Trial(case, suspects, system, number, mutants.only_expect, budget)).has_runs
    ]
    attacked = tuple(dict.fromkeys(row for trial in trials for row in trial.attacked))
    if not any(trial.shows for trial in trials):
        return Cell(system, ABSENT, attacked)
    survivor = next((run for trial in trials if (run := trial.survivor(showing=True)) is not None), None)
    shown = survivor is not None
    if survivor is None and not trials[0].must_show:
        survivor = next((run for trial in trials if (run := trial.survivor(showing=False)) is not None), None)
    if survivor is None:
        return Cell(system, KILLED, attacked)
    value = SOMETIMES if any(trial.caught for trial in trials) else SURVIVES
    return Cell(system, value, attacked, survivor, shown)


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


class _Trial:
    """One case in the hands of one variant."""

    def __init__(
        self, case: Case, suspects: Sequence[Suspects], system: str, number: int, only_expect: bool, budget: Budget
    ) -> None:
        variants = [one.systems[system][number] for one in suspects]
        self._case = case
        self._accused = [_Accused(*pair, only_expect, budget) for pair in zip(suspects, variants, strict=True)]
        self.attacked = tuple(dict.fromkeys(row.obligation for variant in variants for row in variant.attacked))
        self.must_show = any(variant.shows for variant in variants)
        self.has_runs = all(one.run() is not None for one in self._accused)

    @property
    def shows(self) -> bool:
        """Some run shows the fault."""
        return any(one.run(one.shows) is not None for one in self._accused)

    @property
    def caught(self) -> bool:
        """Some run shows the fault and does not pass, here or there."""
        shows = {place for place, one in enumerate(self._accused) if one.run(one.shows) is not None}
        fails = {place for place, one in enumerate(self._accused) if one.run(negate(one.passes)) is not None}
        if any(place != other for place in shows for other in fails):
            return True
        return any(self._accused[place].run(self._accused[place].shows, negate(self._accused[place].passes)) for place in shows)

    def survivor(self, showing: bool) -> Solution | None:
        """A run that passes; with `showing` one that shows the fault in at least one component, and where it can."""
        shown = [one.quietest(one.shows, one.passes) if showing else None for one in self._accused]
        if showing and not any(shown):
            return None
        runs = [run or one.quietest(one.passes) for one, run in zip(self._accused, shown, strict=True)]
        values = tuple(run for run in runs if run is not None)
        return Solution(self._case, values) if len(values) == len(runs) else None
