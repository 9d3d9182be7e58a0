"""`decompile BUNDLE`: a source whose compilation has the same hash."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The bundle, and where the source goes."""
    from wellposed.cli.source import add_source_options

    parser.add_argument("bundle", metavar="BUNDLE", help="a bundle, a bundle folder, or - for standard input")
    add_source_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the source, or say what in the bundle has none."""
    from wellposed.cli.gather import gather, gather_bundles, several_bundles
    from wellposed.cli.pipeline import examine
    from wellposed.cli.source import finish_source
    from wellposed.compiler.decompile import decompile
    from wellposed.dsl.findings import has_errors

    asked = arguments.bundle
    gathered = gather([asked], "stdin.json") if asked == "-" else gather_bundles([asked])
    report = examine(gathered, None)
    if len(report.scenarios) > 1:
        report = report.with_findings([several_bundles(asked)])
    source = None
    if len(report.scenarios) == 1 and report.scenarios[0].bundle is not None and not has_errors(report.findings):
        source, findings = decompile(report.scenarios[0].bundle)
        report = report.with_findings(findings)
    return finish_source(report, source, arguments, gathered.notices)
