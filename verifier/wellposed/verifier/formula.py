"""Formulas over differences of integers: the language in which a model states its constraints.

A literal is `x - y <= c` over variables given by index; variable 0 is the origin, so `x - 0 <= c` bounds `x` from above.
Formulas are kept in negation normal form, so a negation is pushed down as it is made. A `Space` holds the variables
with their static domains and folds what the domains already decide; domains must therefore hold in every query.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_
from typing import NamedTuple, final


@final
class Literal(NamedTuple):
    """`x - y <= c`."""

    x: int
    y: int
    c: int


@final
class All(NamedTuple):
    """A conjunction; the empty one is true."""

    parts: tuple[Formula, ...]


@final
class Any(NamedTuple):
    """A disjunction; the empty one is false."""

    parts: tuple[Formula, ...]


Formula = Literal | All | Any

TRUE = All(())
FALSE = Any(())
"""The only empty conjunction and disjunction: compare with `is` (as tuples the two are equal)."""


class Term(NamedTuple):
    """A variable plus a constant; `Term(0, n)` is the constant n."""

    var: int
    offset: int

    def plus(self, ticks: int) -> Term:
        return Term(self.var, self.offset + ticks)


def constant(value: int) -> Term:
    return Term(0, value)


def all_of(parts: Iterable[Formula]) -> Formula:
    """The conjunction, flattened, with true dropped and false absorbing."""
    kept: list[Formula] = []
    for part in parts:
        if type(part) is All:
            kept.extend(part.parts)
        elif part is FALSE:
            return FALSE
        else:
            kept.append(part)
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else All(tuple(kept))


def any_of(parts: Iterable[Formula]) -> Formula:
    """The disjunction, flattened, with false dropped and true absorbing."""
    kept: list[Formula] = []
    for part in parts:
        if type(part) is Any:
            kept.extend(part.parts)
        elif part is TRUE:
            return TRUE
        else:
            kept.append(part)
    if not kept:
        return FALSE
    return kept[0] if len(kept) == 1 else Any(tuple(kept))


def negate(formula: Formula) -> Formula:
    """The negation, in negation normal form."""
    if type(formula) is Literal:
        return Literal(formula.y, formula.x, -formula.c - 1)
    if type(formula) is All:
        return any_of(negate(part) for part in formula.parts)
    return all_of(negate(part) for part in formula.parts)


def holds(formula: Formula, values: Sequence[int]) -> bool:
    """Whether an assignment (values by variable index, origin at index 0) satisfies the formula."""
    if type(formula) is Literal:
        return values[formula.x] - values[formula.y] <= formula.c
    if type(formula) is All:
        for part in formula.parts:
            if not holds(part, values):
                return False
        return True
    for part in formula.parts:
        if holds(part, values):
            return True
    return False


def holds_negated(formula: Formula, values: Sequence[int]) -> bool:
    """Whether the formula holds of the negated values: what `holds` says of `[-value for value in values]`."""
    if type(formula) is Literal:
        return values[formula.y] - values[formula.x] <= formula.c
    if type(formula) is All:
        for part in formula.parts:
            if not holds_negated(part, values):
                return False
        return True
    for part in formula.parts:
        if holds_negated(part, values):
            return True
    return False


def moved(formula: Formula, by: int) -> Formula:
    """The formula over other variables: those `by` places further on; the origin stays."""
    if type(formula) is Literal:
        x, y, c = formula
        return Literal(x and x + by, y and y + by, c)
    parts = tuple(moved(part, by) for part in formula.parts)
    return All(parts) if type(formula) is All else Any(parts)


_DEEP = 400
"""How many parts of one formula are looked at with the bounds of the conjunctions around them."""


class Folding:
    """Leaves out of formulas what given bounds of the variables (by index) decide already.

    The literals of a conjunction are bounds for its other parts. Formulas share parts, and a crowded one would be huge
    without that: once it has been looked at for a while, its parts are folded once each, for the given bounds alone.
    """

    def __init__(self, lows: Sequence[int], highs: Sequence[int]) -> None:
        self._bounds = list(lows), list(highs)
        self._done: dict[int, Formula] = {}
        self._left = 0

    def fold(self, formula: Formula) -> Formula:
        """A formula that is the same within the bounds."""
        self._left = _DEEP
        return self._fold(formula, *self._bounds)

    def _fold(self, formula: Formula, lows: list[int], highs: list[int]) -> Formula:
        if type(formula) is Literal:
            x, y, c = formula
            if highs[x] - lows[y] <= c:
                return TRUE
            return formula if lows[x] - highs[y] <= c else FALSE
        if self._left <= 0:
            lows, highs = self._bounds
            if id(formula) in self._done:
                return self._done[id(formula)]
        self._left -= 1
        folded = self._any(formula, lows, highs) if type(formula) is Any else self._all(formula, lows, highs)
        if self._left <= 0 and lows is self._bounds[0] and highs is self._bounds[1]:
            self._done[id(formula)] = folded
        return folded

    def _any(self, formula: Any, lows: list[int], highs: list[int]) -> Formula:
        kept: list[Formula] = []
        for part in formula.parts:
            folded = self._fold(part, lows, highs)
            if folded is TRUE:
                return TRUE
            if folded is not FALSE:
                kept.append(folded)
        return formula if _same(kept, formula.parts) else any_of(kept)

    def _all(self, formula: All, lows: list[int], highs: list[int]) -> Formula:
        low, high = lows, highs
        kept: list[Formula] = []
        others: list[Formula] = []
        for part in formula.parts:
            if type(part) is not Literal or (part.x and part.y):
                others.append(part)
                continue
            kept.append(self._fold(part, lows, highs))
            x, y, c = part
            if x == 0 and low[y] < -c:
                low = list(low) if low is lows else low
                low[y] = -c
            elif y == 0 and high[x] > c:
                high = list(high) if high is highs else high
                high[x] = c
            if low[x or y] > high[x or y]:
                return FALSE
        for part in others:
            folded = self._fold(part, low, high)
            if folded is FALSE:
                return FALSE
            kept.append(folded)
        return all_of(kept)


def _same(parts: Sequence[Formula], others: Sequence[Formula]) -> bool:
    return len(parts) == len(others) and all(map(is_, parts, others))


class Space:
    """The variables of one component with their inclusive domains."""

    def __init__(self) -> None:
        self.lows = [0]
        self.highs = [0]
        self.names = ["origin"]
        self._owned: dict[str, list[int]] = {}

    def variable(self, name: str, low: int, high: int, owner: str = "") -> Term:
        """A new variable with domain low..high; `owner` is the item that it belongs to."""
        self.lows.append(low)
        self.highs.append(high)
        self.names.append(name)
        self._owned.setdefault(owner, []).append(len(self.lows) - 1)
        return Term(len(self.lows) - 1, 0)

    def twice(self) -> Space:
        """Every variable of this space, and all of them once more in the same order."""
        both = Space()
        both.lows = [*self.lows, *self.lows[1:]]
        both.highs = [*self.highs, *self.highs[1:]]
        both.names = [*self.names, *self.names[1:]]
        return both

    def owned(self, owner: str) -> list[int]:
        """The indexes of an item's variables."""
        return self._owned.get(owner, [])

    def le(self, a: Term, b: Term) -> Formula:
        """`a <= b`, folded where the domains decide it."""
        bound = b.offset - a.offset
        if a.var == b.var:
            return TRUE if bound >= 0 else FALSE
        if self.highs[a.var] - self.lows[b.var] <= bound:
            return TRUE
        if self.lows[a.var] - self.highs[b.var] > bound:
            return FALSE
        return Literal(a.var, b.var, bound)

    def lt(self, a: Term, b: Term) -> Formula:
        """`a < b` over integers."""
        return self.le(a.plus(1), b)

    def eq(self, a: Term, b: Term) -> Formula:
        return all_of((self.le(a, b), self.le(b, a)))

    def between(self, low: Term, x: Term, high: Term) -> Formula:
        """`low <= x <= high`."""
        return all_of((self.le(low, x), self.le(x, high)))
