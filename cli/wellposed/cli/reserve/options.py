"""Options that several verbs below `reserve` share, and arguments that are more than text."""

from __future__ import annotations

import argparse
import re
from datetime import date
from pathlib import Path

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_POINT = re.compile(r"(?:reserve-checkpoint/1 [0-9a-f]{32} )?([0-9]{1,6})[: ](sha256:[0-9a-f]{64})")


def add_place(parser: argparse.ArgumentParser) -> None:
    """Where the reserve is."""
    parser.add_argument(
        "--reserve", metavar="DIR", type=Path, default=Path("reserve"), help="the folder of the ledger; else `reserve`"
    )


def add_store(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Where the sealed entries are, and what opens them."""
    parser.add_argument(
        "--store", metavar="DIR", type=Path, required=required, help="the private folder of sealed entries, in no repository"
    )
    parser.add_argument(
        "--identity", metavar="FILE", type=Path, action="append", default=[], help="an age or ssh key that opens entries"
    )


def day(text: str) -> date:
    """An argument that must be a date such as 2026-01-02."""
    if _DATE.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-01-02")


def checkpoint(text: str) -> tuple[int, str]:
    """An argument that must be a checkpoint: `SEQ:HASH`, or as it was printed."""
    found = _POINT.fullmatch(text.strip())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is not a checkpoint SEQ:sha256:… as `publish` prints it")
    return int(found[1]), found[2]


def named_folder(text: str) -> tuple[str, Path]:
    """An argument `NAME=DIR`."""
    name, separator, folder = text.partition("=")
    if not (name and separator and folder):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=DIR")
    return name, Path(folder)
