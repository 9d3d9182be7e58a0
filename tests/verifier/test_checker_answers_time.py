"""The log checker under other answers: what a window and a deadline are, and which ticks count.

`test_checker_answers` judges the rows of this table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.verifier.checker_documents import (
    NORMAL_ONLY,
    Does,
    Row,
    Text,
    abandoned,
    approve,
    at_level,
    crash,
    deliver,
    does,
    escalate,
    jump,
    kill,
    other,
    posture,
    reject,
    run,
    scenario,
    verdicts,
    when,
)

from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.run import Contention

IDLE = {"L0.draft", "L0.reply"}
UNSENT = {"L0.reply", "L2.send"}


def claim(form: str, **members: Any) -> dict[str, Any]:
    return {"claim": form, "of": "m1"} | members


def expecting(claim: dict[str, Any], *schedule: dict[str, Any]) -> dict[str, Any]:
    return at_level(0, *schedule, expect=(claim,))


def sent(within: int, since: str | None = None) -> dict[str, Any]:
    return claim("sent", within=within, once=False, **({} if since is None else {"from": since}))


TIME: dict[str, list[Row]] = {
    "open_windows": [
        ("sent in the last tick", expecting(sent(10)), does(0, 5, 10), set(), {"expect"}),
        ("and one tick before", expecting(sent(10)), does(0, 5, 9), set(), set()),
        ("from a name", expecting(sent(5, "go"), approve(12)), does(0, 5, 17), set(), {"expect"}),
        ("and one tick before", expecting(sent(5, "go"), approve(12)), does(0, 5, 16), set(), set()),
        ("drafted", expecting(claim("drafted", within=5)), does(0, 5, 9), set(), {"expect"}),
        ("within 0", expecting(claim("admitted", within=0)), does(0, 5, 9), set(), {"expect"}),
        ("within 1", expecting(claim("admitted", within=1)), does(0, 5, 9), set(), set()),
        ("without a window", expecting(claim("sent", within=None, once=True)), does(0, 5, 9), set(), set()),
        (
            "claims settle",
            expecting(claim("claims-settle", within=5)),
            does(0, 5, 9, contention=Contention(4, 9)),
            set(),
            {"expect"},
        ),
        (
            "one tick before",
            expecting(claim("claims-settle", within=5)),
            does(0, 5, 9, contention=Contention(4, 8)),
            set(),
            set(),
        ),
        (
            "due at the horizon",
            expecting(claim("claims-settle", within=5)),
            does(0, 5, 9, contention=Contention(56, None)),
            set(),
            {"expect"},
        ),
        (
            "settled at once, within 0",
            expecting(claim("claims-settle", within=0)),
            does(0, 5, 9, contention=Contention(4, 4)),
            set(),
            {"expect"},
        ),
        ("uncontested, within 0", expecting(claim("claims-settle", within=0)), does(0, 5, 9), set(), set()),
        ("the budgets are those of the answers", at_level(0), does(0, 10, 10), set(), set()),
    ],
    "due_at_horizon": [
        ("nothing done", scenario(0, deliver(3), horizon=12), does(), set(), IDLE),
        ("done at the horizon", scenario(0, deliver(3), horizon=12), does(3, 12, 12), set(), set()),
        ("delivered at the horizon", scenario(0, deliver(60)), does(), set(), IDLE),
        ("due by then anyway", scenario(0, deliver(3), horizon=13), does(), IDLE, IDLE),
        ("escalated at the horizon", scenario(0, deliver(3), escalate(12), horizon=12), does(), set(), set()),
        ("not admitted", scenario(2, deliver(58)), does(), set(), {"L0.draft", "L2.admit"}),
        ("admitted at the horizon", scenario(2, deliver(58)), does(60, 60), set(), set()),
        ("not sent", at_level(2, approve(58)), does(0, 5), set(), UNSENT),
        ("sent at the horizon", at_level(2, approve(58)), does(0, 5, 60), set(), set()),
        ("rejected at the horizon", at_level(2, approve(58), reject(60)), does(0, 5), set(), set()),
        ("a crash", scenario(1, deliver(50), crash(56)), does(50, 52), set(), {"L1.crash"}),
        (
            "the last of two crashes",
            scenario(1, deliver(50), crash(56), crash(60, "two")),
            does(50, 52),
            set(),
            {"L1.crash"},
        ),
        ("sent after it", scenario(1, deliver(50), crash(56)), does(50, 52, 60), set(), set()),
        ("contested", at_level(3), does(0, 5, contention=Contention(58, None)), set(), {"L3.claims"}),
        ("settled at the horizon", at_level(3), does(0, 5, contention=Contention(58, 60)), set(), set()),
        ("a death", at_level(3, kill(58)), does(0, 5), set(), {"L3.death"}),
        ("reassigned at the horizon", at_level(3, kill(58)), does(0, 5, won=(60,)), set(), set()),
        ("decided too late for L3.terminal", at_level(3, approve(51)), does(0, 5, 56), set(), set()),
        (
            "expectations",
            expecting(claim("claims-settle", within=5)),
            does(0, 5, 9, contention=Contention(58, None)),
            set(),
            set(),
        ),
    ],
    "jumps_cost_all": [
        ("sent behind a jump", at_level(2, approve(12), jump(13, 50)), does(0, 5, 53), set(), UNSENT),
        ("sent before it", at_level(2, approve(12), jump(13, 50)), does(0, 5, 13), set(), set()),
        ("at the real deadline", at_level(2, approve(12), jump(13, 16)), does(0, 5, 17), set(), set()),
        ("one tick later", at_level(2, approve(12), jump(13, 16)), does(0, 5, 18), set(), {"L2.send"}),
        ("no jump", at_level(2, approve(12)), does(0, 5, 18), {"L2.send"}, {"L2.send"}),
        ("the real horizon", at_level(2, approve(12), jump(13, 50), horizon=52), does(0, 5), set(), UNSENT),
        ("a jump beyond it", at_level(2, approve(12), jump(13, 80)), does(0, 5), set(), UNSENT),
        ("L3.terminal", at_level(3, approve(51), jump(55, 70), horizon=72), does(0, 5, 52), set(), {"L3.terminal"}),
        (
            "the window of a death",
            at_level(3, kill(12), jump(13, 30)),
            does(0, 5, (), abandoned(30, "agent_death")),
            set(),
            {"L0.abandon", "L3.death"},
        ),
        (
            "an old posture",
            scenario(2, deliver(28), posture(30, "maintenance"), jump(31, 33), versions=NORMAL_ONLY),
            does(35, 38),
            set(),
            {"L2.only"},
        ),
        (
            "at the real end of the lag",
            scenario(2, deliver(28), posture(30, "maintenance"), jump(31, 33), versions=NORMAL_ONLY),
            does(34, 38),
            set(),
            set(),
        ),
        (
            "a removed tick has the posture of before",
            scenario(2, deliver(30), posture(30, "maintenance"), jump(10, 30), versions=NORMAL_ONLY),
            does(34, 38),
            set(),
            set(),
        ),
        (
            "a change too far ahead to alter",
            scenario(2, deliver(10), posture(16, "maintenance"), jump(11, 16), versions=NORMAL_ONLY),
            does(),
            set(),
            {"L0.draft", "L2.admit"},
        ),
        (
            "a change near enough",
            scenario(2, deliver(10), posture(15, "maintenance"), jump(11, 15), versions=NORMAL_ONLY),
            does(),
            set(),
            set(),
        ),
        (
            "an expectation",
            at_level(0, jump(4, 9), approve(1), expect=(sent(6),)),
            does(0, 0, 10),
            set(),
            {"expect"},
        ),
        ("a deferred decision fires as ever", at_level(2, approve(3), jump(7, 40)), does(0, 7, 40), set(), set()),
        ("and its clock starts there", at_level(2, approve(3), jump(7, 40)), does(0, 7, 46), {"L2.send"}, {"L2.send"}),
        (
            "no record in a removed tick",
            at_level(2, approve(12), jump(13, 50)),
            does(0, 5, 14),
            {"well-formed"},
            {"well-formed"},
        ),
    ],
}
"""The rows of each question, by the name of its flag."""


def test_budgets_of_open_windows() -> None:
    """The answers bring budgets of their own; the flag does not shorten them once more."""
    narrow = replace(BASE, open_windows=True, admit=4, draft=9, reply=9, send=4, crash=19, death=4, claims=4)
    assert verdicts(at_level(0), run(does(0, 9, 9)), narrow) == set()
    assert verdicts(at_level(0), run(does(0, 10, 10)), narrow) == IDLE


@pytest.mark.parametrize(
    ("document", "system", "base", "breaks"),
    [
        (scenario(2, deliver(28), posture(30, "maintenance"), versions=NORMAL_ONLY), does(29, 33), set(), set()),
        (scenario(2, deliver(28), posture(30, "maintenance"), versions=NORMAL_ONLY), does(30, 33), set(), {"L2.only"}),
        (
            scenario(2, deliver(30), posture(30, "normal"), versions=NORMAL_ONLY, mode="maintenance"),
            does(),
            set(),
            {"L0.draft", "L2.admit"},
        ),
        (
            scenario(2, deliver(29), posture(30, "normal"), versions=NORMAL_ONLY, mode="maintenance"),
            does(),
            set(),
            set(),
        ),
        (scenario(2, deliver(25), posture(30, "maintenance"), versions=NORMAL_ONLY), does(), set(), set()),
        (
            scenario(2, deliver(24), posture(30, "maintenance"), versions=NORMAL_ONLY),
            does(),
            {"L0.draft", "L2.admit"},
            {"L0.draft", "L2.admit"},
        ),
    ],
)
def test_no_lag(document: dict[str, Any], system: Does, base: set[str], breaks: set[str]) -> None:
    """With lag 0 the tick of the admission decides, and only changes behind the delivery alter a match."""
    assert verdicts(document, run(system)) == base
    assert verdicts(document, run(system), replace(BASE, lag=0)) == breaks


def test_triggered_jump_costs_all() -> None:
    """Where a triggered jump leads follows from the run, and what it removes counts."""
    document = at_level(2, approve(5), jump(when("drafted", "m1"), by=20))
    assert verdicts(document, run(does(0, 4, 29))) == set()
    assert verdicts(document, run(does(0, 4, 29)), other("jumps_cost_all")) == UNSENT
    assert verdicts(document, run(does(0, 4, 5)), other("jumps_cost_all")) == set()


TIME_TEXTS: list[Text] = [
    ("open_windows", expecting(sent(10)), run(does(0, 5, 10)), "expect", "/expect/0", "not sent in 0..9; sent at 10"),
    (
        "open_windows",
        expecting(claim("admitted", within=0)),
        run(does(0, 5, 9)),
        "expect",
        "/expect/0",
        "within 0 there is no tick; admitted at 0",
    ),
    (
        "due_at_horizon",
        at_level(3, kill(58)),
        run(does(0, 5)),
        "L3.death",
        "/schedule/1",
        "its agent died at 58, so a reassignment or a resolution is due by 60; none",
    ),
    (
        "jumps_cost_all",
        at_level(2, approve(12), jump(13, 50)),
        run(does(0, 5, 53)),
        "L2.send",
        "/schedule/1",
        "approved at 12, so a send is due by 17; the next is at 53",
    ),
]
