"""Workflow commands of GitHub Actions: one annotation per finding, the most severe first, and the summary as a plain line.

A runner shows ten annotations per step and kind; how many more there are is said at the end. Text of an input can end no
command and start none: `%`, CR and LF are escaped everywhere, `:` and `,` in properties too.
"""

from __future__ import annotations

from collections import Counter

from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import defuse, escape
from wellposed.cli.render.severest import full_text, severest_first
from wellposed.cli.render.summary import summary_line
from wellposed.cli.report import Report
from wellposed.dsl.findings import Finding, Pointer, Severity, Span

SHOWN = 10
"""How many annotations of one kind a step shows."""

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report) -> str:
    """The report as workflow commands, then its summary for the log."""
    found = severest_first(report)
    lines = [_annotation(finding) for finding in found]
    for severity, number in Counter(finding.severity for finding in found).items():
        if number > SHOWN:
            lines.append(f"{number - SHOWN} more of kind {_COMMANDS[severity]} than a step shows are in this log only")
    lines.append(defuse(summary_line(report, Palette(False))))
    return "".join(line + "\n" for line in lines)


def _annotation(finding: Finding) -> str:
    place = finding.place
    where: list[tuple[str, object]] = []
    if isinstance(place, Span):
        where.append(("file", place.path))
        if place.line:
            where += [("line", place.line), ("col", place.column), ("endLine", place.end_line)]
            where += [("endColumn", place.end_column)] if place.end_line == place.line else []
    elif isinstance(place, Pointer):
        where.append(("file", place.path))
    where.append(("title", f"{finding.code} {finding.scenario}" if finding.scenario else finding.code))
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in where)
    return f"::{_COMMANDS[finding.severity]} {properties}::{_data(full_text(finding))}"


def _data(text: str) -> str:
    """The text of a command, line by line; `##[` is broken because a runner takes it for a command wherever it stands."""
    shown = "\n".join(escape(line) for line in text.split("\n")).replace("##[", "##\\[")
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
