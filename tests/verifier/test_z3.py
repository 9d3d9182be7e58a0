"""The constraint kernel against z3: on random formulas, and on every component of the library and of generated scenarios.

z3 shares nothing with the kernel but the meaning of a literal, so it is a second oracle for what the solver finds, for what
it says cannot be found, for minimal cores and for first and last ticks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle.generate import sample
from tests.verifier.agreement import engine_answers

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source
from wellposed.verifier.amr.entry import AsyncMessageResponder
from wellposed.verifier.cores import minimise
from wellposed.verifier.formula import TRUE, All, Formula, Literal, Space, Term, all_of, any_of, negate
from wellposed.verifier.prover import Prover
from wellposed.verifier.solver import Budget, Conflict, Solver, solve
from wellposed.verifier.theory import Component, Constraint, Theory

ROOT = Path(__file__).resolve().parents[2]
PLENTY = 50_000_000
TOP = 1_000
"""How large the ticks of random formulas become: what depends on the size of numbers would show."""


class Oracle:
    """A space and some constraints that always hold, as z3 has them."""

    def __init__(self, space: Space, *always: Formula) -> None:
        self._variables = [z3.IntVal(0), *(z3.Int(f"v{number}") for number in range(1, len(space.lows)))]
        self._always: list[Any] = []
        for variable, low, high in list(zip(self._variables, space.lows, space.highs, strict=True))[1:]:
            self._always += [variable >= low, variable <= high]
        self._known: dict[int, tuple[Formula, Any]] = {}
        self._solver = z3.SimpleSolver()
        self._solver.add(*self._always)
        self.require(always)

    def require(self, formulas: Iterable[Formula]) -> None:
        """From now on these always hold too."""
        more = [self._expression(formula) for formula in formulas]
        self._always += more
        self._solver.add(*more)

    def _expression(self, formula: Formula) -> Any:
        """The formula in z3's terms, each built once (kept, so that its id stays its own)."""
        if id(formula) not in self._known:
            self._known[id(formula)] = formula, self._translated(formula)
        return self._known[id(formula)][1]

    def _translated(self, formula: Formula) -> Any:
        if isinstance(formula, Literal):
            return self._variables[formula.x] - self._variables[formula.y] <= formula.c
        parts = [self._expression(part) for part in formula.parts]
        return z3.And(parts) if isinstance(formula, All) else z3.Or(parts)

    def admits(self, formulas: Iterable[Formula]) -> bool:
        """Whether some values satisfy the formulas and what always holds."""
        return self._check(map(self._expression, formulas))

    def accepts(self, formulas: Iterable[Formula], values: Sequence[int]) -> bool:
        """Whether these values do."""
        assert values[0] == 0
        same = [variable == value for variable, value in zip(self._variables, values, strict=True)]
        return self._check([*map(self._expression, formulas), *same])

    def _check(self, expressions: Iterable[Any]) -> bool:
        self._solver.push()
        self._solver.add(*expressions)
        found = self._solver.check()
        self._solver.pop()
        assert found != z3.unknown
        return bool(found == z3.sat)

    def extremes(self, formula: Formula, tick: Term) -> tuple[int, int] | None:
        """The least and the greatest value of `tick` where the formula holds."""
        if not self.admits([formula]):
            return None
        optimize = z3.Optimize()
        optimize.set(priority="box")  # both ends in one go, each for itself
        optimize.add(*self._always, self._expression(formula))
        value = self._variables[tick.var] + tick.offset
        least, greatest = optimize.minimize(value), optimize.maximize(value)
        assert optimize.check() == z3.sat
        return least.value().as_long(), greatest.value().as_long()


def agree_on(space: Space, formulas: Sequence[Formula], oracle: Oracle, physics: Sequence[Formula] = ()) -> bool:
    """Solver and z3 agree whether physics and formulas can be satisfied together; a conflict gives a minimal core."""
    background = [(0, formula) for formula in physics]

    def found(chosen: Iterable[int]) -> list[int] | Conflict:
        return solve(space, [*background, *((1 << bit, formulas[bit]) for bit in chosen)], Budget(PLENTY))

    answer = found(range(len(formulas)))
    if not isinstance(answer, Conflict):
        assert oracle.accepts(formulas, answer)
        return True
    named = [bit for bit in range(len(formulas)) if answer.constraints >> bit & 1]
    assert not oracle.admits(formulas[bit] for bit in named), "the conflict names formulas that refute each other"
    core = minimise(named, lambda chosen: isinstance(found(chosen), Conflict))
    assert not oracle.admits(formulas[bit] for bit in core)
    for member in core:
        assert oracle.admits(formulas[bit] for bit in core if bit != member), "no member can go"
    return False


# -- random formulas -----------------------------------------------------------------------------------------------------


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    """Up to six variables with domains of their own."""
    made = Space()
    for number, (low, width) in enumerate(
        draw(st.lists(st.tuples(st.integers(-TOP, TOP), st.integers(0, TOP)), min_size=1, max_size=6))
    ):
        made.variable(f"x{number}", low, low + width, "item" if number % 2 else "")
    return made


@st.composite
def problems(draw: st.DrawFn) -> tuple[Space, list[Formula], list[Formula]]:
    """A space, bounds that some values satisfy, often tightly, and formulas of any kind."""
    made = draw(spaces())
    variables = st.integers(0, len(made.lows) - 1)
    offsets = st.integers(-3, 3) | st.integers(-TOP, TOP)
    literals = st.builds(Literal, variables, variables, offsets).filter(lambda literal: literal.x != literal.y)
    folded = st.builds(lambda x, y, c: made.le(Term(x, 0), Term(y, c)), variables, variables, offsets)
    formulas = st.recursive(
        literals | folded,
        lambda inner: st.lists(inner, max_size=4).map(all_of) | st.lists(inner, max_size=4).map(any_of) | inner.map(negate),
        max_leaves=12,
    )
    values = [draw(st.integers(low, high)) for low, high in zip(made.lows, made.highs, strict=True)]
    pairs = st.tuples(variables, variables, st.integers(0, 2)).filter(lambda pair: pair[0] != pair[1])
    bounds: list[Formula] = [Literal(x, y, values[x] - values[y] + slack) for x, y, slack in draw(st.lists(pairs, max_size=10))]
    return made, bounds, draw(st.lists(formulas, max_size=7))


@settings(max_examples=150, deadline=None)
@given(problems())
def test_random_formulas(problem: tuple[Space, list[Formula], list[Formula]]) -> None:
    made, bounds, formulas = problem
    oracle = Oracle(made)
    assert agree_on(made, bounds + formulas, oracle) is oracle.admits(bounds + formulas)


@settings(max_examples=200, deadline=None)
@given(problems(), st.booleans(), st.data())
def test_random_questions(problem: tuple[Space, list[Formula], list[Formula]], least: bool, data: st.DataObject) -> None:
    """One solver that keeps its constraints, asked from any values: nothing of one question stays behind in the next."""
    made, bounds, formulas = problem
    solver, oracle = Solver(made, Budget(PLENTY), least), Oracle(made, *bounds, *formulas[:2])
    if solver.add((0, formula) for formula in (*bounds, *formulas[:2])) is not None:
        assert not oracle.admits([])
        return
    anything = st.tuples(*(st.integers(low, high) for low, high in zip(made.lows, made.highs, strict=True)))
    for wish in (TRUE, *formulas[2:], *map(negate, formulas[2:])):
        found = solver.find([(1, wish)], data.draw(st.none() | anything))
        if isinstance(found, Conflict):
            assert not oracle.admits([wish])
        else:
            assert oracle.accepts([wish], found)


@settings(max_examples=100, deadline=None)
@given(problems(), st.data())
def test_random_components(problem: tuple[Space, list[Formula], list[Formula]], data: st.DataObject) -> None:
    """Runs near other runs, and first and last ticks."""
    made, bounds, formulas = problem
    component = Component(
        space=made,
        items=(),
        physics=(*bounds, *formulas[:2]),
        standing=tuple(Constraint("row", "item", "", formula, "", False) for formula in formulas[2:4]),
        claims=(),
        causes={},
        stimuli={},
        outcomes=(),
        records=(),
        quiet=(),
        payload=None,
    )
    prover, oracle = Prover(component, Budget(PLENTY)), Oracle(made, *bounds, *formulas[:4])
    runs: list[list[int] | None] = [None]
    for wish in (TRUE, *formulas[4:], *map(negate, formulas[4:])):
        run = prover.conforming_with(wish, near=data.draw(st.sampled_from(runs)))
        if run is None:
            assert not oracle.admits([wish])
        else:
            assert oracle.accepts([wish], run)
            runs.append(run)
        tick = Term(data.draw(st.integers(1, len(made.lows) - 1)), data.draw(st.integers(-2, 2)))
        item = data.draw(st.sampled_from(["item", "", None]))
        assert prover.extremes(wish, tick, item) == oracle.extremes(wish, tick)


# -- the components of scenarios -----------------------------------------------------------------------------------------


def compare(theory: Theory, seen: Counter[str]) -> None:
    """Every question that the verdict rests on, asked of every component and of all logs; counts what was seen."""
    for case in theory.cases:
        for component in case.components:
            _compare_component(component, seen)
    for free in theory.free():
        for claim in free.claims:
            violated = [*free.harness, negate(claim.formula)]
            oracle = Oracle(free.space)
            found = agree_on(free.space, violated, oracle)
            assert found is oracle.admits(violated)
            seen["hollow"] += not found


def _compare_component(component: Component, seen: Counter[str]) -> None:
    space, physics = component.space, component.physics
    standing = [member.formula for member in component.standing]
    claims = [claim.formula for claim in component.claims]
    oracle = Oracle(space, *physics)
    passing = agree_on(space, [*standing, *claims], oracle, physics)
    assert passing is oracle.admits([*standing, *claims])
    seen["passing" if passing else "core"] += 1
    oracle.require(standing)
    prover = Prover(component, Budget(PLENTY))
    if prover.conforming() is None:
        assert not oracle.admits([])
        seen["nothing conforms"] += 1
        return
    for formula in _questions(component):
        run = prover.conforming_with(formula)
        if run is None:
            assert not oracle.admits([formula])
            seen["impossible"] += 1
        else:
            assert oracle.accepts([formula], run)
            seen["possible"] += 1
    for form in component.outcomes:
        if form.tick is not None:
            ends = prover.extremes(form.formula, form.tick, form.item)
            assert ends == oracle.extremes(form.formula, form.tick), (form.item, form.outcome)
            seen["extremes"] += ends is not None


def _questions(component: Component) -> Iterator[Formula]:
    for claim in component.claims:
        yield claim.formula
        yield negate(claim.formula)
    for formulas in (*component.causes.values(), *component.stimuli.values()):
        yield from formulas


@cache
def _importer() -> Importer:
    return Importer(FolderReader(ROOT))


def bundles(folder: str) -> Iterator[Bundle]:
    """What the scenario files below a folder compile to."""
    for path in sorted((ROOT / folder).rglob("*.scenario")):
        source, _ = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
        assert source is not None
        for scenario in compile_source(source, _importer()).scenarios:
            if scenario.bundle is not None:
                yield scenario.bundle


@pytest.mark.parametrize("folder", ["scenarios", "examples"])
def test_components_of_the_library(folder: str) -> None:
    model = AsyncMessageResponder()
    seen: Counter[str] = Counter()
    for bundle in bundles(folder):
        compare(model.theory(bundle.document, Budget(PLENTY)), seen)
    assert seen["passing"] > 10 and seen["impossible"] > 10 and seen["extremes"] > 10
    assert folder == "scenarios" or (seen["core"] > 5 and seen["hollow"])


def compare_generated(seeds: range) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in seeds:
        document, budgets = sample(seed)
        compare(AsyncMessageResponder(engine_answers(budgets)).theory(document, Budget(PLENTY)), seen)
    return seen


@pytest.mark.parametrize("first", range(3_000, 3_100, 25))
def test_components_of_generated_scenarios(first: int) -> None:
    seen = compare_generated(range(first, first + 25))
    assert seen["core"] and seen["extremes"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("first", range(80_000, 82_000, 500))
def test_components_of_generated_scenarios_at_length(first: int) -> None:
    seen = compare_generated(range(first, first + 500))
    assert seen["hollow"] and seen["core"] > 50
