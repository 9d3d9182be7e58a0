"""`adopt DIR`: a foreign fixture folder as a source in the language, with a report of what was guessed and dropped."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folder, and where the source goes."""
    from wellposed.cli.source import add_source_options

    parser.add_argument(
        "folder", metavar="DIR", help="a folder with inbox.jsonl and the other files of a fixture, without bundle.json"
    )
    add_source_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the source; what was taken, guessed and dropped goes to stderr and, as comments, into the source."""
    import os
    from pathlib import Path

    from wellposed.cli.gather import unreadable
    from wellposed.cli.report import Report, in_order
    from wellposed.cli.source import finish_source
    from wellposed.compiler.adopt import adopt

    asked = arguments.folder
    try:
        location = Path(os.path.relpath(asked)) if asked and "\0" not in asked else None
        adopted = None if location is None else adopt(location, os.path.basename(os.path.abspath(asked)))
    except OSError as failure:
        return finish_source(Report(findings=(unreadable(asked, failure),)), None, arguments, ())
    if adopted is None:
        return finish_source(Report(findings=(unreadable(repr(asked), None),)), None, arguments, ())
    report = Report(findings=in_order(adopted.findings), sources=adopted.sources)
    taken = []
    if adopted.source is not None:
        taken = [*(f"taken: {line}" for line in adopted.taken), f"verdict: {_verdict(adopted.source)}"]
    return finish_source(report, adopted.source, arguments, taken, notes=True)


def _verdict(source: str) -> str:
    """What `check` will say of the adopted source, in a word."""
    from wellposed.compiler.compilation import compile_source
    from wellposed.dsl.source import SourceFile
    from wellposed.verifier.verify import verify

    bundle = compile_source(SourceFile("adopted.scenario", source)).scenarios[0].bundle
    return "invalid" if bundle is None else verify(bundle).verdict
