"""Held effects: windows for sends that they make longer, and holds that hold nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.compiler.lint.texts import compiled, findings, found, labelled, scenario

from wellposed.compiler.compilation import compile_source
from wellposed.compiler.lint.outbox import Outbox
from wellposed.compiler.scenario import Event, Hold, Release
from wellposed.dsl.findings import Span
from wellposed.dsl.source import SourceFile

MAIL = 'at 0 deliver m1 in order "b"'
NOWHERE = Span("x", 0, 0, 1, 1, 1, 1)


@given(st.integers(0, 15), st.lists(st.integers(0, 15), max_size=7), st.integers(0, 15), st.integers(0, 9))
def test_a_window_for_a_send_ends_at_its_nth_open_instant(last: int, held: list[int], start: int, length: int) -> None:
    """Against counting: what is not released is held to the last instant, and what comes behind it is open."""
    written = sorted(one for one in held if one <= last)
    events = [
        (at, Event(at, None, f"f{number}", Release() if number % 2 else Hold(), NOWHERE, NOWHERE))
        for number, at in enumerate(written)
    ]
    closed = {one for one in range(last + 1) if sum(at <= one for at in written) % 2}
    end, left = start, length
    while left:
        end += 1
        left -= end not in closed
    outbox = Outbox(events, last)
    assert outbox.until(start, length) == end
    assert {one for first, behind in outbox.held for one in range(first, behind)} == closed


# Statements, level, whether what is due last is a send, and how long the ticks 21 to 23 make its window.
CAUSES = [
    (['at 18 deliver m2 in refund "b"'], 0, 28, 3),
    (['at 18 deliver m2 in refund "b"'], 2, 28, 0),
    (["at 20 approve m1"], 1, 30, 3),
    (["at 20 approve m1"], 2, 25, 3),
    (["at 20 approve m1"], 3, 30, 3),
    (["at 20 reject m1"], 3, 30, 3),
    (["at 22 approve m1"], 2, 27, 1),
    (["at 23 approve m1"], 2, 28, 0),
    (["at 20 approve m1", "at 25 crash"], 2, 45, 0),
    (["at 20 approve m1", "at 22 crash"], 2, 42, 1),
    (["at 20 kill agent of m1"], 3, 25, 0),
]


@pytest.mark.parametrize(("lines", "level", "due", "held"), CAUSES)
def test_the_horizon_cuts_what_open_ticks_make_due_after_it(
    lines: list[str], level: int, due: int, held: int
) -> None:
    text = (MAIL, *lines, "at 21 hold effects", "at 24 release effects")
    assert found(scenario(*text, level=level, horizon=due + held), "WP323") == []
    cut = findings(scenario(*text, level=level, horizon=due + held - 1), "WP323")
    assert [f"to tick {due + held}," in one.message for one in cut] == [True] * len(cut) and cut


@pytest.mark.parametrize("excuse", ["escalate m1", "reject m1"])
def test_excuses_count_until_the_longer_deadline(excuse: str) -> None:
    """From 20 on the ticks 24, 25, 26, 30 and 31 are open."""
    lines = (MAIL, "at 20 approve m1", "at 21 hold effects", "at 24 release effects", "at 26 jump to 30")
    for at, places in ((31, []), (32, ["approve m1"])):
        assert labelled(scenario(*lines, f"at {at} {excuse}", level=2), "WP322") == places


def test_what_is_cut_says_how_it_is_counted_and_what_would_do() -> None:
    held = ("at 52 hold effects", "at 55 release effects")
    (finding,) = findings(scenario(MAIL, "at 50 approve m1", *held, level=2, horizon=56), "WP323")
    assert finding.message == "`L2.send` may take to tick 58, but the last one is 56"
    assert finding.help == "write `horizon 58` or more, or let it start earlier"
    assert [label.text for label in finding.labels] == ["5 open ticks from 50 end at 58"]


def test_no_horizon_helps_where_effects_are_not_released() -> None:
    (finding,) = findings(scenario(MAIL, "at 50 approve m1", "at 52 hold effects", level=2, horizon=56), "WP323")
    assert finding.help == "write `release effects` early enough, or let it start earlier"
    short = scenario(MAIL, "at 54 approve m1", "at 20 hold effects", "at 30 release effects", level=2, horizon=56)
    assert [one.help for one in findings(short, "WP323")] == ["write `horizon 59` or more, or let it start earlier"]


def test_a_jump_is_told_with_the_end_that_held_ticks_give() -> None:
    text = scenario(MAIL, "at 20 approve m1", "at 21 hold effects", "at 23 release effects", "at 24 jump to 30", level=2)
    (finding,) = findings(text, "WP322")
    # 20, 23, 24, 30, 31, 32: the ticks 21 and 22 are held.
    assert [label.text for label in finding.labels] == ["L2.send: 5 open ticks from 20 end at 32 with the jump"]


@pytest.mark.parametrize(
    ("claim", "end"),
    [
        ("m1 sent within {}", 57),
        ("m1 sent within {} of go", 27),
        ("m1 sent within {} of stop", 20),
        ("m1 admitted within {}", 60),
        ("claims on m1 settle within {}", 99),
    ],
)
def test_only_windows_of_expected_sends_are_longer(claim: str, end: int) -> None:
    lines = (MAIL, "at 30 approve m1 as go", "at 32 hold effects", "at 35 release effects", "at 40 crash as stop")
    for within, number in ((end, 0), (end + 1, 1 if end < 99 else 0)):
        text = scenario(*lines, level=2, horizon=60, expect=claim.format(within))
        assert len([one for one in found(text, "WP323") if "within" in one]) == number, within


def test_a_window_of_a_deferred_signal_starts_with_its_message_at_the_earliest() -> None:
    for signal in ("escalate m1 deferred", "kill agent of m1 deferred"):
        lines = (f"at 1 {signal} as s", 'at 40 deliver m1 in order "b"')
        for within, number in ((20, 0), (21, 1)):
            text = scenario(*lines, level=4, horizon=60, expect=f"m1 sent within {within} of s")
            assert len([one for one in found(text, "WP323") if "within" in one]) == number


def test_what_a_deferred_death_starts_begins_behind_the_delivery() -> None:
    lines = ('at 40 deliver m1 in order "b"', "at 1 kill agent of m1 deferred")
    assert [one for one in found(scenario(*lines, level=3, horizon=46), "WP323") if "kill" in one] == []
    assert [one for one in found(scenario(*lines, level=3, horizon=45), "WP323") if "kill" in one] == [
        "kill agent of m1 deferred"
    ]


# Holds that hold nothing


@pytest.mark.parametrize(
    ("lines", "places"),
    [
        (["at 20 hold effects", "at 21 release effects"], []),
        (["at 20 hold effects", "at 20 release effects"], ["hold effects"]),
        (["at 20 hold effects"], []),
        (["at 60 hold effects"], []),
        (["at 20 hold effects as h", "at 30 release effects", "at 30 hold effects", "at 30 release effects"], ["hold effects"]),
        (["at 20 jump to 30", "at 21 hold effects", "at 29 release effects"], ["hold effects"]),
        (["at 20 jump to 30", "at 20 hold effects", "at 29 release effects"], []),
        (["at 20 jump to 30", "at 29 hold effects", "at 31 release effects"], []),
    ],
)
def test_a_hold_with_its_release_in_one_tick_holds_nothing(lines: list[str], places: list[str]) -> None:
    assert found(scenario(MAIL, *lines), "WP334") == places


def test_a_jump_that_moves_the_two_together_is_told() -> None:
    moved = scenario(MAIL, "at 20 jump to 30", "at 21 hold effects", "at 29 release effects")
    (finding,) = findings(moved, "WP334")
    assert finding.message == "no tick is held: effects are held and released again in tick 30"
    assert finding.notes == ("a jump moves what is jumped over to tick 30",)
    assert finding.help == "release them at tick 31 or later, or remove both"
    assert labelled(moved, "WP334") == ["release effects"]
    (plain,) = findings(scenario(MAIL, "at 20 hold effects", "at 20 release effects"), "WP334")
    assert plain.notes == ()


def test_what_every_pass_of_a_loop_has_is_told_once() -> None:
    text = scenario(MAIL, "for i in 1..3 { at 20 * i { hold effects release effects } }")
    (finding,) = findings(text, "WP334")
    assert finding.notes == ("found with `i` = 1 and 2 more times",)


# Turns


@pytest.mark.parametrize(
    ("lines", "messages"),
    [
        (["at 9 release effects"], ["effects are released, but nothing holds them"]),
        (["at 1 hold effects", "at 2 hold effects"], ["effects are held that are held already"]),
        (["at 2 hold effects", "at 1 release effects"], ["effects are released, but nothing holds them"]),
        (
            ["at 1 hold effects", "at 2 release effects", "at 3 release effects"],
            ["effects are released, but nothing holds them any more"],
        ),
        (["at 5 { release effects hold effects }"], ["effects are released, but nothing holds them"]),
        (["at 5 { hold effects release effects hold effects }"], []),
        (["at 5 jump to 9", "at 7 release effects", "at 6 hold effects"], []),
        (["at 5 jump to 9", "at 9 release effects", "at 8 hold effects"], []),
    ],
)
def test_holds_and_releases_take_turns_in_the_order_of_the_schedule(lines: list[str], messages: list[str]) -> None:
    compilation = compile_source(SourceFile("x.scenario", scenario(MAIL, *lines)))
    assert [one.message for one in compilation.findings if one.code == "WP314"] == messages
    assert (compilation.scenarios[0].bundle is None) == bool(messages)


def test_existing_forms_have_no_member_for_what_is_new() -> None:
    """The newest draft and signals that do not wait are written as they always were."""
    text = scenario(MAIL, "at 9 approve newest draft of m1", "at 10 escalate m1", "at 11 kill agent of m1", level=4)
    plain = scenario(MAIL, "at 9 approve m1", "at 10 escalate m1", "at 11 kill agent of m1", level=4)
    newest, bundle = (compiled(one).scenarios[0].bundle for one in (text, plain))
    assert newest is not None and bundle is not None
    assert newest.raw == bundle.raw
    assert b'"draft"' not in newest.raw and b"deferred" not in newest.raw
