"""The end of the verbs whose result is a source text: the source to stdout or a file, what was found beside it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from wellposed.cli import output
from wellposed.cli.finish import finish, finish_beside
from wellposed.cli.render import formats
from wellposed.cli.report import Report
from wellposed.cli.usage import add_report_options
from wellposed.dsl.findings import has_errors


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Where the source goes, and how findings are shown."""
    parser.add_argument(
        "--out", metavar="FILE", help="write the source to FILE; in the formats for programs it is written nowhere else"
    )
    add_report_options(parser)


def finish_source(
    report: Report, source: str | None, arguments: argparse.Namespace, notices: Sequence[str], notes: bool = False
) -> int:
    """Write the source, and return the exit status.

    Without a source, and in the formats for programs, the findings are the result. Otherwise the source is, and they go
    to stderr, one line each: warnings, and with `notes` these too, whether or not they are asked for.
    """
    if source is None or has_errors(report.findings):
        return finish(report, arguments, notices, body="")
    if arguments.format in formats.MACHINE:
        if arguments.out is not None:
            output.write_result(source, arguments.out)
        return finish(report, arguments, notices)
    wanted = {"output_file": arguments.out or arguments.output_file, "verbose": arguments.verbose or notes}
    return finish_beside(report, source, argparse.Namespace(**{**vars(arguments), **wanted}), notices)
