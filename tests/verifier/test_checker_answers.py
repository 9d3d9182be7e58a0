"""The log checker under other answers, one at a time: what is owed, and what excuses it.

Every row names all that the run breaks, once under the base answers and once under the other one, so that a shifted
bound, a lost excuse and an effect beyond the question all show.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from tests.verifier.checker_documents import (
    NORMAL_ONLY,
    REFUSING,
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
    other,
    posture,
    reject,
    run,
    scenario,
    told,
    verdicts,
)
from tests.verifier.test_checker_answers_events import EVENT_TEXTS, EVENTS
from tests.verifier.test_checker_answers_time import TIME, TIME_TEXTS
from tests.verifier.test_checker_interleaved import INTERLEAVED

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.run import Contention, Run

IDLE = {"L0.draft", "L0.reply"}
UNSENT = {"L0.reply", "L2.send"}


OWED: dict[str, list[Row]] = {
    "reply_from_arrival": [
        ("sent long after the arrival", at_level(2, approve(12)), does(0, 5, 13), set(), {"L0.reply"}),
        ("at the deadline", at_level(2, approve(8)), does(0, 5, 10), set(), set()),
        ("one tick later", at_level(2, approve(8)), does(0, 5, 11), set(), {"L0.reply"}),
        ("below level 2, too", at_level(1, approve(8)), does(0, 5, 11), set(), {"L0.reply"}),
        ("an ungated item is judged as ever", at_level(0), does(0, 5, 11), {"L0.reply"}, {"L0.reply"}),
        ("a reject at the deadline", at_level(2, reject(10)), does(0, 5), set(), set()),
        ("a reject after it", at_level(2, reject(11)), does(0, 5), set(), {"L0.reply"}),
        ("an escalation at the deadline", at_level(2, escalate(10)), does(0, 5), set(), set()),
        ("an escalation after it", at_level(2, escalate(11)), does(0, 5), set(), {"L0.reply"}),
        ("a crash that finds it pending", at_level(2, approve(8), crash(10)), does(0, 5, 13), set(), set()),
        ("a crash after the deadline", at_level(2, approve(8), crash(11)), does(0, 5, 13), set(), {"L0.reply"}),
        ("a crash that does not", at_level(2, crash(9), approve(12)), does(0, 5, 13), set(), {"L0.reply"}),
        ("approves are no cause", at_level(1, reject(10), approve(12)), does(0, 5, 30), {"L0.reply"}, set()),
        ("admitted freely, in time", at_level(1, approve(8), versions=REFUSING), does(5, 6, 15), set(), set()),
        ("and late", at_level(1, approve(8), versions=REFUSING), does(5, 6, 16), set(), {"L0.reply"}),
    ],
    "waiting_is_pending": [
        ("an item that waits for a decision", at_level(2, crash(12)), does(0, 5), set(), {"L1.crash"}),
        ("given up in time", at_level(2, crash(12)), does(0, 5, (), abandoned(32, "crash")), {"L0.abandon"}, set()),
        (
            "and late",
            at_level(2, crash(12)),
            does(0, 5, (), abandoned(33, "crash")),
            {"L0.abandon"},
            {"L0.abandon", "L1.crash"},
        ),
        ("drafted in its tick", at_level(2, crash(10)), does(0, 10), set(), set()),
        ("escalated in its tick", at_level(2, crash(12), escalate(12)), does(0, 5), set(), set()),
        ("escalated after it", at_level(2, crash(12), escalate(33)), does(0, 5), set(), {"L1.crash"}),
        ("ungated", at_level(1, crash(8)), does(0, 5, 29), {"L1.crash"}, {"L1.crash"}),
        ("L3.terminal, the 20 end beyond", at_level(3, reject(12), crash(41)), does(0, 5), {"L3.terminal"}, set()),
        (
            "L3.terminal, the 20 end at the horizon",
            at_level(3, reject(12), crash(40)),
            does(0, 5),
            {"L3.terminal"},
            {"L3.terminal", "L1.crash"},
        ),
    ],
    "draft_due": [
        ("no draft", at_level(2), does(0), {"L0.draft"}, set()),
        ("a draft at the deadline", at_level(2), does(0, 10), set(), set()),
        ("a draft after it", at_level(2), does(0, 11), {"L0.draft"}, set()),
        ("the admission stays due", at_level(2), does(), {"L0.draft", "L2.admit"}, {"L2.admit"}),
        ("the reply stays due", at_level(0), does(), IDLE, {"L0.reply"}),
        ("drafted and late", at_level(0), does(0, 5, 11), {"L0.reply"}, {"L0.reply"}),
    ],
    "claims_always": [
        ("no claim", at_level(3), does(3, 5), set(), {"L3.claims"}),
        ("a claim at the deadline", at_level(3), does(3, 5, claimed=8), set(), set()),
        ("a claim after it", at_level(3), does(3, 5, claimed=9), set(), {"L3.claims"}),
        ("resolved at the deadline", at_level(3, escalate(4)), does(3, 5, (), abandoned(8)), set(), set()),
        ("resolved after it", at_level(3, escalate(4)), does(3, 5, (), abandoned(9)), set(), {"L3.claims"}),
        ("due at the horizon", scenario(3, deliver(55)), does(55, 60), set(), {"L3.claims"}),
        ("due beyond it", scenario(3, deliver(56)), does(56, 60), set(), set()),
        ("a death restarts nothing", at_level(3, kill(7)), does(3, 5, won=(8,)), set(), {"L3.claims"}),
        (
            "a settled contention is another matter",
            at_level(3),
            does(3, 5, contention=Contention(4, 6)),
            set(),
            {"L3.claims"},
        ),
        (
            "an unsettled one stays a fault",
            at_level(3),
            does(3, 5, contention=Contention(4, 10), claimed=4),
            {"L3.claims"},
            {"L3.claims"},
        ),
        ("not admitted", at_level(3, versions=REFUSING), does(), set(), set()),
        ("below level 3", at_level(2), does(3, 5), set(), set()),
        ("claimed in the tick of the admission", at_level(3), does(3, 5, claimed=3), set(), set()),
        ("claimed before it", at_level(2), does(3, 5, claimed=2), {"well-formed"}, {"well-formed"}),
        ("claimed without one", at_level(2, versions=REFUSING), does(claimed=2), {"well-formed"}, {"well-formed"}),
        (
            "claimed in the tick of the resolution",
            at_level(3, escalate(4)),
            does(3, 5, (), abandoned(6), claimed=6),
            set(),
            set(),
        ),
        (
            "claimed after it",
            at_level(3, escalate(4)),
            does(3, 5, (), abandoned(6), claimed=7),
            {"well-formed"},
            {"well-formed"},
        ),
        ("claimed in no tick", at_level(3), does(3, 5, claimed=61), {"well-formed"}, {"well-formed"}),
    ],
    "condemns_finished": [
        (
            "sent and completed before",
            at_level(4, approve(12), escalate(14)),
            does(0, 5, 12, completed(13)),
            set(),
            {"L4.resolve"},
        ),
        (
            "sent, abandoned in its tick",
            at_level(4, approve(12), escalate(14)),
            does(0, 5, 12, abandoned(14)),
            set(),
            set(),
        ),
        (
            "sent, abandoned at the end",
            at_level(4, approve(12), escalate(14)),
            does(0, 5, 12, abandoned(60)),
            set(),
            set(),
        ),
        (
            "sent before, completed in its tick",
            at_level(4, approve(12), escalate(14)),
            does(0, 5, 13, completed(14)),
            set(),
            {"L4.resolve"},
        ),
        (
            "rejected and abandoned before",
            at_level(4, reject(8), escalate(14)),
            does(0, 5, (), abandoned(9, "rejected")),
            set(),
            {"L4.resolve"},
        ),
        (
            "L6.stop stays as it is",
            at_level(6, approve(12), escalate(14)),
            does(0, 5, 12, completed(13)),
            set(),
            {"L4.resolve"},
        ),
        (
            "abandoned after the first of two escalations",
            at_level(4, escalate(12), escalate(16, name="stop2")),
            does(0, 5, (), abandoned(14)),
            set(),
            {"L4.resolve"},
        ),
        (
            "abandoned in the tick of the second",
            at_level(4, escalate(12), escalate(16, name="stop2")),
            does(0, 5, (), abandoned(16)),
            set(),
            set(),
        ),
        ("unfinished", at_level(4, escalate(14)), does(0, 5), {"L4.resolve"}, {"L4.resolve"}),
        ("never admitted", at_level(4, escalate(14), versions=REFUSING), does(), set(), set()),
        ("below level 4", at_level(3, approve(12), escalate(14)), does(0, 5, 12, completed(13)), set(), set()),
    ],
    "all_resolved": [
        ("admitted, no decision", at_level(3), does(0, 5), set(), {"L3.terminal"}),
        ("decided too late", at_level(3, approve(51)), does(0, 5, 52), set(), {"L3.terminal"}),
        ("resolved at the horizon", at_level(3, approve(51)), does(0, 5, 52, completed(60)), set(), set()),
        ("a crash whose 20 end beyond", at_level(3, approve(41), crash(41)), does(0, 5), set(), set()),
        ("a crash that finds nothing pending", at_level(3, crash(50)), does(0, 5), set(), {"L3.terminal"}),
        ("decided in time", at_level(3, approve(12)), does(0, 5, 13), {"L3.terminal"}, {"L3.terminal"}),
        ("not admitted", at_level(3, versions=REFUSING), does(), set(), set()),
        ("below level 3", at_level(2), does(0, 5), set(), set()),
    ],
    "crash_keeps_send_due": [
        ("sent after the restart", at_level(2, approve(12), crash(14)), does(0, 5, 30), set(), {"L2.send"}),
        ("sent at the deadline", at_level(2, approve(12), crash(14)), does(0, 5, 17), set(), set()),
        ("one tick later", at_level(2, approve(12), crash(17)), does(0, 5, 18), set(), {"L2.send"}),
        ("L0.reply is excused as ever", at_level(1, approve(12), crash(14)), does(0, 5, 30), set(), set()),
        ("an escalation excuses as ever", at_level(2, approve(12), crash(14), escalate(17)), does(0, 5), set(), set()),
        ("so does a reject", at_level(2, approve(12), crash(14), reject(17)), does(0, 5), set(), set()),
    ],
    "all_answered": [
        ("refused", at_level(1, versions=REFUSING), does(), set(), IDLE),
        ("answered in time", at_level(1, versions=REFUSING), does(7, 10, 10), set(), set()),
        ("from the admission, so late", at_level(1, versions=REFUSING), does(7, 11, 11), set(), IDLE),
        ("refused at level 2", at_level(2, versions=REFUSING), does(), set(), {"L0.draft"}),
        ("where it may not be admitted", at_level(2, versions=REFUSING), does(5, 10), {"L2.only"}, {"L2.only"}),
        (
            "in the grace of a change",
            scenario(2, deliver(28), posture(30, "maintenance"), versions=NORMAL_ONLY),
            does(),
            set(),
            {"L0.draft"},
        ),
        ("escalated", at_level(1, escalate(10), versions=REFUSING), does(), set(), set()),
        ("escalated too late", at_level(1, escalate(11), versions=REFUSING), does(), set(), IDLE),
        ("required anyway", at_level(1), does(7, 11, 11), IDLE, IDLE),
        ("never delivered", scenario(1, deliver(5), jump(4, 80)), does(), set(), set()),
    ],
}
"""The rows of each question, by the name of its flag."""


def rows(tables: dict[str, list[Row]]) -> list[Any]:
    return [pytest.param(flag, *row[1:], id=f"{flag}: {row[0]}") for flag, table in tables.items() for row in table]


@pytest.mark.parametrize(("flag", "document", "system", "base", "breaks"), rows(OWED | TIME | EVENTS | INTERLEAVED))
def test_row(flag: str, document: dict[str, Any], system: Does | Run, base: set[str], breaks: set[str]) -> None:
    finished = system if isinstance(system, Run) else run(system)
    assert verdicts(document, finished) == base
    assert verdicts(document, finished, other(flag)) == breaks


def test_every_flag_is_pinned() -> None:
    """A check of the tests: each flag changes some of its runs and leaves others alone."""
    tables = OWED | TIME | EVENTS | INTERLEAVED
    assert set(tables) == {field.name for field in fields(Answers) if field.type == "bool"}
    for table in tables.values():
        assert len({row[0] for row in table if row[3] != row[4]}) >= 1
        assert len([row for row in table if row[3] == row[4]]) >= 2


OWED_TEXTS: list[Text] = [
    (
        "reply_from_arrival",
        at_level(2, approve(12)),
        run(does(0, 5, 13)),
        "L0.reply",
        "/schedule/0",
        "delivered at 0, so a send is due by 10; the next is at 13",
    ),
    (
        "waiting_is_pending",
        at_level(2, crash(12)),
        run(does(0, 5)),
        "L1.crash",
        "/schedule/1",
        "pending at the crash at 12, so a send or an abandonment is due by 32; none",
    ),
    (
        "claims_always",
        at_level(3),
        run(does(3, 5, claimed=9)),
        "L3.claims",
        "/schedule/0",
        "admitted at 3, so the first claim is due by 8; the next is at 9",
    ),
    (
        "claims_always",
        at_level(3),
        run(does(3, 5, claimed=2)),
        "well-formed",
        "/schedule/0",
        "first claimed at 2, before the admission",
    ),
    (
        "claims_always",
        at_level(3, escalate(4)),
        run(does(3, 5, (), abandoned(6), claimed=7)),
        "well-formed",
        "/schedule/0",
        "first claimed at 7, after the resolution at 6",
    ),
    (
        "condemns_finished",
        at_level(4, approve(12), escalate(14)),
        run(does(0, 5, 12, completed(13))),
        "L4.resolve",
        "/schedule/2",
        "escalated at 14, so abandoned because of operator_escalation is due by 60; completed at 13",
    ),
    (
        "all_resolved",
        at_level(3),
        run(does(0, 5)),
        "L3.terminal",
        "/schedule/0",
        "admitted at 0, so a resolution is due by 60; none",
    ),
    (
        "all_answered",
        at_level(2, versions=REFUSING),
        run(does()),
        "L0.draft",
        "/schedule/0",
        "delivered at 0, so a draft is due by 10; none",
    ),
]


@pytest.mark.parametrize(
    ("flag", "document", "finished", "obligation", "pointer", "text"), [*OWED_TEXTS, *TIME_TEXTS, *EVENT_TEXTS]
)
def test_texts(flag: str, document: dict[str, Any], finished: Run, obligation: str, pointer: str, text: str) -> None:
    """Texts are in real ticks and name what this answer asks for."""
    found = told(document, finished, obligation, other(flag))
    assert [(at, why) for at, _, why in found] == [(pointer, text)]
