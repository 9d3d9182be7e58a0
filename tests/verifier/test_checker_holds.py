"""The log checker while effects are held: no send stands there, and windows for sends count open ticks alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    at_level,
    broken,
    completed,
    crash,
    deliver,
    does,
    escalate,
    hold,
    jump,
    kill,
    other,
    reject,
    release,
    run,
    scenario,
    told,
    verdicts,
    when,
)

from wellposed.verifier.amr.checker import environment, well_formed
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.effects import Effects

HELD = [hold(13), release(16)]
"""The ticks 13, 14 and 15."""


# Where a send can stand


@pytest.mark.parametrize(
    ("schedule", "stands"),
    [
        ([], [12, 13, 14, 15, 16, 17]),
        (HELD, [12, 16, 17]),
        ([hold(13)], [12]),
        ([hold(12), release(13)], [13, 14, 15, 16, 17]),
        ([hold(13), release(13)], [12, 13, 14, 15, 16, 17]),
        ([hold(13), release(13), hold(13, "again")], [12]),
        ([hold(13), release(15), hold(15, "again"), release(16, "at-last")], [12, 16, 17]),
        ([hold(13), jump(14, 17), release(15)], [12, 17]),
        ([hold(13), jump(13, 16), release(17)], [12, 17]),
        ([hold(14), jump(13, 17), release(15)], [12, 13, 17]),
    ],
)
def test_no_send_stands_at_a_held_tick(schedule: list[dict[str, Any]], stands: list[int]) -> None:
    """A tick is held if the outbox is closed once all its events, those that a jump has moved there too, are over."""
    document = at_level(0, approve(11), *schedule)
    found = []
    for tick in range(12, 18):
        faults = [one.text for one in well_formed(document, run(does(0, 5, tick)))]
        if not faults:
            found.append(tick)
        elif "visible" not in faults[0]:
            assert faults == [f"sent at {tick}, while effects are held"]
    assert found == stands


def test_only_sends_are_held() -> None:
    """Drafts, admissions and resolutions stand at held ticks as they always do."""
    document = at_level(3, hold(0), approve(3), release(8))
    assert broken(document, run(does(2, 3, 8, completed(8)))) == set()
    assert verdicts(document, run(does(2, 3, 7, completed(8)))) == {"well-formed"}
    escalated = at_level(4, hold(0), escalate(2))
    assert broken(escalated, run(does(1, 1, (), abandoned(2)))) == set()


def test_holds_and_releases_are_told_of_the_environment() -> None:
    document = at_level(0, *HELD)
    told_of = [(event.tick, event.kind, event.name, event.message) for event in environment(document, run())]
    assert told_of[1:] == [(13, "hold", "hold.1", None), (16, "release", "release.1", None)]


# Counting


@given(
    st.lists(st.integers(0, 12), max_size=6),
    st.lists(st.integers(0, 12), max_size=4),
    st.integers(0, 12),
    st.integers(0, 9),
    st.booleans(),
)
def test_windows_end_at_the_nth_open_tick(
    written: list[int], jumps: list[int], start: int, count: int, cost_all: bool
) -> None:
    """Against walking over the ticks, with what a jump removes counted or not; behind the horizon all is open."""
    horizon = 12
    taken: list[tuple[int, int]] = [(a, b) for a, b in pairwise(sorted({*jumps})) if a + 1 < b][::2]
    clock = Clock.of(horizon, taken, cost_all=cost_all)
    kinds = [(tick, hold if number % 2 == 0 else release) for number, tick in enumerate(sorted(written))]
    schedule = [make(tick, f"f.{number}") for number, (tick, make) in enumerate(kinds)]
    schedule += [jump(tick, to, name=f"j.{tick}") for tick, to in taken]
    happenings = environment(scenario(0, *schedule, horizon=horizon), run())
    effects = Effects.of(clock, happenings)
    closed = {}
    for tick in range(horizon + 1):
        for event in happenings:
            if event.tick <= tick and event.kind in ("hold", "release"):
                closed[tick] = event.kind == "hold"
    held = {clock.index(tick) for tick in range(horizon + 1) if clock.visible(tick) and closed.get(tick)}
    assert {index for index in range(30) if effects.at(index)} == held
    if clock.visible(start):
        end, left = clock.index(start), count
        while left:
            end += 1
            left -= end not in held
        assert effects.until(clock.index(start), count) == end


# Deadlines

REPLY, SEND = {"L0.reply"}, {"L0.reply", "L2.send"}


@pytest.mark.parametrize(
    ("document", "last", "breaks"),
    [
        (at_level(0, hold(3), release(7)), 14, REPLY),
        (at_level(2, approve(12), *HELD), 20, {"L2.send"}),
        (at_level(2, approve(13), *HELD), 20, {"L2.send"}),
        (at_level(1, approve(13), *HELD), 25, REPLY),
        (at_level(2, approve(12), hold(12), release(30)), 34, {"L2.send"}),
        (at_level(2, approve(12), hold(17), release(30)), 30, {"L2.send"}),
        (at_level(2, approve(12), hold(19), release(30)), 17, {"L2.send"}),
        (at_level(2, approve(12), hold(14), jump(15, 40), release(41)), 44, {"L2.send"}),
        (at_level(2, approve(12), hold(13), release(14), hold(15, "h"), release(16, "r")), 19, {"L2.send"}),
    ],
)
def test_replies_and_sends_are_due_at_open_ticks(document: dict[str, Any], last: int, breaks: set[str]) -> None:
    assert verdicts(document, run(does(0, 5, last))) == set()
    assert broken(document, run(does(0, 5, last + 1))) == breaks


def test_a_deadline_for_which_open_ticks_are_missing_lies_beyond_the_horizon() -> None:
    """What is never released holds to the end, and behind it everything is open."""
    for opened, breaks in ((57, SEND), (58, SEND), (59, SEND - REPLY)):
        document = at_level(2, approve(12), hold(20), release(opened))
        assert broken(document, run(does(0, 5))) == breaks
    assert broken(at_level(2, approve(50), hold(52)), run(does(0, 5))) == set()
    assert broken(at_level(2, approve(50), hold(55)), run(does(0, 5))) == set()
    assert broken(at_level(2, approve(50), hold(56)), run(does(0, 5))) == {"L2.send"}


def test_drafts_admissions_and_deaths_are_due_at_visible_ticks() -> None:
    document = at_level(3, hold(1), kill(12), approve(59), release(40))
    assert broken(document, run(does(5, 10, (), None, (17,)))) == set()
    assert broken(document, run(does(6, 10, (), None, (17,)))) == {"L2.admit"}
    assert broken(document, run(does(5, 11, (), None, (17,)))) == {"L0.draft"}
    assert broken(document, run(does(5, 10, (), None, (18,)))) == {"L3.death"}


def test_excuses_have_the_longer_deadline() -> None:
    """An approval at 12 is answered by 20 where 13, 14 and 15 are held; so an excuse counts until 20."""
    for at, breaks in ((20, set()), (21, {"L2.send"})):
        assert broken(at_level(2, approve(12), *HELD, escalate(at)), run(does(0, 5))) - REPLY == breaks
        assert broken(at_level(2, approve(12), *HELD, reject(at)), run(does(0, 5))) - REPLY == breaks
        pending = at_level(2, approve(12), *HELD, crash(at))
        assert broken(pending, run(does(0, 5, at + 19))) - REPLY == breaks


def test_what_a_crash_finds_pending_ends_within_open_ticks() -> None:
    """L1.crash and L0.abandon: 20 open ticks from 12, where 13 to 15 are held, end at 35."""
    document = at_level(2, approve(12), crash(12), *HELD)
    assert broken(document, run(does(0, 5, 35))) == set()
    assert broken(document, run(does(0, 5, 36))) == {"L1.crash"}
    assert broken(document, run(does(0, 5, (), abandoned(35, "crash")))) == set()
    assert broken(document, run(does(0, 5, (), abandoned(36, "crash")))) == {"L0.abandon", "L1.crash"}


def test_a_further_crash_excuses_until_the_longer_deadline() -> None:
    document = at_level(2, approve(12), crash(12, "c"), *HELD, crash(35, "d"))
    assert broken(document, run(does(0, 5, 55))) == set()
    late = at_level(2, approve(12), crash(12, "c"), *HELD, crash(36, "d"))
    assert broken(late, run(does(0, 5, 56))) == {"L1.crash"}


@pytest.mark.parametrize(
    ("decided", "held", "breaks"),
    [
        (47, HELD, {"L3.terminal"}),
        (50, HELD, {"L3.terminal"}),
        (51, HELD, set()),
        (47, [hold(48), release(51)], {"L3.terminal"}),
        (48, [hold(49), release(52)], set()),
        (50, [hold(50), release(51)], {"L3.terminal"}),
        (50, [hold(51), release(52)], set()),
        (40, [hold(49)], set()),
        (38, [hold(50)], {"L3.terminal"}),
    ],
)
def test_an_item_that_was_decided_is_resolved_if_open_ticks_enough_are_left(
    decided: int, held: list[dict[str, Any]], breaks: set[str]
) -> None:
    document = at_level(3, reject(decided), *held)
    assert broken(document, run(does(0, 5))) == breaks


def test_a_crash_excuses_the_resolution_if_its_open_ticks_end_beyond_the_horizon() -> None:
    schedule = [approve(12), crash(38)]
    for held, breaks in (([], {"L3.terminal"}), ([hold(50), release(52)], {"L3.terminal"}), ([hold(50), release(53)], set())):
        document = at_level(3, *schedule, *held)
        found = broken(document, run(does(0, 5)))
        assert found & {"L3.terminal"} == breaks, held


# Expectations


def _sent(within: int | None, since: str = "m1") -> dict[str, Any]:
    return {"claim": "sent", "of": "m1", "once": False, "within": within, "from": since}


@pytest.mark.parametrize(
    ("claim", "last"),
    [
        (_sent(5, "go"), 20),
        (_sent(0, "go"), 12),
        (_sent(1, "go"), 16),
        (_sent(0, "hold.1"), None),
        (_sent(1, "hold.1"), 16),
        (_sent(4, "hold.1"), 19),
        (_sent(2, "release.1"), 18),
        (_sent(20), 23),
    ],
)
def test_a_window_of_an_expected_send_counts_open_ticks(claim: dict[str, Any], last: int | None) -> None:
    """From the tick of what starts it, be it held or not; within 0 of a held tick nothing can be sent."""
    document = at_level(2, approve(12), *HELD, expect=(claim,))
    passes = [tick for tick in range(12, 40) if not told(document, run(does(0, 5, tick)), "expect")]
    assert [tick for tick in passes if tick not in (13, 14, 15)][-1:] == ([] if last is None else [last])


def test_other_windows_of_expectations_count_visible_ticks() -> None:
    forms = [{"claim": form, "of": "m1", "within": 5} for form in ("admitted", "drafted")]
    document = at_level(2, hold(1), approve(12), release(4), expect=tuple(forms))
    assert told(document, run(does(5, 5)), "expect") == []
    assert len(told(document, run(does(6, 6)), "expect")) == 2


def test_a_late_send_is_told_with_the_window_as_it_is() -> None:
    document = at_level(2, approve(12), *HELD, expect=(_sent(5, "go"),))
    assert told(document, run(does(0, 5, 21)), "expect") == [("/expect/0", "m1", "not sent in 12..20; sent at 21")]
    assert told(document, run(does(0, 5, 21)), "L2.send") == [
        ("/schedule/1", "m1", "approved at 12, so a send is due by 20; the next is at 21")
    ]


# Other answers


@pytest.mark.parametrize(
    ("flag", "document", "system", "base", "breaks"),
    [
        # Removed ticks count, held ones do not: 12, then 17 (the jump took four), 18 is held, 19.
        ("jumps_cost_all", at_level(2, approve(12), jump(12, 17), hold(18), release(19)), does(0, 5, 19), set(), SEND - REPLY),
        ("jumps_cost_all", at_level(2, approve(12), jump(12, 15), hold(16), release(19)), does(0, 5, 20), set(), set()),
        ("jumps_cost_all", at_level(2, approve(12), jump(12, 15), hold(16), release(19)), does(0, 5, 21), set(), {"L2.send"}),
        # What is removed counts though the outbox be closed meanwhile.
        ("jumps_cost_all", at_level(2, approve(12), hold(12), jump(13, 16), release(17)), does(0, 5, 19), set(), set()),
        ("jumps_cost_all", at_level(2, approve(12), hold(12), jump(13, 16), release(17)), does(0, 5, 20), set(), {"L2.send"}),
        # Where a send may lie before a hold in its tick, the tick is held all the same.
        ("interleaved", at_level(2, approve(12), *HELD), does(0, 5, 13), {"well-formed"}, {"well-formed"}),
        ("reply_from_arrival", at_level(2, approve(9), hold(5), release(8)), does(0, 2, 13), set(), set()),
        ("reply_from_arrival", at_level(2, approve(9), hold(5), release(8)), does(0, 2, 14), set(), REPLY),
        ("due_at_horizon", at_level(2, approve(50), hold(55)), does(0, 5), set(), SEND),
    ],
)  # fmt: skip
def test_other_answers(flag: str, document: dict[str, Any], system: Does, base: set[str], breaks: set[str]) -> None:
    assert verdicts(document, run(system)) == base
    assert verdicts(document, run(system), other(flag)) == breaks


def test_an_open_window_is_one_open_tick_shorter() -> None:
    document = at_level(2, approve(12), *HELD, expect=(_sent(5, "go"),))
    flag = other("open_windows")
    assert told(document, run(does(0, 5, 19)), "expect", flag) == []
    assert told(document, run(does(0, 5, 20)), "expect", flag) == [
        ("/expect/0", "m1", "not sent in 12..19; sent at 20")
    ]


def test_a_triggered_jump_moves_what_is_held() -> None:
    """Which ticks are held follows from the run where a jump is triggered."""
    document = scenario(0, deliver(0), hold(8), release(12), jump(when("drafted", "m1"), to=12))
    assert [event.tick for event in environment(document, run(does(0, 8))) if event.kind == "release"] == [12]
    assert verdicts(document, run(does(0, 8, 12))) == set()
    assert verdicts(document, run(does(0, 8, 9))) == {"well-formed"}
    assert verdicts(document, run(does(0, 4, 5))) == set()
