"""Two conforming runs of one component that differ in as little as possible: the one fails, the other passes.

Both are looked for at once, in a space that holds every variable twice, so that what is found is the least, not merely
close: no two runs, one failing and one passing, differ in fewer records that anything rests on; of those, the first difference comes as early as
it can; and no record can be left out of the pair without making the two differ in more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from wellposed.verifier.formula import Formula, Term, all_of, any_of, constant, moved
from wellposed.verifier.prover import Values
from wellposed.verifier.solver import Budget, Conflict, OutOfBudget, prepare
from wellposed.verifier.theory import Component

SEARCH = 100_000
"""Work units for the search; where they do not suffice, the pair at hand is shown."""

Records = tuple[tuple[int, ...], ...]


def closest(component: Component, fails: Formula, passes: Formula, pair: tuple[Values, Values]) -> tuple[Values, Values]:
    """The closest pair (failing, passing) of conforming runs, or `pair`, which is one, if the search is too long."""
    try:
        return _Search(component, fails, passes, pair).best()
    except OutOfBudget:
        return pair


class _Search:
    def __init__(self, component: Component, fails: Formula, passes: Formula, pair: tuple[Values, Values]) -> None:
        self._component = component
        self._count = len(component.space.lows)
        self._pair = pair
        self._space = component.space.twice()
        standing = [constraint.formula for constraint in component.standing]
        conforming = [*component.physics, *standing]
        both = [*conforming, *(moved(formula, self._by) for formula in conforming)]
        prepared = prepare(self._space, [*both, fails, moved(passes, self._by)], Budget(SEARCH))
        assert prepared is not None, "the pair at hand satisfies the formulas"
        self._greatest, self._least = prepared.greatest, prepared.least

    @property
    def _by(self) -> int:
        return self._count - 1

    def best(self) -> tuple[Values, Values]:
        records = self._component.records
        for size in range(1, self._differing() + 1):
            found = [pair for pair in map(self._earliest, combinations(records, size)) if pair is not None]
            if found:
                _, kept, values = min(found, key=lambda option: option[0])
                return self._without_idle_records(kept, values)
        return self._pair

    def _differing(self) -> int:
        failing, passing = self._pair
        return sum(any(failing[part] != passing[part] for part in record) for record in self._component.records)

    def _earliest(self, different: Records) -> tuple[int, list[Formula], Values] | None:
        """The pair that differs only in some records and does so first as early as possible: the tick, what it keeps, it."""
        kept = list(self._same(different))
        found = self._least.find([(0, formula) for formula in kept])
        if isinstance(found, Conflict):
            return None
        ticks = [Term(record[0] + by, 0) for record in different for by in (0, self._by)]
        while True:
            first = min(found[term.var] for term in ticks)
            sooner = any_of(self._space.lt(term, constant(first)) for term in ticks)
            next_found = self._least.find([(0, formula) for formula in (*kept, sooner)])
            if isinstance(next_found, Conflict):
                break
            found = next_found
        by_then = any_of(self._space.le(term, constant(first)) for term in ticks)
        return first, [*kept, by_then], found

    def _same(self, different: Records) -> Iterator[Formula]:
        for record in self._component.records:
            if record not in different:
                yield from map(self._alike, record)

    def _alike(self, variable: int) -> Formula:
        """Equal in both, or loose in one and such that it could be as in the other."""
        one, other = Term(variable, 0), Term(variable + self._by, 0)
        equal = self._space.eq(one, other)
        if variable not in self._component.loose:
            return equal
        loose, last = self._component.loose[variable]
        as_other = all_of((loose, self._space.le(other, last)))
        as_one = all_of((moved(loose, self._by), self._space.le(one, Term(last.var + self._by, last.offset))))
        return any_of((equal, as_other, as_one))

    def _without_idle_records(self, kept: list[Formula], values: Values) -> tuple[Values, Values]:
        """The same pair, as late as may be, with no record in it that both can do without."""
        latest = self._greatest.find([(0, formula) for formula in kept])
        assert not isinstance(latest, Conflict), "it holds of the values at hand"
        for absence in self._component.quiet:
            for formula in (absence, moved(absence, self._by)):
                found = self._greatest.find([(0, all_of((*kept, formula)))], latest)
                if not isinstance(found, Conflict):
                    kept = [*kept, formula]
                    latest = found
        return latest[: self._count], [0, *latest[self._count :]]
