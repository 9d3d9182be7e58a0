"""The arguments of the rows, word for word: which event an instance points at, what it says in ticks, and whether it is due."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import BY_POSTURE, document, sent
from tests.verifier.rows import instances

from wellposed.verifier.amr.answers import Answers

SETTLE = {"claim": "claims-settle", "of": "m1", "within": 30}
ABANDON = (
    "m1 may be abandoned only after an escalation or, unsent, while a reject is in force, within 5 ticks of its agent's death "
    "or within 20 of a crash that found it pending"
)
DRAFT = ("L0.draft", 0, "m1 delivered at 0, so its first draft is due by 10", True)
REPLY = ("L0.reply", 0, "m1 delivered at 0, so the reply is due by 10", True)
MAY_BE_ABANDONED = ("L0.abandon", 0, ABANDON, False)
ADMIT = ("L2.admit", 0, "m1 delivered at 0 and admitted by the rules, so its admission is due by 5", True)
ONLY = ("L2.only", 0, "the rules allow an admission of m1 only in 0..40", False)
OWED = (DRAFT, MAY_BE_ABANDONED, ADMIT, ONLY)

Row = tuple[str, int, str, bool]


def rows(made: dict[str, Any], answers: Answers | None = None) -> list[Row]:
    """Of every instance the row, the number of the event in the schedule, the text, and whether it is due."""
    found = instances(made, answers or Answers())
    return [(one.obligation, int(one.pointer.removeprefix("/schedule/")), one.text, one.due) for one in found]


def waits(made: dict[str, Any], event: str, channel: str, **record: Any) -> None:
    """Something more that waits for a record of m1."""
    entry = {"seq": len(made["schedule"]), "channel": channel, "when": {"event": event, "work_id": "work:m1"}, "record": record}
    made["schedule"].append(entry)


def unapproved(reason: str = "") -> Row:
    return "L2.authority", 0, f"m1 is never approved{reason}, so it may not be sent", False


def test_every_row_of_a_full_schedule() -> None:
    """The crash of 15 finds nothing pending, as the reject of 14 stands; what is approved at 36 is due behind the horizon."""
    events: list[Any] = [
        (3, "approve", "m1"),
        (12, "approve", "m1"),
        (14, "reject", "m1"),
        (15, "crash"),
        (16, "kill", "m1"),
        (17, "escalate", "m1"),
        (36, "approve", "m1"),
    ]
    waiting = "approved at 3, or at the tick after the first draft if that is later"
    assert rows(document(6, events, [SETTLE, sent(False, 5)])) == [
        DRAFT,
        ("L0.reply", 1, f"{waiting}, so the reply is due within 10 ticks of that", True),
        MAY_BE_ABANDONED,
        ("L1.once", 0, "m1 is sent at most once", False),
        ADMIT,
        ONLY,
        ("L2.authority", 1, f"{waiting}, so nothing may be sent before that, nor after a reject of the same draft", False),
        ("L2.send", 1, f"{waiting}, so the send is due within 5 ticks of that", True),
        ("L3.claims", 0, "claims on m1 are settled within 5 ticks of the first", False),
        ("L3.death", 5, "agent dies at 16: if it holds m1, a reassignment or an end is due by 21", True),
        ("L3.terminal", 1, f"{waiting}, so m1 is resolved by the horizon, 40, if that leaves 10 ticks", True),
        ("L3.terminal", 2, "approved at 12, so m1 is resolved by the horizon, 40", True),
        ("L3.terminal", 3, "rejected at 14, so m1 is resolved by the horizon, 40", True),
        ("L4.stop", 6, "escalated at 17, so nothing may be sent from 17 on", False),
        (
            "L4.resolve",
            6,
            "escalated at 17, so m1, unless sent or resolved before, is abandoned with reason operator_escalation",
            True,
        ),
        ("L6.stop", 6, "escalated at 17 while an approval is in force, so nothing may be sent from 17 on", False),
    ]


def test_what_is_owed_at_level_0() -> None:
    assert rows(document(0, [], [])) == [DRAFT, REPLY, MAY_BE_ABANDONED]


def test_a_deadline_at_the_horizon_is_one_and_one_behind_it_is_none() -> None:
    assert [row[2] for row in rows(document(0, [], [], messages=(("m1", 30),)))] == [
        "m1 delivered at 30, so its first draft is due by 40",
        "m1 delivered at 30, so the reply is due by 40",
        ABANDON,
    ]
    assert [row[0] for row in rows(document(0, [], [], messages=(("m1", 31),)))] == ["L0.abandon"]


def test_a_decision_may_wait_as_long_as_the_draft_may_take() -> None:
    """Written at 10 for a message of 0, it may; at 11 it may not. The open ticks behind 20 leave out 25 and 26."""
    events: list[Any] = [(10, "approve", "m1"), (11, "approve", "m1"), (20, "approve", "m1"), (25, "hold"), (27, "release"), (35, "approve", "m1")]
    waiting, open_ticks = "approved at 10, or at the tick after the first draft if that is later", "ticks, those with effects held not counted,"
    found = rows(document(2, events, []))
    assert [row for row in found if row[0] in ("L0.reply", "L2.send")] == [
        ("L0.reply", 1, f"{waiting}, so the reply is due within 10 {open_ticks} of that", True),
        ("L0.reply", 2, "approved at 11, so the reply is due by 21", True),
        ("L0.reply", 3, "approved at 20, so the reply is due by 32", True),
        ("L2.send", 1, f"{waiting}, so the send is due within 5 {open_ticks} of that", True),
        ("L2.send", 2, "approved at 11, so the send is due by 16", True),
        ("L2.send", 3, "approved at 20, so the send is due by 27", True),
        ("L2.send", 6, "approved at 35, so the send is due by 40", True),
    ]


def test_ticks_are_told_as_they_are_written_when_a_jump_removes_some() -> None:
    """Behind 4 come 5 to 11, then 15, 16 and 17."""
    found = rows(document(3, [(11, "jump", 15), (20, "approve", "m1")], [], messages=(("m1", 4),)))
    assert [row[2] for row in found if row[0] in ("L0.draft", "L0.reply", "L2.only", "L3.terminal")] == [
        "m1 delivered at 4, so its first draft is due by 17",
        "approved at 20, so the reply is due by 30",
        "the rules allow an admission of m1 only in 4..40",
        "approved at 20, so m1 is resolved by the horizon, 40",
    ]


def test_crashes_with_a_deadline_up_to_the_horizon() -> None:
    found = rows(document(1, [(8, "crash"), (20, "crash"), (21, "crash")], []))
    assert found == [
        DRAFT,
        REPLY,
        MAY_BE_ABANDONED,
        ("L1.crash", 1, "crash at 8: if it finds m1 pending, a send or an abandonment is due by 28", True),
        ("L1.crash", 2, "crash at 20: if it finds m1 pending, a send or an abandonment is due by 40", True),
    ]


def test_signals_that_wait_for_the_admission() -> None:
    since = "2, or at the tick after the admission if that is later"
    ending = "so m1, unless sent or resolved before, is abandoned with reason operator_escalation"
    assert rows(document(4, [(2, "escalate deferred", "m1"), (2, "kill deferred", "m1")], [])) == [
        *OWED,
        unapproved(),
        ("L3.death", 2, f"agent dies at {since}: if it holds m1, a reassignment or an end is due within 5 ticks of the death", True),
        ("L4.stop", 1, f"escalated at {since}, so nothing may be sent from then on", False),
        ("L4.resolve", 1, f"escalated at {since}, {ending}", True),
    ]


def test_an_approval_that_waits_for_a_record() -> None:
    made = document(2, [], [])
    waits(made, "drafted", "approvals", approval_id="go", match={"work_id": "work:m1"}, decision="approve")
    waiting = "approved at the tick after the first draft of m1"
    assert rows(made) == [
        DRAFT,
        ("L0.reply", 1, f"{waiting}, so the reply is due within 10 ticks of that", True),
        *OWED[1:],
        ("L2.authority", 1, f"{waiting}, so nothing may be sent before that, nor after a reject of the same draft", False),
        ("L2.send", 1, f"{waiting}, so the send is due within 5 ticks of that", True),
    ]


@pytest.mark.parametrize(
    ("message", "event", "record", "waits_for_draft"),
    [
        ("m0", "drafted", "first draft of m0", True),
        ("m1", "admitted", "admission of m1", True),
        ("m1", "drafted", "first draft of m1", False),
        ("m1", "sent", "send of m1", False),
        ("m2", "drafted", "first draft of m2", True),
        ("m2", "sent", "send of m2", True),
    ],
)
def test_an_approval_that_waits_for_a_record_may_wait_for_its_draft_as_well(message: str, event: str, record: str, waits_for_draft: bool) -> None:
    """But not behind a draft or a send of the same item."""
    made = document(2, [], [], messages=(("m0", 0), ("m1", 0), ("m2", 0)))
    when = {"event": event, "work_id": f"work:{message}"}
    approval = {"approval_id": "go", "match": {"work_id": "work:m1"}, "decision": "approve"}
    made["schedule"].append({"seq": 3, "channel": "approvals", "when": when, "record": approval})
    proviso = ", or at the tick after the first draft if that is later" if waits_for_draft else ""
    found = [row for row in rows(made) if row[0] == "L2.send"]
    assert found == [("L2.send", 3, f"approved at the tick after the {record}{proviso}, so the send is due within 5 ticks of that", True)]


def test_signals_and_a_crash_that_wait_for_a_record() -> None:
    made = document(4, [], [])
    waits(made, "admitted", "signals", signal_id="stop", signal_type="OPERATOR_ESCALATION", target="work:m1", at=0)
    waits(made, "admitted", "signals", signal_id="dies", signal_type="AGENT_DEATH", target={"holder_of": "work:m1"}, at=0)
    then = "the tick after the admission of m1"
    ending = "so m1, unless sent or resolved before, is abandoned with reason operator_escalation"
    assert rows(made) == [
        *OWED,
        unapproved(),
        ("L3.death", 2, f"agent dies at {then}: if it holds m1, a reassignment or an end is due within 5 ticks of the death", True),
        ("L4.stop", 1, f"escalated at {then}, so nothing may be sent from then on", False),
        ("L4.resolve", 1, f"escalated at {then}, {ending}", True),
    ]
    made = document(1, [], [])
    waits(made, "drafted", "faults", fault_id="c", fault="crash")
    crash = "crash at the tick after the first draft of m1: if it finds m1 pending, a send or an abandonment is due within 20 ticks of the crash"
    assert rows(made) == [DRAFT, REPLY, MAY_BE_ABANDONED, ("L1.crash", 1, crash, True)]


def test_what_is_never_approved() -> None:
    """The first reject is named, or else the first forged decision."""
    assert rows(document(2, [], [])) == [*OWED, unapproved()]
    rejected = document(2, [(12, "reject", "m1"), (13, "reject", "m1")], [])
    assert rows(rejected) == [*OWED, unapproved(" (rejected at 12)")]
    counts = "is forged: its hash is certain to be wrong, and it counts for nothing"
    forged = document(2, [(12, "approve", "m1"), (13, "approve", "m1")], [])
    for entry in forged["schedule"][1:]:
        entry["record"]["forged"] = "wrong-hash"
    assert rows(forged) == [*OWED, unapproved(f" (the decision at 12 {counts})")]
    later = document(2, [], [])
    waits(later, "drafted", "approvals", approval_id="go", match={"work_id": "work:m1"}, decision="approve", forged="wrong-hash")
    assert rows(later) == [*OWED, unapproved(f" (the decision at the tick after the first draft of m1 {counts})")]


def test_what_the_rules_admit_in_part_or_never() -> None:
    office = {"messages": (("m1", 4),), "posture": "maintenance", "rules": BY_POSTURE}
    draft = "m1 admitted, so its first draft is due within 10 ticks of the admission"
    never = "the rules never admit m1: `open` asks for `posture is normal`, and that is maintenance"
    assert rows(document(2, [], [], **office)) == [
        ("L0.draft", 0, draft, True),
        MAY_BE_ABANDONED,
        ("L2.only", 0, never, False),
        unapproved(),
    ]
    opened: list[Any] = [(30, "posture", "normal"), (32, "posture", "maintenance")]
    found = rows(document(2, opened, [], **office))
    assert [row for row in found if row[0] == "L2.only"] == [
        ("L2.only", 0, "the rules allow an admission of m1 only in 30..36", False)
    ]


@pytest.mark.parametrize("level", [2, 3])
def test_rows_of_other_readings(level: int) -> None:
    answers = Answers(claims_always=True, all_resolved=True, draft_due=False)
    found = [
        ("L3.claims", 0, "m1 admitted, so an agent wins it within 5 ticks", True),
        ("L3.terminal", 0, "m1 admitted, so m1 is resolved by the horizon, 40", True),
    ]
    assert rows(document(level, [], []), answers) == [*OWED[1:], unapproved(), *(found if level == 3 else [])]


def test_a_gated_item_at_every_level() -> None:
    """Where every item is gated, the row about authority is in force at level 0 as well, and no reply is due without an approval."""
    assert rows(document(0, [], []), Answers(always_gated=True)) == [DRAFT, MAY_BE_ABANDONED, unapproved()]
