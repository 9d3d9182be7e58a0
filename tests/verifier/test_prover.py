"""Questions to one component with answers worked out by hand: runs near others, first and last ticks, who is named in a conflict."""

from __future__ import annotations

import dataclasses

import pytest

from wellposed.verifier.formula import TRUE, Formula, Space, Term, all_of, any_of, constant
from wellposed.verifier.prover import Prover
from wellposed.verifier.solver import Budget, Conflict
from wellposed.verifier.theory import Claim, Component, Constraint

SPACE = Space()
X, Y, Z = (SPACE.variable(name, 0, 9, "item") for name in ("x", "y", "z"))
WITHOUT = Component(
    space=SPACE,
    items=(),
    physics=(),
    standing=(),
    claims=(),
    causes={},
    stimuli={},
    outcomes=(),
    records=((1,), (2,), (3,)),
    quiet=tuple(SPACE.le(constant(9), term) for term in (X, Y, Z)),
    payload=None,
)


def prover(*physics: Formula, standing: tuple[Formula, ...] = (), claims: tuple[Formula, ...] = ()) -> Prover:
    rows = tuple(Constraint("row", "item", f"/schedule/{number}", formula, "", False) for number, formula in enumerate(standing))
    wanted = tuple(Claim(number, formula, "") for number, formula in enumerate(claims))
    return Prover(dataclasses.replace(WITHOUT, physics=physics, standing=rows, claims=wanted), Budget(10_000))


def low(term: Term, value: int) -> Formula:
    return SPACE.le(term, constant(value))


def high(term: Term, value: int) -> Formula:
    return SPACE.le(constant(value), term)


@pytest.mark.parametrize(
    ("physics", "formula", "run", "nearest"),
    [
        (TRUE, high(X, 5), [0, 2, 2, 2], [0, 5, 2, 2]),
        (SPACE.le(X, Y), high(X, 5), [0, 2, 2, 2], [0, 5, 5, 2]),
        (SPACE.le(Y, X), low(X, 1), [0, 5, 5, 5], [0, 1, 1, 5]),
        (TRUE, any_of((all_of((low(X, 1), low(Y, 1))), all_of((low(X, 1), low(Y, 7))))), [0, 5, 5, 5], [0, 1, 5, 5]),
        (any_of((high(X, 5), high(Z, 5))), TRUE, [0, 2, 2, 2], [0, 2, 2, 5]),
        (TRUE, TRUE, [0, 3, 4, 5], [0, 3, 4, 5]),
        (TRUE, low(Y, 3), [0, 3, 4, 5], [0, 3, 3, 5]),
    ],
)
def test_the_nearest_run_keeps_what_can_be_kept(physics: Formula, formula: Formula, run: list[int], nearest: list[int]) -> None:
    assert prover(physics).nearest(formula, run) == nearest


def test_there_is_no_nearest_run_where_there_is_none() -> None:
    assert prover(low(X, 4)).nearest(high(X, 5), [0, 2, 2, 2]) is None


def test_the_quietest_run_does_without_what_it_can_do_without() -> None:
    asked = prover(SPACE.le(Y, X), any_of((low(X, 8), low(Z, 8))))
    run = asked.conforming_with(low(Y, 4))
    assert run is not None
    assert asked.quietest(low(Y, 4), run) == [0, 9, 4, 8]
    assert asked.quietest(TRUE, [0, 5, 5, 5]) == [0, 9, 9, 8]


def test_first_and_last_ticks_are_those_of_the_term() -> None:
    asked = prover(high(X, 2), SPACE.lt(X, Y), any_of((low(Z, 1), SPACE.lt(Y, Z))))
    for term, first, last in ((X, 2, 8), (Y, 3, 9), (X.plus(3), 5, 11), (Y.plus(-1), 2, 8), (Z, 0, 9)):
        assert asked.extremes(TRUE, term, "item") == asked.extremes(TRUE, term, None) == (first, last)
    assert asked.extremes(high(Z, 2), Y, "item") == (3, 8)
    assert asked.extremes(low(Y, 2), X, "item") is None


def test_a_conflict_names_rows_and_claims_by_their_place() -> None:
    asked = prover(low(X, 8), standing=(low(Z, 9), low(Y, 3), SPACE.le(X, Y)), claims=(low(Z, 2), high(X, 5)))
    assert asked.refuted_by((0, 1, 2), (0, 1)) == Conflict(1 << 1 | 1 << 2 | 1 << 4, 0)
    assert asked.refuted_by((1, 2), (0,)) is None and asked.refuted_by((0, 1), (1,)) is None
    assert asked.passing() is None and asked.conforming() is not None


def test_physics_is_never_named() -> None:
    asked = prover(low(X, 4), standing=(low(Z, 9), high(X, 5)))
    assert asked.refuted_by((0, 1), ()) == Conflict(1 << 1, 0)
    assert asked.conforming() is None and asked.conforming_with(TRUE) is None
    assert asked.logs_with([low(X, 3)]) is not None and asked.logs_with([high(X, 5)]) is None
