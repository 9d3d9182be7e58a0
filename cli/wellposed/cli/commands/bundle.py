"""`bundle check DIR…`: derive every file of a bundle folder again and compare every byte."""

from __future__ import annotations

import argparse

from wellposed.cli.usage import Parser, add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The one verb below `bundle`."""
    verbs = parser.add_subparsers(metavar="VERB", dest="bundle_verb", required=True, parser_class=Parser)
    purpose = "derive every file of a bundle folder again and compare every byte"
    check = verbs.add_parser("check", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    check.add_argument(
        "paths", nargs="+", metavar="DIR", help="a bundle folder, a folder of such folders, or a bundle file"
    )
    add_report_options(check)


def run(arguments: argparse.Namespace) -> int:
    """Check every bundle found; print `sha256:…  id` for those that are whole."""
    from wellposed.cli.finish import finish
    from wellposed.cli.gather import gather_bundles
    from wellposed.cli.pipeline import examine

    gathered = gather_bundles(arguments.paths)
    report = examine(gathered, None)
    whole = [one.bundle for one in report.scenarios if one.bundle is not None and one.verdict is None]
    return finish(
        report, arguments, gathered.notices, body="".join(f"{bundle.hash}  {bundle.id}\n" for bundle in whole)
    )
