"""`claim PATH…`: claims of the work tree, examined before they are a pull request."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_report_options, positive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Claims, the scenarios that they may be about, and how to show what they come to."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a claim.yaml, its folder, a folder `claims`, or the folder that holds it",
    )
    parser.add_argument(
        "--scenarios",
        action="append",
        default=[],
        metavar="PATH",
        help="what the claims may be about, as often as needed; by default the folder `scenarios` beside `claims`",
    )
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work one question may cost before it is undecided"
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Examine every claim and show the results; undecided (3) where one is."""
    from wellposed.cli import output
    from wellposed.cli.claim import examine_paths
    from wellposed.cli.finish import finish, finish_beside
    from wellposed.cli.render import claim_json, claim_text, formats
    from wellposed.cli.render.view import View
    from wellposed.verifier.verify import DEFAULT_BUDGET

    report, notices = examine_paths(arguments.paths, arguments.scenarios, arguments.budget or DEFAULT_BUDGET)
    if arguments.format == "json":
        return finish_beside(report, claim_json.render(report), arguments, notices)
    if arguments.format in formats.MACHINE:
        return finish(report.as_cases() if arguments.format == "junit" else report, arguments, notices)
    palette = output.palette(arguments.color, arguments.output_file is not None)
    body = "" if arguments.quiet else claim_text.render(report, palette.paint)
    if View(verbose=arguments.verbose).findings(report) and arguments.format == "text":
        body = "\n" + body
    return finish(report, arguments, notices, body=body)
