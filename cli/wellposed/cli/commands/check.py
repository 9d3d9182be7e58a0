"""`check PATH…`: parse, compile, lint and verify."""

from __future__ import annotations

import argparse
import functools

from wellposed.cli.usage import add_paths, add_report_options, positive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Paths, how far to go, and how to show it."""
    add_paths(parser)
    parser.add_argument(
        "--no-verify", action="store_true", help="stop after compiling: errors of text, names and schedule only"
    )
    parser.add_argument(
        "--budget", type=positive, metavar="N", help="how much work one scenario may cost before it is undecided"
    )
    parser.add_argument(
        "--readings", action="store_true", help="also verify under every other reading, and tell which change a verdict"
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="write the fixes that change nothing of what a scenario tests into the files, and check again",
    )
    parser.add_argument(
        "--watch", action="store_true", help="stay, and check again whenever an input or an imported file changes"
    )
    parser.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="verify in so many processes; by itself, in one, or for many scenarios in all",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="verify anew what was verified before, and keep nothing"
    )
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check everything and print the report."""
    from wellposed.cli.finish import finish
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine

    verify = suite = fixes = None
    if not arguments.no_verify:
        from wellposed.cli.repairs import WORK, Fixes
        from wellposed.cli.results.store import Store
        from wellposed.cli.results.verifying import Verifying
        from wellposed.verifier.suite.check import check_suite
        from wellposed.verifier.verify import DEFAULT_BUDGET
        from wellposed.verifier.verify import verify as verify_bundle

        budget = arguments.budget or DEFAULT_BUDGET
        store = None if arguments.no_cache else Store(f"budget {budget}{' readings' if arguments.readings else ''}")
        once = functools.partial(verify_bundle, budget=budget, readings=arguments.readings)
        verify = Verifying(once, store, arguments.jobs, arguments.quiet)
        suite = functools.partial(check_suite, budget=budget)
        fixes = Fixes(functools.partial(verify_bundle, budget=min(budget, WORK)))
    if arguments.fix:
        from wellposed.cli.fix import fix

        return fix(arguments, verify, suite, fixes)
    if arguments.watch:
        from wellposed.cli.watch import watch

        return watch(arguments, verify, suite, fixes)
    gathered = gather(arguments.paths, arguments.stdin_filename)
    report = examine(gathered, verify, suite)
    return finish(report if fixes is None else fixes.added_to(report), arguments, gathered.notices)
