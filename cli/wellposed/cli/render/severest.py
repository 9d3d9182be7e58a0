"""The order for readers that show only the first so many: GitHub, for one, shows ten annotations per step and kind."""

from __future__ import annotations

from wellposed.cli.report import Report
from wellposed.dsl.findings import Finding, Place, Severity, Span

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def severest_first(report: Report) -> list[Finding]:
    """What counts, the most severe first; within one severity in the order of the report."""
    return sorted(report.findings, key=lambda finding: _RANK[finding.severity])


def full_text(finding: Finding) -> str:
    """A finding without its quotation: the message, what the labels, the tick table and the notes say, the help and the fix."""
    lines = [finding.message]
    lines += [f"{_where(label.place)}: {label.text}" for label in finding.labels]
    lines += finding.detail
    lines += [f"note: {note}" for note in finding.notes]
    if finding.help is not None:
        lines.append(f"help: {finding.help}")
    if finding.fix is not None:
        lines.append(f"fix: {finding.fix.description}")
    return "\n".join(lines)


def _where(place: Place) -> str:
    return f"line {place.line}" if isinstance(place, Span) else place.pointer
