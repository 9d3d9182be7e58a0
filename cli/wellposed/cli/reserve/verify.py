"""`reserve verify`: everything that an outsider can check, from git blobs alone."""

from __future__ import annotations

import argparse
from pathlib import Path

from wellposed.cli import output
from wellposed.cli.reserve.end import Outcome, carry_out
from wellposed.cli.reserve.options import checkpoint, day, named_folder
from wellposed.cli.usage import add_report_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which commit of which repository, and what the reader knows."""
    parser.add_argument("--repo", metavar="DIR", type=Path, default=Path("."), help="a clone of the repository; else the current folder")
    parser.add_argument("--rev", metavar="REV", default="HEAD", help="the commit to look at; else HEAD")
    parser.add_argument("--folder", metavar="PATH", default="reserve", help="where the reserve is in it; else `reserve`")
    parser.add_argument(
        "--since", metavar="SEQ:HASH", type=checkpoint, action="append", default=[],
        help="a checkpoint that you noted: shows that nothing before it was changed or cut",
    )  # fmt: skip
    parser.add_argument("--as-of", metavar="DATE", type=day, help="the day on which things are due or not; else today")
    parser.add_argument("--require-anchor", action="store_true", help="an error for what has no verified time anchor")
    parser.add_argument("--tsa-roots", metavar="FILE", type=Path, help="certificates (PEM) that you trust for time stamps")
    parser.add_argument(
        "--clone", metavar="NAME=DIR", type=named_folder, action="append", default=[],
        help="a clone of a submission, to look for its frozen commit",
    )  # fmt: skip
    add_report_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Say what was found, what was checked, and what was not."""
    return carry_out(arguments, lambda: _verify(arguments))


def _verify(arguments: argparse.Namespace) -> Outcome:
    from wellposed.cli.render import reserve as people
    from wellposed.cli.render import reserve_json
    from wellposed.reserve.dates import today
    from wellposed.reserve.verify import Options, verify

    options = Options(
        arguments.repo,
        arguments.rev,
        arguments.folder.strip("/"),
        tuple(arguments.since),
        arguments.as_of or today(),
        require_anchor=arguments.require_anchor,
        roots=arguments.tsa_roots,
        clones=dict(arguments.clone),
    )
    found = verify(options)
    palette = output.palette(arguments.color, arguments.output_file is not None)
    return Outcome(people.render(found, palette.paint), reserve_json.members(found), found.findings)
