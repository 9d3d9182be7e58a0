"""The constraint kernel: satisfiability of labelled difference formulas, with a core when there is none.

Literals asserted so far form a weighted graph; a potential that respects every edge is kept at all times, and asserting a
literal repairs it by relaxation (Bellman-Ford from the changed node, on plain lists). A literal that cannot be repaired
closes a negative cycle, whose edges name the constraints in conflict. Disjunctions are tried only where the current
potential violates them, with backjumping over choices that a conflict does not depend on. Time does not depend on the
size of the numbers. What is asked again and again under the same constraints is asked of one solver, which keeps them.

Sources: Dechter, Meiri and Pearl, Temporal constraint networks (1991); Stergiou and Koubarakis, Backtracking algorithms
for disjunctions of temporal constraints (1998); Cotton and Maler, Fast and flexible difference constraint propagation (2006).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from wellposed.verifier.formula import TRUE, All, Any, Folding, Formula, Literal, Space, holds, holds_negated

_LOOKS_PER_UNIT = 16
"""How many disjunctions that hold are passed over for one unit of work."""


class OutOfBudget(Exception):
    """The work budget ran out: the answer is unknown, never a pass. `more_helps` says whether a larger one could tell."""

    more_helps = True


class Budget:
    """A count of work units (edges relaxed and choices made), so that the same input always stops at the same place."""

    def __init__(self, units: int) -> None:
        self.left = units

    def spend(self, units: int) -> None:
        """Raises OutOfBudget when nothing is left."""
        self.left -= units
        if self.left < 0:
            raise OutOfBudget("the work budget ran out")


class Conflict(NamedTuple):
    """Why there is no solution: bit sets of the constraints involved and of the choices (by depth) it depends on."""

    constraints: int
    choices: int


class _Edge(NamedTuple):
    """`target - source <= weight`, with the constraints and choices that asserted it."""

    source: int
    target: int
    weight: int
    constraints: int
    choices: int


class _Pending(NamedTuple):
    formula: Any
    constraints: int
    choices: int


class _Choice:
    """An open disjunction: the alternatives still to be tried and what the failed ones have cost so far."""

    __slots__ = ("choices", "constraints", "edges", "next", "pending", "place", "potential", "waiting")

    def __init__(self, place: int, pending: _Pending, edges: int, waiting: int, potential: list[int]) -> None:
        self.place = place
        self.pending = pending
        self.next = 0
        self.edges = edges
        self.waiting = waiting
        self.potential = potential
        self.constraints = pending.constraints
        self.choices = pending.choices


class Solver:
    """Constraints over a space, and questions to them. Every method may raise OutOfBudget, after which it is spent.

    Potentials are only ever lowered. To find least values the same is done with every variable negated.
    """

    def __init__(self, space: Space, budget: Budget, least: bool = False) -> None:
        self._budget = budget
        self._least = least
        self._holds = holds_negated if least else holds
        tops = [-low for low in space.lows] if least else space.highs
        bottoms = [-high for high in space.highs] if least else space.lows
        self._potential = list(tops)
        self._out: list[list[tuple[int, int, _Edge]]] = [[] for _ in space.lows]
        self._trail: list[int] = []
        self._waiting: list[_Pending] = []
        self._open: list[bool] = []
        self._looked = 0
        for variable in range(1, len(space.lows)):
            self._out[0].append((variable, tops[variable], _Edge(0, variable, tops[variable], 0, 0)))
            self._out[variable].append((0, -bottoms[variable], _Edge(variable, 0, -bottoms[variable], 0, 0)))

    def add(self, constraints: Iterable[tuple[int, Formula]]) -> Conflict | None:
        """Constraints that stay, each with its bit; the conflict, if their literals already contradict each other."""
        for bit, formula in constraints:
            conflict = self._assert(formula, bit, 0)
            if conflict is not None:
                return conflict
        return None

    def find(self, constraints: Iterable[tuple[int, Formula]], start: Sequence[int] | None = None) -> list[int] | Conflict:
        """A solution (values by variable, origin 0) in which further constraints hold, or the conflict that refutes them.

        The answer stays close to `start`, if given. What begins at the bound of the literals (everything, without
        `start`) ends at the greatest value that the choices made allow, or the least.
        """
        edges, waiting, still_open, potential = len(self._trail), len(self._waiting), list(self._open), list(self._potential)
        if start is not None:
            self._settle([-value for value in start] if self._least else list(start))
        found = self.add(constraints) or self._search()
        self._shrink(edges, waiting)
        self._open, self._potential = still_open, potential
        return found

    def bounds(self) -> list[int]:
        """The greatest (or least) value of every variable that the literals among the constraints allow."""
        return self._values()

    def _values(self) -> list[int]:
        origin = self._potential[0]
        return [origin - value for value in self._potential] if self._least else [value - origin for value in self._potential]

    def _settle(self, potential: list[int]) -> None:
        """Begin from other values, lowered as far as the literals demand."""
        self._potential = potential
        queue = deque(range(len(potential)))
        while queue:
            node = queue.popleft()
            base = potential[node]
            for target, weight, _ in self._out[node]:
                if potential[target] - base > weight:
                    potential[target] = base + weight
                    queue.append(target)

    def _search(self) -> list[int] | Conflict:
        stack: list[_Choice] = []
        while True:
            place = self._violated()
            if place is None:
                return self._values()
            self._open[place] = False
            pending = self._waiting[place]
            stack.append(_Choice(place, pending, len(self._trail), len(self._waiting), list(self._potential)))
            conflict = self._advance(stack)
            while conflict is not None:
                if not stack:
                    return conflict
                top = stack[-1]
                bit = 1 << (len(stack) - 1)
                if not conflict.choices & bit:
                    self._open[stack.pop().place] = True
                    continue
                top.constraints |= conflict.constraints
                top.choices |= conflict.choices & ~bit
                self._undo(top)
                conflict = self._advance(stack)

    def _advance(self, stack: list[_Choice]) -> Conflict | None:
        """Assert the next alternative of the innermost choice, or report the choice as exhausted."""
        top = stack[-1]
        bit = 1 << (len(stack) - 1)
        parts = top.pending.formula.parts
        while top.next < len(parts):
            part = parts[top.next]
            top.next += 1
            conflict = self._assert(part, top.pending.constraints, top.pending.choices | bit)
            if conflict is None:
                return None
            self._undo(top)
            top.constraints |= conflict.constraints
            top.choices |= conflict.choices & ~bit
        self._open[stack.pop().place] = True
        return Conflict(top.constraints, top.choices)

    def _undo(self, choice: _Choice) -> None:
        self._shrink(choice.edges, choice.waiting)
        self._potential = list(choice.potential)

    def _shrink(self, edges: int, waiting: int) -> None:
        while len(self._trail) > edges:
            self._out[self._trail.pop()].pop()
        del self._waiting[waiting:]
        del self._open[waiting:]

    def _violated(self) -> int | None:
        """The place of an undecided disjunction that the potential does not satisfy; the search goes on where it stopped."""
        potential, count = self._potential, len(self._waiting)
        for step in range(count):
            place = (self._looked + step) % count
            if self._open[place] and not self._holds(self._waiting[place].formula, potential):
                self._looked = place
                self._budget.spend(1 + step // _LOOKS_PER_UNIT)
                return place
        return None

    def _assert(self, formula: Formula, constraints: int, choices: int) -> Conflict | None:
        if type(formula) is Literal:
            if self._least:
                return self._relax(_Edge(formula.x, formula.y, formula.c, constraints, choices))
            return self._relax(_Edge(formula.y, formula.x, formula.c, constraints, choices))
        if type(formula) is All:
            for part in formula.parts:
                conflict = self._assert(part, constraints, choices)
                if conflict is not None:
                    return conflict
            return None
        if not formula.parts:
            return Conflict(constraints, choices)
        self._waiting.append(_Pending(formula, constraints, choices))
        self._open.append(True)
        return None

    def _relax(self, edge: _Edge) -> Conflict | None:
        """Add an edge and repair the potential; a change that comes back to the edge's source is a negative cycle."""
        potential = self._potential
        self._out[edge.source].append((edge.target, edge.weight, edge))
        self._trail.append(edge.source)
        if potential[edge.target] - potential[edge.source] <= edge.weight:
            return None
        cause: dict[int, _Edge] = {edge.target: edge}
        potential[edge.target] = potential[edge.source] + edge.weight
        queue = deque((edge.target,))
        queued = {edge.target}
        while queue:
            node = queue.popleft()
            queued.discard(node)
            self._budget.spend(1)
            base = potential[node]
            for target, weight, out in self._out[node]:
                if potential[target] - base > weight:
                    cause[target] = out
                    if target == edge.source:
                        return _explain(cause, edge)
                    potential[target] = base + weight
                    if target not in queued:
                        queued.add(target)
                        queue.append(target)
        return None


def _explain(cause: dict[int, _Edge], closing: _Edge) -> Conflict:
    constraints = closing.constraints
    choices = closing.choices
    node = closing.source
    while True:
        edge = cause[node]
        constraints |= edge.constraints
        choices |= edge.choices
        node = edge.source
        if edge is closing:
            return Conflict(constraints, choices)


class Prepared:
    """Constraints that much is asked about: solvers that hold them, for greatest and (made when asked for) least values.

    Conflicts found by these solvers name no constraints.
    """

    def __init__(self, space: Space, budget: Budget) -> None:
        self._space = space
        self._budget = budget
        self._constraints: list[tuple[int, Formula]] = []
        self.greatest = Solver(space, budget)

    def add(self, formulas: Iterable[Formula]) -> bool:
        """Further constraints; False if their literals contradict each other."""
        more = [(0, formula) for formula in formulas]
        self._constraints += more
        return self.greatest.add(more) is None

    @cached_property
    def least(self) -> Solver:
        solver = Solver(self._space, self._budget, least=True)
        solver.add(self._constraints)
        return solver


def prepare(space: Space, constraints: Iterable[Formula], budget: Budget) -> Prepared | None:
    """Constraints made ready for many questions; None where they contradict each other.

    What the bounds of the literals decide is folded away, which may give more literals, and so on. Raises OutOfBudget.
    """
    prepared = Prepared(space, budget)
    lows = list(space.lows)
    literals: list[Literal] = []
    waiting: list[Formula] = []
    fresh = list(constraints)
    while fresh:
        conjuncts = [part for formula in fresh for part in (formula.parts if type(formula) is All else (formula,))]
        waiting += [formula for formula in conjuncts if type(formula) is Any]
        decided = [formula for formula in conjuncts if type(formula) is Literal]
        if not prepared.add(decided):
            return None
        budget.spend(1 + len(waiting) // _LOOKS_PER_UNIT)
        literals += decided
        _raise(lows, literals)
        folding = Folding(lows, prepared.greatest.bounds())
        folded = [folding.fold(formula) for formula in waiting]
        waiting = [formula for formula in folded if type(formula) is Any]
        fresh = [formula for formula in folded if type(formula) is not Any and formula is not TRUE]
    return prepared if prepared.add(waiting) else None


def _raise(lows: list[int], literals: Sequence[Literal]) -> None:
    """Raise lower bounds as far as literals that have a solution demand."""
    changed = True
    while changed:
        changed = False
        for x, y, c in literals:
            if lows[y] < lows[x] - c:
                lows[y] = lows[x] - c
                changed = True


def solve(
    space: Space,
    constraints: Iterable[tuple[int, Formula]],
    budget: Budget,
    start: Sequence[int] | None = None,
    least: bool = False,
) -> list[int] | Conflict:
    """Satisfy all constraints, each given with its bit (0 for what is never part of a core); see `Solver.find`.

    Raises OutOfBudget.
    """
    return Solver(space, budget, least).find(constraints, start)
