"""`board REPORT… --out DIR`: the feature matrix of judgements, as a page and as Markdown."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to show, and where to write it."""
    parser.add_argument("reports", nargs="+", metavar="REPORT", help="a judgement that `wellposed judge` has written")
    parser.add_argument("--out", metavar="DIR", required=True, help="where to write board.html and board.md")
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Read the judgements, write both files, and tell in a few lines what they show."""
    from pathlib import Path

    from wellposed.cli import output
    from wellposed.cli.board import board_of
    from wellposed.cli.finish import finish
    from wellposed.cli.render import board_html, board_markdown
    from wellposed.cli.render.escape import defuse
    from wellposed.cli.report import Report, in_order

    board, findings = board_of(arguments.reports)
    body = ""
    if board is not None:
        folder = Path(arguments.out)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as failure:
            why = output.reason(failure) if isinstance(failure, OSError) else "the name is impossible"
            raise output.OutputError(f"cannot write {arguments.out}: {why}") from failure
        output.write_result(defuse(board_html.render(board)), str(folder / "board.html"))
        output.write_result(defuse(board_markdown.render(board)), str(folder / "board.md"))
        body = board_markdown.outline(board)
    return finish(Report(findings=in_order(findings)), arguments, body="" if arguments.quiet else body)
