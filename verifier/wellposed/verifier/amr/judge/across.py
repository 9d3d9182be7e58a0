"""The runs of one scenario together: five in a row for a pass, and no run that fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from wellposed.verifier.amr.judge.levels import NAMES
from wellposed.verifier.judged import (
    ANNULLED,
    FAIL,
    FIXTURE_DEFECT,
    INCONCLUSIVE,
    PASS,
    UNTESTED,
    Classified,
    Failure,
    JudgedRun,
    JudgedScenario,
    LevelResult,
    level_result,
)


def judge_runs(
    top: int, exercised: Mapping[str, str], runs: Sequence[JudgedRun], classified: Iterable[Classified] = ()
) -> JudgedScenario:
    """The result of every level up to `top`, and of every expectation, over the runs in the order given.

    `exercised` says of each level what the verification of the scenario says: "exercised" if some conforming run
    exercises it, "untested" if none does; a level that is missing there is one that nobody could decide.
    """
    failures = _failures(runs, {one.failure: one for one in classified})
    levels = {
        level: _level([_of_run(run, level, exercised.get(level), failures) for run in runs])
        for level in NAMES[: top + 1]
    }
    count = max((len(run.expectations) for run in runs), default=0)
    expectations = tuple(_level([_of_expectation(run, number) for run in runs]) for number in range(count))
    return JudgedScenario(tuple(runs), levels, expectations, failures)


def _failures(runs: Sequence[JudgedRun], classified: Mapping[str, Classified]) -> tuple[Failure, ...]:
    first = {failure.id: failure for run in reversed(runs) for failure in reversed(run.failures)}
    found = []
    for identity in dict.fromkeys(failure.id for run in runs for failure in run.failures):
        shown = tuple(
            number for number, run in enumerate(runs) if any(failure.id == identity for failure in run.failures)
        )
        one = Failure(first[identity], shown)
        if identity in classified:
            said = classified[identity]
            one = replace(one, kind=said.kind, justification=said.justification)
        found.append(one)
    return tuple(found)


def _of_run(run: JudgedRun, level: str, static: str | None, failures: Sequence[Failure]) -> str:
    if run.annulled:
        return ANNULLED
    defects = {one.id for one in failures if one.kind == FIXTURE_DEFECT}
    failing = [failure.id for failure in run.failures if level in failure.levels]
    if any(identity not in defects for identity in failing):
        return FAIL
    if failing:
        return ANNULLED
    if level in run.exercised:
        return PASS
    return UNTESTED if static == "untested" else INCONCLUSIVE


def _of_expectation(run: JudgedRun, number: int) -> str:
    holds = run.expectations[number] if number < len(run.expectations) else None
    if run.annulled:
        return ANNULLED
    return INCONCLUSIVE if holds is None else PASS if holds else FAIL


def _level(results: Sequence[str]) -> LevelResult:
    return LevelResult(level_result(results), tuple(results))
