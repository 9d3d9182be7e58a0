"""Guarded stimuli: what each event finds in conforming runs, by hand, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import BY_POSTURE, abandoned, document, either, never_sent, sent

from wellposed.compiler.bundle import bundle_of
from wellposed.dsl.findings import Severity
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify

GO = (12, "approve", "m1", "go")
ENDED = [either(sent(), abandoned())]
AS_OF_20 = {"messages": (("m1", 4), ("m2", 25)), "posture": "maintenance", "rules": BY_POSTURE}
LIFTED = (20, "posture", "normal")

# Level, events besides the deliveries, and what each of them finds; the last is for `document`.
CASES: dict[str, tuple[int, list[Any], dict[str, str], dict[str, Any]]] = {
    "an approval waits for its draft, which comes": (2, [(0, "approve", "m1", "go")], {"go": "always"}, {}),
    "a crash in the tick of the approval finds the item unsent": (2, [GO, (12, "crash", None, "c")], {"go": "always", "c": "always"}, {}),
    "a crash behind it may find nothing to lose": (2, [GO, (13, "crash", None, "c")], {"go": "always", "c": "sometimes"}, {}),
    "held effects keep something to lose": (
        2,
        [(12, "hold"), GO, (16, "crash", None, "c"), (17, "release")],
        {"go": "always", "c": "always"},
        {},
    ),
    "where nothing waits for an approval, it may be sent before": (1, [GO, (12, "crash", None, "c")], {"go": "always", "c": "sometimes"}, {}),
    "a crash when all is over": (2, [GO, (18, "crash", None, "c")], {"go": "always", "c": "never"}, {}),
    "nobody is there to be killed at 0": (3, [(0, "kill", "m1", "d"), GO], {"d": "never", "go": "always"}, {}),
    "who is slow to admit has no agent at 3": (3, [(3, "kill", "m1", "d"), GO], {"d": "sometimes", "go": "sometimes"}, {}),
    "a deferred death waits for one": (3, [(0, "kill deferred", "m1", "d"), GO], {"d": "always", "go": "sometimes"}, {}),
    "an escalation stands whether the item is sent or not": (4, [GO, (30, "escalate", "m1", "e")], {"go": "always", "e": "always"}, {}),
    "an item that may never be": (
        4,
        [(12, "approve", "m1", "go"), (13, "escalate", "m1", "e"), LIFTED],
        {"go": "sometimes", "e": "sometimes"},
        AS_OF_20,
    ),
    "a repeat is not asked about": (4, [(2, "escalate", "m1", "e"), (9, "escalate", "m1", "e")], {"e": "always"}, {}),
}


def judged(level: int, events: list[Any], expect: list[Any], **options: Any) -> tuple[dict[str, Any], Verification]:
    made = document(level, events, expect, **options)
    return made, verify(bundle_of(made, None, "x.json"))


def finds(made: dict[str, Any], seen: Verification) -> dict[str, str]:
    ids = ("approval_id", "signal_id", "fault_id")
    entries = {pointer: made["schedule"][int(pointer.rpartition("/")[2])]["record"] for pointer in seen.stimuli}
    return {next(record[id] for id in ids if id in record): seen.stimuli[pointer] for pointer, record in entries.items()}


@pytest.mark.parametrize("name", CASES)
def test_what_a_stimulus_finds(name: str) -> None:
    level, events, wanted, options = CASES[name]
    made, seen = judged(level, events, [{"claim": "any", "of": [[sent()], [abandoned()], [never_sent()]]}], **options)
    assert finds(made, seen) == wanted
    guarded = [finding for finding in seen.findings if finding.code == "WP613"]
    assert len(guarded) == ("sometimes" in wanted.values())
    dead = [finding for finding in seen.findings if finding.code == "WP604"]
    assert len(dead) == list(wanted.values()).count("never")


def test_the_death_of_a_named_agent_may_find_nothing() -> None:
    """Whom it holds is up to the run, even if every run has an item for it."""
    made = document(3, [(12, "kill", "m1", "d"), (30, "approve", "m1")], ENDED, horizon=60)
    assert finds(made, verify(bundle_of(made, None, "x.json")))["d"] == "always"
    made["schedule"][1]["record"]["target"] = "agent-7"
    assert finds(made, verify(bundle_of(made, None, "x.json")))["d"] == "sometimes"


def test_a_guarded_stimulus_is_told_with_a_run_that_it_misses() -> None:
    events = [GO, (13, "crash", None, "first"), (14, "crash", None, "second")]
    made, seen = judged(1, events, ENDED, horizon=80)
    assert seen.verdict == "well-posed"
    (finding,) = [finding for finding in seen.findings if finding.code == "WP613"]
    bundle = bundle_of(made, None, "x.json")
    assert (finding.severity, finding.place) == (Severity.NOTE, bundle.place("/schedule/2"))
    assert [label.place for label in finding.labels] == [bundle.place("/schedule/3")]
    sends = [line for line in finding.detail if "sends the reply" in line]
    assert len(sends) == 1 and sends[0].split()[0] == "12"


def test_a_guarded_stimulus_changes_no_verdict_and_is_told_of_an_ambiguous_scenario_too() -> None:
    _, seen = judged(2, [GO, (13, "crash")], [sent(True, 3, "go")])
    assert seen.verdict == "ambiguous"
    assert "WP613" in {finding.code for finding in seen.findings}
    _, contradicted = judged(2, [GO, (13, "crash")], [sent(True, 3, "go"), never_sent()])
    assert contradicted.verdict == "unsatisfiable"


def test_without_the_budget_for_it_nothing_is_said() -> None:
    """It is asked last and decides nothing."""
    made = document(1, [GO, (13, "crash", None, "c")], ENDED, horizon=80)
    bundle = bundle_of(made, None, "x.json")
    whole = next(units for units in range(1, 5_000) if verify(bundle, units).stimuli)
    short = verify(bundle, whole - 1)
    assert short.verdict == verify(bundle, whole).verdict == "well-posed"
    assert (short.stimuli, [finding.code for finding in short.findings if finding.code == "WP613"]) == ({}, [])
