"""What the solver promises beyond right answers: it stays near where it starts, goes on where it stopped, keeps nothing of a question."""

from __future__ import annotations

import pytest

from wellposed.verifier.formula import Literal, Space, Term, any_of, constant
from wellposed.verifier.solver import Budget, Conflict, Solver, prepare, solve


def three() -> tuple[Space, list[Term]]:
    space = Space()
    return space, [space.variable(f"x{number}", 0, 9) for number in range(3)]


@pytest.mark.parametrize("least", [False, True])
def test_values_to_start_from_that_satisfy_everything_are_the_answer(least: bool) -> None:
    space, (x, y, z) = three()
    solver = Solver(space, Budget(100), least)
    assert solver.add([(1, space.lt(x, y)), (2, any_of((space.le(z, constant(4)), space.le(y, z))))]) is None
    for start in ([0, 2, 5, 3], [0, 0, 1, 0], [0, 8, 9, 9]):
        assert solver.find((), start) == start


@pytest.mark.parametrize(("least", "moved"), [(False, [0, 4, 5, 3]), (True, [0, 6, 7, 3])])
def test_values_to_start_from_move_no_further_than_they_must(least: bool, moved: list[int]) -> None:
    space, (x, y, _) = three()
    solver = Solver(space, Budget(100), least)
    solver.add([(1, space.lt(x, y))])
    assert solver.find((), [0, 6, 5, 3]) == moved


def test_a_change_of_what_to_start_from_reaches_what_was_looked_at_before() -> None:
    space, (x, y, z) = three()
    solver = Solver(space, Budget(100))
    solver.add([(1, space.lt(x, y)), (2, space.lt(y, z))])
    assert solver.find((), [0, 4, 5, 3]) == [0, 1, 2, 3]


def test_a_variable_that_waits_to_be_passed_on_waits_once() -> None:
    """It is lowered by two others before its turn comes, and passed on with the lower value alone."""
    space = Space()
    x, y, z, last = (space.variable(name, 0, 9) for name in ("x", "y", "z", "last"))
    work = Budget(100)
    solver = Solver(space, work)
    solver.add((0, literal) for literal in (space.le(y, x), space.le(z, x), space.le(last, y), space.le(last.plus(2), z)))
    before = work.left
    assert solver.add([(0, space.le(x, constant(5)))]) is None
    assert before - work.left == 4
    assert solver.bounds() == [0, 5, 5, 5, 3]


@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("beyond", [Literal(0, 2, -10), Literal(2, 0, -1)])
def test_a_domain_is_no_member_of_a_conflict(beyond: Literal, least: bool) -> None:
    space, _ = three()
    assert solve(space, [(4, beyond)], Budget(100), least=least) == Conflict(4, 0)


def test_what_much_is_asked_about_names_no_constraints() -> None:
    space, (x, y, _) = three()
    prepared = prepare(space, [space.lt(x, y), any_of((space.le(y, constant(3)), space.le(y, constant(5))))], Budget(100))
    assert prepared is not None
    for solver in (prepared.greatest, prepared.least):
        assert solver.find([(0, space.le(constant(7), x))]) == Conflict(0, 0)
        assert solver.find([(2, space.le(constant(9), x))]) == Conflict(2, 0)


def test_bounds_are_passed_on_along_chains_of_any_order() -> None:
    """Each literal raises what the one before it bounds, so that only the second pass decides the disjunction."""
    space = Space()
    x, y, z = space.variable("x", 3, 9), space.variable("y", 0, 9), space.variable("z", 0, 9)
    chain = [space.lt(y, z), space.lt(x, y)]
    late = any_of((space.le(z, constant(3)), space.le(z, constant(4))))
    assert prepare(space, [*chain, late], Budget(100)) is None, "z is 5 at least"
    assert prepare(space, [*chain, any_of((late, space.le(z, constant(5))))], Budget(100)) is not None
