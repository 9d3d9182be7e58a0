"""`pr --base REV [--head REV]`: what a pull request changes, and what of it a person has to decide.

Both sides are read as git objects. No configuration file is read.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wellposed.cli import output
from wellposed.cli.usage import FORMATS, add_beside_options, positive

if TYPE_CHECKING:
    from wellposed.cli.review.pull import Pull

MARKDOWN = "markdown"
_COMMON = ("sarif", "junit")
_RAISED = {
    "changed_files": ("--max-files", "changed files that are looked at"),
    "changed_bytes": ("--max-bytes", "bytes of all changed files together"),
    "changed_scenarios": ("--max-scenarios", "changed scenarios that are verified"),
    "changed_commits": ("--max-commits", "commits in which sealed entries are looked for"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two sides, how far to look, and how to show what was found."""
    parser.add_argument("--base", metavar="REV", required=True, help="what the pull request is to be merged into")
    parser.add_argument("--head", metavar="REV", default="HEAD", help="the pull request; else HEAD")
    parser.add_argument("--repo", metavar="DIR", type=Path, default=Path("."), help="the repository; else the current folder")
    parser.add_argument(
        "--except", dest="skipped", metavar="DIR", action="append", default=[],
        help="a folder whose sources are not published, such as those that tests use; they count as other files",
    )  # fmt: skip
    parser.add_argument("--budget", type=positive, metavar="N", help="how much work each scenario and each question may cost")
    for name, (option, what) in _RAISED.items():
        parser.add_argument(option, dest=name, type=positive, metavar="N", help=f"the limit for {what}")
    add_beside_options(parser, (*FORMATS, MARKDOWN), "concise: one line per finding, json: wellposed-pr/1, markdown: for a job summary or a comment")


def run(arguments: argparse.Namespace) -> int:
    """Review and show; the exit status is that of the findings."""
    from wellposed.cli.review.pull import Options, review
    from wellposed.compiler.limits import LIMITS
    from wellposed.verifier.verify import DEFAULT_BUDGET

    raised = {name: value for name in _RAISED if (value := getattr(arguments, name)) is not None}
    skipped = tuple(folder.strip("/") for folder in arguments.skipped)
    options = Options(
        arguments.repo, arguments.base, arguments.head, arguments.budget or DEFAULT_BUDGET, replace(LIMITS, **raised), skipped
    )
    return _shown(review(options), arguments)


def _shown(pull: Pull, arguments: argparse.Namespace) -> int:
    from wellposed.cli.finish import finish
    from wellposed.cli.status import status_of

    if arguments.format in _COMMON:
        return finish(pull.report, arguments)
    try:
        output.write_result(_text(pull, arguments), arguments.output_file)
    except BrokenPipeError:
        output.drop_streams()  # whoever read the output has had enough; what was found stays found
    return status_of(pull.report.findings, pull.report.undecided, arguments.deny == "warnings")


def _text(pull: Pull, arguments: argparse.Namespace) -> str:
    from wellposed.cli.render import formats, pr_json, pr_markdown, pr_outline, pr_text
    from wellposed.cli.render.escape import defuse, escape
    from wellposed.cli.render.view import View

    if arguments.format == "json":
        return pr_json.render(pull)
    if arguments.format == MARKDOWN:
        return defuse(pr_markdown.render(pull))
    if arguments.format == "github":
        return defuse(escape(pr_outline.headline(pull))) + "\n" + formats.render("github", pull.report)
    palette = output.palette(arguments.color, arguments.output_file is not None)
    view = View(arguments.quiet, arguments.verbose)
    render = pr_text.render if arguments.format == "text" else pr_text.concise
    return defuse(render(pull, palette, view))
