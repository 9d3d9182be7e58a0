"""The kernel decides a model that shares no noun with the benchmark."""

from __future__ import annotations

from tests.second_model.expiring_approval import Scenario, theory

from wellposed.verifier.judgement import Judgement
from wellposed.verifier.report import Outcome
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Constraint
from wellposed.verifier.verdict import judge


def judged(scenario: Scenario, expected: str) -> Judgement:
    return judge(theory(scenario, expected), Budget(10_000))


def test_an_honest_clerk_may_refuse() -> None:
    result = judged(Scenario(approved=3, good_for=5, horizon=20), "done")
    assert result.verdict == "ambiguous"
    assert result.outcomes["request"] == (Outcome("done", None, 3, 8), Outcome("refused", None, 3, 8))


def test_a_recall_at_once_leaves_only_the_refusal() -> None:
    result = judged(Scenario(approved=3, good_for=5, horizon=20, recalled=3), "refused")
    assert result.verdict == "well-posed"
    assert result.outcomes["request"] == (Outcome("refused", None, 3, 8),)


def test_a_recall_contradicts_the_expectation() -> None:
    result = judged(Scenario(approved=3, good_for=5, horizon=20, recalled=3), "done")
    assert result.verdict == "unsatisfiable"
    core = {member.obligation for member in result.core if isinstance(member, Constraint)}
    assert core == {"answer", "recall"}, "an answer that is not a refusal has to come after the recall"


def test_an_answer_due_beyond_the_horizon_is_not_due() -> None:
    result = judged(Scenario(approved=18, good_for=5, horizon=20), "refused")
    assert result.verdict == "ambiguous"
    assert Outcome("refused", None, 0, 20) in result.outcomes["request"]
