"""`judge BUNDLE RUN_DIR…` and `judge --submission DIR`: real logs against a scenario."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_report_options, positive

REPORT = "report.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to judge, and what to compare it with."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a bundle, bundle folder or .scenario file, then run directories, in the order in which they were made; with "
        "--submission: the bundles that count",
    )
    parser.add_argument(
        "--submission", metavar="DIR", help="judge all logs of a submission, and whether it is complete"
    )
    parser.add_argument("--system", metavar="NAME", help="the name of the system, for the report and the board")
    parser.add_argument("--baseline", metavar="FILE", help="an older report: a level that passed there has to pass")
    parser.add_argument(
        "--report",
        metavar="FILE",
        default=REPORT,
        help=f"where to write the judgement (default {REPORT}); no file is replaced but an older judgement",
    )
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work the scenario's verification may cost"
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Judge, write the report and tell it; undecided (3) where a level has neither failed nor passed yet."""
    from wellposed.cli import output
    from wellposed.cli.finish import finish, finish_beside
    from wellposed.cli.judge import judge_paths, report_of
    from wellposed.cli.judge_baseline import compare
    from wellposed.cli.judge_submission import judge_submission
    from wellposed.cli.render import judge_json, judge_text
    from wellposed.cli.render.json_report import json_text
    from wellposed.cli.render.view import View
    from wellposed.verifier.verify import DEFAULT_BUDGET

    budget = arguments.budget or DEFAULT_BUDGET
    judge_json.refuse_to_replace(arguments.report)
    if arguments.submission is None:
        judgement = judge_paths(arguments.paths, arguments.system, budget)
    else:
        judgement = judge_submission(arguments.submission, arguments.paths, arguments.system, budget)
    judgement = judgement.with_findings(compare(judgement, arguments.baseline))
    report = report_of(judgement)
    document = json_text(judge_json.document(judgement, report))
    if judgement.scenarios:
        output.write_result(document, arguments.report)
    if arguments.format == "json":
        return finish_beside(report, document, arguments, judgement.notices)
    palette = output.palette(arguments.color, arguments.output_file is not None)
    body = "" if arguments.quiet else judge_text.render(judgement, palette.paint, arguments.verbose)
    if View(verbose=arguments.verbose).findings(report) and arguments.format == "text":
        body = "\n" + body
    return finish(report, arguments, judgement.notices, body=body)
