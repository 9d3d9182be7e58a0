"""`reserve publish`: a batch of commitments into the ledger."""

from __future__ import annotations

import argparse

from wellposed.cli.reserve.appended import appended
from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import add_place, add_store, day
from wellposed.cli.usage import add_report_options, positive


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The batch; and, the first time, the rules of the ledger."""
    parser.add_argument("commits", nargs="+", metavar="COMMIT", help="the hashes that `seal` printed, all of a batch at once")
    parser.add_argument("--batch", metavar="NAME", required=True, help="what to call the batch")
    parser.add_argument(
        "--reveal-by", metavar="DATE", type=day, required=True, help="the day by which every entry is revealed or forfeited"
    )
    add_store(parser, required=False)
    add_place(parser)
    first = parser.add_argument_group("the first time", "the rules of the ledger; they never change")
    first.add_argument("--title", metavar="TEXT", help="what the ledger is for")
    first.add_argument("--holder", metavar="NAME", action="append", default=[], help="who holds the scenarios in plain")
    first.add_argument("--max-reveal-days", metavar="N", type=positive, default=365, help="how long a batch may stay closed")
    first.add_argument(
        "--logs", choices=("committed", "open"), default="committed",
        help="committed: of logs only a salted hash until the reveal; open: they are published at once",
    )  # fmt: skip
    first.add_argument("--anchors", choices=("optional", "required"), default="optional", help="whether time has to be proven")
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Add the lines and print the checkpoint."""
    return carry_out(arguments, lambda: _publish(arguments))


def _publish(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.publish import Rules, check_stored, publish
    from wellposed.reserve.secrecy import identities
    from wellposed.reserve.store import Store

    rules = None
    if arguments.title is not None or arguments.holder:
        title = arguments.title or "A reserve"
        rules = Rules(title, arguments.holder, arguments.max_reveal_days, arguments.logs, arguments.anchors)
    if arguments.store is not None:
        check_stored(arguments.commits, Store(arguments.store, identities(arguments.identity)))
    ledger = Ledger(arguments.reserve)
    return appended(publish(ledger, arguments.batch, arguments.reveal_by.isoformat(), arguments.commits, rules))
