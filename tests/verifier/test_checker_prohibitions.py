"""The rows of the obligation table that prohibit: runs that keep each, and runs that break it and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    broken,
    completed,
    crash,
    dangling,
    deliver,
    does,
    escalate,
    kill,
    reject,
    repeat,
    run,
    scenario,
    told,
    wrong_hash,
)

from wellposed.verifier.amr.run import Draft, Run

L0 = scenario(0, deliver(0))
L0_ESCALATED = scenario(0, deliver(0), escalate(12))
L0_ESCALATED_EARLY = scenario(0, deliver(0), escalate(8))
L1 = scenario(1, deliver(0))
L1_APPROVED = scenario(1, deliver(0), approve(12))
L1_REJECTED = scenario(1, deliver(0), reject(12))
L1_REJECTED_THEN_APPROVED = scenario(1, deliver(0), reject(12), approve(14))
L1_CRASHED = scenario(1, deliver(0), crash(6))
L2_APPROVED = scenario(2, deliver(0), approve(12))
L3_DEATH = scenario(3, deliver(0), kill(12))
L4_ESCALATED = scenario(4, deliver(0), approve(12), escalate(14))
NO_ANCHOR = scenario(1, deliver(0), anchors=("c2",))


def draft(tick: int, conversation: str = "c1", *carries: str) -> Draft:
    return Draft(tick, conversation, frozenset(carries))


TABLE: list[tuple[str, dict[str, Any], Does, set[str]]] = [
    ("K.declared: a send in the tick of its draft", L0, does(0, 5, 5), set()),
    ("K.declared: a send one tick before its draft", L0, does(0, 6, ((5, 0),)), {"K.declared"}),
    ("K.admitted: all in the tick of the admission", L0, does(5, 5, 5, completed(5)), set()),
    ("K.admitted: a draft before the admission", L0, does(5, 4, 5), {"K.admitted"}),
    ("K.admitted: a send before the admission", L0, does(5, (3, 5), ((4, 0),)), {"K.admitted"}),
    ("K.admitted: a draft and a send without one", L0, does(None, 4, 5), {"K.admitted"}),
    (
        "K.admitted: a resolution before the admission",
        L0_ESCALATED_EARLY,
        does(9, 9, (), abandoned(8)),
        {"K.admitted", "K.closed"},
    ),
    ("K.completed: in the tick of the send", L0, does(0, 5, 9, completed(9)), set()),
    ("K.completed: one tick before the send", L0, does(0, 5, 9, completed(8)), {"K.completed", "K.closed"}),
    ("K.completed: nothing sent", L0, does(0, 5, (), completed(8)), {"K.completed", "L0.reply"}),
    ("K.reason: escalation in the tick", L0_ESCALATED, does(0, 5, 9, abandoned(12)), set()),
    ("K.reason: escalation one tick later", L0_ESCALATED, does(0, 5, 9, abandoned(11)), {"K.reason", "L0.abandon"}),
    ("K.reason: reject in the tick", L1_REJECTED, does(0, 5, (), abandoned(12, "rejected")), set()),
    (
        "K.reason: reject one tick later",
        L1_REJECTED,
        does(0, 5, (), abandoned(11, "rejected")),
        {"K.reason", "L0.abandon"},
    ),
    ("K.reason: death in the tick", L3_DEATH, does(0, 5, (), abandoned(12, "agent_death")), set()),
    (
        "K.reason: death one tick later",
        L3_DEATH,
        does(0, 5, (), abandoned(11, "agent_death")),
        {"K.reason", "L0.abandon"},
    ),
    ("K.reason: crash in the tick", L1_CRASHED, does(0, 5, (), abandoned(6, "crash")), set()),
    (
        "K.reason: crash one tick later",
        L1_CRASHED,
        does(0, 4, (), abandoned(5, "crash")),
        {"K.reason", "L0.abandon", "L0.reply"},
    ),
    ("K.reason: a cause that is not this one", L1_REJECTED, does(0, 5, (), abandoned(12, "crash")), {"K.reason"}),
    ("K.reason: not in the closed list", L1_REJECTED, does(0, 5, (), abandoned(12, "boredom")), {"K.reason"}),
    ("K.reason: none given", L1_REJECTED, does(0, 5, (), abandoned(12, None)), {"K.reason"}),
    ("K.reason: a completion gives none", L0, does(0, 5, 9, (9, "completed", "crash")), {"K.reason"}),
    ("K.reason: sent before, yet abandoned by the operator", L4_ESCALATED, does(0, 5, 12, abandoned(14)), set()),
    ("K.closed: a draft in the tick of the resolution", L1, does(0, (5, 9), ((9, 0),), completed(9)), set()),
    ("K.closed: a draft after it", L1, does(0, (5, 10), 9, completed(9)), {"K.closed"}),
    ("K.closed: a second draft after a send is open work", L1, does(0, (5, 10), 9), set()),
    ("K.closed: sent and abandoned by the operator", L0_ESCALATED, does(0, 5, 9, abandoned(12)), set()),
    (
        "K.closed: sent and abandoned otherwise",
        L1_REJECTED,
        does(0, 5, 10, abandoned(12, "rejected")),
        {"K.closed", "L0.abandon"},
    ),
    ("L0.abandon: a reject in force", L1_REJECTED, does(0, 5, (), abandoned(40, "rejected")), set()),
    (
        "L0.abandon: a reject, before the next approve",
        L1_REJECTED_THEN_APPROVED,
        does(0, 5, (), abandoned(13, "rejected")),
        set(),
    ),
    (
        "L0.abandon: a reject no longer in force",
        L1_REJECTED_THEN_APPROVED,
        does(0, 5, (), abandoned(14, "rejected")),
        {"L0.abandon", "L0.reply"},
    ),
    (
        "L0.abandon: an approve alone",
        L1_APPROVED,
        does(0, 5, (), abandoned(13, "rejected")),
        {"K.reason", "L0.abandon", "L0.reply"},
    ),
    ("L0.abandon: 5 ticks after a death", L3_DEATH, does(0, 5, (), abandoned(17, "agent_death")), set()),
    (
        "L0.abandon: 6 ticks after a death",
        L3_DEATH,
        does(0, 5, (), abandoned(18, "agent_death")),
        {"L0.abandon", "L3.death"},
    ),
    ("L0.abandon: after a reassignment", L3_DEATH, does(0, 5, (), abandoned(15, "agent_death"), (15,)), {"L0.abandon"}),
    (
        "L0.abandon: after one in its tick",
        L3_DEATH,
        does(0, 5, (), abandoned(13, "agent_death"), (12,)),
        {"L0.abandon"},
    ),
    ("L0.abandon: 20 ticks after a crash", L1_CRASHED, does(0, 5, (), abandoned(26, "crash")), set()),
    (
        "L0.abandon: 21 ticks after a crash",
        L1_CRASHED,
        does(0, 5, (), abandoned(27, "crash")),
        {"L0.abandon", "L1.crash"},
    ),
    (
        "L0.abandon: a crash that found no draft",
        L1_CRASHED,
        does(0, 6, (), abandoned(8, "crash")),
        {"L0.abandon", "L0.reply"},
    ),
    (
        "L0.abandon: sent in the tick of the abandonment",
        L1_CRASHED,
        does(0, 5, 7, abandoned(7, "crash")),
        {"L0.abandon", "K.closed"},
    ),
    ("L1.once: one send", L0, does(0, 5, 6), set()),
    ("L1.once: a second send, of another draft", L0, does(0, (5, 7), (6, 8)), {"L1.once"}),
    ("L1.anchor: at level 0 not asked", L0, does(0, (draft(5, "c1", "c2"),), 6), set()),
    ("L1.anchor: none", L1, does(0, (draft(5, "c1"),), 6), {"L1.anchor"}),
    ("L1.anchor: its own and a sibling's", L1, does(0, (draft(5, "c1", "c1", "c2"),), 6), {"L1.anchor"}),
    ("L1.anchor: an unsent draft counts", L1, does(0, (5, draft(7, "c1", "c2")), ((8, 0),)), {"L1.anchor"}),
    ("L1.anchor: excused, none declared", NO_ANCHOR, does(0, (draft(5, "c1", "c2"),), 6), set()),
    ("L2.authority: below level 2 not asked", L1_APPROVED, does(0, 5, 11), set()),
    ("L2.authority: sent in the tick of the approve", L2_APPROVED, does(0, 5, 12), set()),
    ("L2.authority: sent one tick before it", L2_APPROVED, does(0, 5, 11), {"L2.authority"}),
    ("L2.authority: a later draft has none", L2_APPROVED, does(0, (5, 12), 13), {"L2.authority"}),
    ("L2.authority: the approved draft, after a later one", L2_APPROVED, does(0, (5, 12), ((13, 0),)), set()),
    ("L4.stop: sent one tick before", L4_ESCALATED, does(0, 5, 13, completed(13)), set()),
    ("L4.stop: sent in the tick", L4_ESCALATED, does(0, 5, 14, abandoned(20)), {"L4.stop"}),
    ("L4.stop: a draft is no send", L4_ESCALATED, does(0, (5, 15), (), abandoned(20)), set()),
    ("L5.identity: below level 5 not asked", L1, does(0, (draft(5, "c2", "c1"),), 6), set()),
]


@pytest.mark.parametrize(("document", "system", "breaks"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_row(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    assert broken(document, run(system)) == breaks


def test_l3_state() -> None:
    """L3.state: from level 3 on, every snapshot agrees; below, a run may disagree."""
    for level, breaks in ((2, set()), (3, {"L3.state"})):
        document = scenario(level, deliver(0))
        assert broken(document, run(does(0, 5), state_agrees=True)) == set()
        assert broken(document, run(does(0, 5), state_agrees=False)) == breaks


def test_l5_identity() -> None:
    """L5.identity: every draft, sent or not, in its message's own conversation."""
    document = scenario(5, deliver(0, "m1"), deliver(0, "m2"))
    crossed = Draft(6, "c2", frozenset({"c1"}))
    assert broken(document, run(does(0, 5), m2=does(0, 5))) == set()
    assert broken(document, run(does(0, (5, crossed)), m2=does(0, 5))) == {"L5.identity"}
    assert told(document, run(does(0, (5, crossed)), m2=does(0, 5)), "L5.identity") == [
        ("/schedule/0", "m1", "draft at 6 replies in c2, the message is in c1")
    ]


def test_l1_once_after_a_redelivery_and_a_repeat() -> None:
    """L1.once and L1.fork: neither a redelivery nor a repeat is a cause of anything."""
    document = scenario(2, deliver(0), deliver(20), approve(12), approve(30))
    assert broken(document, run(does(0, 5, 13))) == set()
    assert broken(document, run(does(0, 5, (13, 31)))) == {"L1.once"}


AUTHORITY: list[tuple[str, list[dict[str, Any]], Does, set[str]]] = [
    ("approve, then reject, one tick later", [approve(12), reject(14)], does(0, 5, 13), set()),
    ("approve, then reject, in the tick of the send", [approve(12), reject(14)], does(0, 5, 14), {"L2.authority"}),
    ("approve and reject in one tick", [approve(12), reject(12)], does(0, 5, 12), {"L2.authority"}),
    ("reject and approve in one tick", [reject(12), approve(12)], does(0, 5, 12), set()),
    (
        "a repeat of the approve after the reject",
        [approve(12), reject(13), repeat(14)],
        does(0, 5, 15),
        {"L2.authority"},
    ),
    ("a reject of a later draft leaves authority", [approve(12), reject(14)], does(0, (5, 13), ((15, 0),)), set()),
    ("a dangling forgery only", [dangling(12)], does(0, 5, 13), {"L2.authority", "L2.forged"}),
    ("a wrong hash only", [wrong_hash(12)], does(0, 5, 13), {"L2.authority", "L2.forged"}),
    ("a wrong hash, in its tick", [wrong_hash(12)], does(0, 5, 12), {"L2.authority", "L2.forged"}),
    ("a wrong hash, before it came", [wrong_hash(12)], does(0, 5, 11), {"L2.authority"}),
    ("a wrong hash that refuses", [wrong_hash(12, decision="reject")], does(0, 5, 13), {"L2.authority"}),
    ("a wrong hash beside an approve", [wrong_hash(11), approve(12)], does(0, 5, 13), set()),
    ("a forged reject takes nothing away", [approve(12), wrong_hash(12, decision="reject")], does(0, 5, 13), set()),
    ("nor excuses", [approve(12), wrong_hash(13, decision="reject")], does(0, 5), {"L0.reply", "L2.send"}),
    (
        "nor allows",
        [wrong_hash(13, decision="reject")],
        does(0, 5, (), abandoned(14, "rejected")),
        {"K.reason", "L0.abandon"},
    ),
    ("nor stands", [wrong_hash(10), crash(12)], does(0, 5), set()),
]


@pytest.mark.parametrize(
    ("decisions", "system", "breaks"), [row[1:] for row in AUTHORITY], ids=[row[0] for row in AUTHORITY]
)
def test_l2_authority(decisions: list[dict[str, Any]], system: Does, breaks: set[str]) -> None:
    """L2.authority and L2.forged: the last genuine decision bound to the draft; forgeries bind nothing."""
    assert broken(scenario(2, deliver(0), *decisions), run(system)) == breaks


def test_forged_for_another_item() -> None:
    """L2.forged: a wrong-hash forgery of one item is none of another's business."""
    document = scenario(2, deliver(0), deliver(0, "m2"), wrong_hash(8, "m2"))
    both = run(does(0, 5, 13), m2=does(0, 5))
    assert broken(document, both) == {"L2.authority"}


def test_texts_and_pointers() -> None:
    """A violation points at the schedule element that causes it and speaks in ticks."""
    withdrawn = scenario(2, deliver(0), approve(12), reject(13))
    assert told(withdrawn, run(does(0, 5, 14)), "L2.authority") == [
        ("/schedule/2", "m1", "sent at 14 the draft of 5, which was rejected at 13")
    ]
    forgery = scenario(2, deliver(0), dangling(9))
    assert told(forgery, run(does(0, 5, 14)), "L2.forged") == [
        ("/schedule/1", "m1", "sent at 14 without authority, after the forged ghost at 9")
    ]
    assert told(L4_ESCALATED, run(does(0, 5, 15)), "L4.stop") == [
        ("/schedule/2", "m1", "escalated at 14, yet sent at 15")
    ]
    assert told(L0, Run({"m1": does(0, 5, (), abandoned(9, "crash")).item("m1")}), "K.reason") == [
        ("/schedule/0", "m1", "abandoned at 9 because of crash, but a crash has not happened by then")
    ]
