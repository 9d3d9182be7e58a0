"""The engine's clock against counting: which ticks are left when jumps remove some, and which number each of them has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.clock import Clock

HORIZON = 24
COSTLY = Answers(jumps_cost_all=True)
Jumps = list[tuple[int, int]]
JUMPS = st.lists(st.tuples(st.integers(0, HORIZON - 1), st.integers(1, HORIZON)), max_size=5).map(
    lambda drawn: sorted((at, max(at, to)) for at, to in drawn)
)


def left_by(jumps: Jumps) -> list[int]:
    """The ticks that are left: a jump that is written for a removed tick happens at the next one that is left by then."""
    left = list(range(HORIZON + 60))
    for written, landing in jumps:
        at = next(tick for tick in left if tick >= written)
        left = [tick for tick in left if not at < tick < landing]
    return left


@given(JUMPS)
def test_every_tick_has_its_place_among_those_that_are_left(jumps: Jumps) -> None:
    clock, left = Clock(HORIZON, jumps), left_by(jumps)
    for tick in range(HORIZON + 1):
        landed = next(one for one in left if one >= tick)
        assert clock.lands(tick) == landed
        assert clock.index(tick) == left.index(landed)
    assert clock.horizon == left.index(HORIZON)
    assert clock.never == clock.horizon + 1
    assert [clock.tick(index) for index in range(clock.horizon + 5)] == left[: clock.horizon + 5]
    assert [clock.before(index) for index in range(clock.horizon + 2)] == list(range(-1, clock.horizon + 1))
    assert clock.jumped == clock.unused == ()


@given(JUMPS)
def test_where_jumps_cost_all_the_number_is_the_tick(jumps: Jumps) -> None:
    clock, left = Clock(HORIZON, jumps, COSTLY), left_by(jumps)
    for tick in range(HORIZON + 1):
        assert clock.index(tick) == clock.lands(tick) == next(one for one in left if one >= tick)
        assert clock.tick(tick) == tick
    assert (clock.horizon, clock.never) == (HORIZON, HORIZON + 1)
    removed = {tick for first, last in clock.jumped for tick in range(first, last + 1)}
    assert removed == set(range(HORIZON + 1)) - set(left)
    assert all(first <= last for first, last in clock.jumped)
    for index in range(1, HORIZON + 2):
        assert clock.before(index) == max(tick for tick in left if tick < index)
    assert clock.unused == clock.jumped


@pytest.mark.parametrize("budget", ["admit", "draft", "reply", "send", "crash", "death", "claims"])
def test_where_late_deadlines_are_due_never_lies_behind_all_of_them(budget: str) -> None:
    answers = Answers(**{name: 3 for name in ("admit", "draft", "reply", "send", "crash", "death", "claims")} | {budget: 7}, due_at_horizon=True)
    clock = Clock(HORIZON, [(3, 6)], answers)
    assert (clock.horizon, clock.never) == (HORIZON - 2, HORIZON - 2 + 1 + 1 + 7)
    assert clock.unused == ((HORIZON - 1, clock.never - 1),)


def test_where_both_are_read_what_is_removed_and_what_is_late_are_unused() -> None:
    answers = Answers(jumps_cost_all=True, due_at_horizon=True)
    clock = Clock(HORIZON, [(3, 6), (9, 11), (20, 21)], answers)
    assert clock.unused == ((4, 5), (10, 10), (HORIZON + 1, clock.never - 1))
    assert clock.never == HORIZON + 2 + 20


def test_where_late_deadlines_are_due_and_no_budget_is_left_one_index_lies_between() -> None:
    answers = Answers(**{name: 0 for name in ("admit", "draft", "reply", "send", "crash", "death", "claims")}, due_at_horizon=True)
    clock = Clock(HORIZON, (), answers)
    assert (clock.never, clock.unused) == (HORIZON + 2, ((HORIZON + 1, HORIZON + 1),))
