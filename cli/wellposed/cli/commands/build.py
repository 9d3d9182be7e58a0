"""`build PATH…`: write bundle folders, or compare them with what the sources give."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import add_paths, add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Paths, and the folder of folders."""
    add_paths(parser)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--out", metavar="DIR", help="write DIR/<id>/ for every scenario; nothing is written where there are errors"
    )
    where.add_argument(
        "--check", metavar="DIR", help="write nothing; compare every byte of DIR/<id>/ with what the sources give"
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compile, never verify; print `sha256:…  id` per bundle."""
    from wellposed.cli.finish import finish
    from wellposed.cli.folders import buildable, compare, write
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.dsl.findings import has_errors

    gathered = gather(arguments.paths, arguments.stdin_filename)
    report = examine(gathered, None)
    notices = list(gathered.notices)
    bundles, clashes = buildable(report.scenarios, notices)
    report = report.with_findings(clashes)
    if has_errors(report.findings):
        return finish(report, arguments, [*notices, "nothing was built"], body="")
    found = write(bundles, arguments.out) if arguments.out is not None else compare(bundles, arguments.check)
    listing = "".join(f"{bundle.hash}  {bundle.id}\n" for bundle in bundles) if not has_errors(found) else ""
    return finish(report.with_findings(found), arguments, notices, body=listing)
