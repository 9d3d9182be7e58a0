"""What excuses a response, what allows an abandonment, and what a signal finds: the rows on logs, by hand, at either side of each border."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import document
from tests.verifier.rows import AGENT_DIED, CRASHED, ESCALATED, REJECTED, breaks, broken, component, values

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.formula import holds

DRAFT = {"admitted": 0, "draft": 5}
EARLY = {"admitted": 0, "draft": 1}
FINAL = Answers(reject_is_final=True)

APPROVED: list[Any] = [(12, "approve", "m1")]
REVISED: list[Any] = [(12, "approve", "m1"), (14, "reject", "m1")]
OVERRULED: list[Any] = [(12, "reject", "m1"), (14, "approve", "m1")]
KILLED: list[Any] = [(12, "kill", "m1", "a"), (30, "approve", "m1")]
TWICE: list[Any] = [(12, "kill", "m1", "a"), (14, "kill", "m1", "b"), (30, "approve", "m1")]
CRASHED_AT_8: list[Any] = [(8, "crash")]

ABANDON: dict[str, tuple[int, list[Any], dict[str, int], bool]] = {
    "escalated in the tick of the end": (3, [(12, "escalate", "m1")], {**DRAFT, "resolved": 12, "ending": ESCALATED}, True),
    "escalated, whatever it calls that": (3, [(11, "crash"), (12, "escalate", "m1")], {**DRAFT, "resolved": 12, "ending": CRASHED}, True),
    "escalated too late": (2, [(11, "crash"), (12, "escalate", "m1")], {**DRAFT, "resolved": 11, "ending": CRASHED}, False),
    "escalated, though sent": (1, [(12, "escalate", "m1")], {**DRAFT, "send.0": 6, "resolved": 12, "ending": ESCALATED}, True),
    "rejected in the tick of the end": (2, [(12, "reject", "m1")], {**DRAFT, "resolved": 12, "ending": REJECTED}, True),
    "rejected, and approved since": (2, OVERRULED, {**DRAFT, "resolved": 14, "ending": REJECTED}, False),
    "rejected, and approved only later": (2, OVERRULED, {**DRAFT, "resolved": 13, "ending": REJECTED}, True),
    "approved, and rejected since": (2, REVISED, {**DRAFT, "resolved": 14, "ending": REJECTED}, True),
    "at the last tick behind the death": (3, KILLED, {**DRAFT, "resolved": 17, "ending": AGENT_DIED}, True),
    "too late behind the death": (3, KILLED, {**DRAFT, "resolved": 18, "ending": AGENT_DIED}, False),
    "taken up before": (3, KILLED, {**DRAFT, "won.a": 13, "resolved": 14, "ending": AGENT_DIED}, False),
    "taken up in the tick of the death": (3, KILLED, {**DRAFT, "won.a": 12, "resolved": 14, "ending": AGENT_DIED}, False),
    "taken up in the tick of the end": (3, KILLED, {**DRAFT, "won.a": 14, "resolved": 14, "ending": AGENT_DIED}, False),
    "taken up before the second death": (3, TWICE, {**DRAFT, "won.a": 13, "resolved": 15, "ending": AGENT_DIED}, True),
    "taken up behind the second death": (3, TWICE, {**DRAFT, "won.b": 14, "resolved": 15, "ending": AGENT_DIED}, False),
    "at the last tick behind the crash": (1, CRASHED_AT_8, {**DRAFT, "resolved": 28, "ending": CRASHED}, True),
    "too late behind the crash": (1, CRASHED_AT_8, {**DRAFT, "resolved": 29, "ending": CRASHED}, False),
    "the crash found no draft": (1, CRASHED_AT_8, {"admitted": 0, "draft": 8, "resolved": 9, "ending": CRASHED}, False),
    "the crash found a draft of the tick before": (1, CRASHED_AT_8, {"admitted": 0, "draft": 7, "resolved": 9, "ending": CRASHED}, True),
    "the crash found it undecided": (2, [*CRASHED_AT_8, *APPROVED], {**DRAFT, "resolved": 9, "ending": CRASHED}, False),
    "the crash found it approved in its tick": (
        2,
        [(8, "approve", "m1"), *CRASHED_AT_8],
        {**DRAFT, "resolved": 9, "ending": CRASHED},
        True,
    ),
    "the crash found it rejected in its tick": (
        2,
        [(7, "approve", "m1"), *CRASHED_AT_8, (8, "reject", "m1")],
        {**DRAFT, "resolved": 9, "ending": CRASHED},
        True,
    ),
    "a death that found no item": (
        3,
        [(11, "crash"), (12, "kill", "m1", "a")],
        {"admitted": 12, "draft": 12, "resolved": 13, "ending": CRASHED},
        False,
    ),
    "completed": (2, APPROVED, {**DRAFT, "send.0": 13, "resolved": 13}, True),
}


@pytest.mark.parametrize("name", ABANDON)
def test_abandonment(name: str) -> None:
    """A reject that leaves nothing in force is a cause of its own, so one of the crash's tick changes the cause and not the law."""
    level, events, log, allowed = ABANDON[name]
    assert ("L0.abandon" not in broken(document(level, events, []), log)) is allowed


def test_a_later_reject_excuses_a_send_up_to_its_deadline() -> None:
    for at, excused in ((13, True), (17, True), (18, False)):
        assert breaks(2, [*APPROVED, (at, "reject", "m1")], DRAFT, *([] if excused else ["L2.send"]))
    assert breaks(2, [*APPROVED, (22, "reject", "m1")], DRAFT, "L2.send")
    assert breaks(2, [*APPROVED, (23, "reject", "m1")], DRAFT, "L0.reply", "L2.send")


def test_a_reject_of_the_tick_of_the_approval_excuses_only_behind_it() -> None:
    assert breaks(2, [(12, "approve", "m1"), (12, "reject", "m1")], DRAFT)
    assert breaks(2, [(12, "reject", "m1"), (12, "approve", "m1")], DRAFT, "L0.reply", "L2.send")


def test_a_reject_that_is_overruled_in_its_tick_excuses_nothing() -> None:
    """The second approval is a cause of its own, so that both are due."""
    events = [*APPROVED, (14, "reject", "m1"), (14, "approve", "m1")]
    assert breaks(2, events, DRAFT, "L0.reply", "L0.reply", "L2.send", "L2.send")
    assert breaks(2, events, {**DRAFT, "send.0": 17})
    assert breaks(2, events, DRAFT, "L0.reply", "L2.send", answers=FINAL)
    assert breaks(2, events, {**DRAFT, "resolved": 19, "ending": REJECTED}, answers=FINAL)


def test_an_abandonment_excuses_up_to_the_deadline() -> None:
    events = [*APPROVED, (13, "crash"), (14, "reject", "m1")]
    assert breaks(2, events, {**DRAFT, "resolved": 17, "ending": REJECTED})
    assert breaks(2, [*APPROVED, (30, "escalate", "m1")], {**DRAFT, "resolved": 30, "ending": ESCALATED}, "L0.reply", "L2.send")
    unlawful = {**DRAFT, "resolved": 13, "ending": CRASHED}
    assert breaks(2, [(11, "crash"), *APPROVED], unlawful, "L0.reply", "L0.abandon", "L2.send")
    rejected = [*APPROVED, (20, "reject", "m1")]
    assert breaks(2, rejected, {**DRAFT, "resolved": 20, "ending": REJECTED}, "L2.send")
    escalated = [*APPROVED, (17, "escalate", "m1")]
    assert breaks(2, escalated, DRAFT)
    assert breaks(2, [*APPROVED, (18, "escalate", "m1")], DRAFT, "L2.send")


def test_a_crash_excuses_a_send_if_it_finds_it_due() -> None:
    for at, rows in ((11, ["L0.reply", "L2.send"]), (12, ["L1.crash"]), (17, ["L1.crash"]), (18, ["L1.crash", "L2.send"])):
        assert breaks(2, [*APPROVED, (at, "crash")], DRAFT, *sorted(rows)), at


def test_work_that_waits_is_pending_only_where_that_is_read() -> None:
    events = [*CRASHED_AT_8, (35, "approve", "m1")]
    assert breaks(2, events, {**DRAFT, "send.0": 36})
    assert breaks(2, events, {**DRAFT, "send.0": 36}, "L1.crash", answers=Answers(waiting_is_pending=True))


def test_what_is_escalated_or_ended_is_not_pending_at_a_crash() -> None:
    assert breaks(1, [(8, "escalate", "m1"), (8, "crash")], DRAFT)
    assert breaks(1, [(6, "escalate", "m1"), (8, "crash")], {**DRAFT, "resolved": 7, "ending": ESCALATED})
    assert breaks(1, [(8, "crash")], {**DRAFT, "send.0": 7})


def test_a_crash_finds_what_stands_then_whatever_comes_later() -> None:
    events = [(6, "approve", "m1"), (8, "crash")]
    assert breaks(2, [*events, (28, "reject", "m1")], DRAFT)
    assert breaks(2, [*events, (29, "reject", "m1")], DRAFT, "L1.crash")
    assert breaks(2, [(6, "reject", "m1"), (7, "approve", "m1"), (8, "crash")], DRAFT, "L1.crash")
    assert breaks(2, [(6, "approve", "m1"), (7, "reject", "m1"), (8, "crash")], DRAFT)
    assert breaks(2, [(6, "approve", "m1"), (7, "reject", "m1"), (8, "approve", "m1"), (8, "crash")], DRAFT, "L1.crash")


def test_a_death_finds_what_is_admitted_and_neither_sent_nor_ended() -> None:
    """Sent or ended in the tick of the death, it was held."""
    events: list[Any] = [(6, "approve", "m1"), (12, "kill", "m1", "a"), (13, "reject", "m1")]
    assert breaks(3, events, {**EARLY, "send.0": 11, "resolved": 40})
    assert breaks(3, events, {**EARLY, "send.0": 11, "resolved": 11})
    assert breaks(3, events[1:], {"admitted": 0, "draft": 10, "resolved": 13, "ending": REJECTED})
    assert breaks(3, [events[1]], {"admitted": 0, "draft": 10}, "L3.death")
    assert breaks(3, [(5, "kill", "m1", "a")], {"admitted": 5, "draft": 10})
    assert breaks(3, [(5, "kill", "m1", "a")], {"admitted": 4, "draft": 10}, "L3.death")


def test_an_escalation_meets_what_is_in_force() -> None:
    """An approval of its tick is before it or behind it, as they are written."""
    stopped = {**DRAFT, "resolved": 20, "ending": ESCALATED}
    before, behind = [(12, "approve", "m1"), (12, "escalate", "m1")], [(12, "escalate", "m1"), (12, "approve", "m1")]
    assert breaks(6, before, stopped) and breaks(6, behind, stopped)
    assert breaks(6, before, {**DRAFT, "send.0": 12, "resolved": 12}, "L4.stop", "L4.resolve", "L6.stop")
    assert breaks(6, behind, {**DRAFT, "send.0": 12, "resolved": 12}, "L4.stop", "L4.resolve")
    revoked = [(12, "approve", "m1"), (13, "reject", "m1"), (14, "escalate", "m1")]
    assert breaks(6, revoked, {**DRAFT, "resolved": 14, "ending": REJECTED}, "L4.resolve")
    again = [(11, "reject", "m1"), (12, "approve", "m1"), (14, "escalate", "m1"), (16, "reject", "m1")]
    assert breaks(6, again, {**DRAFT, "resolved": 17, "ending": REJECTED}, "L4.resolve", "L6.stop")


def test_what_waited_for_a_draft_stands_behind_an_escalation_of_its_tick() -> None:
    events = [(3, "approve", "m1"), (6, "escalate", "m1")]
    finished = {"send.0": 6, "resolved": 6}
    assert breaks(6, events, {"admitted": 0, "draft": 5, **finished}, "L4.stop", "L4.resolve")
    assert breaks(6, events, {"admitted": 0, "draft": 4, **finished}, "L4.stop", "L4.resolve", "L6.stop")
    late = {"admitted": 5, "draft": 5, **finished}
    assert breaks(6, [(3, "approve", "m1"), (3, "escalate deferred", "m1")], late, "L4.stop", "L4.resolve", "L6.stop")
    assert breaks(6, [(3, "escalate deferred", "m1"), (3, "approve", "m1")], late, "L4.stop", "L4.resolve")
    first = [(0, "approve", "m1"), (0, "escalate deferred", "m1")]
    assert breaks(6, first, {"admitted": 0, "draft": 5, **finished}, "L4.stop", "L4.resolve")
    assert breaks(6, [(3, "approve", "m1"), (3, "escalate", "m1")], {"admitted": 0, "draft": 2, **finished}, "L4.stop", "L4.resolve", "L6.stop")


@pytest.mark.parametrize(
    ("log", "death", "crash"),
    [
        ({}, True, True),
        ({"resolved": 7, "ending": ESCALATED}, False, False),
        ({"resolved": 12, "ending": ESCALATED}, True, True),
        ({"send.0": 11}, False, False),
        ({"send.0": 12}, True, True),
    ],
)
def test_a_signal_finds_what_is_neither_sent_nor_ended(log: dict[str, int], death: bool, crash: bool) -> None:
    made = component(document(3, [(6, "escalate", "m1"), (12, "kill", "m1"), (12, "crash"), (13, "approve", "m1")], []))
    found = values(made, {**DRAFT, **log})
    assert found is not None
    for pointer, wanted in (("/schedule/2", death), ("/schedule/3", crash)):
        assert any(holds(formula, found) for formula in made.stimuli[pointer]) is wanted


def test_a_crash_that_comes_behind_the_horizon_excuses_nothing() -> None:
    made = document(1, [], [], messages=(("m1", 35), ("m2", 35)))
    entry = {"seq": 2, "channel": "faults", "when": {"event": "drafted", "work_id": "work:m2"}, "record": {"fault_id": "c", "fault": "crash"}}
    made["schedule"].append(entry)
    log = {"admitted": 35, "draft": 36, "m2.admitted": 35}
    late = Answers(due_at_horizon=True)
    assert broken(made, {**log, "m2.draft": 40}, late) == ["L0.reply", "L0.reply"]
    assert broken(made, {**log, "m2.draft": 39}, late) == ["L1.crash", "L1.crash"]


@pytest.mark.parametrize("drafted", range(3, 16))
def test_a_window_that_starts_with_a_record_counts_open_ticks(drafted: int) -> None:
    """What is approved at 2 waits for the draft; effects are held from 7 to 9 and from 12 to 14."""
    made = document(2, [(2, "approve", "m1"), (7, "hold"), (10, "release"), (12, "hold"), (15, "release")], [], horizon=60)
    open_behind = [tick for tick in range(drafted + 2, 60) if tick not in (7, 8, 9, 12, 13, 14)]
    last, next_one = open_behind[4:6]
    log = {"admitted": 0, "draft": drafted}
    late = ["L0.draft"] if drafted > 10 else []
    assert broken(made, {**log, "send.0": last}) == late
    assert broken(made, {**log, "send.0": next_one}) == [*late, "L2.send"]
    last, next_one = open_behind[9:11]
    assert broken(made, {**log, "send.0": last}) == [*late, "L2.send"]
    assert broken(made, {**log, "send.0": next_one}) == [*late, "L0.reply", "L2.send"]


@pytest.mark.parametrize("level", range(7))
def test_claims_are_told_where_every_item_has_one(level: int) -> None:
    made = document(level, [], [])
    assert ("m1.claimed-first" in component(made, Answers(claims_always=True)).space.names) is (level >= 3)
    assert "m1.claimed-first" not in component(made).space.names
