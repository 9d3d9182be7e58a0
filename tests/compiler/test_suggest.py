"""Did-you-mean: near words are found, far ones are not, and the work is bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.compiler.suggest import Suggester, distance

WORDS = st.text(st.sampled_from("abAB-_"), max_size=8)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("order", "order", 0),
        ("ordre", "order", 1),
        ("orde", "order", 1),
        ("oorder", "order", 1),
        ("ardar", "order", 2),
        ("", "abc", 3),
    ],
)
def test_distances(left: str, right: str, expected: int) -> None:
    assert distance(left, right, 5) == expected


@given(WORDS, WORDS, st.integers(0, 8))
def test_a_distance_is_symmetric_and_only_its_excess_over_the_limit_is_unknown(
    left: str, right: str, limit: int
) -> None:
    exact = distance(left, right, 100)
    assert distance(right, left, 100) == exact
    assert distance(left, right, limit) == min(exact, limit + 1)
    assert (exact == 0) == (left == right)


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("ordre", {"order", "other", "refund"}, "order"),
        ("Order", {"order", "ordeal"}, "order"),
        ("vip", {"normal", "vip-only"}, "vip-only"),
        ("m7", {"m1", "m2"}, None),
        ("refund", {"order"}, None),
        ("aab", {"aaa", "aac"}, "aaa"),
        ("x", set(), None),
    ],
)
def test_the_nearest_word(word: str, known: set[str], expected: str | None) -> None:
    assert Suggester().nearest(word, known) == expected


@given(WORDS, st.lists(WORDS, max_size=6))
def test_the_order_of_the_known_words_does_not_matter(word: str, known: list[str]) -> None:
    assert Suggester().nearest(word, known) == Suggester().nearest(word, reversed(known))


def test_a_suggester_falls_silent_when_its_work_is_used_up() -> None:
    suggester = Suggester(cells=1_000)
    known = [f"message-{number}" for number in range(100)]
    answers = [suggester.nearest("mesage-7", known) for _ in range(50)]
    assert answers[0] == "message-7"
    assert answers[-1] is None
