"""Who contends for an item from when to when, and who takes it over."""

from __future__ import annotations

import pytest

from wellposed.verifier.amr.judge.contests import Death, contests, reassignments, worst
from wellposed.verifier.amr.judge.logs import Claim
from wellposed.verifier.amr.run import Contention

SHORT = {"c": "claimed", "w": "won", "s": "stood_down"}


def claims(text: str) -> list[Claim]:
    """`3ca 3cb 4wa`: at 3 a and b claim, at 4 a wins."""
    return [Claim(int(one[:-2]), line, one[-1], SHORT[one[-2]]) for line, one in enumerate(text.split(), start=1)]


@pytest.mark.parametrize(
    ("text", "deaths", "found"),
    [
        ("", [], []),
        ("3ca 3wa", [], []),
        ("3wa", [], []),
        ("3ca 4cb 5wa 6sb", [], [(3, 6)]),
        ("3ca 4cb 5sb 6wa", [], [(3, 6)]),
        ("3ca 4cb 5wa", [], [(3, None)]),
        ("3ca 4cb", [], [(3, None)]),
        ("3ca 4cb 5sa 6sb", [], [(3, None)]),
        ("3ca 4cb 5wa 5wb", [], [(3, None)]),
        ("3ca 4cb 5wa 5wb 7sb", [], [(3, 7)]),
        ("3ca 4cb 4cc 5wa 6sb 9sc", [], [(3, 9)]),
        # The owner is challenged, long after.
        ("3ca 3wa 30cb 31sb", [], [(30, 31)]),
        ("3wa 30cb", [], [(30, None)]),
        ("3wa 30wb", [], [(30, None)]),
        # A death absolves none of several; whoever claimed alone claims no more, and an owner is no owner any more.
        ("3ca 4cb 5wa", [(6, "b")], [(3, None)]),
        ("3ca 4cb 5wa 7sb", [(6, "b")], [(3, 7)]),
        ("3ca 4cb 5wa 5wb", [(6, "b")], [(3, None)]),
        ("3ca 4cb 5wa 9wb", [(6, "a")], [(3, None)]),
        ("3ca 9cb 9wb", [(8, "a")], []),
        ("3ca 3wa 9cb 9wb", [(8, "a")], []),
        ("3ca 3wa 9cb 9wb", [], [(9, None)]),
        # Two contests, each with its own time.
        ("3ca 4cb 5wa 6sb 9cc 10sc", [], [(3, 6), (9, 10)]),
    ],
)
def test_contests(text: str, deaths: list[tuple[int, str]], found: list[tuple[int, int | None]]) -> None:
    died = [Death(*one) for one in deaths]
    assert contests(claims(text), died) == [Contention(*one) for one in found]


def test_the_worst_contest() -> None:
    assert worst([]) is None
    assert worst([Contention(3, 6), Contention(9, 10)]) == Contention(3, 6)
    assert worst([Contention(3, 60), Contention(9, None)]) == Contention(9, None)


@pytest.mark.parametrize(
    ("deaths", "takings", "resolved", "found"),
    [
        ([], [(3, "a")], None, []),
        ([(5, "a")], [(0, "a"), (7, "b")], None, [7]),
        ([(5, "a")], [(5, "b")], None, [5]),
        ([(5, "a")], [(6, "a")], None, []),
        ([(5, "a")], [(7, "b"), (8, "c")], None, [7]),
        ([(5, "a"), (10, "b")], [(7, "b"), (12, "c")], None, [7, 12]),
        ([(5, "a"), (10, "a")], [(12, "c")], None, [12]),
        ([(5, "a")], [(9, "b")], 8, []),
        ([(5, "a")], [(8, "b")], 8, [8]),
    ],
)
def test_reassignments(
    deaths: list[tuple[int, str]], takings: list[tuple[int, str]], resolved: int | None, found: list[int]
) -> None:
    assert list(reassignments([Death(*one) for one in deaths], takings, resolved)) == found
