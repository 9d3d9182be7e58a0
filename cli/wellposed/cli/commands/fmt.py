"""`fmt PATH…`: lay source files out in the canonical way, or say which are not."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_paths, add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Paths, and what to do instead of rewriting the files."""
    add_paths(parser)
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="write nothing; a file that would change is an error")
    instead.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Rewrite what is laid out otherwise and print the names; `-` is written to stdout. Never compiles."""
    from wellposed.cli import output
    from wellposed.cli.finish import finish
    from wellposed.cli.gather import STDIN, gather_sources
    from wellposed.cli.layout import complaint, difference, lay_out, write
    from wellposed.cli.report import Report, in_order
    from wellposed.cli.status import CLEAN, UNUSABLE

    rewriting = not (arguments.check or arguments.diff)
    piped = rewriting and STDIN in arguments.paths
    if piped and len(arguments.paths) > 1:
        output.notice("- stands alone: what is read from standard input is written to standard output")
        return UNUSABLE
    gathered = gather_sources(arguments.paths, arguments.stdin_filename)
    sources = [lay_out(one) for one in gathered.inputs]
    if piped and arguments.format != "json" and sources and sources[0].text is not None:
        # The result is a file: not a character may be another than in it, so nothing is escaped.
        output.write_result(sources[0].text, arguments.output_file)
        return CLEAN
    changes = [one for one in sources if one.changes]
    findings = [*gathered.findings, *(finding for one in sources for finding in one.findings)]
    body, changed = "", len(changes)
    if arguments.check:
        findings += map(complaint, changes)
    elif arguments.diff:
        body = "".join(map(difference, changes))
    elif not piped:
        body, failures = write(changes)
        findings += failures
        changed -= len(failures)
    count = f"{changed} of {len(sources)} {'file' if len(sources) == 1 else 'files'}"
    notices = [*gathered.notices, f"{count} {'laid out anew' if rewriting else 'would be laid out anew'}"]
    texts = {one.input.path: one.source for one in sources if one.source is not None}
    report = Report(findings=in_order(findings), sources=texts)
    return finish(report, arguments, gathered.notices if piped else notices, body=body)
