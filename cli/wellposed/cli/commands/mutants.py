"""`mutants PATH…`: which faulty systems each scenario catches, and what would catch the others."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_beside_options, add_paths, positive

FORMATS = ("text", "json", "html")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to look at, and how to show it."""
    add_paths(parser)
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work one scenario may cost before it is undecided"
    )
    add_beside_options(parser, FORMATS, "json: wellposed-mutants/1, html: one page that stands alone")


def run(arguments: argparse.Namespace) -> int:
    """Verify, find the kill matrix and show it; the findings go to stderr, and the exit status is that of `check`."""
    import functools

    from wellposed.cli import output
    from wellposed.cli.finish import finish_beside
    from wellposed.cli.gather import gather
    from wellposed.cli.matrix import matrix_of
    from wellposed.cli.pipeline import examine
    from wellposed.cli.render import matrix_html, matrix_json, matrix_text
    from wellposed.verifier.verify import DEFAULT_BUDGET, verify

    budget = arguments.budget or DEFAULT_BUDGET
    gathered = gather(arguments.paths, arguments.stdin_filename)
    matrix, report = matrix_of(examine(gathered, functools.partial(verify, budget=budget)), budget, changes=True)
    if arguments.format == "json":
        result = matrix_json.render(matrix, report)
    elif arguments.format == "html":
        result = matrix_html.render(matrix)
    else:
        palette = output.palette(arguments.color, arguments.output_file is not None)
        result = matrix_text.render(matrix, palette.paint, arguments.verbose)
    return finish_beside(report, result, arguments, gathered.notices)
