"""`wellposed-report/1`: the report as JSON. Every member is always there, in a stable order; no times, no absolute paths."""

from __future__ import annotations

import re
import unicodedata

from wellposed.cli._version import __version__
from wellposed.cli.render.summary import tally
from wellposed.cli.report import Report, ScenarioResult
from wellposed.compiler.canonical import pretty
from wellposed.compiler.references import record_id
from wellposed.dsl.findings import Finding, Fix, Place, Span
from wellposed.dsl.vocabulary import SPEC
from wellposed.verifier.report import Outcome, Trace

FORMAT = "wellposed-report/1"

_NOT_ASCII = re.compile(r"[^\x00-\x7e]")
_UNSAFE_CATEGORIES = frozenset(("Cc", "Cf", "Zl", "Zp", "Co", "Cn"))


def render(report: Report) -> str:
    """The report as JSON text with a final newline."""
    return json_text(document(report))


def json_text(document: object) -> str:
    """A value as JSON text with a final newline; what a terminal or a CI runner would act on is `\\u`-escaped."""
    # Inside JSON only strings can hold these, so the values stay what they were.
    return _NOT_ASCII.sub(_escape, pretty(document)).replace("##[", "\\u0023#[") + "\n"


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    if unicodedata.category(character) not in _UNSAFE_CATEGORIES:
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def document(report: Report) -> dict[str, object]:
    """The report as a JSON value, members in the documented order."""
    return {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        "spec": SPEC,
        "scenarios": [_scenario(one) for one in report.scenarios],
        "findings": findings(report),
        "summary": tally(report),
    }


def findings(report: Report) -> list[object]:
    """What was found, as it stands in JSON; what counts for nothing comes last."""
    counting = [_finding(finding, False) for finding in report.findings]
    return [*counting, *(_finding(finding, True) for finding in report.suppressed)]


def _scenario(one: ScenarioResult) -> dict[str, object]:
    bundle, result = one.bundle, one.verification
    return {
        "id": one.id,
        "source": one.source,
        "bundle": None if bundle is None else bundle.hash,
        "level": None if bundle is None else bundle.level,
        "verdict": one.verdict,
        "rejected": None
        if one.rejection is None
        else {"as": one.rejection.verdict, "code": one.rejection.code, "holds": one.rejection.holds},
        "levels": {} if result is None else dict(result.levels),
        "expectations": []
        if result is None
        else [
            {
                "text": row.text,
                "line": _line(one, f"/expect/{row.index}"),
                "verdict": row.verdict,
                "rests_on": list(row.rests_on),
            }
            for row in result.expectations
        ],
        "outcomes": {}
        if result is None
        else {item: [_outcome(outcome) for outcome in outcomes] for item, outcomes in result.outcomes.items()},
        "mutants": {} if result is None else dict(result.cells),
        "stimuli": []
        if result is None
        else [
            {"id": _identity(one, pointer), "line": _line(one, pointer), "finds": finds}
            for pointer, finds in result.stimuli.items()
        ],
        "readings": []
        if result is None
        else [
            {"id": one.id, "answer": one.answer, "verdict": one.verification.verdict, "flips": one.flips}
            for one in result.readings
        ],
        "core": []
        if result is None
        else [{"obligation": row.obligation, "line": _line(one, row.pointer), "text": row.text} for row in result.core],
        "witnesses": {
            "pass": [] if result is None else trace(result.passing),
            "fail": [] if result is None else trace(result.failing),
        },
    }


def _identity(one: ScenarioResult, pointer: str) -> str | None:
    """The id of the record of a schedule entry."""
    return None if one.bundle is None else record_id(one.bundle.document["schedule"][int(pointer.rpartition("/")[2])])[1]


def _line(one: ScenarioResult, pointer: str) -> int | None:
    if one.bundle is None:
        return None
    place = one.bundle.place(pointer)
    return place.line if isinstance(place, Span) else None


def _outcome(outcome: Outcome) -> dict[str, object]:
    return {"outcome": outcome.outcome, "reason": outcome.reason, "from": outcome.first, "to": outcome.last}


def trace(run: Trace) -> list[object]:
    """A run as it stands in JSON, event by event."""
    return [dict(event.data) for event in run]


def _place(place: Place | None) -> dict[str, object]:
    if isinstance(place, Span):
        whole_file = place.line == 0
        return {
            "path": place.path,
            "pointer": None,
            "line": None if whole_file else place.line,
            "column": None if whole_file else place.column,
            "end_line": None if whole_file else place.end_line,
            "end_column": None if whole_file else place.end_column,
        }
    path, pointer = (None, None) if place is None else (place.path, place.pointer)
    return {"path": path, "pointer": pointer, "line": None, "column": None, "end_line": None, "end_column": None}


def _finding(finding: Finding, suppressed: bool) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        **_place(finding.place),
        "scenario": finding.scenario,
        "labels": [{"text": label.text, **_place(label.place)} for label in finding.labels],
        "detail": list(finding.detail),
        "notes": list(finding.notes),
        "help": finding.help,
        "fix": None if finding.fix is None else _fix(finding.fix),
        "suppressed": suppressed,
    }


def _fix(fix: Fix) -> dict[str, object]:
    edits = []
    for edit in fix.edits:
        place = _place(edit.span)
        del place["pointer"]
        edits.append({**place, "replacement": edit.replacement})
    return {"description": fix.description, "safe": fix.safe, "edits": edits}
