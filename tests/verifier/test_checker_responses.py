"""The rows of the obligation table that demand a response: exactly at the bound, one tick late, and every excuse.

Every entry names all obligations that the run breaks, so an excuse at its boundary shows as a difference of one tick.
"""

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
    deliver,
    does,
    escalate,
    kill,
    kill_agent,
    posture,
    reject,
    repeat,
    run,
    scenario,
    told,
    when,
    wrong_hash,
)

from wellposed.verifier.amr.run import Contention

Row = tuple[str, dict[str, Any], Does, set[str]]


def parametrize(rows: list[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("document", "system", "breaks"), [row[1:] for row in rows], ids=[row[0] for row in rows]
    )


def check(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    assert broken(document, run(system)) == breaks


L0_AT = {horizon: scenario(0, deliver(3), horizon=horizon) for horizon in (12, 13, 60)}
IDLE_0 = {"L0.draft", "L0.reply"}


def l0(*schedule: dict[str, Any], level: int = 0, horizon: int = 60) -> dict[str, Any]:
    return scenario(level, deliver(0), *schedule, horizon=horizon)


L0_DRAFT: list[Row] = [
    ("a draft 10 ticks after the delivery", L0_AT[60], does(3, 13, 13), set()),
    ("11 ticks after", L0_AT[60], does(3, 14, 14), IDLE_0),
    ("the clock of required work starts at the delivery", L0_AT[60], does(13, 13, 13), set()),
    ("due at the horizon", L0_AT[13], does(), IDLE_0),
    ("beyond the horizon not due", L0_AT[12], does(), set()),
    ("gated: the draft is due, the reply is not", l0(approve(30), horizon=39), does(0, 10), set()),
    ("gated: a draft late", l0(approve(30), horizon=39), does(0, 11), {"L0.draft"}),
    ("an escalation at the deadline", l0(escalate(10)), does(), set()),
    ("an escalation after the deadline", l0(escalate(11)), does(), IDLE_0),
    ("an escalation before the delivery", scenario(0, deliver(3), escalate(1)), does(), set()),
    ("a reject that waits for a draft", l0(reject(5)), does(), {"L0.draft"}),
]


@parametrize(L0_DRAFT)
def test_l0_draft(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def test_l0_draft_of_admitted_work() -> None:
    """L0.draft, L0.reply: work that no rule requires is owed from its admission on."""
    refusing = scenario(0, deliver(0), versions={"none": []})
    assert broken(refusing, run(does())) == set()
    assert broken(refusing, run(does(7, 17, 17, rules="none"))) == set()
    assert broken(refusing, run(does(7, 18, 18, rules="none"))) == IDLE_0


def test_l0_draft_excused_by_a_lawful_abandonment() -> None:
    """L0.draft: a death of the holder lets the item be abandoned undrafted; after the deadline it excuses nothing."""
    early, late = (scenario(3, deliver(0), kill(at)) for at in (8, 11))
    assert broken(early, run(does(0, (), (), abandoned(10, "agent_death")))) == set()
    assert broken(early, run(does(0, (), (), abandoned(11, "agent_death")))) == {"L0.draft"}
    assert broken(late, run(does(0, (), (), abandoned(11, "agent_death")))) == {"L0.draft"}
    assert broken(early, run(does(0, (), (), completed(10)))) == {"K.completed", "L0.draft"}


L0_REPLY: list[Row] = [
    ("ungated: 10 ticks after the delivery", l0(), does(0, 5, 10), set()),
    ("ungated: 11 ticks after", l0(), does(0, 5, 11), {"L0.reply"}),
    ("a forgery gates nothing", l0(wrong_hash(30)), does(0, 5, 11), {"L0.reply"}),
    ("gated: 10 ticks after the approve", l0(approve(30)), does(0, 5, 40), set()),
    ("gated: 11 ticks after", l0(approve(30)), does(0, 5, 41), {"L0.reply"}),
    ("gated: due at the horizon", l0(approve(30), horizon=40), does(0, 5), {"L0.reply"}),
    ("gated: beyond the horizon not due", l0(approve(30), horizon=39), does(0, 5), set()),
    ("gated: a send before the approve was free", l0(approve(30)), does(0, 5, 29), set()),
    ("gated by an approve that never fires", l0(approve(when("sent", "m1"))), does(0, 5), set()),
    (
        "a second approve is a cause while nothing is sent",
        l0(approve(20), approve(28, name="go2")),
        does(0, 5, 30),
        set(),
    ),
    ("both late", l0(approve(20), approve(28, name="go2")), does(0, 5, 39), {"L0.reply"}),
    ("a repeat is no cause", l0(approve(20), repeat(28)), does(0, 5, 30), set()),
    ("an approve after the send is no cause", l0(approve(20), approve(31, name="go2")), does(0, 5, 30), set()),
    ("an escalation at the deadline", l0(approve(20), escalate(30)), does(0, 5), set()),
    ("an escalation after the deadline", l0(approve(20), escalate(31)), does(0, 5), {"L0.reply"}),
    ("a later reject at the deadline", l0(approve(20), reject(30)), does(0, 5), set()),
    ("a reject after the deadline", l0(approve(20), reject(31)), does(0, 5), {"L0.reply"}),
    ("a reject of the same tick, later in order", l0(approve(20), reject(20)), does(0, 5), set()),
    ("a reject of the same tick, earlier in order", l0(reject(20), approve(20)), does(0, 5), {"L0.reply"}),
    (
        "a reject that a further approve of its tick undoes",
        l0(approve(20), reject(25), approve(25, name="go2")),
        does(0, 5),
        {"L0.reply"},
    ),
    (
        "a later reject, then a further approve: a new cause",
        l0(approve(20), reject(25), approve(28, name="go2")),
        does(0, 5, 38),
        set(),
    ),
    ("the new cause missed", l0(approve(20), reject(25), approve(28, name="go2")), does(0, 5, 39), {"L0.reply"}),
    ("a crash that finds it pending governs", l0(crash(10)), does(0, 5), set()),
    ("a crash after the deadline", l0(crash(11)), does(0, 5), {"L0.reply"}),
    ("a crash that finds no draft", l0(crash(5)), does(0, 5), {"L0.reply"}),
    ("a crash in the tick of the approve", l0(approve(20), crash(20)), does(0, 5), set()),
    ("a crash while it merely waits", l0(crash(19), approve(20)), does(0, 5), {"L0.reply"}),
    ("abandoned after a crash", l0(crash(10)), does(0, 5, (), abandoned(10, "crash")), set()),
]


@parametrize(L0_REPLY)
def test_l0_reply(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def l1(*schedule: dict[str, Any], horizon: int = 80) -> dict[str, Any]:
    return scenario(1, deliver(0), *schedule, horizon=horizon)


L1_CRASH: list[Row] = [
    ("a send 20 ticks after the crash", l1(crash(8)), does(0, 5, 28), set()),
    ("21 ticks after", l1(crash(8)), does(0, 5, 29), {"L1.crash"}),
    ("an abandonment 20 ticks after", l1(crash(8)), does(0, 5, (), abandoned(28, "crash")), set()),
    ("due at the horizon", l1(crash(8), horizon=28), does(0, 5), {"L1.crash"}),
    ("beyond the horizon not due", l1(crash(8), horizon=27), does(0, 5), set()),
    ("drafted in the tick before the crash", l1(crash(6)), does(0, 5), {"L1.crash"}),
    ("drafted before and after: pending", l1(crash(8)), does(0, (5, 9)), {"L1.crash"}),
    ("drafted in its tick: not pending", l1(crash(5)), does(0, 5, 10), set()),
    ("the second of two finds it drafted", l1(crash(5), crash(8, "two")), does(0, 5), {"L1.crash"}),
    ("a further crash one tick later restarts", l1(crash(8), crash(9, "two")), does(0, 5, 29), set()),
    ("sent in its tick: pending, and answered", l1(crash(8)), does(0, 5, 8), set()),
    ("sent before: not pending", l1(crash(8)), does(0, 5, 7), set()),
    ("merely waiting for a decision: not pending", l1(crash(8), approve(70, name="go")), does(0, 5, 75), set()),
    ("rejected: not pending", l1(reject(7), crash(8)), does(0, 5), set()),
    ("rejected in its tick: not pending", l1(approve(7), crash(8), reject(8)), does(0, 5), set()),
    ("approved in its tick: pending", l1(crash(8), approve(8)), does(0, 5), {"L1.crash"}),
    ("approved in its tick, answered", l1(crash(8), approve(8)), does(0, 5, 28), set()),
    ("an escalation at the deadline", l1(crash(8), escalate(28)), does(0, 5), set()),
    ("an escalation after it", l1(crash(8), escalate(29)), does(0, 5), {"L1.crash"}),
    ("escalated in its tick: not pending", l1(approve(7), escalate(8), crash(8)), does(0, 5), set()),
    ("a later reject at the deadline", l1(approve(7), crash(8), reject(28)), does(0, 5), set()),
    ("a reject after it", l1(approve(7), crash(8), reject(29)), does(0, 5), {"L1.crash"}),
    ("a further crash at the deadline restarts", l1(crash(8), crash(28, "two")), does(0, 5, 48), set()),
    ("the further crash missed", l1(crash(8), crash(28, "two")), does(0, 5, 49), {"L1.crash"}),
    ("a further crash after the deadline", l1(crash(8), crash(29, "two")), does(0, 5, 30), {"L1.crash"}),
    (
        "a further crash that does not find it pending",
        l1(approve(7), crash(8), escalate(29), crash(29, "two")),
        does(0, 5),
        {"L1.crash"},
    ),
]


@parametrize(L1_CRASH)
def test_l1_crash(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def test_l1_crash_governs_at_level_0_too() -> None:
    """L0.reply at level 0: a pending crash excuses it although L1.crash is not in force."""
    assert broken(scenario(0, deliver(0), crash(8)), run(does(0, 5, 50))) == set()


L2_ADMIT: list[Row] = [
    ("5 ticks after the delivery", scenario(2, deliver(3)), does(8, 13), set()),
    ("6 ticks after", scenario(2, deliver(3)), does(9, 13), {"L2.admit"}),
    ("never", scenario(2, deliver(3), escalate(1)), does(), {"L2.admit"}),
    ("due at the horizon", scenario(2, deliver(3), horizon=8), does(), {"L2.admit"}),
    ("beyond the horizon not due", scenario(2, deliver(3), horizon=7), does(), set()),
    ("below level 2 not asked", scenario(1, deliver(3)), does(13, 13, 13), set()),
    (
        "a change that does not alter its match",
        scenario(2, deliver(3), posture(5, "vip-only")),
        does(9, 13),
        {"L2.admit"},
    ),
]


@parametrize(L2_ADMIT)
def test_l2_admit(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def l2(*schedule: dict[str, Any], horizon: int = 80) -> dict[str, Any]:
    return scenario(2, deliver(0), *schedule, horizon=horizon)


L2_SEND: list[Row] = [
    ("5 ticks after the approve", l2(approve(12)), does(0, 5, 17), set()),
    ("6 ticks after", l2(approve(12)), does(0, 5, 18), {"L2.send"}),
    ("due at the horizon", l2(approve(12), horizon=17), does(0, 5), {"L2.send"}),
    ("beyond the horizon not due", l2(approve(12), horizon=16), does(0, 5), set()),
    ("both send budgets missed", l2(approve(12)), does(0, 5), {"L0.reply", "L2.send"}),
    ("a deferred approve counts from its fire tick", l2(approve(2)), does(0, 7, 13), set()),
    ("and no later", l2(approve(2)), does(0, 7, 14), {"L2.send"}),
    ("whichever approved draft", l2(approve(12), approve(14, name="go2")), does(0, (5, 13), ((17, 1),)), set()),
    ("an escalation at the deadline", l2(approve(12), escalate(17)), does(0, 5), set()),
    ("an escalation after it", l2(approve(12), escalate(18)), does(0, 5), {"L2.send"}),
    ("a later reject at the deadline", l2(approve(12), reject(17)), does(0, 5), set()),
    ("a reject after it", l2(approve(12), reject(18)), does(0, 5), {"L2.send"}),
    ("a later reject of another draft", l2(approve(12), reject(17)), does(0, (5, 14)), set()),
    ("a crash at the deadline that finds it pending", l2(approve(12), crash(17)), does(0, 5, 37), set()),
    ("a crash after the deadline", l2(approve(12), crash(18)), does(0, 5, 37), {"L2.send"}),
    ("a crash in the tick of the approve", l2(approve(12), crash(12)), does(0, 5, 32), set()),
    ("a crash before the approve", l2(crash(11), approve(12)), does(0, 5, 18), {"L2.send"}),
    ("abandoned after a crash", l2(approve(12), crash(14)), does(0, 5, (), abandoned(15, "crash")), set()),
    ("after a resolution no cause", l2(reject(12), approve(14)), does(0, 5, (), abandoned(13, "rejected")), set()),
    (
        "resolved in the tick of the approve",
        l2(reject(12), approve(14)),
        does(0, 5, (), abandoned(14, "rejected")),
        {"L0.abandon", "L0.reply", "L2.send"},
    ),
]


@parametrize(L2_SEND)
def test_l2_send(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def l3(*schedule: dict[str, Any], horizon: int = 60) -> dict[str, Any]:
    return scenario(3, deliver(0), *schedule, horizon=horizon)


def contested(claimed: int, settled: int | None, won: tuple[int, ...] = ()) -> Does:
    return does(0, 5, won=won, contention=Contention(claimed, settled))


L3_CLAIMS: list[Row] = [
    ("settled 5 ticks after the first claim", l3(), contested(4, 9), set()),
    ("6 ticks after", l3(), contested(4, 10), {"L3.claims"}),
    ("never", l3(), contested(4, None), {"L3.claims"}),
    ("due at the horizon", l3(horizon=20), contested(15, None), {"L3.claims"}),
    ("beyond the horizon not due", l3(horizon=20), contested(16, None), set()),
    ("below level 3 not asked", l2(), contested(4, None), set()),
    ("a death at the end of the window restarts it", l3(kill(9)), contested(4, 14, (9,)), set()),
    ("and no longer than that", l3(kill(9)), contested(4, 15, (9,)), {"L3.claims"}),
    ("a death after the window", l3(kill(10)), contested(4, 11, (10,)), {"L3.claims"}),
    ("two deaths in a row", l3(kill(9), kill(14, name="two")), contested(4, 19, (9, 14)), set()),
]


@parametrize(L3_CLAIMS)
def test_l3_claims(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


L3_DEATH: list[Row] = [
    ("reassigned in the tick of the death", l3(kill(12)), does(0, 5, won=(12,)), set()),
    ("reassigned 5 ticks after", l3(kill(12)), does(0, 5, won=(17,)), set()),
    ("6 ticks after", l3(kill(12)), does(0, 5, won=(18,)), {"L3.death"}),
    ("orphaned 5 ticks after", l3(kill(12)), does(0, 5, (), abandoned(17, "agent_death")), set()),
    ("completed 5 ticks after", l3(approve(11), kill(12)), does(0, 5, 13, completed(17)), set()),
    ("completed 6 ticks after", l3(approve(11), kill(12)), does(0, 5, 13, completed(18)), {"L3.death"}),
    ("a send is no answer", l3(approve(51), kill(52)), does(0, 5, 53), {"L3.death"}),
    ("due at the horizon", l3(kill(55)), does(0, 5), {"L3.death"}),
    ("beyond the horizon not due", l3(kill(56)), does(0, 5), set()),
    ("sent before: no holder", l3(approve(51), kill(52)), does(0, 5, 51), set()),
    ("sent in its tick: held", l3(approve(51), kill(52)), does(0, 5, 52), {"L3.death"}),
    ("admitted in its tick: no holder", l3(kill(3)), does(3, 5), set()),
    ("admitted one tick before: held", l3(kill(4)), does(3, 5), {"L3.death"}),
    ("two deaths, each answered", l3(kill(12), kill(20, name="two")), does(0, 5, won=(14, 25)), set()),
    ("two deaths, the second missed", l3(kill(12), kill(20, name="two")), does(0, 5, won=(14,)), {"L3.death"}),
    ("the first missed", l3(kill(12), kill(20, name="two")), does(0, 5, won=(22,)), {"L3.death"}),
    ("one answer for two close deaths", l3(kill(12), kill(14, name="two")), does(0, 5, won=(17,)), set()),
    ("a literal agent that holds nothing", l3(kill_agent(12)), does(0, 5), set()),
    ("it extends no other deadline", l3(approve(11), kill(12)), does(0, 5, 17, completed(30), (14,)), {"L2.send"}),
    ("below level 3 not asked", l2(kill(12)), does(0, 5), set()),
]


@parametrize(L3_DEATH)
def test_l3_death(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def test_l3_death_of_a_shared_holder() -> None:
    """L3.death: a death touches all that the holder holds, and only that; the run says what."""
    document = scenario(3, deliver(0), deliver(0, "m2"), kill(12))
    for held, breaks in (({"m1", "m2"}, {"L3.death"}), ({"m1"}, set())):
        finished = run(does(0, 5, won=(14,)), m2=does(0, 5), held={"death": held})
        assert broken(document, finished) == breaks
    literal = scenario(3, deliver(0), deliver(0, "m2"), kill_agent(12))
    finished = run(does(0, 5), m2=does(0, 5), held={"death": {"m2"}})
    assert told(literal, finished, "L3.death") == [
        ("/schedule/2", "m2", "its agent died at 12, so a reassignment or a resolution is due by 17; none")
    ]


L3_TERMINAL: list[Row] = [
    ("decided 10 ticks before the horizon, resolved at it", l3(approve(50)), does(0, 5, 52, completed(60)), set()),
    ("decided 10 ticks before, not resolved", l3(approve(50)), does(0, 5, 52), {"L3.terminal"}),
    ("decided 9 ticks before", l3(approve(51)), does(0, 5, 52), set()),
    ("a reject decides too", l3(reject(50)), does(0, 5), {"L3.terminal"}),
    ("never decided", l3(), does(0, 5), set()),
    ("a crash whose budget still runs at the horizon", l3(approve(39), crash(41)), does(0, 5, 42), set()),
    ("a crash whose budget ends at it", l3(approve(39), crash(40)), does(0, 5, 42), {"L3.terminal"}),
    ("a crash that did not find it pending", l3(approve(39), crash(43)), does(0, 5, 42), {"L3.terminal"}),
    ("a crash of what was escalated", l3(approve(12), escalate(14), crash(50)), does(0, 5), {"L3.terminal"}),
    ("below level 3 not asked", scenario(2, deliver(0), approve(20)), does(0, 5, 22), set()),
]


@parametrize(L3_TERMINAL)
def test_l3_terminal(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def test_l3_terminal_is_one_debt() -> None:
    """L3.terminal: several decisions on one item still make one missing resolution, due to the first of them."""
    twice = l3(approve(20), approve(22, name="go2"))
    assert [pointer for pointer, _, _ in told(twice, run(does(0, 5, 24)), "L3.terminal")] == ["/schedule/1"]


def l4(*schedule: dict[str, Any], horizon: int = 40, level: int = 4) -> dict[str, Any]:
    return scenario(level, deliver(0), *schedule, horizon=horizon)


L4_RESOLVE: list[Row] = [
    ("abandoned in the tick of the escalation", l4(escalate(12)), does(0, 5, (), abandoned(12)), set()),
    ("abandoned at the horizon", l4(escalate(12)), does(0, 5, (), abandoned(40)), set()),
    ("never", l4(escalate(12)), does(0, 5), {"L4.resolve"}),
    ("for another reason", l4(reject(11), escalate(12)), does(0, 5, (), abandoned(13, "rejected")), {"L4.resolve"}),
    ("resolved before", l4(reject(11), escalate(12)), does(0, 5, (), abandoned(11, "rejected")), set()),
    ("never admitted: nothing to resolve", scenario(4, deliver(0), escalate(3), horizon=4), does(), set()),
    ("before the delivery: sticky", scenario(4, deliver(3), escalate(1)), does(8, (), (), abandoned(8)), set()),
    ("before the delivery, dropped", scenario(4, deliver(3), escalate(1)), does(8), {"L4.resolve"}),
    ("sent before: completed", l4(approve(11), escalate(12)), does(0, 5, 11, completed(12)), set()),
    ("sent before: abandoned by the operator", l4(approve(11), escalate(12)), does(0, 5, 11, abandoned(12)), set()),
    ("sent before: left to L3.terminal", l4(approve(35), escalate(36)), does(0, 5, 35), set()),
    ("escalated at the horizon", l4(escalate(40)), does(0, 5, (), abandoned(40)), set()),
    ("below level 4 not asked", l3(escalate(12)), does(0, 5), set()),
]


@parametrize(L4_RESOLVE)
def test_l4_resolve(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


def test_two_escalations() -> None:
    """L6.stop: an escalation before any approve is none of its causes, the next may be one."""
    document = l4(escalate(8), approve(12), escalate(12, name="again"), level=6)
    assert broken(document, run(does(0, 5, 12, abandoned(14)))) == STOPPED


GAP = {gap: l4(approve(12), escalate(12 + gap), level=6) for gap in (0, 1, 5, 6)}
STOPPED = {"L4.stop", "L6.stop"}
L6_STOP: list[Row] = [
    ("gap 0: stopped", GAP[0], does(0, 5, (), abandoned(12)), set()),
    ("gap 0: sent", GAP[0], does(0, 5, 12, abandoned(14)), STOPPED),
    ("gap 1: stopped", GAP[1], does(0, 5, (), abandoned(13)), set()),
    ("gap 1: sent before", GAP[1], does(0, 5, 12, completed(13)), set()),
    ("gap 1: sent in its tick", GAP[1], does(0, 5, 13, abandoned(14)), STOPPED),
    ("gap 1: stopped and dropped", GAP[1], does(0, 5), {"L3.terminal", "L4.resolve", "L6.stop"}),
    ("gap 5: stopped", GAP[5], does(0, 5, (), abandoned(17)), set()),
    ("gap 6: too late to wait for it", GAP[6], does(0, 5, (), abandoned(18)), {"L2.send"}),
    (
        "the approve after it in order",
        l4(escalate(12), approve(12), level=6),
        does(0, 5, 13, abandoned(14)),
        {"L4.stop"},
    ),
    (
        "rejected before it",
        l4(approve(11), reject(12), escalate(12), level=6),
        does(0, 5, 12, abandoned(14)),
        {"L2.authority", "L4.stop"},
    ),
    (
        "rejected after it",
        l4(approve(12), escalate(12), reject(12), level=6),
        does(0, 5),
        {"L3.terminal", "L4.resolve", "L6.stop"},
    ),
    ("below level 6 not asked", l4(approve(12), escalate(12), level=5), does(0, 5, 12, abandoned(14)), {"L4.stop"}),
]


@parametrize(L6_STOP)
def test_l6_stop(document: dict[str, Any], system: Does, breaks: set[str]) -> None:
    check(document, system, breaks)


TEXTS: list[tuple[str, dict[str, Any], Does, list[tuple[str, str | None, str]]]] = [
    (
        "L0.draft",
        l0(),
        does(0, 11, 11),
        [("/schedule/0", "m1", "delivered at 0, so a draft is due by 10; the next is at 11")],
    ),
    ("L0.reply", l0(), does(0, 5), [("/schedule/0", "m1", "delivered at 0, so a send is due by 10; none")]),
    (
        "L2.send",
        l2(approve(12)),
        does(0, 5, 18),
        [("/schedule/1", "m1", "approved at 12, so a send is due by 17; the next is at 18")],
    ),
    (
        "L2.admit",
        scenario(2, deliver(3)),
        does(),
        [("/schedule/0", "m1", "delivered at 3, so the admission is due by 8; none")],
    ),
    (
        "L1.crash",
        l1(crash(8)),
        does(0, 5),
        [("/schedule/1", "m1", "pending at the crash at 8, so a send or an abandonment is due by 28; none")],
    ),
    (
        "L3.terminal",
        l3(approve(20)),
        does(0, 5, 22),
        [("/schedule/1", "m1", "decided at 20, so a resolution is due by 60; none")],
    ),
    (
        "L3.claims",
        l3(),
        contested(4, 10),
        [("/schedule/0", "m1", "claimed twice at 4, so the settlement is due by 9; the next is at 10")],
    ),
    (
        "L4.resolve",
        l4(reject(11), escalate(12)),
        does(0, 5, (), abandoned(13, "rejected")),
        [
            (
                "/schedule/2",
                "m1",
                (
                    "escalated at 12, so abandoned because of operator_escalation is due by 40; "
                    "abandoned at 13 because of rejected"
                ),
            )
        ],
    ),
    (
        "L6.stop",
        GAP[1],
        does(0, 5, 13, abandoned(14)),
        [("/schedule/2", "m1", "approved at 12 and escalated at 13, yet sent at 13")],
    ),
]


@pytest.mark.parametrize(("obligation", "document", "system", "texts"), TEXTS, ids=[row[0] for row in TEXTS])
def test_texts(
    obligation: str, document: dict[str, Any], system: Does, texts: list[tuple[str, str | None, str]]
) -> None:
    """A missed deadline points at its cause and says when the response was due, and when it came."""
    assert told(document, run(system), obligation) == texts
