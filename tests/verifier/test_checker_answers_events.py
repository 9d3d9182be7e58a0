"""The log checker under other answers: what decisions, escalations, deaths and changes of the rules mean.

`test_checker_answers` judges the rows of this table.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    ALL,
    NORMAL_ONLY,
    Does,
    Row,
    Text,
    abandoned,
    approve,
    at_level,
    completed,
    crash,
    deliver,
    does,
    escalate,
    jump,
    kill,
    kill_agent,
    other,
    posture,
    redeliver,
    reject,
    repeat,
    rules,
    run,
    scenario,
    when,
    wrong_hash,
)

from wellposed.verifier.amr.checker import environment
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.run import Draft, ItemRun, Run

UNSENT = {"L0.reply", "L2.send"}
TWO = {"all": ALL["all"], "v2": ALL["all"]}


def not_sent_after(name: str, *schedule: dict[str, Any]) -> dict[str, Any]:
    return scenario(0, deliver(5), *schedule, expect=({"claim": "not-sent-after", "of": "m1", "after": name},))


def shut(level: int, at: int) -> dict[str, Any]:
    """From tick 30 on nothing is admitted."""
    return scenario(level, deliver(at), posture(30, "maintenance"), versions=NORMAL_ONLY)


def renamed(level: int, at: int) -> dict[str, Any]:
    """From tick 30 on the rules have another name."""
    return scenario(level, deliver(at), rules(30, "v2"), versions=TWO)


def two_messages(level: int, *schedule: dict[str, Any], second: int = 3, conversation: str = "c1") -> dict[str, Any]:
    return scenario(level, deliver(0), deliver(second, "m2", conversation), *schedule)


def of_thread(admitted: int, draft: int, *sends: int) -> Does:
    """What a system does with a second message of conversation c1."""
    return does(admitted, (Draft(draft, "c1", frozenset({"c1"})),), sends)


def both(m1: Does, m2: Does, held: set[str] | None = None) -> Run:
    return run(m1, m2=m2, held={} if held is None else {"death": held})


ESCALATED = at_level(4, approve(12), escalate(14))
ESCALATED_6 = at_level(6, approve(12), escalate(14))
DEATH, DEATH_BY_NAME = (two_messages(3, death, second=0, conversation="c2") for death in (kill(12), kill_agent(12)))
REASSIGNED = does(0, 5, won=(13,))

EVENTS: dict[str, list[Row]] = {
    "deferred_at_draft": [
        ("sent in the tick of the draft", at_level(2, approve(3)), does(0, 5, 5), {"L2.authority"}, set()),
        ("written for that tick", at_level(2, approve(5)), does(0, 5, 5), {"L2.authority"}, set()),
        ("written for the next", at_level(2, approve(6)), does(0, 5, 5), {"L2.authority"}, {"L2.authority"}),
        ("the clock starts with the draft", at_level(2, approve(3)), does(0, 5, 10), set(), set()),
        ("so it ends one tick earlier", at_level(2, approve(3)), does(0, 5, 11), set(), {"L2.send"}),
        ("written after the draft", at_level(2, approve(6)), does(0, 5, 11), set(), set()),
        ("drafted at the horizon", scenario(2, deliver(50), approve(50)), does(50, 60, 60), {"L2.authority"}, set()),
        ("it binds the first draft", at_level(2, approve(3)), does(0, (5, 6), ((7, 0),)), set(), set()),
        (
            "and no other",
            at_level(2, approve(3)),
            does(0, (5, 6), ((7, 1),)),
            {"L2.authority"},
            {"L2.authority"},
        ),
        (
            "behind the timed events of the tick",
            at_level(6, approve(2), escalate(5)),
            does(0, 5, 5, abandoned(6)),
            {"L2.authority", "L4.stop"},
            {"L4.stop"},
        ),
        (
            "triggered for the tick of the draft",
            at_level(2, approve(when("admitted", "m1"))),
            does(4, 5, 5),
            {"L2.authority"},
            set(),
        ),
        (
            "and before the other triggered events",
            at_level(6, escalate(when("admitted", "m1")), approve(when("admitted", "m1"))),
            does(4, 5, 5, abandoned(6)),
            {"L2.authority", "L4.stop"},
            {"L4.stop", "L6.stop"},
        ),
        (
            "a forgery",
            at_level(2, wrong_hash(3)),
            does(0, 5, 5),
            {"L2.authority"},
            {"L2.authority", "L2.forged"},
        ),
        ("over a jump", at_level(2, approve(3), jump(7, 40)), does(0, 7, 44), set(), set()),
        ("one tick shorter", at_level(2, approve(3), jump(7, 40)), does(0, 7, 45), set(), {"L2.send"}),
    ],
    "item_per_conversation": [
        ("a follow-up ignored", two_messages(2), both(does(0, 5), does()), {"L0.draft", "L2.admit"}, set()),
        ("a follow-up admitted", two_messages(2), both(does(0, 5), of_thread(3, 8)), set(), {"L2.only"}),
        (
            "in one tick, by the schedule",
            two_messages(2, second=0),
            both(does(0, 5), of_thread(0, 5)),
            set(),
            {"L2.only"},
        ),
        (
            "the first is the item",
            two_messages(2, second=0),
            both(does(), does()),
            {"L0.draft", "L2.admit"},
            {"L0.draft", "L2.admit"},
        ),
        (
            "though the first is ignored",
            two_messages(2),
            both(does(), of_thread(3, 8)),
            {"L0.draft", "L2.admit"},
            {"L0.draft", "L2.admit", "L2.only"},
        ),
        ("a redelivery", at_level(2, redeliver(3)), does(5, 9), set(), set()),
        (
            "another conversation",
            two_messages(2, conversation="c2"),
            both(does(0, 5), does()),
            {"L0.draft", "L2.admit"},
            {"L0.draft", "L2.admit"},
        ),
        ("below level 2, admitted freely", two_messages(1), both(does(0, 5, 6), of_thread(4, 9, 13)), set(), set()),
        ("its clock starts there", two_messages(1), both(does(0, 5, 6), of_thread(4, 9, 14)), {"L0.reply"}, set()),
    ],
    "one_item_per_agent": [
        ("an aimed death touches its item", DEATH, both(REASSIGNED, does(0, 5), {"m1"}), set(), set()),
        ("be that recorded or not", DEATH, both(REASSIGNED, does(0, 5)), set(), set()),
        ("and no other", DEATH, both(REASSIGNED, REASSIGNED, {"m1", "m2"}), set(), {"well-formed"}),
        (
            "though it need not name its own",
            DEATH,
            both(does(0, 5), REASSIGNED, {"m2"}),
            {"well-formed", "L3.death"},
            {"well-formed", "L3.death"},
        ),
        ("a death by name touches none", DEATH_BY_NAME, both(does(0, 5), does(0, 5)), set(), set()),
        ("or one", DEATH_BY_NAME, both(does(0, 5), REASSIGNED, {"m2"}), set(), set()),
        ("but not two", DEATH_BY_NAME, both(REASSIGNED, REASSIGNED, {"m1", "m2"}), set(), {"well-formed"}),
    ],
    "always_gated": [
        ("a send without an approval", at_level(0), does(0, 5, 9), set(), {"L2.authority"}),
        ("none is owed", at_level(0), does(0, 5), {"L0.reply"}, set()),
        ("sent in the tick of the approval", at_level(0, approve(12)), does(0, 5, 12), set(), set()),
        ("sent one tick before", at_level(0, approve(12)), does(0, 5, 11), set(), {"L2.authority"}),
        ("waiting is not pending", at_level(1, crash(8)), does(0, 5), {"L1.crash"}, set()),
        ("trusting a forgery", at_level(1, wrong_hash(6)), does(0, 5, 7), set(), {"L2.authority"}),
        ("the rest of level 2 stays there", at_level(1, approve(12)), does(6, 8, 22), set(), set()),
        ("at level 2", at_level(2, approve(12)), does(0, 5, 11), {"L2.authority"}, {"L2.authority"}),
    ],
    "same_tick_is_before": [
        ("sent in the tick, completed", ESCALATED, does(0, 5, 14, completed(14)), {"L4.stop", "L4.resolve"}, set()),
        ("sent in the tick, abandoned", ESCALATED, does(0, 5, 14, abandoned(14)), {"L4.stop"}, set()),
        ("sent one tick later", ESCALATED, does(0, 5, 15, abandoned(20)), {"L4.stop"}, {"L4.stop"}),
        ("sent before", ESCALATED, does(0, 5, 13, completed(14)), set(), set()),
        ("at level 6", ESCALATED_6, does(0, 5, 14, completed(15)), {"L4.stop", "L4.resolve", "L6.stop"}, set()),
        (
            "at level 6, one tick later",
            ESCALATED_6,
            does(0, 5, 15, abandoned(20)),
            {"L4.stop", "L6.stop"},
            {"L4.stop", "L6.stop"},
        ),
        (
            "resolved in the tick",
            at_level(4, reject(10), escalate(14)),
            does(0, 5, (), abandoned(14, "rejected")),
            {"L4.resolve"},
            {"L4.resolve"},
        ),
        ("an expectation", not_sent_after("stop", escalate(12)), does(5, 8, 12), {"expect"}, set()),
        ("one tick later", not_sent_after("stop", escalate(12)), does(5, 8, 13), {"expect"}, {"expect"}),
        ("of another event", not_sent_after("go", approve(12)), does(5, 8, 12), {"expect"}, {"expect"}),
        ("an approval", at_level(2, approve(12)), does(0, 5, 12), set(), set()),
    ],
    "arrival_decides": [
        ("refused in the grace", shut(2, 28), does(), set(), {"L0.draft", "L2.admit"}),
        ("admitted, drafted from the arrival", shut(2, 28), does(33, 38), set(), set()),
        ("drafted from the admission", shut(2, 28), does(33, 39), set(), {"L0.draft"}),
        ("admitted long after", shut(2, 28), does(35, 38), {"L2.only"}, {"L2.admit"}),
        ("delivered in the tick of the change, refused", shut(2, 30), does(), set(), set()),
        ("and admitted", shut(2, 30), does(30, 35), set(), {"L2.only"}),
        (
            "admitted under what came later",
            scenario(2, deliver(28), posture(30, "normal"), versions=NORMAL_ONLY, mode="maintenance"),
            does(30, 35),
            set(),
            {"L2.only"},
        ),
        ("the version of the arrival", renamed(2, 28), does(33, 38), set(), set()),
        ("the version of the next tick", renamed(2, 29), does(33, 38, rules="v2"), set(), {"L2.only"}),
        ("a later version", renamed(2, 28), does(33, 38, rules="v2"), set(), {"L2.only"}),
        ("the version of the tick of the arrival", renamed(2, 30), does(30, 38, rules="v2"), set(), set()),
        ("one of before", renamed(2, 30), does(30, 38), set(), {"L2.only"}),
        ("below level 2, later", renamed(1, 28), does(32, 38, 38, rules="v2"), set(), {"well-formed"}),
        ("below level 2, long after", renamed(1, 28), does(36, 38, 38), {"well-formed"}, set()),
        (
            "below level 2, none cited",
            renamed(1, 28),
            Run({"m1": ItemRun(32, None, (Draft(33, "c1", frozenset({"c1"})),), ((34, 0),))}),
            set(),
            set(),
        ),
        ("no change", at_level(2), does(5, 9), set(), set()),
    ],
    "reject_is_final": [
        ("approved after a reject", at_level(2, reject(12), approve(14)), does(0, 5, 15), set(), {"L2.authority"}),
        ("on a new draft", at_level(2, reject(12), approve(14)), does(0, (5, 13), 15), set(), set()),
        ("sent before the reject", at_level(2, approve(12), reject(14)), does(0, 5, 13), set(), set()),
        ("sent in its tick", at_level(2, approve(12), reject(14)), does(0, 5, 14), {"L2.authority"}, {"L2.authority"}),
        (
            "given up after another approval",
            at_level(2, reject(12), approve(14)),
            does(0, 5, (), abandoned(19, "rejected")),
            {"L0.abandon"} | UNSENT,
            set(),
        ),
        (
            "and too late",
            at_level(2, reject(12), approve(14)),
            does(0, 5, (), abandoned(20, "rejected")),
            {"L0.abandon"} | UNSENT,
            {"L2.send"},
        ),
        ("an approval is a cause as ever", at_level(2, reject(12), approve(14)), does(0, 5), UNSENT, UNSENT),
        ("a crash finds nothing", at_level(2, reject(8), approve(10), crash(12)), does(0, 5), {"L1.crash"}, UNSENT),
        (
            "a reject that is overruled excuses",
            at_level(2, approve(12), reject(13), approve(13, name="go2")),
            does(0, (5, 12), ((18, 0),)),
            {"L2.send"},
            set(),
        ),
        (
            "L6.stop has no cause",
            at_level(6, reject(8), approve(10), escalate(12)),
            does(0, (5, 9), 12, abandoned(13)),
            {"L4.stop", "L6.stop"},
            {"L4.stop"},
        ),
        (
            "L6.stop, never rejected before",
            at_level(6, approve(10), escalate(12), reject(12)),
            does(0, 5, 12, abandoned(13)),
            {"L2.authority", "L4.stop", "L6.stop"},
            {"L2.authority", "L4.stop", "L6.stop"},
        ),
        (
            "another item",
            two_messages(2, reject(8, "m2"), approve(12)),
            both(does(0, 5, 13), of_thread(3, 7)),
            set(),
            set(),
        ),
    ],
}
"""The rows of each question, by the name of its flag."""


@pytest.mark.parametrize(
    ("draft", "fired"),
    [
        (2, [(4, "go", False), (5, "no", False), (5, "go", True), (9, "go2", False)]),
        (4, [(4, "go", False), (5, "no", False), (5, "go", True), (9, "go2", False)]),
        (5, [(5, "go", False), (5, "go", True), (5, "no", False), (9, "go2", False)]),
        (9, [(9, "go", False), (9, "go", True), (9, "no", False), (9, "go2", False)]),
        (10, [(10, "go", False), (10, "go", True), (10, "no", False), (10, "go2", False)]),
    ],
)
def test_deferred_to_the_tick_of_the_draft(draft: int, fired: list[tuple[int, str, bool]]) -> None:
    """A decision fires with the first draft, repeats right behind it, and binds that draft."""
    document = scenario(2, deliver(0), approve(4), reject(5), repeat(5), approve(9, name="go2"))
    events = environment(document, run(does(0, draft)), other("deferred_at_draft"))[1:]
    assert [(event.tick, event.name, event.again) for event in events] == fired
    assert {event.draft for event in events} == {0}
    assert [event.order for event in events] == [1, 2, 3, 4]


def test_a_clock_that_counts_every_tick() -> None:
    """Removed ticks stay invisible, but every index is its tick, to the horizon even if a jump leads beyond it."""
    for jumps, visible in (((2, 5),), [0, 1, 2, 5, 6, 7, 8]), (((2, 5), (6, 30)), [0, 1, 2, 5, 6]):
        clock = Clock.of(8, jumps, cost_all=True)
        assert [tick for tick in range(-1, 40) if clock.visible(tick)] == visible
        assert [clock.index(tick) for tick in visible] == visible
        assert [clock.tick(index) for index in range(9)] == list(range(9))
        assert clock.last == 8
        with pytest.raises(ValueError, match="not visible"):
            clock.index(3)


EVENT_TEXTS: list[Text] = [
    (
        "deferred_at_draft",
        at_level(2, approve(3)),
        run(does(0, 5, 11)),
        "L2.send",
        "/schedule/1",
        "approved at 5, so a send is due by 10; the next is at 11",
    ),
    (
        "item_per_conversation",
        two_messages(2),
        both(does(0, 5), of_thread(8, 9)),
        "L2.only",
        "/schedule/1",
        "admitted at 8, but all as in force in 3..8 does not admit it",
    ),
    (
        "one_item_per_agent",
        DEATH,
        both(REASSIGNED, REASSIGNED, {"m1", "m2"}),
        "well-formed",
        "/schedule/2",
        "death at 12 touches m1, m2, but no two items share an agent",
    ),
    (
        "always_gated",
        at_level(0),
        run(does(0, 5, 9)),
        "L2.authority",
        "/schedule/0",
        "sent at 9 the draft of 5, which no decision had bound",
    ),
    (
        "same_tick_is_before",
        ESCALATED,
        run(does(0, 5, 15, abandoned(20))),
        "L4.stop",
        "/schedule/2",
        "escalated at 14, yet sent at 15",
    ),
    (
        "arrival_decides",
        renamed(2, 28),
        run(does(33, 38, rules="v2")),
        "L2.only",
        "/schedule/0",
        "admitted at 33 under v2, which is not in force at 28",
    ),
    (
        "arrival_decides",
        shut(2, 30),
        run(does(33, 38)),
        "L2.only",
        "/schedule/0",
        "admitted at 33, but all as in force at 30 does not admit it",
    ),
    (
        "arrival_decides",
        renamed(1, 28),
        run(does(32, 38, 38, rules="v2")),
        "well-formed",
        "/schedule/0",
        "admitted at 32 under v2, which is not in force at 28",
    ),
    (
        "reject_is_final",
        at_level(2, reject(12), approve(14)),
        run(does(0, 5, 15)),
        "L2.authority",
        "/schedule/1",
        "sent at 15 the draft of 5, which was rejected at 12",
    ),
]
