"""`wellposed-judgement/1`: what `judge` writes to `report.json`. Every member is always there; no times, no absolute paths."""

from __future__ import annotations

import os
from collections import Counter

from wellposed.cli import output
from wellposed.cli._version import __version__
from wellposed.cli.judge import Counted, Effort, Judged, Judgement, JudgeReport
from wellposed.cli.render.json_report import findings
from wellposed.dsl.findings import Severity
from wellposed.dsl.vocabulary import LEVELS
from wellposed.verifier.judged import (
    ANNULLED,
    FAIL,
    INCONCLUSIVE,
    PASS,
    UNTESTED,
    Breach,
    Failure,
    JudgedRun,
    LevelResult,
)
from wellposed.verifier.judged import combined as of_scenarios

FORMAT = "wellposed-judgement/1"
_MARK = f'{{\n "format": "{FORMAT}"'.encode()


def refuse_to_replace(path: str) -> None:
    """Raises OutputError where something else than an older judgement is at this path."""
    if not os.path.lexists(path):
        return
    try:
        if not os.path.islink(path) and os.path.isfile(path):
            with open(path, "rb") as file:
                if file.read(len(_MARK)) == _MARK:
                    return
    except OSError as failure:
        raise output.OutputError(f"cannot write {path}: {output.reason(failure)}") from failure
    raise output.OutputError(f"cannot write {path}: it is no older judgement, and nothing else is replaced")


def document(judgement: Judgement, report: JudgeReport) -> dict[str, object]:
    """The judgement as a JSON value, members in the documented order."""
    runs = [run for one in judgement.scenarios for run in one.scenario.runs]
    return {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        "system": judgement.system,
        "attempts": None if judgement.attempts is None else list(judgement.attempts),
        "levels": combined(judgement),
        "scenarios": [_scenario(one) for one in judgement.scenarios],
        "effort": None if judgement.effort is None else _effort(judgement.effort, len(runs)),
        "findings": findings(report),
        "summary": {
            "scenarios": len(judgement.scenarios),
            "runs": len(runs),
            "annulled": sum(run.annulled for run in runs),
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "notes": report.count(Severity.NOTE),
        },
    }


def combined(judgement: Judgement) -> dict[str, str]:
    """Each level over all scenarios that report it: failed by one is failed, and all that test it have to pass."""
    found: dict[str, str] = {}
    for level in (f"L{one.number}" for one in LEVELS):
        results = {one.scenario.levels[level].result for one in judgement.scenarios if level in one.scenario.levels}
        if results:
            found[level] = of_scenarios(results)
    return found


def timing(runs: tuple[JudgedRun, ...]) -> str:
    """Where the ticks of the runs come from."""
    kinds = {run.recorded for run in runs}
    return "mixed" if len(kinds) > 1 else "recorded" if True in kinds else "self-reported"


def _scenario(one: Judged) -> dict[str, object]:
    bundle, judged = one.result.bundle, one.scenario
    assert bundle is not None
    return {
        "id": one.result.id,
        "source": one.result.source,
        "bundle": bundle.hash,
        "spec": bundle.document["spec"],
        "readings": bundle.document["readings"],
        "level": bundle.level,
        "verdict": one.result.verdict,
        "origin": judged.origin,
        "timing": timing(judged.runs),
        "forced_advances": judged.forced_advances,
        "levels": {name: _level(level) for name, level in judged.levels.items()},
        "expectations": [
            {"text": one.expectation(number), **_level(level)} for number, level in enumerate(judged.expectations)
        ],
        "failures": [_failure(failure) for failure in judged.failures],
        "runs": [_run(run, copy) for run, copy in zip(judged.runs, judged.copies, strict=True)],
    }


def _level(level: LevelResult) -> dict[str, object]:
    return {"result": level.result, "runs": list(level.runs)}


def _failure(failure: Failure) -> dict[str, object]:
    first = failure.first
    return {
        "id": failure.id,
        "class": failure.kind,
        "justification": failure.justification,
        "levels": sorted(first.levels),
        **_breach(first.root),
        "runs": [number + 1 for number in failure.runs],
        "follows": [_breach(one) for one in first.follows],
        "evidence": [
            {"file": one.file, "line": one.line, "tick": one.tick, "what": one.what} for one in first.evidence
        ],
    }


def _breach(one: Breach) -> dict[str, object]:
    return {"obligation": one.obligation, "message": one.message, "pointer": one.pointer, "text": one.text}


def _run(run: JudgedRun, copy: int | None) -> dict[str, object]:
    return {
        "path": run.path,
        "result": ANNULLED if run.annulled else "judged",
        "timing": timing((run,)),
        "forced_advances": run.forced_advances,
        "origin": run.origin,
        "lines": run.lines,
        "same_as": None if copy is None else copy + 1,
        "failures": [failure.id for failure in run.failures],
        "harness_errors": list(run.harness),
    }


def _effort(effort: Effort, runs: int) -> dict[str, object]:
    return {
        "harness_observed": {
            "runs": runs,
            "implementation": _counted(effort.implementation),
            "adapters": _counted(effort.adapters),
            "rules_translation": _counted(effort.rules_translation),
        },
        "self_reported": {"development_hours": effort.development_hours},
    }


def _counted(one: Counted) -> dict[str, int]:
    return {"lines": one.lines, "files": one.files, "other_files": one.others}


def tally(level: LevelResult) -> str:
    """`4 pass, 1 annulled`."""
    counts = Counter(level.runs)
    return ", ".join(f"{counts[one]} {one}" for one in (PASS, FAIL, UNTESTED, INCONCLUSIVE, ANNULLED) if counts[one])
