"""`reserve reveal`: open a batch."""

from __future__ import annotations

import argparse

from wellposed.cli.reserve.appended import appended
from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import add_place, add_store
from wellposed.cli.usage import add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The batch, and who wrote its scenarios."""
    parser.add_argument("--batch", metavar="NAME", required=True, help="the batch; all that is left of it is revealed at once")
    parser.add_argument(
        "--author", metavar="[HASH=]NAME", action="append", default=[],
        help="who wrote the scenarios, or the one whose hash begins so; nobody's own submission counts on what they wrote",
    )  # fmt: skip
    add_store(parser)
    add_place(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the files and the lines, and print the checkpoint."""
    return carry_out(arguments, lambda: _reveal(arguments))


def _reveal(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.find import entry
    from wellposed.reserve.operations.reveal import reveal
    from wellposed.reserve.secrecy import identities
    from wellposed.reserve.store import Store

    ledger = Ledger(arguments.reserve)
    state = ledger.state()
    everyone = [one for one in arguments.author if "=" not in one]
    authors: dict[str, list[str]] = {}
    for digits, name in (one.split("=", 1) for one in arguments.author if "=" in one):
        authors.setdefault(entry(state, digits).commit, []).append(name)
    store = Store(arguments.store, identities(arguments.identity))
    return appended(reveal(ledger, arguments.batch, store, authors, everyone))
