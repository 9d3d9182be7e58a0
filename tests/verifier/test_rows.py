"""What each row of the obligation table says of a log: worked out by hand from the model page, and no search in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from tests.verifier.known_answers import BY_POSTURE, document, sent
from tests.verifier.rows import AGENT_DIED, CRASHED, ESCALATED, REJECTED, broken

from wellposed.verifier.amr.answers import BASE, Answers

SETTLE = [{"claim": "claims-settle", "of": "m1", "within": 30}]
DRAFTED = {"admitted": 0, "draft": 5}


class Case(NamedTuple):
    level: int
    events: list[Any]
    log: dict[str, int]
    broken: list[str]
    answers: Answers = BASE
    options: dict[str, Any] | None = None
    expect: Sequence[dict[str, Any]] = ()


AT_THE_END = {"messages": (("m1", 40),)}
CLAIMED = {"admitted": 0, "draft": 5, "claimed": 8}
TWO_DEATHS: list[Any] = [(10, "kill", "m1", "a"), (14, "kill", "m1", "b"), (30, "approve", "m1")]
ENDED = {"send.0": 30, "resolved": 30}
TAKEN_UP = {**CLAIMED, "won.a": 11, "won.b": 16, **ENDED}
CRASH_OF_8: list[Any] = [(8, "crash")]
GO: list[Any] = [(12, "approve", "m1")]

CASES = {
    # Level 0: owed work is drafted and answered.
    "drafted at the last tick": Case(0, [], {"admitted": 0, "draft": 10, "send.0": 10}, []),
    "drafted one tick late": Case(0, [], {"admitted": 0, "draft": 11, "send.0": 11}, ["L0.draft", "L0.reply"]),
    "answered one tick late": Case(0, [], {**DRAFTED, "send.0": 11}, ["L0.reply"]),
    "a crash excuses a send, but where it may not": Case(
        2, [*GO, (14, "crash")], {**DRAFTED, "send.0": 20}, ["L2.send"], Answers(crash_keeps_send_due=True)
    ),
    "a crash excuses a send": Case(2, [*GO, (14, "crash")], {**DRAFTED, "send.0": 20}, []),
    "an approval that fires behind the horizon asks for nothing": Case(
        2, [(40, "approve", "m1")], {"admitted": 40, "draft": 40}, [], Answers(due_at_horizon=True), AT_THE_END
    ),
    # Level 1: a crash that finds work pending.
    "pending at a crash, and nothing more": Case(1, CRASH_OF_8, DRAFTED, ["L1.crash"]),
    "sent twenty ticks behind the crash": Case(1, CRASH_OF_8, {**DRAFTED, "send.0": 28}, []),
    "sent one tick late behind the crash": Case(1, CRASH_OF_8, {**DRAFTED, "send.0": 29}, ["L1.crash"]),
    "given up twenty ticks behind the crash": Case(1, CRASH_OF_8, {**DRAFTED, "resolved": 28, "ending": CRASHED}, []),
    "an escalation excuses behind a crash": Case(1, [(8, "crash"), (12, "escalate", "m1")], DRAFTED, []),
    "an escalation at the last tick excuses behind a crash": Case(1, [(8, "crash"), (28, "escalate", "m1")], DRAFTED, []),
    "an escalation behind the budget of the crash is none": Case(
        1, [(8, "crash"), (29, "escalate", "m1")], DRAFTED, ["L1.crash"]
    ),
    "a crash of the tick after starts it again": Case(1, [(8, "crash"), (9, "crash")], {**DRAFTED, "send.0": 29}, []),
    "the crash of the tick after counts": Case(1, [(8, "crash"), (9, "crash")], {**DRAFTED, "send.0": 30}, ["L1.crash"]),
    "given up only later, for another reason": Case(
        1, [(8, "crash"), (29, "escalate", "m1")], {**DRAFTED, "resolved": 30, "ending": ESCALATED}, ["L1.crash"]
    ),
    "a later crash starts the budget again": Case(1, [(8, "crash"), (10, "crash")], {**DRAFTED, "send.0": 30}, []),
    "the last crash counts": Case(1, [(8, "crash"), (10, "crash")], {**DRAFTED, "send.0": 31}, ["L1.crash"]),
    "of two crashes in one tick neither starts the budget of the other": Case(1, [(8, "crash"), (8, "crash")], DRAFTED, ["L1.crash", "L1.crash"]),
    # Level 2: every send needs its own authority.
    "sent twice, and rejected between": Case(
        2,
        [*GO, (14, "reject", "m1")],
        {**DRAFTED, "send.0": 13, "send.1": 15},
        ["L1.once", "L2.authority"],
        expect=[sent(False, 5)],
    ),
    # Level 3: contested claims.
    "settled at the last tick": Case(3, GO, {"admitted": 0, "draft": 5, "claimed": 2, "settled": 7, "send.0": 13, "resolved": 13}, [], BASE, None, SETTLE),
    "settled one tick late": Case(
        3, GO, {"admitted": 0, "draft": 5, "claimed": 2, "settled": 8, "send.0": 13, "resolved": 13}, ["L3.claims"], BASE, None, SETTLE
    ),
    "the second death starts the claims once more": Case(3, TWO_DEATHS, {**TAKEN_UP, "settled": 19}, [], BASE, None, SETTLE),
    "settled late behind the second death": Case(3, TWO_DEATHS, {**TAKEN_UP, "settled": 20}, ["L3.claims"], BASE, None, SETTLE),
    "claimed in the tick of the last death": Case(
        3, TWO_DEATHS, {**TAKEN_UP, "claimed": 14, "settled": 19}, [], BASE, None, SETTLE
    ),
    "a death behind the window starts nothing": Case(
        3, TWO_DEATHS, {**TAKEN_UP, "claimed": 2, "settled": 14}, ["L3.claims"], BASE, None, SETTLE
    ),
    "a death before the claims starts nothing": Case(
        3, TWO_DEATHS, {**TAKEN_UP, "claimed": 15, "settled": 21}, ["L3.claims"], BASE, None, SETTLE
    ),
    "a death that touches nothing starts nothing": Case(
        3,
        [(8, "approve", "m1"), (10, "kill", "m1", "a")],
        {**CLAIMED, "settled": 15, "send.0": 9, "resolved": 9},
        ["L3.claims"],
        BASE,
        None,
        SETTLE,
    ),
    # Where every item is claimed.
    "won at the last tick": Case(
        3, GO, {**DRAFTED, "claimed-first": 5, "send.0": 13, "resolved": 13}, [], Answers(claims_always=True)
    ),
    "won one tick late": Case(
        3, GO, {**DRAFTED, "claimed-first": 6, "send.0": 13, "resolved": 13}, ["L3.claims"], Answers(claims_always=True)
    ),
    "won one tick late at a higher level": Case(
        4, GO, {**DRAFTED, "claimed-first": 6, "send.0": 13, "resolved": 13}, ["L3.claims"], Answers(claims_always=True)
    ),
    "ended before anybody wins it": Case(
        3, [(3, "escalate", "m1")], {"admitted": 0, "resolved": 5, "ending": ESCALATED}, [], Answers(claims_always=True)
    ),
    "ended too late without a winner": Case(
        3, [(3, "escalate", "m1")], {"admitted": 0, "resolved": 6, "ending": ESCALATED}, ["L3.claims"], Answers(claims_always=True)
    ),
    "what is never admitted is never won": Case(
        3,
        [(30, "posture", "normal")],
        {},
        [],
        Answers(claims_always=True),
        {"messages": (("m1", 4),), "posture": "maintenance", "rules": BY_POSTURE},
    ),
    # Level 3: deaths and ends.
    "taken up after each of two deaths": Case(3, TWO_DEATHS, {**DRAFTED, "won.a": 12, "won.b": 19, **ENDED}, []),
    "taken up late after the second": Case(3, TWO_DEATHS, {**DRAFTED, "won.a": 12, "won.b": 20, **ENDED}, ["L3.death"]),
    "not taken up": Case(3, TWO_DEATHS, {**DRAFTED, "won.a": 12, **ENDED}, ["L3.death"]),
    "never ended, though decided": Case(3, GO, {**DRAFTED, "send.0": 13}, ["L3.terminal"]),
    "never ended, decided too late for that": Case(3, [(31, "approve", "m1")], {**DRAFTED, "send.0": 32}, []),
    "never ended, decided just in time for that": Case(3, [(30, "approve", "m1")], {**DRAFTED, "send.0": 31}, ["L3.terminal"]),
    "never ended, and the budget of the crash is over": Case(3, [*GO, (14, "crash")], {**DRAFTED, "send.0": 20}, ["L3.terminal"]),
    "never ended, and the crash found nothing": Case(3, [*GO, (30, "crash")], {**DRAFTED, "send.0": 13}, ["L3.terminal"]),
    "the budget of the crash ends with the horizon": Case(3, [*GO, (14, "crash"), (20, "crash")], {**DRAFTED, "send.0": 34}, ["L3.terminal"]),
    "the budget of the crash ends behind the horizon": Case(3, [*GO, (17, "crash"), (21, "crash")], {**DRAFTED, "send.0": 34}, []),
    "never ended, and escalated before the crash": Case(
        3, [*GO, (14, "escalate", "m1"), (22, "crash")], DRAFTED, ["L3.terminal"]
    ),
    "ended at the last tick behind a death": Case(
        3, [(10, "kill", "m1", "a"), (30, "approve", "m1")], {**DRAFTED, "resolved": 15, "ending": AGENT_DIED}, []
    ),
    "never ended, and not decided": Case(3, [], DRAFTED, []),
    "never ended, where all items end": Case(3, [], DRAFTED, ["L3.terminal"], Answers(all_resolved=True)),
    "ended, where all items end": Case(3, GO, {**DRAFTED, "send.0": 13, "resolved": 40}, [], Answers(all_resolved=True)),
    "never admitted, where all items end": Case(
        3,
        [(30, "posture", "normal")],
        {},
        [],
        Answers(all_resolved=True),
        {"messages": (("m1", 4),), "posture": "maintenance", "rules": BY_POSTURE},
    ),
    "a crash whose budget still runs, where all items end": Case(
        3, [(31, "approve", "m1"), (32, "crash")], DRAFTED, [], Answers(all_resolved=True)
    ),
    # Level 4: an escalation stops.
    "sent in the tick of the escalation": Case(
        4, [*GO, (14, "escalate", "m1")], {**DRAFTED, "send.0": 14, "resolved": 14}, ["L4.stop", "L4.resolve"]
    ),
    "sent in the tick of the escalation, which is before it": Case(
        4, [*GO, (14, "escalate", "m1")], {**DRAFTED, "send.0": 14, "resolved": 14}, [], Answers(same_tick_is_before=True)
    ),
    "sent twice, and stopped between": Case(
        4, [*GO, (14, "escalate", "m1")], {**DRAFTED, "send.0": 13, "send.1": 15, "resolved": 15}, ["L1.once", "L4.stop"], BASE, None, [sent(False, 5)]
    ),
    "what is finished is not condemned": Case(
        4, [*GO, (20, "escalate", "m1")], {**DRAFTED, "send.0": 13, "resolved": 13}, []
    ),
    "what is finished is condemned, where that is read": Case(
        4, [*GO, (20, "escalate", "m1")], {**DRAFTED, "send.0": 13, "resolved": 13}, ["L4.resolve"], Answers(condemns_finished=True)
    ),
    "each escalation asks for an end of its own, where the finished is condemned": Case(
        4,
        [(12, "escalate", "m1"), (20, "escalate", "m1")],
        {**DRAFTED, "resolved": 13, "ending": ESCALATED},
        ["L4.resolve"],
        Answers(condemns_finished=True),
    ),
    "an escalation that comes behind the horizon asks for nothing": Case(
        4, [(40, "escalate deferred", "m1")], {"admitted": 40}, [], BASE, AT_THE_END
    ),
    "ended in the tick of the escalation": Case(4, [(12, "escalate", "m1")], {**DRAFTED, "resolved": 12, "ending": ESCALATED}, []),
    "ended behind the escalation in any other way": Case(
        4, [(11, "crash"), (12, "escalate", "m1")], {**DRAFTED, "resolved": 12, "ending": CRASHED}, ["L4.resolve"]
    ),
    "an escalation that comes behind the horizon excuses nothing": Case(
        4, [(40, "escalate deferred", "m1")], {"admitted": 40}, ["L0.draft"], Answers(due_at_horizon=True), AT_THE_END
    ),
    "an escalation of nothing asks for nothing": Case(
        4,
        [(12, "escalate", "m1"), (30, "posture", "normal")],
        {},
        [],
        BASE,
        {"messages": (("m1", 4),), "posture": "maintenance", "rules": BY_POSTURE},
    ),
    # Level 6: even what was approved.
    "approved, then ended by a crash, then escalated": Case(
        6,
        [*GO, (13, "crash"), (20, "escalate", "m1")],
        {**DRAFTED, "resolved": 15, "ending": CRASHED},
        [],
    ),
    "approved, sent, escalated, ended": Case(6, [*GO, (14, "escalate", "m1")], {**DRAFTED, "send.0": 13, "resolved": 20}, []),
    "approved, then ended as rejected in spite of an escalation": Case(
        6,
        [*GO, (13, "escalate", "m1"), (14, "reject", "m1")],
        {**DRAFTED, "resolved": 15, "ending": REJECTED},
        ["L4.resolve", "L6.stop"],
    ),
    "an escalation behind the horizon stops no approval": Case(
        6,
        [(40, "approve", "m1"), (40, "escalate deferred", "m1")],
        {"admitted": 40, "draft": 40},
        [],
        Answers(deferred_at_draft=True),
        AT_THE_END,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_log_breaks_exactly_these_rows(name: str) -> None:
    case = CASES[name]
    made = document(case.level, case.events, list(case.expect), **case.options or {})
    assert broken(made, case.log, case.answers) == case.broken


BESIDE = ("c-m1", "c-m3")
"""Conversations with names before and behind the own one, which is c-m2."""


@pytest.mark.parametrize("other", BESIDE)
@pytest.mark.parametrize(("row", "claim", "choice"), [("L1.anchor", "reply-anchor", "carries"), ("L5.identity", "reply-in", "lies-in")])
def test_a_draft_belongs_to_its_own_conversation_and_to_no_other(row: str, claim: str, choice: str, other: str) -> None:
    names = ("c-m2", other)
    expect = [{"claim": claim, "of": "m2", "conversation": name} for name in names]
    made = document(int(row[1]), [], expect, messages=(("m1", 0), ("m2", 0), ("m3", 0)))
    made["stub"]["anchors"] = [{"conversation_id": name, "anchor": f"of {name}"} for name in names]

    def wrong(log: dict[str, int], *chosen: str) -> bool:
        choices = {f"m2.{choice}.{name}": 1 for name in chosen}
        return row in broken(made, {"m2.admitted": 0, **log, **choices}, message="m2")

    assert not wrong({})
    assert wrong({"m2.draft": 5})
    assert not wrong({"m2.draft": 5}, "c-m2")
    assert wrong({"m2.draft": 5}, other)
    assert row == "L5.identity" or wrong({"m2.draft": 5}, "c-m2", other)
