"""Scenarios together: known answers, what parts two stories, the same story under other names, and what is told of it."""

from __future__ import annotations

import copy
from ast import literal_eval
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.verifier.known_answers import abandoned, document, either, never_sent, only, sent

from wellposed.cli.main import main
from wellposed.compiler.bundle import bundle_of
from wellposed.dsl.findings import Finding, Severity
from wellposed.verifier.amr.entry import AsyncMessageResponder
from wellposed.verifier.amr.suite import agreement
from wellposed.verifier.formula import FALSE, TRUE, Formula
from wellposed.verifier.suite import check
from wellposed.verifier.suite.check import MOST_CLASHES, check_suite
from wellposed.verifier.suite.story import parting
from wellposed.verifier.verify import DEFAULT_BUDGET, verify

Document = dict[str, Any]
GO = (12, "approve", "m1", "go")
STOP = (13, "escalate", "m1", "stop")
AT_ONCE = document(6, [GO], [sent(False, 12)])
IN_TIME = document(6, [GO], [sent(False, 17)])
TAKEN_BACK = document(6, [GO, STOP], [never_sent()])


def found(*documents: Document, budget: int = DEFAULT_BUDGET) -> tuple[Finding, ...]:
    """What is found of these documents together, which get the ids s0, s1 and so on."""
    bundles = [bundle_of({**one, "id": f"s{n}"}, None, f"s{n}.json") for n, one in enumerate(documents)]
    verified = [(bundle, verify(bundle)) for bundle in bundles]
    assert all(verification.passing for _, verification in verified)
    return check_suite(verified, budget)


def codes(*documents: Document) -> list[str]:
    return [finding.code for finding in found(*documents)]


def claim(kind: str, **parts: Any) -> Document:
    return {"claim": kind, "of": "m1", **parts}


def unless(condition: Document, consequence: Document) -> Document:
    """Where the condition holds, the impossible is expected; else the consequence."""
    return {"claim": "if", "if": condition, "then": {"claim": "any", "of": [[sent(), never_sent()]]}, "else": consequence}


@pytest.mark.parametrize(
    ("other", "needed"),
    [
        # Whoever sends a second time does it in both, so that one send alone is no reason.
        ({"claim": "not-sent-after", "of": "m1", "after": "x"}, []),
        (sent(False, 5), ["s1: m1 is sent at most once  [L1.once]"]),
    ],
)
def test_a_second_send_before_they_part_is_one_in_both(other: Document, needed: list[str]) -> None:
    late = document(1, [(8, "crash", None, "x"), (30, "crash")], [sent(False, 3, "x")])
    early = document(1, [(8, "crash", None, "x"), (31, "crash")], [other])
    (finding,) = found(late, early)
    assert [line[3:] for line in finding.detail if "is expected" not in line] == needed
    assert finding.code == "WP404" and len(finding.detail) == 2 + len(needed)


def test_a_send_that_the_other_scenario_forbids() -> None:
    (finding,) = found(AT_ONCE, TAKEN_BACK)
    assert (finding.code, finding.severity, finding.scenario) == ("WP404", Severity.ERROR, "s1")
    assert finding.message == "no system can pass both this scenario and `s0`"
    assert finding.detail == ("1. s1: `m1 never sent` is expected", "2. s0: `m1 sent within 12` is expected")
    assert "are the same before tick 13;" in finding.notes[0]


def test_a_send_that_may_wait_until_the_scenarios_part() -> None:
    assert found(IN_TIME, TAKEN_BACK) == ()


def test_the_tick_at_which_they_part_is_their_own() -> None:
    """At 13 the one has seen the escalation, and the other may still send."""
    assert found(document(6, [GO], [sent(False, 13)]), TAKEN_BACK) == ()


def test_a_draft_a_resolution_and_its_reason() -> None:
    early = claim("drafted", within=2)
    given_up = [GO, (14, "reject", "m1", "no"), (15, "crash")]
    rejected, crashed = (unless(sent(), claim("abandoned", reason=reason)) for reason in ("rejected", "crash"))
    for one, other in ((early, unless(early, sent())), (claim("completed"), unless(claim("completed"), sent()))):
        assert codes(document(2, [GO], [one]), document(2, [GO], [other])) == ["WP404"]
        assert codes(document(2, [GO], [one]), document(2, [GO], [sent()])) == []
    assert codes(document(2, given_up, [rejected]), document(2, given_up, [crashed])) == ["WP404"]
    assert codes(document(2, given_up, [rejected]), document(2, given_up, [unless(sent(), abandoned())])) == []


def test_one_more_scenario_between_them_changes_nothing() -> None:
    (finding,) = found(AT_ONCE, IN_TIME, TAKEN_BACK)
    assert (finding.scenario, len(finding.labels)) == ("s2", 1)
    (same,) = found(IN_TIME, TAKEN_BACK, AT_ONCE)
    assert same.message == "no system can pass both this scenario and `s1`"


def test_three_of_which_any_two_can_be_passed() -> None:
    """Admitted by 3; not by 1; by 1 or after 3."""
    early, late = claim("admitted", within=1), claim("admitted", within=3)
    scenarios = [
        document(2, [GO], [late]),
        document(2, [GO, (30, "crash")], [unless(early, sent())]),
        document(2, [GO, (31, "crash")], [either(early, unless(late, sent()))]),
    ]
    for left_out in range(3):
        assert found(*scenarios[:left_out], *scenarios[left_out + 1 :]) == ()
    (finding,) = found(*scenarios)
    assert finding.message == "no system can pass all of this scenario, `s0` and `s1`"
    assert len(finding.detail) == 3


def test_a_level_that_waits_for_approvals_and_one_that_does_not() -> None:
    """Nobody tells a system its level: an answer within 10 and no answer before the approval at 12."""
    (finding,) = found(document(0, [], [sent(True, 10)]), document(2, [GO], [sent(True, 5, "go")]))
    assert finding.code == "WP404"
    assert finding.detail == (
        "1. s1: `m1 sent exactly once within 5 of go` is expected",
        "2. s0: m1 delivered at 0, so the reply is due by 10  [L0.reply]",
    )


def test_what_is_decided_before_the_first_message_parts_everything() -> None:
    other = document(6, [GO, STOP], [never_sent()], posture="maintenance")
    assert found(AT_ONCE, other) == ()


@pytest.mark.parametrize(("opposite", "same"), [("reply-in", "c-m1"), ("reply-anchor", "c-m1")])
def test_what_a_reply_is_like(opposite: str, same: str) -> None:
    """Below level 1 a reply may carry any anchor and lie anywhere, but one reply has one conversation and one content."""
    base = document(0, [], [], messages=(("m1", 0), ("m2", 0)))
    base["stub"]["anchors"] = [{"anchor": name, "conversation_id": f"c-{name}"} for name in ("m1", "m2")]
    like = claim(opposite, conversation=same)
    unlike = either({"claim": "if", "if": like, "then": never_sent(), "else": sent()})
    assert codes({**base, "expect": [like]}, {**base, "expect": [unlike]}) == ["WP404"]
    assert codes({**base, "expect": [like]}, {**base, "expect": [sent()]}) == []


def test_a_second_draft_that_only_one_of_them_needs() -> None:
    """To send behind the rejection the one needs another draft, which takes the rejection on itself; the other does not mind."""
    rejected = (15, "reject", "m1", "no")
    late = unless(sent(False, 2, "go"), sent())
    one = document(2, [GO, rejected, (18, "crash")], [late])
    other = document(2, [GO, rejected, (20, "approve", "m1", "again")], [unless(sent(False, 7, "go"), sent(True, 5, "again"))])
    assert found(one, other) == ()
    assert codes(one, document(2, [GO, rejected, (30, "crash")], [sent(True, 2, "go")])) == ["WP404"]


def test_whether_dead_work_is_taken_up() -> None:
    """The agent dies too late for anything to be due: the one wants the work reassigned, the other wants it left."""
    base = document(3, [(38, "kill", "m1", "death")], [])
    taken = claim("reassigned-or-orphaned")
    assert codes({**base, "expect": [taken, claim("open")]}, {**base, "expect": [unless(taken, claim("open"))]}) == ["WP404"]
    assert codes({**base, "expect": [taken, claim("open")]}, {**base, "expect": [claim("open")]}) == []


def test_what_a_dying_agent_held() -> None:
    """Of the other item nothing is written before the scenarios part, but either the agent held it or it did not."""
    both = (("m1", 0), ("m2", 0))
    taken = {**claim("reassigned-or-orphaned"), "of": "m2"}
    held = document(3, [(38, "kill", "m1", "death")], [taken], messages=both)
    spared = document(3, [(38, "kill", "m1", "death"), (39, "crash")], [unless(taken, claim("admitted", within=5))], messages=both)
    assert codes(held, {**spared, "horizon": 60}) == ["WP404"]
    assert codes(held, spared) == [], "by tick 40 the other need not be taken up, though it was held"


KNOWN = (
    test_a_send_that_the_other_scenario_forbids,
    test_a_send_that_may_wait_until_the_scenarios_part,
    test_the_tick_at_which_they_part_is_their_own,
    test_a_draft_a_resolution_and_its_reason,
    test_three_of_which_any_two_can_be_passed,
    test_whether_dead_work_is_taken_up,
    test_what_a_dying_agent_held,
)
AGREEMENT = agreement._Agreement


def without(method: str, number: int) -> Callable[..., Iterator[Formula]]:
    """A method that leaves out one of the formulas that it yields."""
    whole = getattr(AGREEMENT, method)
    return lambda *given: (formula for place, formula in enumerate(whole(*given)) if place != number)


def shifted(by: int) -> Callable[..., Iterator[Formula]]:
    whole = agreement.agreement
    return lambda space, one, other, until: whole(space, one, other, until + by)


@pytest.mark.parametrize(
    ("where", "name", "fault"),
    [
        (agreement, "agreement", shifted(1)),
        (agreement, "agreement", shifted(-1)),
        *((AGREEMENT, "_item", without("_item", number)) for number in range(4)),
        *((AGREEMENT, "_death", without("_death", number)) for number in range(2)),
        (AGREEMENT, "_equal", lambda *given: TRUE),
        (AGREEMENT, "_late", lambda *given: FALSE),
    ],
)
def test_the_known_answers_tell_every_part_of_an_agreement(
    where: object, name: str, fault: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    for known in KNOWN:
        try:
            known()
        except (AssertionError, ValueError):
            return
    pytest.fail("the fault survives")


MODEL = AsyncMessageResponder()


def changed(change: Callable[[Document], object]) -> Document:
    other = copy.deepcopy(TAKEN_BACK)
    change(other)
    return other


@pytest.mark.parametrize(
    ("change", "tick"),
    [
        (lambda one: one.update(level=2, title="other", expect=[]), 41),
        (lambda one: one.update(horizon=20), 21),
        (lambda one: one["mode"].update(posture="maintenance"), 0),
        (lambda one: one["rules"][0].update(name="other"), 41),
        (lambda one: one["rules"][0]["rules"][0].update(effect="refuse"), 0),
        (lambda one: one["schedule"][0]["record"].update(body="Well?"), 0),
        (lambda one: one["schedule"][0]["record"].update(id="m9"), 0),
        (lambda one: one["stub"]["replies"][0].update(parts=["No."]), 0),
        (lambda one: one["stub"]["anchors"].append({"anchor": "A", "conversation_id": "c-m1"}), 0),
        (lambda one: one["stub"]["replies"].append({"conversation_id": "c9", "parts": []}), 41),
        (lambda one: one["schedule"][1]["record"].update(approval_id="yes"), 41),
        (lambda one: one["schedule"][1]["record"].update(decision="reject"), 12),
        (lambda one: one["schedule"][1].update(at=11), 11),
        (lambda one: one["schedule"].pop(), 13),
        (lambda one: one["schedule"].append({**one["schedule"][1], "seq": 3, "at": 20}), 20),
        (lambda one: one["schedule"].append(_when("drafted", "jump", by=5)), 1),
        (lambda one: one["schedule"].append(_fault("jump", to=30)), 14),
        (lambda one: one["schedule"].append(_fault("hold")), 14),
        (lambda one: one["schedule"][1]["record"]["match"].update(draft="oldest"), 12),
        (lambda one: one["schedule"][2]["record"].update(deferred=True), 13),
        (lambda one: one["schedule"].append({**one["schedule"][2], "seq": 3, "at": 20}), 20),
        (lambda one: one["schedule"].append(_fault("posture", posture="normal")), 14),
    ],
)
def test_when_two_stories_part(change: Callable[[Document], object], tick: int) -> None:
    one, other = (MODEL.story(document, False) for document in (TAKEN_BACK, changed(change)))
    assert parting(one, other) == parting(other, one) == tick


def _fault(kind: str, **parts: Any) -> Document:
    return {"seq": 3, "at": 14, "channel": "faults", "record": {"fault_id": f"{kind}.1", "fault": kind, **parts}}


def _when(event: str, kind: str, **parts: Any) -> Document:
    entry = _fault(kind, **parts)
    return {**{key: value for key, value in entry.items() if key != "at"}, "when": {"event": event, "work_id": "work:m1"}}


def test_names_of_late_events_part_nothing_early() -> None:
    """A triggered event is numbered apart from the timed ones, of which there may be more in one scenario."""
    one, other = copy.deepcopy(TAKEN_BACK), changed(lambda one: one["schedule"].insert(2, _fault("posture", posture="normal")))
    for story in (one, other):
        story["schedule"].append(_when("drafted", "crash"))
    assert parting(MODEL.story(one, False), MODEL.story(other, False)) == 13


def renamed(one: Document, by: int) -> Document:
    """The same scenario with another message id, other names and all of it `by` ticks later."""
    other = copy.deepcopy(one)
    other["horizon"] += by
    for entry in other["schedule"]:
        entry["at"] += by
        record = entry["record"]
        record.update({key: record[key] + by for key in ("at", "to") if key in record})
    text = str(other)
    for old, new in (("'m1'", "'n7'"), ("work:m1", "work:n7"), ("c-m1", "thread"), ("'go'", "'fine'")):
        text = text.replace(old, new)
    return dict(literal_eval(text))


def test_the_same_story_under_other_names() -> None:
    (finding,) = found(AT_ONCE, renamed(document(6, [GO], [unless(sent(False, 12), sent())]), 5))
    assert (finding.code, finding.severity) == ("WP502", Severity.WARNING)
    assert finding.message == "`s0` tells the same story as this scenario, and no run of it passes both"
    assert "`s0` at tick 0, `s1` at tick 5" in finding.notes[0]
    assert found(AT_ONCE, renamed(IN_TIME, 5)) == ()


def test_the_same_scenario_under_other_names() -> None:
    (finding,) = found(IN_TIME, renamed(IN_TIME, 5), IN_TIME | {"title": "once more"})
    assert (finding.code, finding.severity, finding.scenario) == ("WP609", Severity.NOTE, "s1")
    assert finding.message == "this is `s0` once more, but for names and ticks"
    assert finding.notes == ("so is `s2`",)
    assert found(IN_TIME, renamed(IN_TIME, 5) | {"level": 5}) == ()
    assert found(IN_TIME, renamed(IN_TIME, 5) | {"horizon": 60}) == ()


def test_another_skin_is_no_other_scenario() -> None:
    assert codes(IN_TIME, {**IN_TIME, "skin": "incident-response"}) == ["WP609"]


def test_exact_sends_in_another_order_are_the_same_expectation() -> None:
    two = {"messages": (("m1", 0), ("m2", 0))}
    one, other = (document(0, [], [only(*names)], **two) for names in (("m1", "m2"), ("m2", "m1")))
    assert codes(one, other) == ["WP609"]
    then, before = ({**claim, "expect": [{**claim["expect"][0], "ordered": True}]} for claim in (one, other))
    told = [MODEL.expected(each, MODEL.story(each, True)) for each in (then, before)]
    assert told[0] != told[1]


def test_held_effects_are_the_same_for_both() -> None:
    """They part at 20, where the one releases: by then it can only have sent at 12 or 13."""
    held = document(2, [GO, (14, "hold", None, "h")], [never_sent()])
    released = [GO, (14, "hold", None, "h"), (20, "release", None, "r")]
    assert codes(held, document(2, released, [sent(False, 5, "go")])) == []
    (finding,) = found(held, document(2, released, [sent(False, 1, "go")]))
    assert finding.code == "WP404"
    assert "are the same before tick 20;" in finding.notes[0]


def test_rules_that_look_at_conversations_keep_their_names() -> None:
    condition = {"field": "message.conversation_id", "op": "is", "value": "c-m1"}
    rules = [{"name": "one", "rules": [{"effect": "admit", "id": "one", "when": [condition]}]}]
    one = document(2, [GO], [sent(True, 5, "go")], rules=rules)
    other = renamed(document(2, [GO], [claim("not-admitted")]), 0) | {"rules": rules}
    assert found(one, other) == ()


def test_a_clash_is_told_once() -> None:
    """What cannot be passed together is not told again for scenarios that differ in names alone."""
    assert codes(AT_ONCE, TAKEN_BACK, renamed(TAKEN_BACK, 3)) == ["WP404", "WP609"]


def test_not_every_clash_of_many_is_told() -> None:
    many = [document(6, [GO, (20 + number, "crash")], [sent(False, 12)]) for number in range(12)]
    many += [document(6, [GO, (13, "escalate", "m1"), (20 + number, "crash")], [never_sent()]) for number in range(12)]
    told = found(*many)
    assert [finding.code for finding in told] == ["WP404"] * MOST_CLASHES
    assert MOST_CLASHES == 8, "`docs/model.md` says eight"
    assert "more scenarios begin like these" in told[-1].notes[-1]


def test_out_of_budget_is_undecided() -> None:
    (finding,) = found(AT_ONCE, TAKEN_BACK, budget=600)
    assert (finding.code, finding.scenario) == ("WP403", "s0")
    assert finding.message.startswith("undecided: whether one system can pass this scenario")


def test_what_cannot_be_passed_or_has_no_obligations_takes_no_part() -> None:
    impossible = bundle_of(document(6, [GO, STOP], [never_sent(), sent()]), None, "a.json")
    free = bundle_of(document(6, [GO, STOP], [never_sent()], only_expect=True), None, "b.json")
    usual = bundle_of({**AT_ONCE, "id": "usual"}, None, "c.json")
    verified = [(bundle, verify(bundle)) for bundle in (impossible, free, usual)]
    assert check_suite(verified) == ()


SOURCE = """scenario {name} {{
  level   L6
  horizon 40
  conversation desk {{ from "ada@example.test" subject "Where is my order?" }}
  at 0  deliver m1 in desk "Hello?"
  at 12 approve m1
{events}  expect {{ {claims} }}
{tail}}}
"""
PROMPT = SOURCE.format(name="prompt", events="", claims="m1 sent within 12", tail="")
WITHDRAWN = '  rejected ambiguous WP501 "a fast system has sent"\n'


def told(folder: Path, capsys: pytest.CaptureFixture[str], *sources: str, options: tuple[str, ...] = ()) -> tuple[int, str]:
    (folder / "all.scenario").write_text("\n".join(sources))
    status = main(["check", str(folder / "all.scenario"), *options])
    return status, capsys.readouterr().out


def test_through_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    family = SOURCE.format(name="late(gap in 1..3)", events="  at 12 + gap escalate m1\n", claims="m1 never sent", tail="")
    _, out = told(tmp_path, capsys, PROMPT, family.replace("scenario", "family", 1))
    assert out.count("error[WP404]") == 1
    assert "no system can pass both this scenario and `prompt`" in out
    rejected = SOURCE.format(name="late", events="  at 13 escalate m1\n", claims="m1 never sent", tail=WITHDRAWN)
    _, out = told(tmp_path, capsys, PROMPT, rejected)
    assert "WP404" not in out, "what is rejected on purpose takes no part"


def test_undecided_is_no_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sources = [SOURCE.format(name=f"s{n}", events=f"  at {20 + n} repeat go\n", claims="m1 sent within 17", tail="") for n in (0, 1)]
    sources = [source.replace("approve m1", "approve m1 as go").replace("L6", "L2") for source in sources]
    assert told(tmp_path, capsys, *sources)[0] == 0
    monkeypatch.setattr(check.Chain, "add", lambda self, number: check.Unsettled(number))
    status, out = told(tmp_path, capsys, *sources)
    assert (status, out.count("warning[WP403]: undecided: whether one system can pass")) == (3, 2)
