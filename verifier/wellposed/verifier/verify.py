"""The verifier's entry point: a bundle to its verdict, with every run that is shown judged again by the log checker."""

from __future__ import annotations

from dataclasses import replace

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.findings import Reporter, flip
from wellposed.verifier.judgement import Judgement
from wellposed.verifier.models import MODELS, Model
from wellposed.verifier.report import CoreMember, ExpectationReport, ReadingReport, Trace, Verification
from wellposed.verifier.solver import Budget, OutOfBudget
from wellposed.verifier.theory import Claim, Constraint
from wellposed.verifier.verdict import judge

DEFAULT_BUDGET = 2_000_000
"""Work units per scenario: edges relaxed and choices made."""
JUDGED = ("well-posed", "vacuous")
"""Verdicts of scenarios that every conforming run passes. In others a cell would say nothing of the faulty system."""


def verify(bundle: Bundle, budget: int = DEFAULT_BUDGET, windows: bool = False, readings: bool = False) -> Verification:
    """Verify one bundle under its specification and base readings; with the windows of its records if asked to.

    With `readings`, also under every other reading, each with the budget to itself.
    Raises WitnessRejected when the log checker refutes a run, which is an error of this tool.
    """
    model = MODELS[bundle.document["spec"]]
    verification = verify_as(model, bundle, budget, windows)
    return reread(model, bundle, verification, budget) if readings else verification


def reread(model: Model, bundle: Bundle, base: Verification, budget: int) -> Verification:
    """The verification with what becomes of it under every other reading."""
    reports = []
    findings = list(base.findings)
    for identity, answer, other in model.alternatives():
        found = verify_as(other, bundle, budget)
        flips = (found.verdict, found.expectations) != (base.verdict, base.expectations)
        reports.append(ReadingReport(identity, answer, flips, found))
        if flips:
            findings.append(flip(bundle, identity, answer, base, found))
    return replace(base, findings=tuple(findings), readings=tuple(reports))


def verify_as(model: Model, bundle: Bundle, budget: int, windows: bool = False) -> Verification:
    """Verify one bundle under one model. Raises WitnessRejected."""
    work = Budget(budget)
    try:
        theory = model.theory(bundle.document, work)
    except OutOfBudget as stop:
        judgement = Judgement(unexplored=[f"anything: {stop}"], more_helps=stop.more_helps)
        reporter = Reporter(bundle, model, judgement, (), "")
        return Verification("undecided", findings=tuple(reporter.findings()))
    judgement = judge(theory, work, windows)
    reporter = Reporter(bundle, model, judgement, theory.claims, theory.top)
    passing: Trace = ()
    failing: Trace = ()
    if judgement.ambiguities:
        passing, failing = (witness.trace for witness in reporter.pair(judgement.ambiguities[0]))
    elif judgement.example is not None:
        passing = reporter.checked(judgement.example).trace
    expectations = zip(theory.claims, judgement.claims, bundle.document["expect"], strict=True)
    return Verification(
        judgement.verdict,
        judgement.levels,
        tuple(
            ExpectationReport(index, text, state, model.rests_on(claim))
            for index, (text, state, claim) in enumerate(expectations)
        ),
        judgement.outcomes,
        tuple(_member(member, reporter) for member in judgement.core),
        passing,
        failing,
        tuple(reporter.findings()),
        tuple(judgement.windows),
        stimuli=judgement.finds,
        cells=judgement.cells if judgement.verdict in JUDGED else {},
    )


def _member(member: Constraint | Claim, reporter: Reporter) -> CoreMember:
    if isinstance(member, Claim):
        return CoreMember("expectation", f"/expect/{member.index}", f"`{member.text}` is expected")
    return CoreMember(member.obligation, member.pointer, reporter.told(member.text))
