"""What is told of held effects, oldest drafts and signals that wait or are repeated: in runs, in cores, in advice."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import abandoned, document, either, never_sent, only, sent

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.amr.environment import MAX_CASES
from wellposed.verifier.amr.model import theory
from wellposed.verifier.report import Verification
from wellposed.verifier.solver import Budget
from wellposed.verifier.verify import verify


def verified(level: int, events: list[Any], expect: list[Any], **options: Any) -> Verification:
    return verify(bundle_of(document(level, events, expect, **options), None, "x.json"))


def happened(seen: Verification) -> list[tuple[int, str]]:
    """What the environment does in the run that passes, without deliveries."""
    return [(one.tick, one.text) for one in seen.passing if one.actor == "environment" and not one.text.startswith("deliver")]


def test_switches_and_the_oldest_draft() -> None:
    events = [(12, "approve oldest", "m1", "go"), (14, "hold"), (20, "release")]
    told = [(12, "approve oldest draft of m1"), (14, "hold effects"), (20, "release effects")]
    assert happened(verified(2, events, [sent(True, 5, "go")])) == told


def test_a_signal_that_waited_says_since_when() -> None:
    seen = verified(4, [(0, "escalate deferred", "m1", "e"), (9, "escalate deferred", "m1", "e")], [never_sent()])
    first, again = happened(seen)
    assert first == (first[0], "escalate m1 (deferred from 0)") and first[0] >= 1
    assert again == (9, "escalate m1 again")


def test_a_death_that_is_told_again_holds_nothing() -> None:
    seen = verified(3, [(14, "kill", "m1", "d"), (15, "kill", "m1", "d"), (30, "approve", "m1")], [either(sent(), abandoned())])
    assert happened(seen)[:2] == [(14, "agent dies, holding m1"), (15, "the death of an agent is told again")]


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([(12, "approve", "m1")], "by 17"),
        # The open ticks behind 12 are 13, 20, 21, 22 and 23.
        ([(12, "approve", "m1"), (14, "hold"), (20, "release")], "by 23"),
        ([(3, "approve", "m1"), (14, "hold"), (20, "release")], "within 5 ticks, those with effects held not counted, of that"),
    ],
)
def test_an_argument_counts_open_ticks(events: list[Any], told: str) -> None:
    (component,) = theory(document(2, events, []), Budget(1_000)).cases[0].components
    (due,) = [one.text for one in component.standing if one.obligation == "L2.send"]
    assert due.endswith(f", so the send is due {told}")


def test_the_argument_of_a_core_says_that_a_signal_may_wait() -> None:
    seen = verified(4, [(2, "escalate deferred", "m1"), (12, "approve", "m1")], [sent()])
    (stop,) = [member.text for member in seen.core if member.obligation == "L4.stop"]
    assert stop == "escalated at 2, or at the tick after the admission if that is later, so nothing may be sent from then on"


def test_a_contradicted_expectation_of_exact_sends_stands_in_the_core_once() -> None:
    seen = verified(0, [], [only("m1")], messages=(("m1", 0), ("m2", 0), ("m3", 0)))
    assert seen.verdict == "unsatisfiable"
    assert [member.obligation for member in seen.core].count("expectation") == 1
    assert [finding.code for finding in seen.findings if finding.code == "WP401"] == ["WP401"]


def test_an_ambiguous_expectation_of_exact_sends_shows_the_item_that_decides() -> None:
    messages = (("m1", 0), ("m2", 0))
    seen = verified(4, [(12, "approve", "m1"), (12, "approve", "m2"), (14, "escalate", "m2")], [only("m1")], messages=messages)
    assert seen.verdict == "ambiguous"
    (finding,) = [finding for finding in seen.findings if finding.code == "WP501"]
    assert finding.message == "`only m1 sent` holds in some conforming runs and fails in others"
    assert "sends the reply to m2" in "\n".join(finding.detail) and "sends the reply to m1" not in "\n".join(finding.detail)
    assert finding.help is not None
    assert finding.help.startswith("what is lawful here: `any of { m2 sent exactly once } or { m2 abandoned because operator_escalation }`")


def test_a_draft_that_only_one_run_sends_is_told_in_both() -> None:
    """Rejected at 20, the second draft leaves the first one approved; whether that is sent is all that differs."""
    events = [(12, "approve", "m1"), (12, "hold"), (20, "reject", "m1"), (22, "release"), (25, "escalate", "m1")]
    seen = verified(6, events, [never_sent()])
    passing, failing = ([one.text for one in trace if one.actor == "system"] for trace in (seen.passing, seen.failing))
    (difference,) = set(passing) ^ set(failing)
    assert difference == "sends the reply to m1 (draft 1)" and difference in failing
    (told,) = [finding for finding in seen.findings if finding.code == "WP501"]
    assert told.labels[0].text == "up to here both runs are the same; they part at tick 22"


def help_of(seen: Verification) -> str | None:
    return next(finding.help for finding in seen.findings if finding.code == "WP501")


def test_how_an_item_ends_is_no_advice_for_what_comes_before() -> None:
    events = [(12, "approve", "m1")]
    within = {"claim": "admitted", "of": "m1", "within": 3}
    told = "accept what either run does, or move an event so that one outcome is left"
    assert help_of(verified(2, events, [within])) == told
    assert help_of(verified(4, [(3, "escalate", "m1")], [never_sent(), {**within, "claim": "drafted"}])) == told


def test_advice_does_without_what_the_budget_did_not_reach() -> None:
    bundle = bundle_of(document(6, [(12, "approve", "m1"), (14, "escalate", "m1")], [never_sent()]), None, "x.json")
    told = [help_of(seen) for seen in (verify(bundle, budget) for budget in range(40, 200, 10)) if seen.verdict == "ambiguous"]
    assert told[0] == "accept what either run does, or move an event so that one outcome is left"
    assert told[-1] is not None and told[-1].startswith("what is lawful here: `any of { m1 sent exactly once } or")


def test_what_no_budget_decides_says_so() -> None:
    """As many ticks at which the trigger can fall as are explored, and never."""
    made = document(2, [], [never_sent()], horizon=MAX_CASES)
    record = {"fault_id": "p", "fault": "posture", "posture": "maintenance"}
    when = {"event": "drafted", "work_id": "work:m1"}
    made["schedule"].append({"seq": 1, "channel": "faults", "when": when, "record": record})
    seen = verify(bundle_of(made, None, "x.json"))
    (finding,) = seen.findings
    assert (seen.verdict, finding.code, finding.message) == ("undecided", "WP403", "undecided: no work budget is large enough")
    assert finding.help == "give triggered jumps, postures and rules a tick, and split the scenario"


def test_runs_are_shown_with_the_item_on_which_their_environment_hangs() -> None:
    """The posture changes when m1 is sent, at 13 to 18, and m2 comes at 20: from 16 on it may go either way."""
    rules = [{"effect": "admit", "id": "all", "when": [{"field": "posture", "op": "is", "value": "normal"}]}]
    refused = {"claim": "not-admitted", "of": "m2"}
    rules_of = [{"name": "all", "rules": rules}]
    made = document(2, [(12, "approve", "m1")], [refused], messages=(("m1", 0), ("m2", 20)), rules=rules_of)
    record = {"fault_id": "p", "fault": "posture", "posture": "maintenance"}
    when = {"event": "sent", "work_id": "work:m1"}
    made["schedule"].append({"seq": 3, "channel": "faults", "when": when, "record": record})
    seen = verify(bundle_of(made, None, "x.json"))
    (told,) = [finding for finding in seen.findings if finding.code == "WP501"]
    table = [line.split("  ") for line in told.detail]
    assert any("sends the reply to m1" in cell for row in table for cell in row)
    assert any("posture maintenance" in cell for row in table for cell in row)
    assert [(end.outcome, end.first) for end in seen.outcomes["m2"]] == [("open", None), ("not-admitted", None)]
