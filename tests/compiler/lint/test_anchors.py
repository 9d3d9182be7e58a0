"""Anchors inside anchors, and anchors in messages of other conversations."""

from __future__ import annotations

import random

import pytest
from tests.compiler.lint.texts import findings, found, labelled, scenario

from wellposed.compiler.lint import substrings
from wellposed.compiler.lint.substrings import Words


def anchored(*anchors: str | None) -> str:
    """Conversations c1, c2, … with these anchors."""
    return "\n".join(
        f'conversation c{number} {{ from "a@x" subject "s" ' + (f'anchor "{anchor}" }}' if anchor is not None else "}")
        for number, anchor in enumerate(anchors, 1)
    )


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ("ORD-1", "ORD-2", []),
        ("ORD-1", "ORD-10", ['"ORD-10"']),
        ("ORD-10", "ORD-1", ['"ORD-10"']),
        ("ORD-1", "xORD-1x", ['"xORD-1x"']),
        ("ORD-1", "ord-10", []),
        ("ORD-1", "ORD-1", ['"ORD-1"']),
        ("R", "ORD", ['"ORD"']),
    ],
)
def test_an_anchor_inside_another(first: str, second: str, place: list[str]) -> None:
    text = scenario('at 0 deliver m1 in c1 "b"', conversations=anchored(first, second))
    assert found(text, "WP324") == place


def test_the_later_one_of_two_equal_anchors_is_told_and_the_first_is_shown() -> None:
    text = scenario('at 0 deliver m1 in c1 "b"', conversations=anchored("A-1", None, "A-1"))
    (finding,) = findings(text, "WP324")
    assert finding.message == 'the anchor "A-1" of `c3` is that of `c1`'
    assert labelled(text, "WP324") == ['"A-1"']


@pytest.mark.parametrize(
    ("message", "quotes"),
    [
        ('m1 in c1 "About A-1."', False),
        ('m1 in c1 "About {anchor}."', False),
        ('m1 in c1 "About B-2."', True),
        ('m1 in c1 "B-2"', True),
        ('m1 in c1 "B-"', False),
        ('m1 in c1 "b-2"', False),
        ('m1 in c3 "About A-1 and B-2."', True),
        ('m1 in c1 "b" with { subject "B-2" }', True),
        ('m1 in c1 "b" with { subject "{anchor}" }', False),
        ('m1 in c1 "b" with { from "B-2" }', False),
    ],
)
def test_a_message_that_quotes_a_sibling(message: str, quotes: bool) -> None:
    text = scenario(f"at 0 deliver {message}", conversations=anchored("A-1", "B-2", None))
    assert found(text, "WP325") == [f"deliver {message}"] * quotes


def test_an_anchor_that_the_own_one_contains_is_not_told_again_for_each_message() -> None:
    text = scenario('at 0 deliver m1 in c2 "About {anchor}."', conversations=anchored("A-1", "A-10"))
    assert found(text, "WP324") == ['"A-10"']
    assert found(text, "WP325") == []


def test_each_message_that_quotes_is_told_once_with_every_anchor() -> None:
    lines = ('at 0 deliver m1 in c1 "B-2 C-3 B-2"', 'at 1 deliver m2 in c1 "C-3"', "at 2 redeliver m1")
    text = scenario(*lines, conversations=anchored("A-1", "B-2", "C-3"))
    assert [len(one.labels) for one in findings(text, "WP325")] == [2, 1]


def test_words_are_found_as_a_plain_search_finds_them() -> None:
    dice = random.Random(5)
    for _ in range(300):
        words = {"".join(dice.choices("ab", k=dice.randint(0, 4))) for _ in range(dice.randint(0, 6))}
        text = "".join(dice.choices("abc", k=dice.randint(0, 12)))
        assert set(Words(words).inside(text)) == {word for word in words if word and word in text}


def test_a_search_that_would_cost_too_much_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(substrings, "STEPS", 3)
    assert list(Words(["a", "b"]).inside("xxxaaab")) == ["a"]
