"""The constraint kernel: satisfiability of labelled difference formulas, with a core when there is none.

Literals asserted so far form a weighted graph; a potential that respects every edge is kept at all times, and asserting a
literal repairs it by relaxation (Bellman-Ford from the changed node, on plain lists). A literal that cannot be repaired
closes a negative cycle, whose edges name the constraints in conflict. Disjunctions are tried only where the current
potential violates them, with backjumping over choices that a conflict does not depend on. Time does not depend on the
size of the numbers.

Sources: Dechter, Meiri and Pearl, Temporal constraint networks (1991); Stergiou and Koubarakis, Backtracking algorithms
for disjunctions of temporal constraints (1998); Cotton and Maler, Fast and flexible difference constraint propagation (2006).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wellposed.verifier.formula import All, Any, Formula, Literal, Space, holds, holds_negated

_LOOKS_PER_UNIT = 16
"""How many disjunctions that hold are passed over for one unit of work."""


class OutOfBudget(Exception):
    """The work budget ran out: the answer is unknown, never a pass."""


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
    """One satisfiability query over a space. Use `solve`; an instance is spent after one call of `run`.

    Potentials are only ever lowered. To find least values the same is done with every variable negated.
    """

    def __init__(self, space: Space, budget: Budget, start: Sequence[int] | None, least: bool) -> None:
        self._budget = budget
        self._least = least
        self._holds = holds_negated if least else holds
        tops = [-low for low in space.lows] if least else space.highs
        bottoms = [-high for high in space.highs] if least else space.lows
        self._potential = list(tops) if start is None else [-value for value in start] if least else list(start)
        self._out: list[list[_Edge]] = [[] for _ in space.lows]
        self._trail: list[int] = []
        self._waiting: list[_Pending] = []
        self._open: list[bool] = []
        self._looked = 0
        for variable in range(1, len(space.lows)):
            self._out[0].append(_Edge(0, variable, tops[variable], 0, 0))
            self._out[variable].append(_Edge(variable, 0, -bottoms[variable], 0, 0))

    def run(self, constraints: Iterable[tuple[int, Formula]]) -> list[int] | Conflict:
        """A solution (values by variable, origin 0), or the conflict that refutes the constraints."""
        for bit, formula in constraints:
            conflict = self._assert(formula, bit, 0)
            if conflict is not None:
                return conflict
        return self._search()

    def _search(self) -> list[int] | Conflict:
        stack: list[_Choice] = []
        while True:
            place = self._violated()
            if place is None:
                origin = self._potential[0]
                if self._least:
                    return [origin - value for value in self._potential]
                return [value - origin for value in self._potential]
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
                    self._undo(top)
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
            if not conflict.choices & bit:
                self._open[stack.pop().place] = True
                return conflict
            top.constraints |= conflict.constraints
            top.choices |= conflict.choices & ~bit
        self._open[stack.pop().place] = True
        return Conflict(top.constraints, top.choices)

    def _undo(self, choice: _Choice) -> None:
        while len(self._trail) > choice.edges:
            self._out[self._trail.pop()].pop()
        del self._waiting[choice.waiting :]
        del self._open[choice.waiting :]
        self._potential = list(choice.potential)

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
        self._out[edge.source].append(edge)
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
            for out in self._out[node]:
                if potential[out.target] - base > out.weight:
                    cause[out.target] = out
                    if out.target == edge.source:
                        return _explain(cause, edge)
                    potential[out.target] = base + out.weight
                    if out.target not in queued:
                        queued.add(out.target)
                        queue.append(out.target)
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


def solve(
    space: Space,
    constraints: Iterable[tuple[int, Formula]],
    budget: Budget,
    start: Sequence[int] | None = None,
    least: bool = False,
) -> list[int] | Conflict:
    """Satisfy all constraints, each given with its bit (0 for what is never part of a core).

    `start` is a solution of the domains to begin from: the answer stays close to it. What begins at the top of its domain
    (everything, without `start`) ends at the greatest value that the choices made allow, or with `least` from the bottom
    at the least. Raises OutOfBudget.
    """
    return Solver(space, budget, start, least).run(constraints)
