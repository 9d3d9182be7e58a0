"""Which logs a system can write at all, whatever it owes: each case beside its neighbour on the other side of the border."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from tests.verifier.known_answers import document, sent
from tests.verifier.rows import AGENT_DIED, CRASHED, ESCALATED, REJECTED, writable

from wellposed.verifier.amr.answers import BASE, Answers


class Case(NamedTuple):
    level: int
    events: list[Any]
    can: dict[str, int]
    cannot: dict[str, int]
    answers: Answers = BASE
    expect: Sequence[dict[str, Any]] = ()
    options: dict[str, Any] | None = None


STOP: list[Any] = [(2, "escalate", "m1")]
REJECT: list[Any] = [(3, "reject", "m1")]
DEATHS: list[Any] = [(10, "kill", "m1", "a"), (14, "kill", "m1", "b")]
TOGETHER: list[Any] = [(10, "kill", "m1", "a"), (10, "kill", "m1", "b")]
WORK = {"admitted": 0, "draft": 5}
STOPPED = {"resolved": 4, "ending": ESCALATED}
CLAIMS_ALWAYS = Answers(claims_always=True)
SETTLE = ({"claim": "claims-settle", "of": "m1", "within": 30},)
LATE = {"messages": (("m1", 7),)}
JUMPED: list[Any] = [(3, "jump", 8)]
HELD: list[Any] = [(5, "hold"), (9, "release")]

WITHIN = (sent(False, 9),)
ONCE = {"admitted": 0, "draft": 1, "send.0": 2}
TWICE = {**ONCE, "send.1": 6, "next-draft": 4}
OTHER = {**ONCE, "send.1": 6, "sent-draft.1": 4, "next-draft": 4}

CASES = {
    # The order of an item's records.
    "admitted at the delivery or later": Case(0, [], {"admitted": 7}, {"admitted": 6}, options=LATE),
    "a record at the horizon, or none": Case(0, [], {"admitted": 40}, {"admitted": 42}),
    "drafted in the tick of the admission": Case(0, [], {"admitted": 5, "draft": 5}, {"admitted": 5, "draft": 4}),
    "only what is admitted is drafted": Case(0, [], {"admitted": 0, "draft": 5}, {"draft": 5}),
    "sent in the tick of the draft": Case(0, [], {**WORK, "send.0": 5}, {**WORK, "send.0": 4}),
    "only what is drafted is sent": Case(0, [], {**WORK, "send.0": 6}, {"admitted": 0, "send.0": 6}),
    "ended in the tick of the admission": Case(
        0, STOP, {"admitted": 4, **STOPPED}, {"admitted": 5, **STOPPED}
    ),
    "drafted in the tick of the end": Case(0, STOP, {"admitted": 0, "draft": 4, **STOPPED}, {"admitted": 0, "draft": 5, **STOPPED}),
    "sent in the tick of the end": Case(
        0, STOP, {"admitted": 0, "draft": 1, "send.0": 4, **STOPPED}, {"admitted": 0, "draft": 1, "send.0": 5, **STOPPED}
    ),
    "nothing is sent at the horizon behind the end": Case(
        0, STOP, {"admitted": 0, "draft": 1, "send.0": 4, **STOPPED}, {"admitted": 0, "draft": 1, "send.0": 40, **STOPPED}
    ),
    "nothing is drafted at the horizon behind the end": Case(
        0, STOP, {"admitted": 0, "draft": 4, **STOPPED}, {"admitted": 0, "draft": 40, **STOPPED}
    ),
    "two sends in their order": Case(
        0, [], {**WORK, "send.0": 6, "send.1": 6}, {**WORK, "send.0": 6, "send.1": 5}, expect=(sent(False, 9),)
    ),
    "the second send in the tick of the end": Case(
        0,
        [],
        {**WORK, "send.0": 6, "send.1": 8, "resolved": 8},
        {**WORK, "send.0": 6, "send.1": 8, "resolved": 7},
        expect=(sent(False, 9),),
    ),
    # How an item ends.
    "completed in the tick of the send": Case(0, [], {**WORK, "send.0": 6, "resolved": 6}, {**WORK, "send.0": 7, "resolved": 6}),
    "only what is sent is completed": Case(0, [], {**WORK, "send.0": 6, "resolved": 9}, {**WORK, "resolved": 9}),
    "an end of no kind without an end": Case(0, STOP, {"admitted": 0}, {"admitted": 0, "ending": ESCALATED}),
    "ended as escalated in the tick of that": Case(
        0, STOP, {"admitted": 0, "resolved": 2, "ending": ESCALATED}, {"admitted": 0, "resolved": 1, "ending": ESCALATED}
    ),
    "ended as escalated only if escalated": Case(
        0, STOP, {"admitted": 0, "resolved": 4, "ending": ESCALATED}, {"admitted": 0, "resolved": 4, "ending": CRASHED}
    ),
    "ended as rejected in the tick of that": Case(
        0, REJECT, {"admitted": 0, "draft": 1, "resolved": 3, "ending": REJECTED}, {"admitted": 0, "draft": 1, "resolved": 2, "ending": REJECTED}
    ),
    "ended as rejected only when the decision finds a draft": Case(
        0, REJECT, {"admitted": 0, "draft": 4, "resolved": 5, "ending": REJECTED}, {"admitted": 0, "resolved": 5, "ending": REJECTED}
    ),
    "ended as rejected only by a reject": Case(
        0,
        [*REJECT, *STOP],
        {"admitted": 0, "draft": 1, "resolved": 4, "ending": REJECTED},
        {"admitted": 0, "draft": 1, "resolved": 4, "ending": AGENT_DIED},
    ),
    "an approval rejects nothing": Case(
        0,
        [(3, "approve", "m1"), (4, "reject", "m1")],
        {"admitted": 0, "draft": 1, "resolved": 4, "ending": REJECTED},
        {"admitted": 0, "draft": 1, "resolved": 3, "ending": REJECTED},
    ),
    "ended by a crash in the tick of that": Case(
        0, [(3, "crash")], {"admitted": 0, "resolved": 3, "ending": CRASHED}, {"admitted": 0, "resolved": 2, "ending": CRASHED}
    ),
    "ended by a death in the tick of that": Case(
        3, DEATHS, {"admitted": 0, "resolved": 10, "ending": AGENT_DIED}, {"admitted": 0, "resolved": 9, "ending": AGENT_DIED}
    ),
    "a death is the reason of no other end": Case(
        3, DEATHS, {"admitted": 0, "resolved": 11, "ending": AGENT_DIED}, {"admitted": 0, "resolved": 11, "ending": CRASHED}
    ),
    "a crash is the reason of no other end": Case(
        0, [(3, "crash")], {"admitted": 0, "resolved": 4, "ending": CRASHED}, {"admitted": 0, "resolved": 4, "ending": ESCALATED}
    ),
    "ended by a death only if that touches the item": Case(
        3, DEATHS, {"admitted": 9, "resolved": 11, "ending": AGENT_DIED}, {"admitted": 10, "resolved": 11, "ending": AGENT_DIED}
    ),
    "what was sent is no longer touched": Case(
        3,
        [(3, "approve", "m1"), *DEATHS, (15, "crash")],
        {**WORK, "resolved": 11, "ending": AGENT_DIED},
        {**WORK, "send.0": 9, "resolved": 11, "ending": AGENT_DIED},
    ),
    "what was sent may end as escalated and not otherwise": Case(
        0, [*STOP, (3, "crash")], {"admitted": 0, "draft": 1, "send.0": 1, **STOPPED}, {"admitted": 0, "draft": 1, "send.0": 1, "resolved": 4, "ending": CRASHED}
    ),
    # Who takes up the work of the dead.
    "taken up in the tick of the death": Case(3, DEATHS, {**WORK, "won.a": 10}, {**WORK, "won.a": 9}),
    "taken up before the next death": Case(3, DEATHS, {**WORK, "won.a": 13}, {**WORK, "won.a": 14}),
    "taken up only if it was held": Case(3, DEATHS, {**WORK, "won.b": 20}, {"admitted": 14, "draft": 14, "won.b": 20}),
    "a death that touches nothing ends no tenure": Case(
        3,
        [(5, "approve", "m1"), *DEATHS],
        {"admitted": 0, "draft": 1, "send.0": 12, "won.a": 16},
        {"admitted": 0, "draft": 1, "send.0": 14, "won.a": 16},
    ),
    "taken up in the tick of the end": Case(
        3, [*STOP, *DEATHS], {**WORK, "resolved": 12, "ending": ESCALATED, "won.a": 12}, {**WORK, "resolved": 12, "ending": ESCALATED, "won.a": 13}
    ),
    "of two deaths in one tick the second is followed": Case(3, TOGETHER, {**WORK, "won.b": 10}, {**WORK, "won.a": 10}),
    "taken up by the last of two": Case(3, TOGETHER, {**WORK, "won.b": 12}, {**WORK, "won.a": 12}),
    # Claims.
    "won in the tick of the admission": Case(
        3, [], {"admitted": 3, "claimed-first": 3}, {"admitted": 3, "claimed-first": 2}, CLAIMS_ALWAYS
    ),
    "won in the tick of the end": Case(
        3, STOP, {"admitted": 0, "claimed-first": 4, **STOPPED}, {"admitted": 0, "claimed-first": 5, **STOPPED}, CLAIMS_ALWAYS
    ),
    "claimed in the tick of the admission": Case(
        3, [], {"admitted": 3, "claimed": 3, "settled": 3}, {"admitted": 3, "claimed": 2, "settled": 3}, expect=SETTLE
    ),
    "settled in the tick of the claims": Case(
        3, [], {"admitted": 3, "claimed": 5, "settled": 5}, {"admitted": 3, "claimed": 5, "settled": 4}, expect=SETTLE
    ),
    # Several drafts.
    "sent is a draft of its tick or earlier": Case(
        2, REJECT, {"admitted": 0, "draft": 1, "sent-draft": 6, "send.0": 6}, {"admitted": 0, "draft": 1, "sent-draft": 6, "send.0": 5}
    ),
    "no draft is before the first": Case(
        2, REJECT, {"admitted": 0, "draft": 2, "sent-draft": 2, "send.0": 6}, {"admitted": 0, "draft": 2, "sent-draft": 1, "send.0": 6}
    ),
    "nothing is drafted, so nothing is decided": Case(2, REJECT, {"admitted": 0}, {"draft": 1}),
    "without a send only the first draft is told": Case(
        2, REJECT, {"admitted": 0, "draft": 1}, {"admitted": 0, "draft": 1, "sent-draft": 2}
    ),
    "without a send there is no next draft": Case(
        2, REJECT, {"admitted": 0, "draft": 1, "send.0": 2, "next-draft": 4}, {"admitted": 0, "draft": 1, "next-draft": 4}
    ),
    "the next draft has a later tick": Case(
        2, REJECT, {"admitted": 0, "draft": 1, "send.0": 2, "next-draft": 2}, {"admitted": 0, "draft": 1, "send.0": 2, "next-draft": 1}
    ),
    "the sent draft is none behind the end": Case(
        2,
        [*STOP, *REJECT],
        {"admitted": 0, "draft": 1, "sent-draft": 4, "send.0": 4, **STOPPED},
        {"admitted": 0, "draft": 1, "sent-draft": 5, "send.0": 5, **STOPPED},
    ),
    "the next draft is none behind the end": Case(
        2,
        [*STOP, *REJECT],
        {"admitted": 0, "draft": 1, "send.0": 2, "next-draft": 4, **STOPPED},
        {"admitted": 0, "draft": 1, "send.0": 2, "next-draft": 5, **STOPPED},
    ),
    # What is sent a second time may be another draft.
    "the second send is of a draft of its own": Case(2, REJECT, {**TWICE, "sent-draft.1": 4}, {**TWICE, "sent-draft.1": 7}, expect=WITHIN),
    "the second send is of a draft of its tick": Case(
        2, REJECT, {**OTHER, "send.1": 4}, {**OTHER, "send.1": 4, "sent-draft.1": 5}, expect=WITHIN
    ),
    "the second send is of no draft before the first, which would follow it": Case(
        2,
        REJECT,
        {**ONCE, "send.1": 6, "sent-draft.1": 1},
        {**ONCE, "send.1": 6, "sent-draft.1": 0, "next-draft.1": 1},
        expect=WITHIN,
    ),
    "the second send is of no draft before the first": Case(
        2, REJECT, {**ONCE, "send.1": 6, "sent-draft.1": 1}, {**ONCE, "send.1": 6, "sent-draft.1": 0}, expect=WITHIN
    ),
    "its draft is followed by a later one": Case(
        2, REJECT, {**OTHER, "next-draft.1": 5}, {**OTHER, "next-draft.1": 4}, expect=WITHIN
    ),
    "without a second send there is no draft of it": Case(
        2, REJECT, {**ONCE, "next-draft": 4}, {**ONCE, "next-draft": 4, "sent-draft.1": 4}, expect=WITHIN
    ),
    "without a second send none follows it": Case(
        2, REJECT, {**ONCE, "next-draft": 4}, {**ONCE, "next-draft": 4, "next-draft.1": 4}, expect=WITHIN
    ),
    "what does not follow has one name": Case(2, REJECT, OTHER, {**OTHER, "next-draft.1": 41}, expect=WITHIN),
    "what follows the second is none behind the end": Case(
        2,
        [*STOP, *REJECT],
        {**OTHER, "send.1": 4, "next-draft.1": 5, "resolved": 5, "ending": ESCALATED},
        {**OTHER, "send.1": 4, "next-draft.1": 6, "resolved": 5, "ending": ESCALATED},
        expect=WITHIN,
    ),
    "no draft between the second and what follows it": Case(
        2,
        REJECT,
        {**OTHER, "next-draft": 4, "next-draft.1": 5},
        {**OTHER, "next-draft": 5, "next-draft.1": 6},
        expect=WITHIN,
    ),
    "no draft between the first and what follows it": Case(
        2, REJECT, {**OTHER, "next-draft": 4}, {**OTHER, "next-draft": 5, "next-draft.1": 5}, expect=WITHIN
    ),
    # Ticks at which nothing stands.
    "nothing leaves while effects are held": Case(0, HELD, {**WORK, "send.0": 9}, {**WORK, "send.0": 8}),
    "effects leave before they are held": Case(
        0, HELD, {"admitted": 0, "draft": 4, "send.0": 4}, {"admitted": 0, "draft": 4, "send.0": 5}
    ),
    "no record in what a jump removes, where it counts": Case(
        0, JUMPED, {"admitted": 3}, {"admitted": 4}, Answers(jumps_cost_all=True)
    ),
    "the landing is there again": Case(0, JUMPED, {"admitted": 8}, {"admitted": 7}, Answers(jumps_cost_all=True)),
    "no record between the horizon and never, where deadlines are due": Case(
        0, [], {"admitted": 40}, {"admitted": 41}, Answers(due_at_horizon=True)
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_system_can_write_the_one_and_not_the_other(name: str) -> None:
    case = CASES[name]
    made = document(case.level, case.events, list(case.expect), **case.options or {})
    assert writable(made, case.can, case.answers)
    assert not writable(made, case.cannot, case.answers)


def test_a_death_that_waits_for_a_record_may_never_come() -> None:
    made = document(3, [], [])
    record = {"signal_id": "d", "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 0}
    made["schedule"].append({"seq": 1, "channel": "signals", "when": {"event": "drafted", "work_id": "work:m1"}, "record": record})
    assert writable(made, {"admitted": 0})
    assert writable(made, {**WORK, "won.d": 6})
    assert not writable(made, {**WORK, "won.d": 5})
    assert not writable(made, {"admitted": 0, "won.d": 6})


def test_of_two_deaths_the_one_that_waited_may_be_the_first() -> None:
    made = document(3, [(9, "kill", "m1", "b")], [])
    record = {"signal_id": "a", "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 0}
    made["schedule"].append({"seq": 2, "channel": "signals", "when": {"event": "drafted", "work_id": "work:m1"}, "record": record})
    assert writable(made, {**WORK, "won.a": 8, "won.b": 9})
    assert not writable(made, {**WORK, "won.a": 9})
    assert writable(made, {"admitted": 0, "draft": 8, "won.a": 9})
    assert not writable(made, {"admitted": 0, "draft": 8, "won.b": 9})
    assert writable(made, {"admitted": 0, "draft": 9, "won.a": 10, "won.b": 9})


def test_of_two_deaths_that_wait_the_first_written_may_come_last() -> None:
    made = document(3, [], [])
    for name, event in (("a", "drafted"), ("b", "admitted")):
        record = {"signal_id": name, "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 0}
        entry = {"seq": len(made["schedule"]), "channel": "signals", "when": {"event": event, "work_id": "work:m1"}, "record": record}
        made["schedule"].append(entry)
    assert writable(made, {**WORK, "won.b": 5, "won.a": 6})
    assert not writable(made, {**WORK, "won.b": 6})
    assert writable(made, {"admitted": 0, "draft": 0, "won.b": 1})
    assert not writable(made, {"admitted": 0, "draft": 0, "won.a": 1})
