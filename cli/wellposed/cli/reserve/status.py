"""`reserve status`: what the ledger of the work tree comes to, and what is due."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from wellposed.cli import output
from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import add_place, checkpoint, day
from wellposed.cli.usage import add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """As of which day, and what the reader remembers."""
    add_place(parser)
    parser.add_argument("--since", metavar="SEQ:HASH", type=checkpoint, action="append", default=[], help="a checkpoint that you noted")
    parser.add_argument("--as-of", metavar="DATE", type=day, help="the day on which things are due or not; else today")
    parser.add_argument("--tsa-roots", metavar="FILE", type=Path, help="certificates (PEM) that you trust for time stamps")
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the state in words; the files of the folder are read, and no history."""
    return carry_out(arguments, lambda: _status(arguments))


def _status(arguments: argparse.Namespace) -> Outcome:
    from wellposed.cli.render import reserve as people
    from wellposed.cli.render import reserve_json
    from wellposed.reserve.dates import today
    from wellposed.reserve.verify import Options, verify

    folder = Path(os.path.abspath(arguments.reserve))
    options = Options(
        folder.parent,
        None,
        folder.name,
        tuple(arguments.since),
        arguments.as_of or today(),
        roots=arguments.tsa_roots,
    )
    found = verify(options)
    palette = output.palette(arguments.color, arguments.output_file is not None)
    return Outcome(people.render_status(found, palette.paint), reserve_json.members(found), found.findings)
