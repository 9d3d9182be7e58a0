"""`reserve leak` and `reserve forfeit`: an entry became known, or will never be opened."""

from __future__ import annotations

import argparse
from types import SimpleNamespace

from wellposed.cli.reserve.appended import appended
from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import add_place
from wellposed.cli.usage import add_report_options

CLASSES = ("lost", "leaked", "superseded", "defective")


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("entry", metavar="HASH", help="the entry, by the beginning of its hash")
    parser.add_argument("--justification", metavar="TEXT", required=True, help="what happened; it is published")
    add_place(parser)
    add_report_options(parser)


def _add_forfeit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--class", dest="kind", choices=CLASSES, required=True, help="why; forfeits are counted by class")
    _add_common(parser)


def _leak(arguments: argparse.Namespace) -> int:
    return carry_out(arguments, lambda: _do_leak(arguments))


def _forfeit(arguments: argparse.Namespace) -> int:
    return carry_out(arguments, lambda: _do_forfeit(arguments))


def _do_leak(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.give_up import leak

    return appended(leak(Ledger(arguments.reserve), arguments.entry, arguments.justification))


def _do_forfeit(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.give_up import forfeit

    return appended(forfeit(Ledger(arguments.reserve), arguments.entry, arguments.kind, arguments.justification))


LEAK = SimpleNamespace(add_arguments=_add_common, run=_leak)
FORFEIT = SimpleNamespace(add_arguments=_add_forfeit, run=_forfeit)
