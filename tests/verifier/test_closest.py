"""The closest pair of a failing and a passing run, worked out by hand: in how little they differ, from when on, and what is left out."""

from __future__ import annotations

import dataclasses

import pytest
from tests.verifier.test_prover import SPACE, WITHOUT, X, Y, Z, high, low

from wellposed.verifier import pairs
from wellposed.verifier.formula import any_of
from wellposed.verifier.pairs import closest

FAILS, PASSES = low(X, 3), high(X, 6)
AT_HAND = [0, 3, 5, 5], [0, 6, 5, 5]


def test_they_part_as_early_as_they_can_and_go_on_as_late_as_they_may() -> None:
    assert closest(WITHOUT, FAILS, PASSES, AT_HAND) == ([0, 0, 9, 9], [0, 9, 9, 9])


def test_only_what_must_differ_does() -> None:
    tied = dataclasses.replace(WITHOUT, physics=(SPACE.le(X, Y), SPACE.le(Y, X)))
    assert closest(tied, FAILS, PASSES, ([0, 3, 3, 1], [0, 6, 6, 8])) == ([0, 0, 0, 9], [0, 9, 9, 9])


def test_a_record_of_several_variables_differs_as_one_and_at_its_tick() -> None:
    """The tick is the first of its variables."""
    together = dataclasses.replace(WITHOUT, records=((1, 2), (3,)))
    assert closest(together, FAILS, PASSES, AT_HAND) == ([0, 0, 9, 9], [0, 9, 9, 9])
    turned = dataclasses.replace(WITHOUT, records=((2, 1), (3,)))
    failing, passing = closest(turned, FAILS, PASSES, AT_HAND)
    assert (failing[1], passing[1]) == (3, 9) and sorted((failing[2], passing[2])) == [0, 9]


def test_what_means_nothing_in_one_of_them_is_no_difference() -> None:
    """Z is free where X is low, up to Y: the failing run has no need of what the passing one has."""
    tied = dataclasses.replace(WITHOUT, physics=(any_of((low(X, 3), low(Z, 4))), any_of((high(X, 6), high(Z, 6)))))
    loose = dataclasses.replace(tied, loose={Z.var: (low(X, 3), Y)})
    assert closest(loose, FAILS, PASSES, AT_HAND) == ([0, 0, 9, 9], [0, 9, 9, 4])
    bounded = dataclasses.replace(loose, physics=(*tied.physics, low(Y, 3), high(Z, 3)))
    assert closest(bounded, FAILS, PASSES, ([0, 3, 2, 6], [0, 6, 2, 4])) == ([0, 0, 3, 9], [0, 9, 3, 3])


def test_no_record_stays_that_both_can_do_without() -> None:
    either = dataclasses.replace(WITHOUT, physics=(any_of((low(Y, 5), low(Z, 5))),))
    assert closest(either, FAILS, PASSES, AT_HAND) == ([0, 0, 9, 5], [0, 9, 9, 5])


def test_no_record_in_which_they_differ_stays_that_one_can_do_without() -> None:
    either = dataclasses.replace(WITHOUT, physics=(any_of((low(X, 8), low(Y, 5))),))
    assert closest(either, PASSES, FAILS, ([0, 6, 5, 5], [0, 3, 5, 5])) == ([0, 9, 5, 9], [0, 0, 5, 9])
    assert closest(either, FAILS, PASSES, AT_HAND) == ([0, 0, 5, 9], [0, 9, 5, 9])


def test_without_the_work_for_a_search_the_pair_at_hand_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "SEARCH", 0)
    assert closest(WITHOUT, FAILS, PASSES, AT_HAND) == AT_HAND
