"""What a run exercises, and what follows for levels that it does not; expectations where only they count."""

from __future__ import annotations

import pytest
from tests.judge.conftest import JudgeActs
from tests.judge.runs import Act, admit, bundle_of, draft, resolve, send
from tests.judge.worlds import APPROVED, BODY, DELIVERED, ESCALATED, answered, given_up, world

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.models import JUDGES
from wellposed.verifier.verify import verify

ALONE = """scenario alone {{
  level L{level}
  horizon 60
  conversation order {{ from "ada@example.test" subject "Where is my order?" }}
{events}  expect {{ {expect} }}
{more}}}
"""


def alone(level: int, events: str, expect: str, more: str = "") -> Bundle:
    """A scenario with one conversation, so that nothing but its events exercises L1."""
    return bundle_of(ALONE.format(level=level, events=events, expect=expect, more=more))


CRASH = alone(1, DELIVERED + "  when m1 drafted crash\n", "any of { m1 sent exactly once } or { m1 abandoned }")
IN_TIME = [admit(0, "m1"), draft(3, "m1", BODY), send(5, "m1"), resolve(5, "m1")]
AT_ONCE = [admit(0, "m1"), draft(3, "m1", BODY), send(3, "m1"), resolve(3, "m1")]


@pytest.mark.parametrize(("acts", "result"), [(IN_TIME, "pass"), (AT_ONCE, "inconclusive")])
def test_a_guarded_fault_that_lawfully_found_nothing(acts: list[Act], result: str, judge: JudgeActs) -> None:
    """The crash comes a tick behind the draft. Whoever has sent by then was not tested for L1, and did nothing wrong."""
    runs = [judge(CRASH, acts) for _ in range(5)]
    assert all((run.harness, run.failures, run.findings) == ((), (), ()) for run in runs)
    levels = JUDGES["amr/0.14"].runs(CRASH, verify(CRASH).levels, runs, ()).levels
    assert {name: level.result for name, level in levels.items()} == {"L0": "pass", "L1": result}


@pytest.mark.parametrize(
    ("bundle", "acts", "exercised"),
    [
        (alone(0, DELIVERED, "m1 sent"), answered(8), {"L0"}),
        (alone(2, APPROVED, "m1 sent"), answered(), {"L0", "L2"}),
        (alone(2, APPROVED + "  at 2 redeliver m1\n", "m1 sent"), answered(), {"L0", "L1", "L2"}),
        (alone(6, ESCALATED, "m1 never sent"), given_up(13, "operator_escalation"), {"L0", "L2", "L4", "L6"}),
        (alone(6, DELIVERED + "  at 12 escalate m1\n", "m1 never sent"), given_up(13, "operator_escalation"), {"L0", "L2", "L4"}),
        (world(6, APPROVED + "  at 14 escalate m1\n"), answered(13), {"L0", "L1", "L2"}),
    ],
)  # fmt: skip
def test_what_a_run_exercises(bundle: Bundle, acts: list[Act], exercised: set[str], judge: JudgeActs) -> None:
    run = judge(bundle, acts)
    assert run.failures == () and run.exercised == exercised


ONLY_EXPECT = "  invariants only expect\n"


def test_where_only_the_expectations_count(judge: JudgeActs) -> None:
    """Sent without an approval: no obligation counts, and the expectations do not mind."""
    lenient = alone(2, APPROVED, "m1 sent exactly once", ONLY_EXPECT)
    assert judge(lenient, answered(8)).failures == ()
    late = judge(lenient, [admit(0, "m1"), draft(1, "m1", BODY)])
    (failure,) = late.failures
    assert (failure.id, failure.root.obligation, failure.levels) == ("expect/0", "expect", {"L2"})
    assert late.expectations == (False,)


def test_an_expectation_that_fails_alone_fails_the_scenarios_level(judge: JudgeActs) -> None:
    """`sent within 15` is ambiguous, so a conforming run can fail it."""
    run = judge(alone(2, APPROVED, "m1 sent within 15"), answered(17))
    assert {failure.id: set(failure.levels) for failure in run.failures} == {"expect/0": {"L2"}}


def test_an_expectation_that_follows_leaves_its_level_alone(judge: JudgeActs) -> None:
    run = judge(
        alone(4, ESCALATED, "m1 abandoned"), [admit(0, "m1"), draft(11, "m1", BODY), resolve(13, "m1", "crash")]
    )
    assert {failure.id for failure in run.failures} == {"L0.draft/m1", "K.reason/m1"}
    kept = judge(alone(2, APPROVED, "m1 sent within 17"), [*answered(14)[:2], send(18, "m1"), resolve(18, "m1")])
    (failure,) = kept.failures
    assert failure.id == "L2.send/m1" and "expect" in {one.obligation for one in failure.follows}


def test_who_else_is_sent_explains_that_not_only_these_are(judge: JudgeActs) -> None:
    """m2 is sent without an approval; the expectation, which names m1, fails for that and for nothing else."""
    events = '  at 0 deliver m1 in order "Hello?"\n  at 0 deliver m2 in order "Hello?"\n  at 12 approve m1\n'
    bundle = world(2, events, "only m1 sent")
    acts = [*answered(14), admit(0, "m2"), draft(1, "m2", BODY), send(14, "m2"), resolve(14, "m2")]
    run = judge(bundle, sorted(acts, key=lambda act: act[0]))
    (failure,) = run.failures
    assert failure.id == "L2.authority/m2" and run.expectations == (False,)
    assert "expect" in {one.obligation for one in failure.follows}
