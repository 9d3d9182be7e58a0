"""Worked examples of the model page beyond its verdicts: both sides of the grace zone, who is meant, what kind of vacuity it is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import BY_POSTURE, abandoned, document, either, never_sent, sent

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.report import Trace, Verification
from wellposed.verifier.verify import verify

ADMITTED = {"claim": "admitted", "of": "m1", "within": 5}
NOT_ADMITTED = {"claim": "not-admitted", "of": "m1"}


def verified(level: int, events: list[tuple[Any, ...]], expect: list[dict[str, Any]], **more: Any) -> Verification:
    readings = more.pop("readings", False)
    return verify(bundle_of(document(level, events, expect, **more), None, "known.json"), readings=readings)


def core(verification: Verification) -> set[str]:
    return {member.obligation for member in verification.core}


@pytest.mark.parametrize(
    ("first", "then", "at", "claim", "verdict", "because"),
    [
        # Open mail that closes at 30: p - 6 must be admitted, p - 5 and p + 4 may be, p + 5 may not.
        ("normal", "maintenance", 24, ADMITTED, "well-posed", set()),
        ("normal", "maintenance", 24, NOT_ADMITTED, "unsatisfiable", {"expectation", "L2.admit"}),
        ("normal", "maintenance", 25, ADMITTED, "ambiguous", set()),
        ("normal", "maintenance", 25, NOT_ADMITTED, "ambiguous", set()),
        ("normal", "maintenance", 34, ADMITTED, "ambiguous", set()),
        ("normal", "maintenance", 34, NOT_ADMITTED, "ambiguous", set()),
        ("normal", "maintenance", 35, ADMITTED, "unsatisfiable", {"expectation", "L2.only"}),
        # Closed mail that opens at 30: p - 6 cannot be admitted in time, p + 5 has to be.
        ("maintenance", "normal", 24, ADMITTED, "unsatisfiable", {"expectation", "L2.only"}),
        ("maintenance", "normal", 25, ADMITTED, "ambiguous", set()),
        ("maintenance", "normal", 34, ADMITTED, "ambiguous", set()),
        ("maintenance", "normal", 34, NOT_ADMITTED, "ambiguous", set()),
        ("maintenance", "normal", 35, ADMITTED, "well-posed", set()),
        ("maintenance", "normal", 35, NOT_ADMITTED, "unsatisfiable", {"expectation", "L2.admit"}),
    ],
)
def test_the_zone_around_a_change_of_posture(
    first: str, then: str, at: int, claim: dict[str, Any], verdict: str, because: set[str]
) -> None:
    """Model page, Load-bearing readings: a delivery in [p - 5, p + 4] may go either way, p - 6 and p + 5 may not."""
    found = verified(
        2, [(30, "posture", then)], [claim], messages=(("m1", at),), posture=first, rules=BY_POSTURE, horizon=60
    )
    assert found.verdict == verdict
    assert core(found) == because


def test_the_runs_of_an_escalation_one_tick_behind_its_approval() -> None:
    """Model page, Known answers: the failing run sends at 12, the passing one is abandoned from 13 on."""
    found = verified(6, [(12, "approve", "m1"), (13, "escalate", "m1")], [never_sent()])
    assert sends(found.passing) == [] and sends(found.failing) == [12]
    ends = {(end.outcome, end.first) for end in found.outcomes["m1"]}
    assert ends == {("sent", 12), ("abandoned", 13)}


def sends(trace: Trace) -> list[int]:
    return [event.tick for event in trace if event.actor == "system" and event.text.startswith("sends")]


def test_a_death_touches_every_item_that_may_share_the_holder() -> None:
    deaths: list[tuple[Any, ...]] = [(14, "kill", "m1"), (30, "approve", "m1"), (30, "approve", "m2")]
    two = (("m1", 0), ("m2", 0))
    found = verified(3, deaths, [sent(True), sent(True, message="m2")], horizon=60, messages=two)
    assert [each.verdict for each in found.expectations] == ["ambiguous", "ambiguous"]


def test_read_to_the_letter_a_crash_contradicts_a_late_approval() -> None:
    found = verified(2, [(20, "crash"), (105, "approve", "m1")], [sent()], horizon=130, readings=True)
    (letter,) = (report for report in found.readings if report.id == "pending-at-crash=waiting")
    assert found.verdict == "well-posed"
    assert letter.flips and letter.verification.verdict == "unsatisfiable"
    assert core(letter.verification) == {"expectation", "L0.draft", "L1.crash", "L2.authority"}


ENDED = [either(sent(), abandoned())]


@pytest.mark.parametrize(
    ("level", "events", "expect", "codes"),
    [
        (3, [(12, "approve", "m1")], [sent()], {"WP603"}),
        (3, [(0, "kill", "m1"), (20, "approve", "m1")], ENDED, {"WP603", "WP604"}),
        (3, [(12, "approve", "m1"), (20, "kill", "m1")], [sent(True)], {"WP603", "WP604"}),
        (1, [(12, "approve", "m1"), (13, "reject", "m1"), (30, "approve", "m1")], ENDED, {"WP603"}),
        # An escalation after a certain send exercises no L4.
        (4, [(12, "approve", "m1"), (18, "escalate", "m1")], [sent(True)], {"WP603"}),
    ],
)
def test_the_kind_of_vacuity(
    level: int, events: list[tuple[Any, ...]], expect: list[dict[str, Any]], codes: set[str]
) -> None:
    """The top level is untested (WP603), a stimulus is dead (WP604), and nothing else is wrong: what is expected is proved."""
    found = verified(level, events, expect)
    assert found.verdict == "vacuous"
    assert {finding.code for finding in found.findings if finding.severity.value == "error"} == codes
    assert [each.verdict for each in found.expectations] == ["proved"] * len(expect)


def test_an_escalation_at_17_may_still_come_before_the_send() -> None:
    """The last tick of the send's window is its own, so there an escalation exercises L4, and one send is not certain."""
    found = verified(4, [(12, "approve", "m1"), (17, "escalate", "m1")], [sent(True)])
    assert found.verdict == "ambiguous" and found.levels["L4"] == "exercised"
