"""`coverage PATH…`: which obligations and faulty systems the scenarios cover together, what is missing first."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_beside_options, add_paths, positive

FORMATS = ("text", "json", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to look at, how much it has to cover, and how to show it."""
    add_paths(parser)
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work one scenario may cost before it is undecided"
    )
    parser.add_argument(
        "--min", type=percent, metavar="PERCENT", help="an error (WP612) where the scenarios cover less than that"
    )
    add_beside_options(parser, FORMATS, "json: wellposed-coverage/1, html: one page that stands alone")


def percent(text: str) -> int:
    """An argument that must be a whole number from 0 to 100."""
    if not (text.isascii() and text.isdigit()) or len(text) > 3 or int(text) > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 100")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Verify, find the coverage and show it; the findings go to stderr, and the exit status is that of `check`."""
    import functools

    from wellposed.cli import output
    from wellposed.cli.coverage import coverage_of
    from wellposed.cli.finish import finish_beside
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.cli.render import coverage_html, coverage_json, coverage_text
    from wellposed.verifier.verify import DEFAULT_BUDGET, verify

    budget = arguments.budget or DEFAULT_BUDGET
    gathered = gather(arguments.paths, arguments.stdin_filename)
    verified = examine(gathered, functools.partial(verify, budget=budget))
    found, report = coverage_of(verified, budget, arguments.min)
    if arguments.format == "json":
        result = coverage_json.render(found, report)
    elif arguments.format == "html":
        result = coverage_html.render(found)
    else:
        palette = output.palette(arguments.color, arguments.output_file is not None)
        result = coverage_text.render(found, palette.paint)
    return finish_beside(report, result, arguments, gathered.notices)
