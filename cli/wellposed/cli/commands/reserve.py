"""`reserve …`: hash-only scenario sets, from sealing to the check that an outsider makes."""

from __future__ import annotations

import argparse

from wellposed.cli.reserve import anchor, apply, audit, leave, publish, reveal, seal, status, verify
from wellposed.cli.usage import Parser

_VERBS = (
    ("seal", "put a nonce into scenarios and store them; print the hashes that commit to them", seal),
    ("publish", "add a batch of commitments to the ledger, with the day by which all are revealed", publish),
    ("anchor", "record a proof of time from outside for a line of the ledger", anchor),
    ("apply", "announce what a batch is applied to, record a result, or take one back", apply),
    ("reveal", "open a batch: the scenarios, and the logs of everything they were applied to", reveal),
    ("leak", "record that an entry became known before it was revealed", leave.LEAK),
    ("forfeit", "record that an entry will never be revealed, and why", leave.FORFEIT),
    ("verify", "check everything that an outsider can, from the history alone", verify),
    ("status", "what the ledger comes to, and what is due", status),
    ("audit", "find sealed scenarios that were committed, or that a system can read", audit),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """A verb below `reserve` for each step."""
    verbs = parser.add_subparsers(metavar="VERB", dest="reserve_verb", required=True, parser_class=Parser)
    for name, purpose, verb in _VERBS:
        below = verbs.add_parser(name, help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
        verb.add_arguments(below)
        below.set_defaults(run_reserve=verb.run)


def run(arguments: argparse.Namespace) -> int:
    """Run the verb below."""
    status: int = arguments.run_reserve(arguments)
    return status
