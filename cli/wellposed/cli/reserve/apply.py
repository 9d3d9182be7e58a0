"""`reserve apply`: announce what a batch is applied to, record a result, or take one back."""

from __future__ import annotations

import argparse
from pathlib import Path

from wellposed.cli.reserve.appended import appended
from wellposed.cli.reserve.end import Outcome, carry_out, refuse
from wellposed.cli.reserve.options import add_place, add_store, day
from wellposed.cli.usage import add_report_options

_NEEDED = {
    "announce": ("batch", "submission", "harness", "until"),
    "record": ("entry", "name", "store"),
    "void": ("entry", "name", "justification"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Three steps, one at a time."""
    step = parser.add_mutually_exclusive_group(required=True)
    step.add_argument("--announce", action="store_true", help="fix the submissions a whole batch is going to be applied to")
    step.add_argument("--record", metavar="RUN_DIR", nargs="+", type=Path, help="judge the runs of one entry and record it")
    step.add_argument("--void", action="store_true", help="take a result back, because the scenario itself was wrong")
    announce = parser.add_argument_group("with --announce")
    announce.add_argument("--batch", metavar="NAME", help="the batch; every live entry of it is announced")
    announce.add_argument(
        "--submission", nargs=4, action="append", metavar=("NAME", "REPO", "COMMIT", "TREE"), help="a system, and where it is frozen"
    )
    announce.add_argument("--harness", metavar="HASH", help="sha256:… of the harness that runs them")
    announce.add_argument("--until", metavar="DATE", type=day, help="the day until which every result is recorded")
    result = parser.add_argument_group("with --record and --void")
    result.add_argument("--entry", metavar="HASH", help="the entry, by the beginning of its hash")
    result.add_argument("--name", metavar="NAME", help="the submission, as it was announced")
    result.add_argument("--justification", metavar="TEXT", help="with --void: what is wrong with the scenario")
    add_store(parser, required=False)
    add_place(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Add the line and print the checkpoint."""
    step = "announce" if arguments.announce else "void" if arguments.void else "record"
    missing = [f"--{name}" for name in _NEEDED[step] if not getattr(arguments, name)]
    if missing:
        return refuse(f"--{step} needs {', '.join(missing)}")
    return carry_out(arguments, lambda: {"announce": _announce, "record": _record, "void": _void}[step](arguments))


def _announce(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.announce import Submission, announce

    submissions = [Submission(*one) for one in arguments.submission]
    until = arguments.until.isoformat()
    return appended(announce(Ledger(arguments.reserve), arguments.batch, submissions, arguments.harness, until))


def _record(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.record import record
    from wellposed.reserve.secrecy import identities
    from wellposed.reserve.store import Store

    store = Store(arguments.store, identities(arguments.identity))
    written, judged = record(Ledger(arguments.reserve), arguments.entry, arguments.name, arguments.record, store)
    done = appended(written)
    levels = "  ".join(f"{level} {result}" for level, result in judged.outcome.items())
    return Outcome(f"{levels}\n{done.text}", {**done.members, "outcome": dict(judged.outcome)}, judged.findings, done.notices, data=True)


def _void(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.give_up import void

    return appended(void(Ledger(arguments.reserve), arguments.entry, arguments.name, arguments.justification))
