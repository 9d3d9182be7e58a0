"""Claims of the kinds mechanism-passes and mechanism-fails: the logs they come with, judged again.

Source: specification section 0, "a mechanism this spec scores low actually passes its scenarios, or a mechanism it scores
high fails them".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding, Label, Severity, Span
from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.claims.claim import HOLDS, REFUTED, UNPROVEN, ClaimResult
from wellposed.verifier.claims.examination import Examination
from wellposed.verifier.claims.files import RunOf, Unreadable
from wellposed.verifier.claims.members import PASSES
from wellposed.verifier.judged import (
    FAIL,
    PASS,
    RUNS_FOR_A_PASS,
    UNTESTED,
    Failure,
    JudgedRun,
    JudgedScenario,
    LevelResult,
)
from wellposed.verifier.models import JUDGES
from wellposed.verifier.report import Verification

NO_FILE = "WP914"
COPIES = "WP917"
SPOILED = "WP924"
ANNULLED = "WP925"
NOT_PASSED = "WP926"
TOO_FEW = "WP927"
NOT_FAILED = "WP928"
KEPT = "WP929"
SHOWN_FAILURES = 5


def examine_mechanism(examination: Examination, bundle: Bundle) -> ClaimResult:
    """Judge the runs of the claim, and hold what they come to against what it says."""
    claim = examination.claim
    verification = examination.verify(bundle)
    if verification.verdict == "undecided":
        return examination.undecided(f"whether {bundle.id} is well-posed", bundle)
    runs, findings = judged_runs(examination, bundle)
    unfit = [one for one in findings if one.severity is Severity.ERROR]
    if not unfit and verification.verdict != "well-posed":
        findings.append(_spoiled(examination, bundle, verification))
    if not unfit:
        scenario = JUDGES[bundle.document["spec"]].runs(bundle, verification.levels, runs, ())
        told = _passes if claim.kind == PASSES else _fails
        return told(examination, bundle, scenario, findings)
    return examination.result(UNPROVEN, "its logs cannot be judged", findings, bundle)


def judged_runs(
    examination: Examination, bundle: Bundle, paths: Sequence[tuple[str, str]] | None = None
) -> tuple[list[JudgedRun], list[Finding]]:
    """The runs of a claim, judged, and what stands against using them; `paths` with the members that name them."""
    claim = examination.claim
    judge = JUDGES[bundle.document["spec"]]
    named = [(f"logs/{number}", path) for number, path in enumerate(claim.logs)] if paths is None else paths
    runs: list[JudgedRun] = []
    findings: list[Finding] = []
    copies: dict[str, str] = {}
    for member, path in named:
        try:
            files = RunOf(examination.files, path)
        except Unreadable as problem:
            findings.append(
                examination.finding(
                    NO_FILE, member, f"{path} {problem}", "a run is a folder of the claim, docs/runs.md"
                )
            )
            continue
        run = judge.run_files(bundle, files, f"{claim.folder}/{path}")
        runs.append(run)
        findings += _about(examination, member, path, run)
        if copies.setdefault(files.content, path) != path:
            text = f"{path} is {copies[files.content]} once more, byte for byte"
            help = "five runs are five runs: make each anew, or say in the disclosure why they cannot differ"
            findings.append(examination.finding(COPIES, member, text, help))
    return runs, findings


def _about(examination: Examination, member: str, path: str, run: JudgedRun) -> Iterator[Finding]:
    """What the judge tells of the files of a run. What a system broke is the claim's business, not an error of it."""
    if run.annulled:
        text = f"{path} says nothing about a system: {run.harness[0]}"
        labels = tuple(Label(one.place, one.message) for one in run.findings if one.place is not None)[:SHOWN_FAILURES]
        yield examination.finding(
            ANNULLED, member, text, "a run has to be one of this very bundle, docs/runs.md", labels
        )
    else:
        yield from (one for one in run.findings if one.severity is not Severity.ERROR)


def _spoiled(examination: Examination, bundle: Bundle, verification: Verification) -> Finding:
    text = f"{bundle.id} is {verification.verdict}, so a result under it says little about a system"
    labels = (Label(bundle.place("/id"), f"{verification.verdict}, as `wellposed check` tells"),)
    return examination.finding(SPOILED, "scenario", text, "a fixture-defect claim may be what is meant", labels)


def _passes(
    examination: Examination, bundle: Bundle, scenario: JudgedScenario, findings: Sequence[Finding]
) -> ClaimResult:
    claim = examination.claim
    level = scenario.levels[claim.level or ""]
    against = _failures(scenario, claim.level, claim.obligations)
    if level.result == FAIL or against:
        text = f"{claim.system} does not pass {claim.level}: it is failed in {_of(level, FAIL)}"
        told = examination.finding(NOT_PASSED, "level", text, labels=_labels(scenario, against), notes=_notes(against))
        return examination.result(REFUTED, f"{claim.level} is failed in {_of(level, FAIL)}", (*findings, told), bundle)
    if level.result != PASS:
        why = (
            "nothing in it exercises the level"
            if level.result == UNTESTED
            else f"{RUNS_FOR_A_PASS} in which it is exercised are due"
        )
        text = f"{claim.level} is not shown to be passed: it is passed in {_of(level, PASS)}, and {why}"
        told = examination.finding(TOO_FEW, "logs", text, "add runs; one that is not exercised counts neither way")
        return examination.result(
            UNPROVEN, f"{claim.level} is passed in {_of(level, PASS)}, and {why}", (*findings, told), bundle
        )
    return examination.result(HOLDS, f"{claim.system} passes {claim.level} in {_of(level, PASS)}", findings, bundle)


def _fails(
    examination: Examination, bundle: Bundle, scenario: JudgedScenario, findings: Sequence[Finding]
) -> ClaimResult:
    claim = examination.claim
    level = scenario.levels[claim.level or ""]
    failures = _failures(scenario, claim.level)
    broken = tuple(sorted({one for failure in failures for one in _obligations(failure)} & OBLIGATION_BY_ID.keys()))
    if not failures:
        text = f"{claim.system} does not fail {claim.level}: no run breaks anything of it"
        told = examination.finding(NOT_FAILED, "level", text, "show the run that fails")
        return examination.result(REFUTED, f"no run fails {claim.level}", (*findings, told), bundle)
    kept = [(number, one) for number, one in enumerate(claim.obligations) if one not in broken]
    told_kept = [
        examination.finding(
            KEPT,
            f"obligations/{number}",
            f"no run breaks {one}; what {claim.level} fails by is {', '.join(broken) or 'an expectation or the form of its logs'}",
            "name what is broken, or show the run that breaks this",
            _labels(scenario, failures),
        )
        for number, one in kept
    ]
    if told_kept:
        listed = ", ".join(one for _, one in kept)
        return examination.result(
            REFUTED,
            f"{claim.level} is failed in {_of(level, FAIL)}, but not by {listed}",
            (*findings, *told_kept),
            bundle,
        )
    said = f"{claim.system} fails {claim.level} in {_of(level, FAIL)}, by {_ids(failures)}"
    return replace(examination.result(HOLDS, said, findings, bundle), broken=broken)


def _of(level: LevelResult, result: str) -> str:
    """`3 of 5 runs`."""
    total = len(level.runs)
    return f"{level.count(result)} of {total} run{'' if total == 1 else 's'}"


def _ids(failures: Sequence[Failure]) -> str:
    more = len(failures) - SHOWN_FAILURES
    return ", ".join(one.id for one in failures[:SHOWN_FAILURES]) + (f" and {more} more" if more > 0 else "")


def _failures(scenario: JudgedScenario, level: str | None, or_by: Sequence[str] = ()) -> list[Failure]:
    """What fails a level, or breaks one of these obligations, each failure once."""
    return [
        failure
        for failure in scenario.failures
        if level in failure.first.levels or any(one in or_by for one in _obligations(failure))
    ]


def _obligations(failure: Failure) -> tuple[str, ...]:
    return tuple(one.obligation for one in (failure.first.root, *failure.first.follows))


def _labels(scenario: JudgedScenario, failures: Sequence[Failure]) -> tuple[Label, ...]:
    """The lines of logs that failures are about, as the first run shows them."""
    found = []
    for failure in failures[:SHOWN_FAILURES]:
        run = scenario.runs[failure.runs[0]].path
        for one in failure.first.evidence:
            found.append(Label(Span(f"{run}/{one.file}", 0, 0, one.line, 1, one.line, 1), f"{failure.id}: {one.what}"))
    return tuple(found)


def _notes(failures: Sequence[Failure]) -> tuple[str, ...]:
    notes = [f"{failure.id}: {failure.first.root.text}" for failure in failures[:SHOWN_FAILURES]]
    more = len(failures) - len(notes)
    return tuple([*notes, f"{more} more failures are not shown"] if more else notes)
