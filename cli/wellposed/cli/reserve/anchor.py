"""`reserve anchor`: a proof of time for a line of the ledger."""

from __future__ import annotations

import argparse
from pathlib import Path

from wellposed.cli.reserve.appended import appended
from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import add_place
from wellposed.cli.usage import add_report_options

KINDS = {".ots": "ots", ".tsr": "rfc3161", ".proof": "sigsum", ".swhid": "swh"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The proof, and what it is of."""
    parser.add_argument(
        "proof", metavar="PROOF", type=Path, help="an OpenTimestamps (.ots) or RFC 3161 (.tsr) proof of the hash of a line"
    )
    parser.add_argument("--kind", choices=tuple(KINDS.values()), help="what kind it is, where its name does not say so")
    parser.add_argument("--of", metavar="SEQ", type=int, help="the line it is of, counted from 0; else the last one")
    add_place(parser)
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Copy the proof beside the ledger, and record it."""
    return carry_out(arguments, lambda: _anchor(arguments))


def _anchor(arguments: argparse.Namespace) -> Outcome:
    from wellposed.reserve.ledger import Ledger
    from wellposed.reserve.operations.anchor import UNFIT, anchor
    from wellposed.reserve.report import Refusal, at_file

    kind = arguments.kind or KINDS.get(arguments.proof.suffix)
    if kind is None:
        what = f"what kind of proof this is cannot be told from its name; say --kind {'|'.join(KINDS.values())}"
        raise Refusal(at_file(UNFIT, what, str(arguments.proof)))
    return appended(anchor(Ledger(arguments.reserve), arguments.proof, kind, arguments.of))
