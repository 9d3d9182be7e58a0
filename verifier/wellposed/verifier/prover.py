"""Questions to one component, answered from runs already found where these suffice, else by the solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from wellposed.verifier.formula import Formula, Term, all_of, constant, holds, negate
from wellposed.verifier.solver import Budget, Conflict, Prepared, prepare, solve
from wellposed.verifier.theory import Component

Values = list[int]


class Prover:
    """Finds runs of one component. Bits of constraints: first the standing obligations, then the claims."""

    def __init__(self, component: Component, budget: Budget) -> None:
        self.component = component
        self._budget = budget
        self._physics = [(0, formula) for formula in component.physics]
        self._standing = [(1 << index, constraint.formula) for index, constraint in enumerate(component.standing)]
        shift = len(component.standing)
        self._claims = [(1 << (shift + index), claim.formula) for index, claim in enumerate(component.claims)]
        self._conforming: list[Values] = []
        self.claims_hold = all_of(claim.formula for claim in component.claims)

    def conforming(self) -> Values | None:
        """A conforming run, or None when the component has none. Raises OutOfBudget."""
        if not self._conforming and self._prepared is not None:
            found = self._prepared.greatest.find(())
            if isinstance(found, Conflict):
                self._prepared = None
            else:
                self._conforming.append(found)
        return self._conforming[0] if self._conforming else None

    @cached_property
    def _prepared(self) -> Prepared | None:
        """What every conforming run satisfies, ready for questions; None without such a run."""
        formulas = (*self.component.physics, *(constraint.formula for constraint in self.component.standing))
        return prepare(self.component.space, formulas, self._budget)

    def conforming_with(self, formula: Formula, near: Sequence[int] | None = None) -> Values | None:
        """A conforming run in which `formula` holds, close to the run `near` if given. Raises OutOfBudget."""
        if near is None:
            for run in self._conforming:
                if holds(formula, run):
                    return run
        start = self.conforming()
        if start is None or self._prepared is None:
            return None
        found = self._prepared.greatest.find([(0, formula)], near if near is not None else start)
        if isinstance(found, Conflict):
            return None
        self._conforming.append(found)
        return found

    def passing(self) -> Values | None:
        """A conforming run in which every claim holds. Raises OutOfBudget."""
        return self.conforming_with(self.claims_hold)

    def logs_with(self, formulas: Iterable[Formula]) -> Values | None:
        """A log that satisfies the physics and the formulas, and owes nothing else. Raises OutOfBudget."""
        found = solve(self.component.space, [*self._physics, *((0, formula) for formula in formulas)], self._budget)
        return None if isinstance(found, Conflict) else found

    def quietest(self, formula: Formula, run: Values) -> Values:
        """A conforming run with `formula`, from `run` on, in which one record after the other is done without."""
        kept = [formula]
        for absence in self.component.quiet:
            if not holds(absence, run):
                without = self.conforming_with(all_of((*kept, absence)), near=run)
                if without is None:
                    continue
                run = without
            kept.append(absence)
        return run

    def nearest(self, formula: Formula, run: Sequence[int]) -> Values | None:
        """A conforming run with `formula` that agrees with `run` in as many records as can be kept one after the other."""
        best = self.conforming_with(formula, near=run)
        if best is None:
            return None
        kept: list[Formula] = []
        for variable in range(1, len(run)):
            term, value = Term(variable, 0), constant(run[variable])
            same = all_of((self.component.space.le(term, value), self.component.space.le(value, term)))
            if best[variable] != run[variable]:
                closer = self.conforming_with(all_of((formula, *kept, same)), near=best)
                if closer is None:
                    continue
                best = closer
            kept.append(same)
        return best

    def extremes(self, formula: Formula, tick: Term, item: str | None) -> tuple[int, int] | None:
        """The least and the greatest value of `tick`, a record of `item` (None: of no single one), over the conforming runs with `formula`.

        None without such a run. Raises OutOfBudget.
        """
        if self.conforming_with(formula) is None:
            return None
        runs = [run for run in self._conforming if holds(formula, run)]
        runs.sort(key=lambda run: run[tick.var])
        return self._bound(formula, tick, item, runs[0], least=True), self._bound(formula, tick, item, runs[-1], least=False)

    def _bound(self, formula: Formula, tick: Term, item: str | None, run: Values, least: bool) -> int:
        """Go from run to run, each the extreme of its branch for the item, until none lies beyond the last."""
        assert self._prepared is not None
        space = self.component.space
        solver = self._prepared.least if least else self._prepared.greatest
        bounds = solver.bounds()
        while run[tick.var] != bounds[tick.var]:
            here = constant(run[tick.var] + tick.offset)
            beyond = space.lt(tick, here) if least else space.lt(here, tick)
            start = list(run)
            for variable in space.owned(item or ""):
                start[variable] = bounds[variable]
            found = solver.find([(0, formula), (0, beyond)], start)
            if isinstance(found, Conflict):
                break
            run = found
        return run[tick.var] + tick.offset

    def refuted_by(self, standing: Iterable[int], claims: Iterable[int]) -> Conflict | None:
        """The conflict among the given constraints (by position), or None when some log satisfies them."""
        chosen = [*(self._standing[index] for index in standing), *(self._claims[index] for index in claims)]
        found = solve(self.component.space, [*self._physics, *chosen], self._budget)
        return found if isinstance(found, Conflict) else None


def violation(formulas: Iterable[Formula]) -> Formula:
    """At least one of the formulas fails."""
    return negate(all_of(formulas))

