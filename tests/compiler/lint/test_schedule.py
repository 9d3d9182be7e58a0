"""Checks of the schedule: ticks far apart, events in jumps, messages of one tick, escalations that oblige nobody."""

from __future__ import annotations

import pytest
from tests.compiler.lint.texts import findings, found, labelled, scenario

MAIL = 'at 0 deliver m1 in order "b"'


def copies(number: int, first: int = 20) -> list[str]:
    return [f"at {first + one} redeliver m1" for one in range(number)]


# One tick far apart


@pytest.mark.parametrize(("between", "places"), [(0, []), (8, []), (9, ["12"]), (20, ["12"])])
def test_a_tick_is_far_apart_from_nine_statements_on(between: int, places: list[str]) -> None:
    text = scenario(MAIL, "at 12 approve m1 as go", *copies(between), "at 12 repeat go")
    assert found(text, "WP320") == places
    assert labelled(text, "WP320") == places


def test_statements_are_counted_not_lines() -> None:
    lines = (MAIL, "at 12 approve m1 as go", *copies(8), "at 12 repeat go")
    assert found(scenario("\n\n\n\n".join(lines)), "WP320") == []
    lines = (MAIL, "at 12 approve m1 as go", *copies(9), "at 12 repeat go")
    assert found(scenario(" ".join(lines)), "WP320") == ["12"]


def test_statements_in_the_blocks_themselves_do_not_separate_them() -> None:
    block = "at 12 { approve m1 as go " + "repeat go " * 9 + "}"
    assert found(scenario(MAIL, block, "at 13 redeliver m1", block.replace(" as go", "")), "WP320") == []


def test_each_pair_of_neighbours_counts_for_itself() -> None:
    text = scenario(MAIL, "at 12 approve m1 as go", "at 12 repeat go", *copies(9), "at 12 repeat go", "at 12 repeat go")
    assert len(findings(text, "WP320")) == 1


def test_the_same_tick_written_in_other_words_is_the_same_tick() -> None:
    assert found(scenario(MAIL, "at 12 approve m1 as go", *copies(9), "at m1 + 12 repeat go"), "WP320") == ["m1 + 12"]
    assert found(scenario(MAIL, "at 12 approve m1 as go", *copies(9), "at 13 repeat go"), "WP320") == []


def test_statements_that_wait_for_the_system_stand_in_between_and_have_no_tick() -> None:
    waiting = "when m1 drafted { " + "crash " * 9 + "}"
    assert found(scenario(MAIL, "at 12 approve m1 as go", waiting, "at 12 repeat go"), "WP320") == ["12"]
    assert found(scenario(MAIL, waiting, *copies(9), waiting.replace("drafted", "sent")), "WP320") == []


# Events inside jumps


@pytest.mark.parametrize(("tick", "places"), [(20, []), (21, ["21"]), (29, ["29"]), (30, []), (31, [])])
def test_an_event_at_a_tick_that_is_jumped_over(tick: int, places: list[str]) -> None:
    text = scenario(MAIL, "at 20 jump to 30", f"at {tick} redeliver m1")
    assert found(text, "WP321") == places
    assert labelled(text, "WP321") == ["jump to 30"] * len(places)


def test_a_jump_by_one_tick_jumps_over_nothing() -> None:
    assert found(scenario(MAIL, "at 20 jump by 1", "at 21 redeliver m1"), "WP321") == []
    assert found(scenario(MAIL, "at 20 jump by 2", "at 21 redeliver m1"), "WP321") == ["21"]


def test_a_block_in_a_jump_is_reported_once() -> None:
    assert found(scenario(MAIL, "at 20 jump to 30", "at 25 { crash redeliver m1 }"), "WP321") == ["25"]


def test_a_jump_in_a_jump_is_an_event_too_and_what_it_removes_lands_behind_it() -> None:
    text = scenario(MAIL, "at 20 jump to 30", "at 25 jump to 40", "at 35 redeliver m1", "at 30 crash")
    assert found(text, "WP321") == ["25", "35"]
    assert [one.message.rsplit(" ", 1)[1] for one in findings(text, "WP321")] == ["30", "40"]


# Messages of one tick under rules that count

COUNTING = ("admit first when sender.messages = 0", "refuse rest")
BOTH = 'at {} deliver m2 in refund "b" with {{ from "ada@example.test" }}'


@pytest.mark.parametrize(("tick", "places"), [(0, 1), (1, 0)])
def test_messages_of_one_sender_in_one_tick(tick: int, places: int) -> None:
    text = scenario(MAIL, BOTH.format(tick), rules=COUNTING)
    assert len(found(text, "WP330")) == places
    assert [one.split()[1] for one in (*found(text, "WP330"), *labelled(text, "WP330"))] == ["m2", "m1"][: 2 * places]


def test_other_senders_and_other_rules_do_not_matter() -> None:
    other = 'at 0 deliver m2 in refund "b"'
    assert found(scenario(MAIL, other, rules=COUNTING), "WP330") == []
    assert found(scenario(MAIL, BOTH.format(0)), "WP330") == []
    assert found(scenario(MAIL, BOTH.format(0), rules=("admit all2 when thread.length = 0",)), "WP330") == []


def test_a_thread_is_shared_by_its_conversation() -> None:
    other = 'at 0 deliver m2 in order "b" with { from "eve@example.test" }'
    assert len(found(scenario(MAIL, other, rules=("admit new when thread.length = 0",)), "WP330")) == 1
    assert len(found(scenario(MAIL, other, rules=("admit new when sender.messages = 0",)), "WP330")) == 0


def test_conversations_of_a_sender_count_as_messages_do() -> None:
    rules = ("admit new when sender.conversations < 2",)
    three = BOTH.format(0).replace("m2 in refund", "m3 in third")
    third = f'{BOTH.format(0)} conversation third {{ subject "s" }} {three}'
    assert [one.split()[1] for one in found(scenario(MAIL, third, rules=rules), "WP330")] == ["m3"]


def test_a_history_that_changes_nothing_is_no_matter() -> None:
    early = ("admit known when sender.messages < 5", "refuse rest")
    assert found(scenario(MAIL, BOTH.format(0), rules=early), "WP330") == []


def test_ticks_are_those_at_which_things_happen() -> None:
    text = scenario("at 3 jump to 9", 'at 5 deliver m1 in order "b"', BOTH.format(9), rules=COUNTING)
    assert len(found(text, "WP330")) == 1


# Escalations


@pytest.mark.parametrize("level", range(7))
def test_an_escalation_obliges_somebody_from_level_4_on(level: int) -> None:
    text = scenario(MAIL, "at 12 escalate m1", level=level)
    assert found(text, "WP332") == ["escalate m1"] * (level < 4)
    assert labelled(text, "WP332") == [f"level L{level}"] * (level < 4)


def test_each_escalation_is_reported_also_one_that_waits() -> None:
    assert len(found(scenario(MAIL, "at 12 escalate m1", "when m1 drafted escalate m1"), "WP332")) == 2


# Loops


def test_what_every_pass_of_a_loop_has_is_told_once() -> None:
    loop = 'for i in 1..5 { at i deliver n[i] in order "b" at 20 + i { escalate n[i] redeliver n[i] } }'
    (escalation,) = findings(scenario(loop), "WP332")
    assert escalation.notes == ("found with `i` = 1 and 4 more times",)
    (jumped,) = findings(scenario(loop, "at 20 jump to 24"), "WP321")
    assert jumped.notes == ("found with `i` = 1 and 2 more times",)


def test_a_block_that_a_loop_writes_for_many_ticks_meets_others_by_chance() -> None:
    loop = "for i in 1..15 { at 10 + i crash }"
    assert found(scenario(MAIL, "at 12 approve m1", *copies(9, 30), loop), "WP320") == []
    assert found(scenario(MAIL, "at 12 approve m1", *copies(9, 30), loop.replace("10 + i", "12")), "WP320") == ["12"]
