"""Which decision binds the draft that is sent, and which of them stands: the rows on logs, by hand.

The first tick of a log in which a row is kept stands beside the last in which it is not, or the other way round.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import document, sent
from tests.verifier.rows import breaks, broken, component, values

from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.environment import Trigger
from wellposed.verifier.amr.model import theory
from wellposed.verifier.formula import holds
from wellposed.verifier.solver import Budget

DRAFT = {"admitted": 0, "draft": 5}
FINAL = Answers(reject_is_final=True)
AT_DRAFT = Answers(deferred_at_draft=True)
COSTLY = Answers(jumps_cost_all=True)

APPROVED: list[Any] = [(12, "approve", "m1")]
REVISED: list[Any] = [(12, "approve", "m1"), (14, "reject", "m1")]
OVERRULED: list[Any] = [(12, "reject", "m1"), (14, "approve", "m1")]
OLDEST: list[Any] = [(12, "approve oldest", "m1")]

AUTHORITY: dict[str, tuple[list[Any], dict[str, int], bool, Answers]] = {
    "sent in the tick of the approval": (APPROVED, {**DRAFT, "send.0": 12}, True, BASE),
    "sent before the approval": (APPROVED, {**DRAFT, "send.0": 11}, False, BASE),
    "never approved": ([], {**DRAFT, "send.0": 12}, False, BASE),
    "never approved, and sent at the horizon": ([], {**DRAFT, "send.0": 40}, False, BASE),
    "approved and sent at the horizon": ([(40, "approve", "m1")], {**DRAFT, "send.0": 40}, True, BASE),
    "only rejected": ([(12, "reject", "m1")], {**DRAFT, "send.0": 13}, False, BASE),
    "sent before the reject": (REVISED, {**DRAFT, "send.0": 13}, True, BASE),
    "sent in the tick of the reject": (REVISED, {**DRAFT, "send.0": 14}, False, BASE),
    "an approval behind the reject": (OVERRULED, {**DRAFT, "send.0": 14}, True, BASE),
    "sent before the approval behind the reject": (OVERRULED, {**DRAFT, "send.0": 13}, False, BASE),
    "an approval behind the reject, where that is final": (OVERRULED, {**DRAFT, "send.0": 14}, False, FINAL),
    "sent before the final reject": (REVISED, {**DRAFT, "send.0": 13}, True, FINAL),
    "approved and rejected in one tick": ([(12, "approve", "m1"), (12, "reject", "m1")], {**DRAFT, "send.0": 12}, False, BASE),
    "rejected and approved in one tick": ([(12, "reject", "m1"), (12, "approve", "m1")], {**DRAFT, "send.0": 12}, True, BASE),
    # Of several drafts.
    "the reject binds the next draft": (REVISED, {**DRAFT, "next-draft": 13, "send.0": 15}, True, BASE),
    "a draft of the tick of the reject is not yet bound": (REVISED, {**DRAFT, "next-draft": 14, "send.0": 15}, False, BASE),
    "the rejected draft is sent": (REVISED, {**DRAFT, "sent-draft": 13, "send.0": 15}, False, BASE),
    "the approved draft was replaced": (OVERRULED, {**DRAFT, "next-draft": 13, "send.0": 15}, False, BASE),
    "the approved draft was replaced only then": (OVERRULED, {**DRAFT, "next-draft": 14, "send.0": 15}, True, BASE),
    "the later draft is approved": (OVERRULED, {**DRAFT, "sent-draft": 13, "send.0": 15}, True, BASE),
    "the later draft came too late": (OVERRULED, {**DRAFT, "sent-draft": 14, "send.0": 15}, False, BASE),
    # On the oldest draft.
    "the oldest is approved and sent": (OLDEST, {**DRAFT, "next-draft": 8, "send.0": 12}, True, BASE),
    "the oldest is approved, and a later one sent": (OLDEST, {**DRAFT, "sent-draft": 8, "send.0": 12}, False, BASE),
    "the newest is approved, and an older one sent": (
        [(12, "approve", "m1"), (20, "reject oldest", "m1")],
        {**DRAFT, "next-draft": 8, "send.0": 12},
        False,
        BASE,
    ),
    "the oldest is rejected, and a later one sent": (
        [(12, "approve", "m1"), (14, "reject oldest", "m1")],
        {**DRAFT, "sent-draft": 8, "send.0": 15},
        True,
        BASE,
    ),
    "the oldest is rejected, and sent": (
        [(12, "approve", "m1"), (14, "reject oldest", "m1")],
        {**DRAFT, "send.0": 15},
        False,
        BASE,
    ),
    # Decisions that wait for a draft.
    "fires in the tick behind the draft": ([(3, "approve", "m1")], {**DRAFT, "send.0": 6}, True, BASE),
    "does not fire with the draft": ([(3, "approve", "m1")], {**DRAFT, "send.0": 5}, False, BASE),
    "fires with the draft, where that is read": ([(3, "approve", "m1")], {**DRAFT, "send.0": 5}, True, AT_DRAFT),
    "written in the tick of the draft, it waits": ([(5, "approve", "m1")], {**DRAFT, "send.0": 5}, False, BASE),
    "written behind the draft, it does not": ([(6, "approve", "m1")], {**DRAFT, "send.0": 6}, True, BASE),
    "what waited binds the first draft": ([(3, "approve", "m1"), (20, "reject", "m1")], {**DRAFT, "send.0": 7}, True, BASE),
    "what waited binds no later draft": (
        [(3, "approve", "m1"), (20, "reject", "m1")],
        {**DRAFT, "sent-draft": 6, "send.0": 7},
        False,
        BASE,
    ),
    "what waited binds the first draft, whatever comes in its tick": (
        [(3, "approve", "m1"), (20, "reject", "m1")],
        {**DRAFT, "next-draft": 6, "send.0": 7},
        True,
        BASE,
    ),
    "what waited stands behind what is written for its tick": (
        [(3, "approve", "m1"), (6, "reject", "m1")],
        {**DRAFT, "send.0": 6},
        True,
        BASE,
    ),
    "what is written for its tick stands before what waited": (
        [(3, "reject", "m1"), (6, "approve", "m1")],
        {**DRAFT, "send.0": 6},
        False,
        BASE,
    ),
    "of two that waited, the first written is the first": (
        [(3, "approve", "m1"), (4, "reject", "m1")],
        {**DRAFT, "send.0": 6},
        False,
        BASE,
    ),
    "of two that waited, the second written is the second": (
        [(3, "reject", "m1"), (5, "approve", "m1")],
        {**DRAFT, "send.0": 6},
        True,
        BASE,
    ),
    "what waited in the tick before the next one is past": (
        [(3, "approve", "m1"), (7, "reject", "m1")],
        {**DRAFT, "send.0": 6},
        True,
        BASE,
    ),
    "what waited comes before what is written for the tick after": (
        [(3, "approve", "m1"), (7, "reject", "m1")],
        {**DRAFT, "send.0": 7},
        False,
        BASE,
    ),
    "where it fires with the draft, nothing overtakes it": (
        [(3, "approve", "m1"), (6, "reject", "m1")],
        {**DRAFT, "send.0": 6},
        False,
        AT_DRAFT,
    ),
    # Jumps: 6 follows 2.
    "fires behind the jump": ([(1, "approve", "m1"), (2, "jump", 6)], {"admitted": 0, "draft": 2, "send.0": 6}, True, COSTLY),
    "fires behind the draft, before the jump": (
        [(0, "approve", "m1"), (2, "jump", 6)],
        {"admitted": 0, "draft": 1, "send.0": 2},
        True,
        COSTLY,
    ),
    "overtaken in the landing of the jump": (
        [(1, "approve", "m1"), (2, "jump", 6), (6, "reject", "m1")],
        {"admitted": 0, "draft": 2, "send.0": 6},
        True,
        COSTLY,
    ),
}


@pytest.mark.parametrize("name", AUTHORITY)
def test_authority(name: str) -> None:
    events, log, authorised, answers = AUTHORITY[name]
    assert ("L2.authority" not in broken(document(2, events, []), log, answers)) is authorised


def test_the_send_is_due_from_the_landing_of_a_jump_where_that_counts() -> None:
    """The draft of 2 is followed by 6, at which the approval fires that waited for it."""
    events = [(1, "approve", "m1"), (2, "jump", 6)]
    assert breaks(2, events, {"admitted": 0, "draft": 2, "send.0": 11}, answers=COSTLY)
    assert breaks(2, events, {"admitted": 0, "draft": 2, "send.0": 12}, "L2.send", answers=COSTLY)
    assert breaks(2, events, {"admitted": 0, "draft": 1, "send.0": 8}, "L2.send", answers=COSTLY)
    assert breaks(2, events, {"admitted": 0, "draft": 1, "send.0": 7}, answers=COSTLY)
    assert breaks(2, events, {"admitted": 0}, "L0.draft", answers=COSTLY)
    twice = [*events, (8, "jump", 11)]
    assert breaks(2, twice, {"admitted": 0, "draft": 8, "send.0": 16}, answers=COSTLY)
    assert breaks(2, twice, {"admitted": 0, "draft": 8, "send.0": 17}, "L2.send", answers=COSTLY)
    assert breaks(2, twice, {"admitted": 0, "draft": 7, "send.0": 13}, answers=COSTLY)
    assert breaks(2, [(0, "approve", "m1"), events[1]], {"admitted": 0, "draft": 0, "send.0": 1}, answers=COSTLY)
    assert breaks(2, events, {"admitted": 0, "draft": 7, "send.0": 13}, answers=COSTLY)
    assert breaks(2, events, {"admitted": 0, "draft": 7, "send.0": 14}, "L2.send", answers=COSTLY)


def test_a_decision_that_waits_for_another_item_fires_then_and_not_behind_the_draft() -> None:
    made = document(2, [], [], messages=(("m1", 0), ("m2", 0)))
    waits = {"event": "drafted", "work_id": "work:m2"}
    record = {"approval_id": "go", "match": {"work_id": "work:m1"}, "decision": "approve"}
    made["schedule"].append({"seq": 2, "when": waits, "channel": "approvals", "record": record})
    log = {**DRAFT, "m2.admitted": 0, "m2.draft": 9}
    assert broken(made, {**log, "send.0": 9}) == ["L2.authority"]
    assert broken(made, {**log, "send.0": 10}) == []
    assert broken(made, {**log, "send.0": 15}) == []
    assert broken(made, {**log, "send.0": 16}) == ["L2.send"]


def test_a_decision_that_waits_for_another_item_stands_in_order_with_one_that_does_not() -> None:
    made = document(2, [(12, "reject", "m1")], [], messages=(("m1", 0), ("m2", 0)))
    record = {"approval_id": "go", "match": {"work_id": "work:m1"}, "decision": "approve"}
    made["schedule"].append({"seq": 3, "when": {"event": "drafted", "work_id": "work:m2"}, "channel": "approvals", "record": record})
    log = {**DRAFT, "m2.admitted": 0}
    assert broken(made, {**log, "m2.draft": 9, "send.0": 11}) == []
    assert broken(made, {**log, "m2.draft": 9, "send.0": 12}) == ["L2.authority"]
    assert broken(made, {**log, "m2.draft": 11, "send.0": 12}) == ["L0.draft"]
    assert broken(made, {**log, "m2.draft": 12, "send.0": 12}) == ["L2.authority", "L0.draft"]


def test_what_waits_for_a_record_stands_behind_what_is_written_for_its_tick_wherever_it_stands_in_the_schedule() -> None:
    """A posture that waits for the draft makes a case of each tick; in that of 7 the reject, written first, fires last."""
    waits = {"event": "drafted", "work_id": "work:m1"}
    reject = {"approval_id": "no", "match": {"work_id": "work:m1"}, "decision": "reject"}
    posture = {"fault_id": "p", "fault": "posture", "posture": "maintenance"}
    made = document(2, [(7, "approve", "m1")], [], horizon=12)
    made["schedule"].insert(1, {"seq": 1, "when": waits, "channel": "approvals", "record": reject})
    made["schedule"].insert(1, {"seq": 2, "when": waits, "channel": "faults", "record": posture})
    fixed = {Trigger("m1", "drafted"): 7}
    (case,) = (case for case in theory(made, Budget(100_000)).cases if getattr(case.payload, "fixed", None) == fixed)
    (only,) = case.components
    for send, wrong in ((6, ["L2.authority"]), (7, ["L2.authority"]), (8, ["L2.authority"])):
        found = values(only, {"admitted": 0, "draft": 6, "send.0": send})
        assert found is not None
        assert [row.obligation for row in only.standing if not holds(row.formula, found)] == wrong


@pytest.mark.parametrize(("drafted", "fires"), [(5, 7), (6, 7), (7, 8), (9, 10), (40, 41)])
def test_a_forged_decision_on_the_latest_draft_waits_for_one_as_well(drafted: int, fires: int) -> None:
    made = document(2, [(7, "approve", "m1", "forged")], [])
    made["schedule"][1]["record"]["forged"] = "wrong-hash"
    only = component(made)
    found = values(only, {"admitted": 0, "draft": drafted})
    assert found is not None and found[only.space.names.index("m1.forged")] == fires


@pytest.mark.parametrize(
    ("events", "several"),
    [
        ([], False),
        (APPROVED, False),
        ([(12, "reject", "m1")], True),
        (OLDEST, True),
        ([*OLDEST, (14, "approve", "m1")], True),
        ([(12, "approve", "m1"), (14, "reject", "m1")], True),
    ],
)
def test_drafts_are_told_apart_only_where_a_decision_can(events: list[Any], several: bool) -> None:
    assert ("m1.sent-draft" in component(document(2, events, [])).space.names) is several
    assert ("m1.sent-draft.1" in component(document(2, events, [sent(False, 5)])).space.names) is several
    assert "m1.sent-draft.1" not in component(document(2, events, [])).space.names
