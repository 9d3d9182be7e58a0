"""The log checker where a send may lie among the events of its tick (`Answers.interleaved`): the choice of places.

`test_checker_answers` judges the rows of this table.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    Row,
    abandoned,
    approve,
    at_level,
    completed,
    crash,
    deliver,
    does,
    escalate,
    kill,
    other,
    redeliver,
    reject,
    run,
    scenario,
    verdicts,
    when,
    wrong_hash,
)

from wellposed.verifier.amr.checker import check_run, environment, is_conforming, well_formed
from wellposed.verifier.amr.run import Run

FLAG = other("interleaved")


def not_sent_after(name: str) -> dict[str, Any]:
    return {"claim": "not-sent-after", "of": "m1", "after": name}


NEVER_SENT = {"claim": "never-sent", "of": "m1"}
SENT_AFTER_GO = {
    "claim": "if",
    "if": not_sent_after("go"),
    "then": NEVER_SENT,
    "else": {"claim": "completed", "of": "m1"},
}
"""Contradicts `not_sent_after("go")` for an item that is sent and completed."""

RACE = [approve(12), escalate(12)]
ESCALATED = scenario(0, deliver(5), escalate(12), expect=(not_sent_after("stop"),))

INTERLEAVED: dict[str, list[Row]] = {
    "interleaved": [
        (
            "between approval and escalation",
            at_level(4, *RACE),
            does(0, 5, 12, completed(12)),
            {"L4.stop", "L4.resolve"},
            set(),
        ),
        ("at level 6", at_level(6, *RACE), does(0, 5, 12, completed(12)), {"L4.stop", "L4.resolve", "L6.stop"}, set()),
        ("one tick later", at_level(4, *RACE), does(0, 5, 13, abandoned(13)), {"L4.stop"}, {"L4.stop"}),
        ("one tick earlier", at_level(4, *RACE), does(0, 5, 11, completed(12)), {"L2.authority"}, {"L2.authority"}),
        (
            "never before the approval",
            at_level(4, escalate(12), approve(12)),
            does(0, 5, 12, completed(12)),
            {"L4.stop", "L4.resolve"},
            {"L2.authority"},
        ),
        ("drafted one tick before", ESCALATED, does(5, 11, 12), {"expect"}, set()),
        ("drafted in the tick", ESCALATED, does(5, 12, 12), {"expect"}, {"expect"}),
        ("before all events", at_level(2, approve(12), reject(14)), does(0, 5, 14), {"L2.authority"}, set()),
        (
            "behind the tick of the reject",
            at_level(2, approve(12), reject(14)),
            does(0, 5, 15),
            {"L2.authority"},
            {"L2.authority"},
        ),
        (
            "between two decisions of one tick",
            at_level(2, approve(12), reject(12)),
            does(0, 5, 12),
            {"L2.authority"},
            set(),
        ),
        (
            "between a deferred and a triggered event",
            at_level(4, approve(2), escalate(when("drafted", "m1"))),
            does(0, 5, 6, completed(6)),
            {"L4.stop", "L4.resolve"},
            set(),
        ),
        (
            "a forgery behind it",
            at_level(2, wrong_hash(12)),
            does(0, 5, 12),
            {"L2.authority", "L2.forged"},
            {"L2.authority"},
        ),
        (
            "a death behind it",
            at_level(3, approve(12), kill(12)),
            does(0, 5, 12, completed(18)),
            {"L3.death"},
            set(),
        ),
        (
            "a death that is recorded as touching",
            at_level(3, approve(12), kill(12)),
            run(does(0, 5, 12, completed(18)), held={"death": {"m1"}}),
            {"L3.death"},
            {"L3.death"},
        ),
        (
            "a death before it",
            at_level(3, kill(12), approve(12)),
            does(0, 5, 12, completed(18)),
            {"L3.death"},
            {"L3.death"},
        ),
        (
            "pending behind the crash",
            at_level(3, approve(50), crash(50)),
            does(0, 5, 50),
            set(),
            set(),
        ),
        (
            "expectations under the choice that conforms",
            at_level(3, approve(50), crash(50), expect=(not_sent_after("crash.1"),)),
            does(0, 5, 50),
            {"expect"},
            {"expect"},
        ),
        (
            "windows count ticks",
            scenario(
                0,
                deliver(5),
                escalate(12),
                expect=(not_sent_after("stop"), {"claim": "sent", "of": "m1", "within": 0, "from": "stop"}),
            ),
            does(5, 8, 12),
            {"expect"},
            set(),
        ),
        (
            "a redelivery is an event",
            at_level(2, approve(12), redeliver(13), reject(13)),
            does(0, 5, 13),
            {"L2.authority"},
            set(),
        ),
        ("other records stay behind", at_level(1, reject(12)), does(0, 5, (), abandoned(12, "rejected")), set(), set()),
        ("a draft, too", at_level(2, approve(8)), does(0, 8, 9), set(), set()),
    ],
}
"""The rows of the question, by the name of its flag."""


def failed(document: dict[str, Any], system: Does, failing: int | None) -> list[str]:
    """The pointers of what the run breaks."""
    return [found.pointer for found in check_run(document, run(system), FLAG, failing=failing)]


def test_one_choice_for_all_expectations() -> None:
    """Two expectations that no one place satisfies: the run fails one of them, and which can be asked for."""
    contradictory = (not_sent_after("go"), SENT_AFTER_GO)
    document = scenario(0, deliver(5), approve(12), expect=contradictory)
    system = does(5, 8, 12, completed(12))
    assert len(failed(document, system, None)) == 1
    assert failed(document, system, 0) == ["/expect/0"]
    assert failed(document, system, 1) == ["/expect/1"]


def test_a_run_that_may_pass_and_fail() -> None:
    """It passes; asked for the expectation, it is a conforming run that fails it."""
    assert failed(ESCALATED, does(5, 8, 12), None) == []
    assert failed(ESCALATED, does(5, 8, 12), 0) == ["/expect/0"]
    assert failed(ESCALATED, does(5, 8, 11), 0) == []
    assert failed(ESCALATED, does(5, 8, 13), 0) == ["/expect/0"]


def test_no_choice_that_breaks_an_obligation() -> None:
    """A place that would fail the expectation is not taken if it breaks an obligation."""
    document = at_level(4, *RACE, expect=(not_sent_after("stop"),))
    assert failed(document, does(0, 5, 12, completed(12)), 0) == []


def test_failing_without_a_choice() -> None:
    """Where the run leaves nothing open, asking for a failure changes nothing."""
    found = check_run(ESCALATED, run(does(5, 8, 12)))
    assert [violation.pointer for violation in found] == ["/expect/0"]
    assert check_run(ESCALATED, run(does(5, 8, 12)), failing=0) == found
    assert check_run(ESCALATED, run(does(5, 8, 11)), failing=0) == ()


def test_fewest_violations() -> None:
    """If every choice breaks something, one that breaks least counts, expectations included."""
    document = at_level(4, escalate(12), approve(12), expect=(not_sent_after("stop"),))
    found = check_run(document, run(does(0, 5, 12, completed(12))), FLAG)
    assert [(one.obligation, one.pointer, one.text) for one in found] == [
        ("L2.authority", "/schedule/0", "sent at 12 the draft of 5, which no decision had bound")
    ]


def test_places_of_several_items() -> None:
    """Each send has a place of its own, in one tick or in several."""
    schedule = [approve(12), escalate(12), approve(12, "m2", "go2"), escalate(12, "m2", "stop2")]
    document = scenario(6, deliver(0), deliver(0, "m2"), *schedule)
    done = does(0, 5, 12, completed(13))
    assert verdicts(document, run(done, m2=done), FLAG) == set()
    assert verdicts(document, run(done, m2=done)) == {"L4.stop", "L4.resolve", "L6.stop"}
    late = does(0, 5, 13, abandoned(13))
    assert verdicts(document, run(done, m2=late), FLAG) == {"L4.stop", "L6.stop"}


def test_form_and_conformance() -> None:
    """A death that touches what is sent in its tick is one before the send, or there is none."""
    document = at_level(3, approve(12), kill(12))
    touched = run(does(0, 5, 12, completed(14)), held={"death": {"m1"}})
    assert well_formed(document, touched, FLAG) == ()
    assert is_conforming(document, touched, FLAG)
    assert is_conforming(document, run(does(0, 5, 12, completed(14))), FLAG)
    early = run(does(0, 5, 11, completed(14)), held={"death": {"m1"}})
    assert [found.text for found in well_formed(document, early, FLAG)] == [
        "death at 12 finds no holder of m1, so it touches nothing"
    ]


def test_environment_has_sends_behind() -> None:
    """Told without judging, a death finds what it finds if the send lies behind it."""
    document = at_level(3, approve(12), kill(12))
    (death,) = [event for event in environment(document, run(does(0, 5, 12)), FLAG) if event.kind == "death"]
    assert (death.found, death.touched) == (True, frozenset({"m1"}))


def busy(ticks: int) -> tuple[dict[str, Any], Run]:
    """A run with a send in each of these ticks, and one event in each."""
    first = 8
    crashes = [crash(tick, f"crash.{tick}") for tick in range(first, first + ticks)]
    return at_level(0, *crashes), run(does(0, 5, tuple(range(first, first + ticks))))


def test_too_many_choices() -> None:
    """A run that leaves more choices than are looked at is not judged."""
    document, finished = busy(12)
    assert verdicts(document, finished, FLAG) == {"L1.once"}
    document, finished = busy(13)
    with pytest.raises(ValueError, match="in 8192 ways, and at most 4096"):
        check_run(document, finished, FLAG)
    assert verdicts(document, finished) == {"L1.once"}
