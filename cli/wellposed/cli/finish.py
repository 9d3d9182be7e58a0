"""The end of every verb that reports findings: render, write, say what was unusable, give the exit status."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from wellposed.cli import output
from wellposed.cli.render.escape import defuse
from wellposed.cli.report import Report
from wellposed.cli.status import UNUSABLE_CODES, status_of


def finish(report: Report, arguments: argparse.Namespace, notices: Sequence[str] = (), body: str | None = None) -> int:
    """Write the report in the format asked for and return the exit status.

    In the formats for people a verb's own `body` stands in place of the table of scenarios and the summary.
    """
    if arguments.format == "json":
        from wellposed.cli.render import json_report

        text = json_report.render(report)
    else:
        from wellposed.cli.render import concise
        from wellposed.cli.render import text as people
        from wellposed.cli.render.view import View

        render = people.render if arguments.format == "text" else concise.render
        palette = output.palette(arguments.color, arguments.output_file is not None)
        view = View(arguments.quiet, arguments.verbose, summary=body is None and not arguments.quiet)
        text = defuse(render(report, palette, view) + (body or ""))
    if not arguments.quiet:
        for sentence in notices:
            output.notice(sentence)
    for finding in report.findings:
        if finding.code in UNUSABLE_CODES:
            output.notice(f"error[{finding.code}]: {finding.message}")
    status = status_of(report.findings, report.undecided, arguments.deny == "warnings")
    try:
        output.write_result(text, arguments.output_file)
    except BrokenPipeError:
        output.drop_streams()  # whoever read the output has had enough; what was found stays found
    return status
