"""The audit of readings: what becomes of a set of scenarios under every other answer to an open question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wellposed.cli.report import Report, ScenarioResult
from wellposed.verifier.report import CoreMember, ReadingReport


@dataclass(frozen=True, slots=True)
class Reason:
    """Why scenarios are unsatisfiable: the obligations of the core, the scenarios with that core, and one told in ticks."""

    obligations: tuple[str, ...]
    scenarios: tuple[str, ...]
    argument: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One alternative reading: per level how many of its scenarios get which verdict instead of well-posed, and why."""

    id: str
    answer: str
    verdicts: Mapping[int, Counter[str]]
    flipped: Mapping[str, str]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Audit:
    """Scenarios per level, those left out since they are not well-posed to begin with, and a row per alternative."""

    scenarios: Mapping[int, int]
    left_out: tuple[str, ...]
    rows: tuple[Row, ...]


def audit(report: Report) -> Audit:
    """The audit of every scenario of a report that was verified with `readings` and is well-posed."""
    sound = [one for one in report.scenarios if one.verdict == "well-posed" and one.rejection is None]
    left_out = [one.id for one in report.scenarios if one.rejection is None and one.verdict != "well-posed"]
    by_level = Counter(one.bundle.level for one in sound if one.bundle is not None)
    reread: dict[str, list[tuple[ScenarioResult, ReadingReport]]] = {}
    for one in sound:
        if one.verification is not None:
            for reading in one.verification.readings:
                reread.setdefault(reading.id, []).append((one, reading))
    rows = tuple(_row(readings) for readings in reread.values())
    return Audit(dict(sorted(by_level.items())), tuple(left_out), rows)


def _row(readings: Sequence[tuple[ScenarioResult, ReadingReport]]) -> Row:
    verdicts: dict[int, Counter[str]] = {}
    flipped: dict[str, str] = {}
    cores: dict[tuple[str, ...], list[tuple[str, Sequence[CoreMember]]]] = {}
    for one, reading in readings:
        verdict = reading.verification.verdict
        if verdict != "well-posed" and one.bundle is not None:
            verdicts.setdefault(one.bundle.level, Counter())[verdict] += 1
            flipped[one.id] = verdict
            core = reading.verification.core
            if core:
                cores.setdefault(tuple(sorted({member.obligation for member in core})), []).append((one.id, core))
    first = readings[0][1]
    reasons = (
        Reason(obligations, tuple(name for name, _ in found), tuple(f"{m.text}  [{m.obligation}]" for m in found[0][1]))
        for obligations, found in cores.items()
    )
    return Row(first.id, first.answer, verdicts, flipped, tuple(reasons))
