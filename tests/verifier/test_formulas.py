"""Formulas in their smallest form, and what is left out of them within given bounds."""

from __future__ import annotations

import pytest

from wellposed.verifier.formula import (
    FALSE,
    TRUE,
    All,
    Any,
    Folding,
    Formula,
    Literal,
    Space,
    all_of,
    any_of,
    constant,
    moved,
)

ONE, OTHER = Literal(1, 2, 0), Literal(2, 1, -3)


def test_one_part_stands_for_itself() -> None:
    assert all_of([ONE]) is ONE and any_of([ONE]) is ONE
    assert all_of([TRUE, ONE]) is ONE and any_of([FALSE, ONE]) is ONE
    assert all_of([]) is TRUE and any_of([]) is FALSE
    assert all_of([ONE, FALSE]) is FALSE and any_of([ONE, TRUE]) is TRUE


def test_a_literal_is_folded_where_the_bounds_decide_it() -> None:
    folding = Folding([0, 1, 3], [0, 5, 9])
    assert folding.fold(Literal(1, 2, 2)) is TRUE, "5 - 3 at most"
    assert folding.fold(Literal(1, 2, 3)) is TRUE
    assert folding.fold(kept := Literal(1, 2, 1)) is kept
    assert folding.fold(kept := Literal(1, 2, -8)) is kept, "1 - 9 at least"
    assert folding.fold(Literal(1, 2, -9)) is FALSE


def test_what_nothing_is_left_out_of_is_the_same_formula() -> None:
    folding = Folding([0, 0, 0], [0, 9, 9])
    either = any_of([ONE, OTHER])
    assert folding.fold(either) is either
    shorter = folding.fold(Any((ONE, Literal(1, 2, -10), OTHER)))
    assert shorter == either and type(shorter) is Any
    assert folding.fold(Any((ONE, All((Literal(1, 0, 9), OTHER))))) == either


def test_literals_of_a_conjunction_bound_its_other_parts() -> None:
    folding = Folding([0, 0, 0], [0, 9, 9])
    low, high = Literal(0, 1, -6), Literal(2, 0, 4)
    either = any_of([Literal(1, 0, 5), Literal(0, 2, -3)])
    assert folding.fold(All((low, either))) == All((low, Literal(0, 2, -3)))
    assert folding.fold(All((either, low, high))) == All((low, high, Literal(0, 2, -3)))
    assert folding.fold(All((low, Literal(1, 0, 5)))) is FALSE
    assert folding.fold(All((low, Literal(1, 0, 6)))) == All((low, Literal(1, 0, 6)))
    assert folding.fold(All((low, Literal(1, 2, 1), high))) is FALSE


def test_a_literal_bounds_its_own_variable_alone() -> None:
    folding = Folding([0, -9, 0], [0, 9, 9])
    upper = All((Literal(1, 0, -3), any_of([Literal(0, 2, -7), Literal(2, 0, 2)])))
    assert folding.fold(upper) == upper
    folding = Folding([0, 3, 0], [0, 9, 9])
    either = any_of([Literal(2, 0, 1), Literal(0, 2, -8)])
    assert folding.fold(All((Literal(0, 1, -2), either))) == either


def test_a_literal_that_says_less_than_the_bounds_loosens_nothing() -> None:
    folding = Folding([0, 5, 0], [0, 6, 9])
    kept = Literal(2, 0, 3)
    assert folding.fold(All((Literal(0, 1, -2), any_of([Literal(1, 0, 4), kept])))) is kept
    assert folding.fold(All((Literal(1, 0, 8), any_of([Literal(0, 1, -7), kept])))) is kept


def test_a_literal_that_says_more_by_one_tightens() -> None:
    folding = Folding([0, 5, 0], [0, 8, 9])
    kept = Literal(2, 0, 3)
    for own, against in ((Literal(0, 1, -6), Literal(1, 0, 5)), (Literal(1, 0, 7), Literal(0, 1, -8))):
        assert folding.fold(All((own, any_of([against, kept])))) == All((own, kept))


def test_parts_that_are_shared_are_not_looked_at_once_per_way_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty levels that each hold the one below twice: a million million ways lead to the last."""
    looks = 0
    original = Folding._fold

    def counted(self: Folding, formula: Formula, lows: list[int], highs: list[int]) -> Formula:
        nonlocal looks
        looks += 1
        assert looks < 2_000
        return original(self, formula, lows, highs)

    monkeypatch.setattr(Folding, "_fold", counted)
    formula: Formula = any_of([ONE, OTHER])
    for _ in range(40):
        formula = Any((All((Literal(1, 0, 5), formula)), All((Literal(2, 0, 5), formula))))
    folding = Folding([0, 0, 0], [0, 9, 9])
    assert folding.fold(formula) == folding.fold(formula)
    assert looks > 400, "it is looked at closely for a while"


@pytest.mark.parametrize(("narrow", "against"), [(Literal(0, 1, -6), Literal(1, 0, 5)), (Literal(1, 0, 2), Literal(0, 1, -4))])
def test_what_was_left_out_between_narrower_bounds_is_not_left_out_elsewhere(narrow: Literal, against: Literal) -> None:
    """The first time the formula stands beside a bound, and is too large to be looked at closely to its end."""
    many = [All((Literal(2, 0, 3), Literal(1, 2, number % 5))) for number in range(450)]
    crowded = Any((against, *many))
    folding = Folding([0, 0, 0], [0, 9, 9])
    folded = folding.fold(Any((All((narrow, crowded)), All((Literal(0, 2, -1), crowded)))))
    assert type(folded) is Any
    beside, elsewhere = folded.parts
    assert type(beside) is All and type(elsewhere) is All
    assert elsewhere.parts[1] == crowded != beside.parts[1]
    assert folding.fold(crowded) == crowded


def test_a_comparison_is_folded_where_the_domains_decide_it() -> None:
    space = Space()
    x, y = space.variable("x", 1, 5, "item"), space.variable("y", 3, 9)
    assert space.le(x, y.plus(3)) is TRUE and space.le(x, y.plus(2)) is TRUE
    assert space.le(x, y.plus(1)) == Literal(1, 2, 1)
    assert space.le(x.plus(8), y) == Literal(1, 2, -8)
    assert space.le(x.plus(9), y) is FALSE and space.le(x.plus(10), y) is FALSE
    assert space.le(x, x) is TRUE and space.lt(x, x) is FALSE
    assert space.eq(x, y) == All((Literal(1, 2, 0), Literal(2, 1, 0)))
    assert space.between(constant(2), x, constant(4)) == All((Literal(0, 1, -2), Literal(1, 0, 4)))
    assert space.owned("item") == [1] and space.owned("") == [2] and space.owned("nobody") == []


def test_a_space_twice_holds_every_variable_again_and_the_origin_once() -> None:
    space = Space()
    space.variable("x", 1, 5)
    space.variable("y", 3, 9)
    both = space.twice()
    assert both.lows == [0, 1, 3, 1, 3] and both.highs == [0, 5, 9, 5, 9]
    assert both.names == ["origin", "x", "y", "x", "y"]
    assert moved(All((Literal(1, 0, 4), Any((Literal(0, 2, 1), ONE)))), 2) == All((Literal(3, 0, 4), Any((Literal(0, 4, 1), Literal(3, 4, 0)))))
