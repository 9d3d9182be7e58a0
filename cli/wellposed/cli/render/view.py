"""How much of a report is shown to people."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wellposed.cli.report import Report, in_order
from wellposed.cli.status import UNUSABLE_CODES
from wellposed.dsl.findings import Finding, Severity

EXPECTED = "the scenario is rejected on purpose, so this finding counts for nothing"


@dataclass(frozen=True, slots=True)
class View:
    """`quiet`: errors only. `verbose`: notes and suppressed findings too. `summary`: the table and the last line.

    `asked` are codes of notes that were asked for, and are shown unless quiet.
    """

    quiet: bool = False
    verbose: bool = False
    summary: bool = True
    asked: frozenset[str] = frozenset()

    def findings(self, report: Report) -> list[Finding]:
        """The findings to show, in order; unusable input is told on stderr, in one sentence each, and not repeated."""
        wanted = {Severity.ERROR} if self.quiet else {Severity.ERROR, Severity.WARNING}
        findings = report.findings
        if self.verbose:
            expected = [
                one if one.suppressed is not None else replace(one, notes=(*one.notes, EXPECTED))
                for one in report.suppressed
            ]
            findings = in_order((*report.findings, *expected))
        asked = frozenset() if self.quiet else self.asked
        shown = (one for one in findings if self.verbose or one.severity in wanted or one.code in asked)
        return [one for one in shown if one.code not in UNUSABLE_CODES]
