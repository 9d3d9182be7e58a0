"""`diff A B`: what the second scenario newly allows and newly forbids."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_beside_options, positive

FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two scenarios, and how to show what differs."""
    for name, which in (("A", "before"), ("B", "after")):
        parser.add_argument(
            name.lower(),
            metavar=name,
            help=f"the scenario {which}: a .scenario file with one scenario, a bundle or a bundle folder",
        )
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work each scenario and each question may cost"
    )
    add_beside_options(parser, FORMATS, "json: wellposed-diff/1")


def run(arguments: argparse.Namespace) -> int:
    """Verify both, compare, show; the findings of both go to stderr, and the exit status is that of `check` of both."""
    from wellposed.cli.finish import finish, finish_beside
    from wellposed.cli.render import diff_json, diff_text
    from wellposed.cli.review.diff import difference
    from wellposed.verifier.verify import DEFAULT_BUDGET

    found, report, notices = difference(arguments.a, arguments.b, arguments.budget or DEFAULT_BUDGET)
    if found is None and arguments.format == "json":
        return finish(report, arguments, notices)
    if found is None:
        return finish_beside(report, "", arguments, notices)
    body = diff_json.render(found, report) if arguments.format == "json" else diff_text.render(found)
    return finish_beside(report, body, arguments, notices)
