"""Windows that a jump crosses or the horizon cuts, each budget with its neighbours one tick to either side."""

from __future__ import annotations

import pytest
from tests.compiler.lint.texts import findings, found, labelled, scenario

MAIL = 'at 0 deliver m1 in order "b"'
LATE = 'at 50 deliver m1 in order "b"'

# Statements, level, and the last tick at which something is due because of them.
CAUSES = [
    (['at 20 deliver m2 in refund "b"'], 0, 30),
    (['at 20 deliver m2 in refund "b"'], 2, 30),
    (["at 20 approve m1"], 1, 30),
    (["at 20 approve m1"], 2, 25),
    (["at 20 approve m1"], 3, 30),
    (["at 20 reject m1"], 2, 10),
    (["at 20 reject m1"], 3, 30),
    (["at 20 approve m1", "at 22 approve m1"], 2, 25),
    (["at 20 approve m1", "at 28 approve m1"], 3, 30),
    (["at 20 reject m1", "at 22 approve m1"], 2, 27),
    (["at 20 approve m1", "at 21 crash"], 2, 41),
    (["at 20 approve m1", "at 25 crash"], 2, 45),
    (["at 20 approve m1", "at 26 crash"], 2, 25),
    (["at 8 crash"], 2, 10),
    (["at 8 crash"], 1, 28),
    (["at 8 crash"], 0, 10),
    (["at 20 kill agent of m1"], 3, 25),
    (["at 20 kill agent of m1"], 2, 10),
    (["at 0 kill agent of m1"], 3, 10),
    (["at 0 approve m1"], 2, 10),
    (["at 20 escalate m1"], 4, 10),
    (["at 7 escalate m1"], 4, 0),
    (["at 20 approve m1", "at 22 escalate m1"], 4, 10),
    (["at 20 approve m1", "at 26 escalate m1"], 2, 25),
    (["at 20 approve m1", "at 25 reject m1"], 2, 10),
    (["at 20 approve m1", "at 26 reject m1"], 2, 25),
    (["at 20 approve m1", "when m1 drafted reject m1"], 2, 0),
]


@pytest.mark.parametrize(("lines", "level", "due"), CAUSES)
def test_the_horizon_cuts_what_is_due_after_it(lines: list[str], level: int, due: int) -> None:
    """With the horizon at the last due tick nothing is cut; one tick less cuts it, where events still fit."""
    last = max(int(line.split()[1]) for line in lines if line.startswith("at"))
    assert found(scenario(MAIL, *lines, level=level, horizon=max(due, last)), "WP323") == []
    if due > last:
        cut = findings(scenario(MAIL, *lines, level=level, horizon=due - 1), "WP323")
        assert [f"to tick {due}," in one.message for one in cut] == [True] * len(cut) and cut


def test_what_is_cut_says_which_obligations_and_which_horizon_would_do() -> None:
    (finding,) = findings(scenario(MAIL, "at 50 approve m1", level=3, horizon=52), "WP323")
    assert finding.message == "`L2.send` and `L3.terminal` may take to tick 60, but the last one is 52"
    assert finding.help == "write `horizon 60` or more, or let it start earlier"
    assert labelled(scenario(MAIL, "at 50 approve m1", level=3, horizon=52), "WP323") == ["horizon 52"]


@pytest.mark.parametrize(
    ("claim", "end"),
    [
        ("m1 admitted within {}", 50),
        ("m1 drafted within {}", 50),
        ("m1 sent within {}", 50),
        ("m1 sent exactly once within {} of go", 35),
        ("m1 sent within {} of m2", 40),
        ("m1 sent within {} of stop", 20),
        ("any of {{ m1 open }} or {{ m1 completed m1 sent within {} }}", 50),
        ("if m1 open then m1 sent within {} else m1 open", 50),
    ],
)
def test_an_expectation_looks_to_the_horizon_and_no_further(claim: str, end: int) -> None:
    lines = (MAIL, 'at 10 deliver m2 in refund "b"', "at 15 approve m1 as go", "at 30 crash as stop")
    for within, number in ((end, 0), (end + 1, 1)):
        text = scenario(*lines, level=2, horizon=50, expect=claim.format(within))
        assert len([one for one in found(text, "WP323") if "within" in one]) == number


def test_windows_that_start_when_the_system_likes_are_left_out() -> None:
    lines = (MAIL, "when m1 drafted { approve m1 as go }")
    claims = "m1 sent within 99 of go claims on m1 settle within 99 m1 never sent m1 not sent after go"
    assert found(scenario(*lines, expect=claims), "WP323") == []


def test_a_window_of_a_decision_starts_with_its_message_at_the_earliest() -> None:
    text = scenario("at 1 approve m1 as go", 'at 40 deliver m1 in order "b"', expect="m1 sent within 21 of go")
    assert found(text, "WP323") == ["m1 sent within 21 of go"]


def test_what_is_not_admitted_owes_nothing() -> None:
    rules = ("admit usual when posture is normal",)
    assert len(found(scenario(LATE, horizon=59, rules=rules), "WP323")) == 1
    assert found(scenario(LATE, horizon=59, rules=rules, posture="maintenance"), "WP323") == []
    assert found(scenario(LATE, "at 52 posture maintenance", horizon=59, rules=rules), "WP323") == []


# Jumps


@pytest.mark.parametrize(("lines", "level", "due"), CAUSES)
def test_a_jump_crosses_what_is_due_after_it(lines: list[str], level: int, due: int) -> None:
    last = max(int(line.split()[1]) for line in lines if line.startswith("at"))
    assert found(scenario(MAIL, *lines, f"at {max(due, last)} jump to 59", level=level), "WP322") == []
    if due > last:
        assert len(found(scenario(MAIL, *lines, f"at {due - 1} jump to 59", level=level), "WP322")) == 1


def test_a_jump_at_the_tick_that_opens_a_window_is_inside_it_and_one_before_is_not() -> None:
    assert len(found(scenario('at 20 deliver m1 in order "b"', "at 20 jump to 30"), "WP322")) == 1
    assert found(scenario('at 20 deliver m1 in order "b"', "at 19 jump to 20"), "WP322") == []


def test_a_window_over_several_jumps_is_told_at_each() -> None:
    text = scenario(MAIL, "at 3 jump to 10", "at 12 jump to 20", "at 27 jump to 30")
    # 0 1 2 3 10 11 12 20 21 22 23: ten further ticks end at 23.
    assert found(text, "WP322") == ["jump to 10", "jump to 20"]
    assert [label.text for one in findings(text, "WP322") for label in one.labels] == [
        "L0.draft: 10 ticks from 0 end at 23 with the jump",
        "L0.draft: 10 ticks from 0 end at 23 with the jump",
    ]


def test_many_windows_are_counted_and_the_first_to_end_are_shown() -> None:
    mails = [f'at {number % 8} deliver m{number} in order "b"' for number in range(1, 41)]
    (finding,) = findings(scenario(*mails, "at 8 jump to 20"), "WP322")
    assert "while 40 windows are open" in finding.message
    assert len(finding.labels) == 16


def test_the_horizon_is_as_near_as_the_jumps_make_it() -> None:
    assert found(scenario(LATE, "at 20 jump to 40"), "WP323") == []
    text = scenario(LATE, "at 52 jump to 57")  # 50 51 52 57 58 59 60
    assert "to tick 64," in findings(text, "WP323")[0].message


def test_a_loop_near_the_horizon_is_told_once_with_the_last_of_its_windows() -> None:
    text = scenario('for i in 1..9 { at 45 + i deliver m[i] in order "b" }')
    (finding,) = findings(text, "WP323")
    assert "to tick 64," in finding.message
    assert finding.notes[-1] == "found with `i` = 9"
