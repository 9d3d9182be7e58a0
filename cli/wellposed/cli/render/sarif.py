"""SARIF 2.1.0: findings for code scanning, the most severe first, with the two runs of an ambiguity as code flows.

Columns count UTF-16 code units, places are relative URIs, texts are plain (nothing of an input is ever Markdown).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from wellposed.cli._version import __version__
from wellposed.cli.render.escape import escape
from wellposed.cli.render.json_report import json_text
from wellposed.cli.render.severest import full_text, severest_first
from wellposed.cli.report import Report, ScenarioResult
from wellposed.cli.status import INTERNAL_CODE, UNUSABLE_CODES
from wellposed.compiler.bundle import Bundle
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Fix, Place, Pointer, Span
from wellposed.dsl.source import SourceFile
from wellposed.verifier.report import Trace

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 25_000
"""How many results GitHub takes of one run."""

AMBIGUOUS = "WP501"
_EVERYWHERE: dict[str, object] = {"physicalLocation": {"artifactLocation": {"uri": ".", "uriBaseId": "SRCROOT"}}}
"""Where a finding lies that is about no one file: code scanning takes no result without a location."""
_NUMBERS = re.compile(r"\d+")
_Json = dict[str, object]


def render(report: Report) -> str:
    """The report as a SARIF log with one run."""
    told = severest_first(report)
    found = [finding for finding in told if not _is_about_the_tool(finding)]
    kept = [*found, *report.suppressed][:MAX_RESULTS]
    ids = sorted({finding.code for finding in kept})
    places = _Places(report.sources)
    scenarios = {one.id: one for one in report.scenarios}
    notifications = [_notification(finding, places) for finding in told if _is_about_the_tool(finding)]
    run: _Json = {
        "tool": {
            "driver": {
                "name": "wellposed",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(code) for code in ids],
            }
        },
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the folder in which the tool was called"}}},
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "results": [
            _result(finding, number >= len(found), ids, places, scenarios) for number, finding in enumerate(kept)
        ],
    }
    if len(found) + len(report.suppressed) > len(kept):
        run["properties"] = {"omittedResults": len(found) + len(report.suppressed) - len(kept)}
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _is_about_the_tool(finding: Finding) -> bool:
    """Whether it says how the tool was called, what it could not reach, or that it failed: no result about any scenario."""
    return finding.code == INTERNAL_CODE or finding.code in UNUSABLE_CODES


def _notification(finding: Finding, places: _Places) -> _Json:
    notification: _Json = {
        "descriptor": {"id": finding.code},
        "level": finding.severity.value,
        "message": {"text": _plain(full_text(finding))},
    }
    if finding.place is not None:
        notification["locations"] = [places.location(finding.place)]
    return notification


def _rule(code: str) -> _Json:
    row = BY_ID[code]
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in row.slug.split("-")),
        "shortDescription": {"text": f"{row.title}."},
        "fullDescription": {"text": row.explanation},
        "help": {"text": f"{row.explanation}\n\n`wellposed explain {code}` shows a bad and a good example."},
        "defaultConfiguration": {"level": row.severity.value},
    }


def _result(
    finding: Finding,
    suppressed: bool,
    ids: Sequence[str],
    places: _Places,
    scenarios: Mapping[str, ScenarioResult],
) -> _Json:
    result: _Json = {
        "ruleId": finding.code,
        "ruleIndex": ids.index(finding.code),
        "level": finding.severity.value,
        "message": {"text": _plain(full_text(finding))},
        "locations": [_EVERYWHERE if finding.place is None else places.location(finding.place)],
        "partialFingerprints": {"wellposed/v1": _fingerprint(finding, places)},
    }
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, **places.location(label.place), "message": {"text": _plain(label.text)}}
            for number, label in enumerate(finding.labels)
        ]
    one = scenarios.get(finding.scenario or "")
    if finding.code == AMBIGUOUS and one is not None and one.bundle is not None and one.verification is not None:
        runs = (("passes", one.verification.passing), ("fails", one.verification.failing))
        flows = [_flow(f"a conforming run that {what}", run, one.bundle, places) for what, run in runs if run]
        if flows:
            result["codeFlows"] = flows
    if finding.fix is not None:
        result["fixes"] = [_fix(finding.fix, places)]
    if suppressed:
        result["suppressions"] = [
            {"kind": "inSource", "justification": _plain(finding.suppressed or "the scenario is rejected on purpose")}
        ]
    return result


def _fingerprint(finding: Finding, places: _Places) -> str:
    """The same for the same fault after lines have moved: no positions and no numbers go in."""
    place = finding.place
    path = "" if place is None else place.path
    parts = (finding.code, path, finding.scenario or "", _NUMBERS.sub("#", finding.message), places.underlined(place))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _flow(title: str, run: Trace, bundle: Bundle, places: _Places) -> _Json:
    """One run as a code flow: an event of the schedule lies where it is written, a record of the system nowhere."""
    steps: list[_Json] = []
    for event in run:
        location: _Json = {}
        seq = event.data.get("seq")
        if event.actor == "environment" and seq is not None:
            location = places.location(bundle.place(f"/schedule/{seq}"))
        location["message"] = {"text": _plain(f"tick {event.tick}: {event.text}")}
        steps.append({"location": location})
    return {"message": {"text": title}, "threadFlows": [{"message": {"text": title}, "locations": steps}]}


def _fix(fix: Fix, places: _Places) -> _Json:
    replacements = [
        {"deletedRegion": places.region(edit.span), "insertedContent": {"text": edit.replacement}} for edit in fix.edits
    ]
    path = fix.edits[0].span.path
    return {
        "description": {"text": _plain(fix.description)},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
    }


class _Places:
    """Places as SARIF has them; columns need the texts."""

    def __init__(self, sources: Mapping[str, SourceFile]) -> None:
        self._sources = sources

    def location(self, place: Place) -> _Json:
        physical: _Json = {"artifactLocation": _artifact(place.path)}
        if isinstance(place, Pointer):
            if not place.pointer:
                return {"physicalLocation": physical}
            return {"physicalLocation": physical, "logicalLocations": [{"fullyQualifiedName": _plain(place.pointer)}]}
        if place.line:
            physical["region"] = self.region(place)
        return {"physicalLocation": physical}

    def region(self, span: Span) -> _Json:
        return {
            "startLine": span.line,
            "startColumn": self._column(span.path, span.line, span.column),
            "endLine": span.end_line,
            "endColumn": self._column(span.path, span.end_line, span.end_column),
        }

    def underlined(self, place: Place | None) -> str:
        """What stands at a place."""
        if isinstance(place, Pointer):
            return place.pointer
        source = None if place is None else self._sources.get(place.path)
        return "" if source is None or place is None else source.text_of(place)

    def _column(self, path: str, line: int, column: int) -> int:
        source = self._sources.get(path)
        if source is None or not 1 <= line <= source.line_count:
            return column
        before = source.line_text(line)[: column - 1]
        return column + sum(character > "\uffff" for character in before)


def _artifact(path: str) -> _Json:
    return {"uri": quote(path, safe="/", errors="backslashreplace"), "uriBaseId": "SRCROOT"}


def _plain(text: str) -> str:
    """Escaped line by line. A bracket would begin an embedded link, so it is escaped as SARIF wants (section 3.11.6)."""
    return "\n".join(escape(line) for line in text.split("\n")).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
