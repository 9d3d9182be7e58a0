"""The verifier's entry point: a bundle to its verdict, with every run that is shown judged again by the log checker."""

from __future__ import annotations

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.findings import Reporter
from wellposed.verifier.judgement import Judgement
from wellposed.verifier.models import MODELS
from wellposed.verifier.report import CoreMember, ExpectationReport, Trace, Verification
from wellposed.verifier.solver import Budget, OutOfBudget
from wellposed.verifier.theory import Claim, Constraint
from wellposed.verifier.verdict import judge

DEFAULT_BUDGET = 2_000_000
"""Work units per scenario: edges relaxed and choices made."""


def verify(bundle: Bundle, budget: int = DEFAULT_BUDGET, windows: bool = False) -> Verification:
    """Verify one bundle under its specification and base readings; with the windows of its records if asked to.

    Raises WitnessRejected when the log checker refutes a run, which is an error of this tool.
    """
    model = MODELS[bundle.document["spec"]]
    work = Budget(budget)
    try:
        theory = model.theory(bundle.document, work)
    except OutOfBudget as stop:
        judgement = Judgement(unexplored=[f"anything: {stop}"])
        reporter = Reporter(bundle, model, judgement, (), "")
        return Verification("undecided", findings=tuple(reporter.findings()))
    judgement = judge(theory, work, windows)
    reporter = Reporter(bundle, model, judgement, theory.claims, theory.top)
    passing: Trace = ()
    failing: Trace = ()
    if judgement.ambiguities:
        first = judgement.ambiguities[0]
        passing = reporter.checked(first.passing).trace
        failing = reporter.checked(first.failing, first.index).trace
    elif judgement.example is not None:
        passing = reporter.checked(judgement.example).trace
    expectations = zip(theory.claims, judgement.claims, strict=True)
    return Verification(
        judgement.verdict,
        judgement.levels,
        tuple(ExpectationReport(index, text, state) for index, (text, state) in enumerate(expectations)),
        judgement.outcomes,
        tuple(_member(member) for member in judgement.core),
        passing,
        failing,
        tuple(reporter.findings()),
        tuple(judgement.windows),
    )


def _member(member: Constraint | Claim) -> CoreMember:
    if isinstance(member, Claim):
        return CoreMember("expectation", f"/expect/{member.index}", f"`{member.text}` is expected")
    return CoreMember(member.obligation, member.pointer, member.text)
