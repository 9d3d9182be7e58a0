"""From paths to a judgement: the scenario verified, each run judged, and what to say about it."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from wellposed.cli.gather import Gathered, gather, several_bundles, unreadable
from wellposed.cli.pipeline import examine
from wellposed.cli.report import Report, ScenarioResult, in_order
from wellposed.compiler.inputs import display_path
from wellposed.dsl.findings import Finding, Label, Pointer, Severity, Span
from wellposed.verifier.judged import (
    FIXTURE_DEFECT,
    INCONCLUSIVE,
    PASS,
    RUNS_FOR_A_PASS,
    Breach,
    Classified,
    Failure,
    JudgedRun,
    JudgedScenario,
)
from wellposed.verifier.models import JUDGES
from wellposed.verifier.verify import verify

BROKEN = "WP646"
NOT_DECIDED = "WP648"
TWICE = "WP649"
NOT_WELL_POSED = "WP650"
ANNULLED = "WP665"
EXPECT = "expect"
MOST_RUNS = 1_000


@dataclass(frozen=True, slots=True)
class Judged:
    """One scenario as verified, and its runs as judged."""

    result: ScenarioResult
    scenario: JudgedScenario

    def expectation(self, number: int) -> str:
        """The text of an expectation, as the verification tells it."""
        rows = () if self.result.verification is None else self.result.verification.expectations
        return rows[number].text if number < len(rows) else f"expectation {number + 1}"


@dataclass(frozen=True, slots=True)
class Counted:
    """Lines of code, counted mechanically: non-blank lines of text files. `others` are files that are no text."""

    files: int = 0
    lines: int = 0
    others: int = 0


@dataclass(frozen=True, slots=True)
class Effort:
    """What a submission cost. The first three are counted here, the last is the submitter's own word, or None."""

    implementation: Counted
    adapters: Counted
    rules_translation: Counted
    development_hours: int | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one invocation judged. `attempts` are the levels that a submission says it attempts."""

    system: str | None = None
    scenarios: tuple[Judged, ...] = ()
    findings: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()
    effort: Effort | None = None
    attempts: tuple[str, ...] | None = None

    def with_findings(self, more: Iterable[Finding]) -> Judgement:
        """The same with further findings."""
        return replace(self, findings=(*self.findings, *more))

    @property
    def undecided(self) -> bool:
        """Whether some level that a conforming run exercises is neither passed nor failed."""
        return any(level.result == INCONCLUSIVE for one in self.scenarios for level in one.scenario.levels.values())


@dataclass(frozen=True, slots=True)
class JudgeReport(Report):
    """A report whose exit status also tells of levels that are not decided."""

    open_levels: bool = field(default=False, kw_only=True)

    @property
    def undecided(self) -> bool:
        """Whether some level is not decided."""
        return self.open_levels


def report_of(judgement: Judgement) -> JudgeReport:
    """The findings of a judgement, in order."""
    return JudgeReport(findings=in_order(judgement.findings), open_levels=judgement.undecided)


def judge_paths(paths: Sequence[str], system: str | None, budget: int) -> Judgement:
    """Judge run directories, all but the first of the paths, against the scenario at the first."""
    if len(paths) < 2:
        return Judgement(system, findings=(_nothing("a bundle and at least one run directory are due here"),))
    gathered = gather(paths[:1], "")
    result, findings = one_scenario(gathered, paths[0], budget)
    if result is None:
        return Judgement(system, findings=findings, notices=gathered.notices)
    judged, told = judge_scenario(result, paths[1:])
    scenarios = () if judged is None else (judged,)
    return Judgement(system, scenarios, (*findings, *told), gathered.notices)


def one_scenario(gathered: Gathered, path: str, budget: int) -> tuple[ScenarioResult | None, tuple[Finding, ...]]:
    """The one scenario that is there, verified; what its text has against it only if there is none to judge by."""
    report = examine(gathered, functools.partial(verify, budget=budget))
    if len(report.scenarios) > 1:
        return None, (several_bundles(path),)
    if not report.scenarios or report.scenarios[0].bundle is None:
        return None, report.findings
    return report.scenarios[0], ()


def judge_scenario(
    result: ScenarioResult, paths: Sequence[str], classified: Iterable[Classified] = ()
) -> tuple[Judged | None, tuple[Finding, ...]]:
    """Judge the runs at these paths, in this order."""
    bundle = result.bundle
    assert bundle is not None
    judge = JUDGES[bundle.document["spec"]]
    runs: list[JudgedRun] = []
    findings: list[Finding] = []
    if len(paths) > MOST_RUNS:
        return None, (_nothing(f"more than {MOST_RUNS} runs at once"),)
    for path in paths:
        location = Path(os.path.abspath(path)) if path and "\0" not in path else None
        if location is None:
            findings.append(unreadable(repr(path), None))
            continue
        shown = display_path(location, Path.cwd())
        try:
            run = judge.run(bundle, location, shown)
        except OSError as failure:
            findings.append(unreadable(shown, failure))
            continue
        same = next((one for one in runs if one.identity == run.identity != (0, 0)), None)
        if same is not None:
            text = f"this is the run {same.path} again, which counts once"
            findings.append(Finding(TWICE, Severity.ERROR, text, Pointer(shown, "")))
            continue
        runs.append(run)
        findings += run.findings
    if not runs:
        return None, tuple(findings)
    levels: Mapping[str, str] = {} if result.verification is None else result.verification.levels
    scenario = judge.runs(bundle, levels, runs, classified)
    judged = Judged(result, scenario)
    return judged, (*findings, *_told(judged))


def _nothing(text: str) -> Finding:
    return Finding("WP003", Severity.ERROR, text)


def _told(judged: Judged) -> Iterable[Finding]:
    """What the runs of a scenario come to: its failures, and the levels that are not decided."""
    verdict = judged.result.verdict
    if verdict != "well-posed":
        text = f"the scenario is {verdict}, so a result under it says little about a system"
        assert judged.result.bundle is not None
        yield Finding(
            NOT_WELL_POSED,
            Severity.WARNING,
            text,
            judged.result.bundle.place("/id"),
            help="`wellposed check` tells why",
            scenario=judged.result.id,
        )
    for failure in judged.scenario.failures:
        # Where a line of a log is what is wrong, that line is told already.
        if not failure.first.told or failure.kind == FIXTURE_DEFECT:
            yield _failed(judged, failure)
    for name, level in judged.scenario.levels.items():
        if level.result == INCONCLUSIVE:
            yield _open(judged, name)


def _failed(judged: Judged, failure: Failure) -> Finding:
    bundle = judged.result.bundle
    assert bundle is not None
    root = failure.first.root
    runs = [judged.scenario.runs[number] for number in failure.runs]
    of = f" by {root.message}" if root.message is not None else ""
    what = "an expectation fails" if root.obligation == EXPECT else f"{root.obligation} is broken{of}"
    labels = tuple(
        Label(
            _line(f"{runs[0].path}/{one.file}", one.line),
            one.what if one.tick is None else f"{one.what}, at {one.tick}",
        )
        for one in failure.first.evidence
    )
    notes = [f"the failure {failure.id}, in {len(runs)} of {len(judged.scenario.runs)} runs: {_listed(runs)}"]
    notes += [_following(judged, one) for one in failure.first.follows]
    if failure.kind == FIXTURE_DEFECT:
        notes.append(
            f"its runs are annulled for the levels it concerns. The justification given: {failure.justification}"
        )
        text = f"classified as a defect of the fixture: {what}: {root.text}"
        return Finding(
            ANNULLED, Severity.WARNING, text, bundle.place(root.pointer), labels, notes=tuple(notes), scenario=bundle.id
        )
    text = f"{what}: {root.text}"
    return Finding(
        BROKEN, Severity.ERROR, text, bundle.place(root.pointer), labels, notes=tuple(notes), scenario=bundle.id
    )


def _following(judged: Judged, one: Breach) -> str:
    if one.obligation != EXPECT:
        return f"{one.obligation} follows from it: {one.text}"
    number = int(one.pointer.rpartition("/")[2])
    return f"by it, this expectation fails: {judged.expectation(number)} ({one.text})"


def _open(judged: Judged, name: str) -> Finding:
    level = judged.scenario.levels[name]
    bundle = judged.result.bundle
    assert bundle is not None
    passed, total = level.count(PASS), len(level.runs)
    text = f"{name} is not decided: {passed} of {RUNS_FOR_A_PASS} runs pass it, and none fails it"
    notes = []
    if level.count(INCONCLUSIVE):
        notes.append(
            f"{level.count(INCONCLUSIVE)} of {total} runs did nothing that exercises it, as conforming runs may"
        )
    return Finding(NOT_DECIDED, Severity.NOTE, text, bundle.place("/level"), notes=tuple(notes), scenario=bundle.id)


def _line(path: str, line: int) -> Span:
    return Span(path, 0, 0, line, 1, line, 1)


def _listed(runs: Sequence[JudgedRun]) -> str:
    names = [run.path for run in runs[:RUNS_FOR_A_PASS]]
    return ", ".join(names) + (f" and {len(runs) - len(names)} more" if len(runs) > len(names) else "")
