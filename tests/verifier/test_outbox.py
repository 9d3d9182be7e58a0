"""Windows of sends count open ticks: the outbox against counting one tick after the other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.clock import Clock
from wellposed.verifier.amr.outbox import Outbox

HORIZON = 24
SWITCHES = st.lists(st.tuples(st.integers(0, HORIZON), st.booleans()), max_size=9).map(
    lambda found: sorted(found, key=lambda switch: switch[0])
)


def closed_at(switches: list[tuple[int, bool]]) -> list[bool]:
    """Per index up to the horizon, whether the outbox is closed behind the last switch of it or before it."""
    return [next((hold for at, hold in reversed(switches) if at <= index), False) for index in range(HORIZON + 1)]


def counted(held: list[bool], start: int, budget: int) -> int:
    """The index of the open tick, so many behind the start; behind the horizon all are open."""
    index = start
    while budget > 0:
        index += 1
        budget -= index > HORIZON or not held[index]
    return index


@given(SWITCHES)
def test_the_stretches_are_the_held_ticks(switches: list[tuple[int, bool]]) -> None:
    outbox = Outbox.of(switches, Clock(HORIZON, ()))
    within = [any(first <= index <= last for first, last in outbox.held) for index in range(HORIZON + 1)]
    assert within == closed_at(switches)
    assert all(first <= last for first, last in outbox.held)
    assert all(one[1] + 1 < other[0] for one, other in pairwise(outbox.held))


@given(SWITCHES, st.integers(0, HORIZON + 3), st.integers(0, 30))
def test_a_window_ends_at_the_open_tick_that_it_counts_to(switches: list[tuple[int, bool]], start: int, budget: int) -> None:
    outbox = Outbox.of(switches, Clock(HORIZON, ()))
    end = outbox.end(start, budget)
    assert end == counted(closed_at(switches), start, budget)
    assert outbox.open_between(start, end) == budget


@pytest.mark.parametrize("start", [3, 5])
def test_a_window_of_less_than_nothing_ends_before_it_starts(start: int) -> None:
    """Under the reading in which windows are open to the right, that of no ticks is empty; also from a held start."""
    assert Outbox(((4, 8),)).end(start, -1) == start - 1
    assert [(one.behind, one.at) for one in Outbox(((4, 8),)).pieces(start, start, -1)] == [(-1, None)]


@given(SWITCHES, st.integers(0, HORIZON), st.integers(0, 12), st.integers(0, 14))
def test_the_pieces_are_the_window_as_a_function_of_its_start(
    switches: list[tuple[int, bool]], low: int, span: int, budget: int
) -> None:
    outbox = Outbox.of(switches, Clock(HORIZON, ()))
    pieces = list(outbox.pieces(low, low + span, budget))
    assert [piece.first for piece in pieces] == [low, *(piece.last + 1 for piece in pieces[:-1])]
    assert pieces[-1].last == low + span
    for piece in pieces:
        for start in range(piece.first, piece.last + 1):
            assert outbox.end(start, budget) == (piece.at if piece.behind is None else start + piece.behind)


def test_the_pieces_are_few() -> None:
    """Their number grows with the holds, not with the ticks."""
    outbox = Outbox(tuple((first, first + 40) for first in range(100, 100_000, 1_000)))
    assert len(list(outbox.pieces(0, 200_000, 20))) <= 4 * len(outbox.held) + 1


@pytest.mark.parametrize(
    ("switches", "held"),
    [
        ([(3, True), (9, False)], ((3, 4), (8, 8))),
        ([(4, True), (8, False)], ((4, 4),)),
        ([(8, True)], ((8, 10),)),
        ([(0, True)], ((0, 4), (8, 10))),
    ],
)
def test_removed_ticks_are_not_held(switches: list[tuple[int, bool]], held: tuple[tuple[int, int], ...]) -> None:
    """Where the ticks that a jump removes count, here 5 to 7, they do so in a hold as well."""
    clock = Clock(10, [(4, 8)], Answers(jumps_cost_all=True))
    assert Outbox.of(switches, clock).held == held


@pytest.mark.parametrize(
    ("switches", "held"),
    [
        ([(0, True), (2, False)], ((0, 1),)),
        ([(3, True), (6, False)], ((3, 4),)),
        ([(3, True), (7, False)], ((3, 4), (6, 6))),
        ([(6, True), (9, False)], ((6, 8),)),
        ([(0, True)], ((0, 4), (6, 8), (10, 10))),
        ([(8, True), (10, False)], ((8, 8),)),
        ([(3, True), (3, False), (4, True), (6, False)], ((4, 4),)),
        ([(3, True), (3, False)], ()),
    ],
)
def test_removed_ticks_are_not_held_one_by_one(switches: list[tuple[int, bool]], held: tuple[tuple[int, int], ...]) -> None:
    """Here 5 is removed, and 9."""
    clock = Clock(10, [(4, 6), (8, 10)], Answers(jumps_cost_all=True))
    assert Outbox.of(switches, clock).held == held


@pytest.mark.parametrize("budget", range(8))
@pytest.mark.parametrize("low", range(16))
def test_the_pieces_of_two_holds(low: int, budget: int) -> None:
    """Held are 4 to 8 and 11 to 12."""
    outbox = Outbox(((4, 8), (11, 12)))
    pieces = list(outbox.pieces(low, 20, budget))
    starts = [start for piece in pieces for start in range(piece.first, piece.last + 1)]
    assert starts == list(range(low, 21))
    ends = [piece.at if piece.behind is None else start + piece.behind for piece in pieces for start in range(piece.first, piece.last + 1)]
    held = [tick in (4, 5, 6, 7, 8, 11, 12) for tick in range(HORIZON + 1)]
    assert ends == [counted(held, start, budget) for start in starts]
