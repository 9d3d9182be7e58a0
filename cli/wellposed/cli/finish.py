"""The end of every verb that reports findings: render, write, say what was unusable, give the exit status."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from wellposed.cli import output
from wellposed.cli.render import formats
from wellposed.cli.render.escape import defuse
from wellposed.cli.report import Report
from wellposed.cli.status import UNUSABLE_CODES, status_of

READ_OTHERWISE = "WP607"
"""The note that `--readings` asks for."""


def finish(
    report: Report,
    arguments: argparse.Namespace,
    notices: Sequence[str] = (),
    body: str | None = None,
    lasting: bool = False,
) -> int:
    """Write the report in the format asked for and return the exit status.

    In the formats for people a verb's own `body` stands in place of the table of scenarios and the summary. Where more
    is to come (`lasting`), a reader that has gone is not passed over: raises BrokenPipeError.
    """
    if arguments.format in formats.MACHINE:
        text = formats.render(arguments.format, report)
    else:
        from wellposed.cli.render import concise
        from wellposed.cli.render import text as people
        from wellposed.cli.render.view import View

        render = people.render if arguments.format == "text" else concise.render
        palette = output.palette(arguments.color, arguments.output_file is not None)
        asked = frozenset({READ_OTHERWISE} if getattr(arguments, "readings", False) else ())
        view = View(arguments.quiet, arguments.verbose, body is None and not arguments.quiet, asked)
        text = defuse(render(report, palette, view) + (body or ""))
    if not arguments.quiet:
        for sentence in notices:
            output.notice(sentence)
    _tell_unusable(report)
    return _written(text, report, arguments, lasting)


def finish_beside(report: Report, result: str, arguments: argparse.Namespace, notices: Sequence[str] = ()) -> int:
    """Write a result of another kind and return the exit status; the findings go to stderr, one line each."""
    from wellposed.cli.render.concise import render_line
    from wellposed.cli.render.view import View

    if not arguments.quiet:
        palette = output.palette("never", to_file=True)
        found = View(verbose=arguments.verbose).findings(report)
        for sentence in (*notices, *(render_line(finding, palette) for finding in found)):
            output.notice(sentence)
    _tell_unusable(report)
    return _written(defuse(result), report, arguments)


def _tell_unusable(report: Report) -> None:
    for finding in report.findings:
        if finding.code in UNUSABLE_CODES:
            output.notice(f"error[{finding.code}]: {finding.message}")


def _written(text: str, report: Report, arguments: argparse.Namespace, lasting: bool = False) -> int:
    status = status_of(report.findings, report.undecided, arguments.deny == "warnings")
    try:
        output.write_result(text, arguments.output_file)
    except BrokenPipeError:
        if lasting:
            raise
        output.drop_streams()  # whoever read the output has had enough; what was found stays found
    return status
