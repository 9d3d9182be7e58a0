"""One line per finding, for editors, problem matchers and grep: `path:line:column: error[WP501]: message`."""

from __future__ import annotations

from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import escape
from wellposed.cli.render.snippet import place_text
from wellposed.cli.render.summary import summary_line
from wellposed.cli.render.view import View
from wellposed.cli.report import Report
from wellposed.dsl.findings import Finding


def render(report: Report, palette: Palette, view: View) -> str:
    """The report as lines, the summary last."""
    lines = [render_line(finding, palette) for finding in view.findings(report)]
    if view.summary and (lines or report.scenarios):
        lines.append(summary_line(report, palette, notes_hidden=not view.verbose))
    return "".join(line + "\n" for line in lines)


def render_line(finding: Finding, palette: Palette) -> str:
    """One finding on one line."""
    where = "" if finding.place is None else place_text(finding.place) + ": "
    severity = finding.severity.value
    return where + palette.paint(f"{severity}[{finding.code}]", severity) + f": {escape(finding.message)}"
