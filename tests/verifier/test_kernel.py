"""The constraint kernel against brute force and against networkx, on random formulas."""

from __future__ import annotations

from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellposed.verifier.cores import minimise
from wellposed.verifier.formula import (
    FALSE,
    TRUE,
    Any,
    Formula,
    Literal,
    Space,
    all_of,
    any_of,
    constant,
    holds,
    holds_negated,
    negate,
)
from wellposed.verifier.solver import Budget, Conflict, OutOfBudget, prepare, solve

VARIABLES, TOP = 3, 4

literals = st.builds(
    Literal, st.integers(0, VARIABLES), st.integers(0, VARIABLES), st.integers(-TOP - 1, TOP + 1)
).filter(lambda literal: literal.x != literal.y)
formulas = st.recursive(
    literals,
    lambda inner: st.lists(inner, max_size=3).map(all_of) | st.lists(inner, max_size=3).map(any_of),
    max_leaves=8,
)


def space() -> Space:
    made = Space()
    for number in range(VARIABLES):
        made.variable(f"x{number}", 0, TOP)
    return made


def assignments() -> list[list[int]]:
    return [[0, *values] for values in product(range(TOP + 1), repeat=VARIABLES)]


def satisfying(constraints: list[Formula]) -> list[list[int]]:
    return [values for values in assignments() if all(holds(formula, values) for formula in constraints)]


@settings(max_examples=400, deadline=None)
@given(st.lists(formulas, max_size=5), st.sampled_from([None, *assignments()]), st.booleans())
def test_a_solution_is_found_exactly_when_there_is_one(
    constraints: list[Formula], start: list[int] | None, least: bool
) -> None:
    numbered = [(1 << bit, formula) for bit, formula in enumerate(constraints)]
    found = solve(space(), numbered, Budget(100_000), None if least else start, least)
    if isinstance(found, Conflict):
        assert not satisfying(constraints)
        named = [formula for bit, formula in enumerate(constraints) if found.constraints >> bit & 1]
        assert not satisfying(named), "the conflict names constraints that refute each other"
    else:
        assert found in satisfying(constraints)


@settings(max_examples=300, deadline=None)
@given(st.lists(literals, max_size=6), st.booleans())
def test_without_choices_a_solution_is_extreme(bounds: list[Literal], least: bool) -> None:
    found = solve(space(), [(0, bound) for bound in bounds], Budget(100_000), None, least)
    if not isinstance(found, Conflict):
        pick = min if least else max
        all_found = satisfying([*bounds])
        assert found == [pick(values[variable] for values in all_found) for variable in range(VARIABLES + 1)]


@settings(max_examples=200, deadline=None)
@given(st.lists(formulas, min_size=1, max_size=5))
def test_a_core_is_minimal(constraints: list[Formula]) -> None:
    if satisfying(constraints):
        return
    core = minimise(range(len(constraints)), lambda chosen: not satisfying([constraints[number] for number in chosen]))
    assert not satisfying([constraints[number] for number in core])
    for member in core:
        assert satisfying([constraints[number] for number in core if number != member])


@settings(max_examples=200, deadline=None)
@given(formulas)
def test_negation_means_what_it_says(formula: Formula) -> None:
    for values in assignments():
        assert holds(negate(formula), values) is not holds(formula, values)
        assert holds_negated(formula, [-value for value in values]) is holds(formula, values)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(-3, 6)), max_size=14))
def test_conjunctions_agree_with_bellman_ford_of_networkx(bounds: list[tuple[int, int, int]]) -> None:
    top = 20
    made = Space()
    graph = nx.DiGraph()
    for number in range(1, 6):
        made.variable(f"x{number}", 0, top)
        graph.add_edge(0, number, weight=top)
        graph.add_edge(number, 0, weight=0)
    constraints = [(0, Literal(x, y, c)) for x, y, c in bounds if x != y]
    for _, literal in constraints:
        known = graph.get_edge_data(literal.y, literal.x, {"weight": literal.c})["weight"]
        graph.add_edge(literal.y, literal.x, weight=min(known, literal.c))
    found = solve(made, constraints, Budget(100_000))
    assert isinstance(found, Conflict) is nx.negative_edge_cycle(graph)


def test_domains_fold_literals() -> None:
    made = space()
    x = made.variable("late", 3, 5)
    y = made.variable("early", 0, 2)
    assert made.lt(y, x) is TRUE
    assert made.le(x, y) is FALSE
    assert made.le(y, y) is TRUE


def test_the_budget_ends_a_search() -> None:
    made = Space()
    for number in range(12):
        made.variable(f"x{number}", 0, 10)
    pigeons = [
        any_of((Literal(a, b, -1), Literal(b, a, -1))) for a in range(1, 13) for b in range(a + 1, 13)
    ]
    with pytest.raises(OutOfBudget):  # twelve different values do not fit in eleven, and 500 units do not suffice to see it
        solve(made, [(0, formula) for formula in pigeons], Budget(500))


def work(constraints: list[Formula], made: Space, ready: bool = False) -> int:
    """The work units that it takes to solve the constraints, or to make them ready for questions."""
    budget = Budget(1_000)
    if ready:
        assert prepare(made, constraints, budget) is not None
    else:
        assert not isinstance(solve(made, [(0, formula) for formula in constraints], budget), Conflict)
    return 1_000 - budget.left


def test_work_is_a_unit_for_each_variable_whose_bounds_are_passed_on() -> None:
    made = Space()
    for number in range(5):
        made.variable(f"x{number}", 0, 9)
    chain: list[Formula] = [Literal(number + 1, number, 0) for number in range(1, 5)]
    assert work([*chain, Literal(1, 0, 5)], made) == 5
    assert work([Literal(1, 0, 5), *chain], made) == 5
    assert work([*chain, Literal(5, 0, 5)], made) == 1
    assert work(chain, made) == 0


def test_work_is_a_unit_for_a_choice_and_for_each_sixteen_that_are_passed_over() -> None:
    for idle, looks in ((0, 1), (15, 1), (16, 2), (40, 3)):
        made = Space()
        x = made.variable("x", 0, 9)
        y = made.variable("y", 0, 9)
        either = [any_of((made.lt(constant(number % 4), y), made.lt(constant(5), y))) for number in range(idle)]
        choice = any_of((made.le(x, constant(1)), made.le(x, constant(2))))
        assert work([*either, choice], made) == looks + 1, "and one for the variable that is lowered"
        assert work([*either, choice], made, ready=True) == 1 + (idle + 1) // 16


def test_the_last_unit_can_be_spent() -> None:
    budget = Budget(3)
    budget.spend(3)
    assert budget.left == 0
    with pytest.raises(OutOfBudget):
        budget.spend(1)


def test_an_empty_disjunction_is_a_conflict_of_its_own_constraint() -> None:
    found = solve(space(), [(4, Any(()))], Budget(10))
    assert found == Conflict(4, 0)
