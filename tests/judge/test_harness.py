"""A harness that does not do what the schedule says: the run is annulled, and no system fails for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.judge.conftest import JudgeActs
from tests.judge.runs import admit, bundle_of, claim, draft, resolve, send
from tests.judge.test_bad_input import append, replace
from tests.judge.worlds import BODY, world

from wellposed.compiler.folder import rules_hash
from wellposed.dsl.findings import Span
from wellposed.verifier.judged import JudgedRun

EVENTS = """  at 0 deliver m1 in order "Hello?"
  at 2 redeliver m1
  at 5 forge approval "fake" for draft "ghost-1"
  at 6 forge approval "odd" for m1 with wrong hash
  at 8 kill agent of m1
  at 10 crash
  at 11 posture maintenance
  at 13 jump to 20
  at 20 approve m1 as go
  at 22 repeat go
  at 30 deliver m2 in other "Hello?"
  at 40 escalate m2
"""
BUNDLE = world(4, EVENTS)
ACTS = [
    admit(0, "m1"),
    draft(1, "m1", BODY),
    claim(9, "m1", "a2", "won"),
    send(21, "m1"),
    resolve(21, "m1"),
    admit(30, "m2"),
    draft(30, "m2", "Regarding ORD-2002.", conversation_id="other"),
    resolve(41, "m2", "operator_escalation"),
]
OPTIONS = {"agents": ("a1", "a2"), "held": {"work-m1": [(0, "a1"), (9, "a2")], "work-m2": [(30, "a2")]}}


def line_of(run: Path, file: str, needle: str) -> int:
    lines = (run / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if needle in line)


def drop(file: str, needle: str) -> Callable[[Path], object]:
    def change(run: Path) -> None:
        lines = (run / file).read_text().splitlines(keepends=True)
        left = [line for line in lines if needle not in line]
        assert len(left) < len(lines), (file, needle)
        (run / file).write_text("".join(left))

    return change


def swap(file: str, one: str, other: str) -> Callable[[Path], object]:
    """Two lines of a file in each other's place."""

    def change(run: Path) -> None:
        lines = (run / file).read_text().splitlines(keepends=True)
        first, second = line_of(run, file, one) - 1, line_of(run, file, other) - 1
        lines[first], lines[second] = lines[second], lines[first]
        (run / file).write_text("".join(lines))

    return change


def test_the_faithful_harness_is_believed(judge: JudgeActs) -> None:
    run = judge(BUNDLE, ACTS, **OPTIONS)
    assert (run.harness, run.failures, run.findings) == ((), (), ())
    assert run.exercised == {"L0", "L1", "L2", "L3", "L4"}


FAULTS = {
    "a message that was not delivered": drop("inbox.jsonl", '"m2"'),
    "another body": replace("inbox.jsonl", "Hello?", "Hallo?", 1),
    "a further member": replace("inbox.jsonl", '"body":', '"again":true,"body":'),
    "a message too many": append("inbox.jsonl", b'{"at":50,"body":"","conversation_id":"order","from":"x","id":"m3","subject":""}\n'),
    "a decision that was never written": drop("approvals.jsonl", '"go"'),
    "a decision that was turned round": replace("approvals.jsonl", '"decision":"approve","draft_id":"draft-m1-1"}', '"decision":"reject","draft_id":"draft-m1-1"}'),
    "a decision that binds another hash": replace("approvals.jsonl", "sha256:", "sha256:1"),
    "a decision at another tick": replace("approvals.jsonl", '"decided_at":20', '"decided_at":21'),
    "a forgery with the right hash": lambda run: (run / "approvals.jsonl").write_text((run / "approvals.jsonl").read_text().replace("f" * 64, (run / "drafts.jsonl").read_text().split("sha256:")[1][:64])),
    "a forgery of a real draft": replace("approvals.jsonl", "ghost-1", "draft-m1-1"),
    "a signal that was never written": drop("signals.jsonl", "ESCALATION"),
    "a signal for another item": replace("signals.jsonl", "work-m2", "work-m1"),
    "a signal at another tick": replace("signals.jsonl", '"at":40', '"at":41'),
    "a signal too many": append("signals.jsonl", b'{"at":50,"signal_id":"x","signal_type":"AGENT_DEATH","target":"a2"}\n'),
    "the death of an agent that holds something else": replace("signals.jsonl", '"a1"', '"a2"'),
    "no snapshot of a tick with records": drop("state.jsonl", '"tick":21}'),
    "a snapshot that goes back": swap("state.jsonl", '"tick":30}', '"tick":41}'),
    "a message recorded at another tick": replace("run.jsonl", '"event":"deliver","file":"inbox.jsonl","line":1,"seq":0', '"event":"deliver","file":"inbox.jsonl","line":1,"seq":1'),
    "a crash that was not recorded": drop("run.jsonl", '"event":"crash"'),
    "a crash too many": replace("run.jsonl", '{"event":"restart","tick":10}\n', '{"event":"restart","tick":10}\n{"event":"crash","seq":5,"tick":10}\n'),
    "a crash without a restart": drop("run.jsonl", '"event":"restart"'),
    "another posture": replace("run.jsonl", "maintenance", "vip-only"),
    "a jump that was not made": replace("run.jsonl", '{"event":"advance","tick":20}', '{"event":"advance","tick":14}\n{"event":"advance","tick":20}'),
    "a clock that skips": drop("run.jsonl", '{"event":"advance","tick":25}'),
    "a clock that goes back": replace("run.jsonl", '{"event":"advance","tick":25}', '{"event":"advance","tick":23}'),
    "a clock that goes on behind the end": append("run.jsonl", b'{"event":"advance","tick":61}\n'),
    "a clock that leaps behind the end": append("run.jsonl", b'{"event":"forced-advance","tick":9007199254740991}\n'),
    "a run that was cut off": lambda run: (run / "run.jsonl").write_text((run / "run.jsonl").read_text().split('{"event":"advance","tick":50}')[0]),
    "an event that is none": replace("run.jsonl", '"event":"crash"', '"event":"smash"'),
    "a line seen twice": replace("run.jsonl", '"file":"outbox.jsonl","line":1,"tick":21}', '"file":"outbox.jsonl","line":1,"tick":21}\n{"event":"first-seen","file":"outbox.jsonl","line":1,"tick":21}'),
    "a line seen at another tick than the clock's": replace("run.jsonl", '"file":"outbox.jsonl","line":1,"tick":21', '"file":"outbox.jsonl","line":1,"tick":22'),
    "a line that was seen and is gone": lambda run: (run / "outbox.jsonl").write_text(""),
    "a line of the run log that is none": append("run.jsonl", b"{}\n"),
    "no JSON": append("approvals.jsonl", b"nothing\n"),
    "torn": lambda run: (run / "run.jsonl").write_bytes((run / "run.jsonl").read_bytes()[:-1]),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_harness_annuls(name: str, judge: JudgeActs) -> None:
    run = judge(BUNDLE, ACTS, FAULTS[name], **OPTIONS)
    assert run.annulled and run.harness
    assert run.failures == () and set(run.expectations) <= {None}
    assert {finding.code for finding in run.findings} & {"WP645", "WP632", "WP633", "WP634"}


def test_a_fault_is_told_at_its_line(judge: JudgeActs) -> None:
    run = judge(BUNDLE, ACTS, FAULTS["a decision at another tick"], **OPTIONS)
    (finding,) = run.findings
    assert isinstance(finding.place, Span)
    assert (finding.code, finding.place.path, finding.place.line) == ("WP645", "run/approvals.jsonl", 3)
    assert "decided_at" in finding.message and "go" in finding.message


RULES = """rules first {{ admit rest }}
rules second {{ {second} }}
scenario changing {{
  level L2
  horizon 40
  rules first
  conversation order {{ from "ada@example.test" subject "Where is my order?" anchor "ORD-1001" }}
  at 5 rules second
  at 12 deliver m1 in order "Hello?"
  at 20 approve m1
}}
"""
CHANGED = [admit(12, "m1"), draft(13, "m1", BODY), send(21, "m1"), resolve(21, "m1")]


def test_rules_of_another_version(judge: JudgeActs) -> None:
    bundle = bundle_of(RULES.format(second='admit others when subject contains "order"'))
    digest = rules_hash(bundle.document["rules"][1]["rules"])
    acts = [admit(12, "m1", rules=digest), *CHANGED[1:]]
    assert judge(bundle, acts).failures == ()
    assert {failure.id for failure in judge(bundle, CHANGED).failures} == {"L2.only/m1"}
    for change in (replace("run.jsonl", digest, "0" * 64), replace("run.jsonl", '"second"', '"first"')):
        assert judge(bundle, acts, change).annulled


def test_two_versions_with_one_hash_are_told_apart_by_when_they_held(judge: JudgeActs) -> None:
    bundle = bundle_of(RULES.format(second="admit rest"))
    assert len({rules_hash(version["rules"]) for version in bundle.document["rules"]}) == 1
    run = judge(bundle, CHANGED)
    assert (run.harness, run.failures) == ((), ())


def test_an_agent_of_nobody_dies_in_silence(judge: JudgeActs) -> None:
    """m1 is answered when its agent is to die: the event has no line of `signals.jsonl`, and nobody owes anything."""
    bundle = world(3, '  at 0 deliver m1 in order "Hello?"\n  at 10 approve m1\n  at 20 kill agent of m1\n')
    run = judge(bundle, [admit(0, "m1"), draft(1, "m1", BODY), send(11, "m1"), resolve(11, "m1")])
    assert (run.harness, run.failures, run.findings) == ((), (), ())
    assert "L3" not in run.exercised


def test_a_system_that_says_nobody_holds_its_live_item_lies(judge: JudgeActs) -> None:
    """Then the harness can kill nobody, and the death is not held against the system."""
    bundle = world(3, '  at 0 deliver m1 in order "Hello?"\n  at 10 approve m1\n  at 20 kill agent of m1\n', horizon=40)

    def change(run: Path) -> None:
        text = (run / "state.jsonl").read_text()
        text = text.replace('"assignments":[{"agent_id":"a1","work_id":"work-m1"}]', '"assignments":[]')
        (run / "state.jsonl").write_text(
            text.replace('"assigned_agent":"a1"', '"assigned_agent":null').replace('"alive":false', '"alive":true')
        )
        (run / "signals.jsonl").write_text("")
        log = (run / "run.jsonl").read_text()
        (run / "run.jsonl").write_text(
            log.replace('"event":"signal","file":"signals.jsonl","line":1,', '"event":"signal",')
        )

    run = judge(bundle, [admit(0, "m1"), draft(1, "m1", BODY)], change)
    assert run.harness == ()
    assert {failure.id for failure in run.failures} == {"L3.state", "L2.send/m1"}


def test_a_harness_is_not_blamed_for_what_a_system_made_illegible(judge: JudgeActs) -> None:
    """The approval binds a draft in a line that nobody can read."""
    run = judge(
        BUNDLE,
        ACTS,
        replace("drafts.jsonl", '"body":"Regarding ORD-1001."', '"body":"Regarding ORD-1001.",'),
        **OPTIONS,
    )
    assert not run.annulled
    assert "form/drafts.jsonl" in {failure.id for failure in run.failures}


def test_a_line_of_the_harness_is_told_of_all_the_same(judge: JudgeActs) -> None:
    def change(run: Path) -> None:
        append("audit.jsonl", b"nothing")(run)
        replace("approvals.jsonl", '"approval_id":"go"', '"approval_id":"go",')(run)

    run = judge(BUNDLE, ACTS, change, **OPTIONS)
    assert run.annulled and [finding.code for finding in run.findings].count("WP632") == 3


def test_effects_are_held_by_the_harness(judge: JudgeActs) -> None:
    """What it lets through is no fault of the system; without a timeline it is the system's own word."""
    events = '  at 0 deliver m1 in order "Hello?"\n  at 10 approve m1\n  at 11 hold effects\n  at 20 release effects\n'
    bundle = world(2, events)

    def sent_at(tick: int, *changes: Callable[[Path], object]) -> JudgedRun:
        acts = [admit(0, "m1"), draft(1, "m1", BODY), send(tick, "m1"), resolve(30, "m1")]
        return judge(bundle, acts, lambda path: [change(path) for change in changes])

    for tick in (10, 20, 24):
        assert (sent_at(tick).harness, sent_at(tick).failures) == ((), ())
    run = sent_at(14)
    assert run.annulled and run.failures == ()
    (finding,) = run.findings
    assert isinstance(finding.place, Span)
    assert (finding.code, finding.place.path, finding.place.line) == ("WP645", "run/outbox.jsonl", 1)
    told = sent_at(14, lambda path: (path / "run.jsonl").unlink())
    assert not told.annulled and "well-formed/m1" in {failure.id for failure in told.failures}
