"""argparse, made to say one sentence, and the options that several verbs share."""

from __future__ import annotations

import argparse
import sys
from typing import NoReturn

from wellposed.cli.render.escape import defuse, escape
from wellposed.cli.render.formats import MACHINE
from wellposed.cli.status import UNUSABLE

FORMATS = ("text", "concise", *MACHINE)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence on stderr, with nothing from the command line printed raw."""

    def __init__(self, **options: object) -> None:
        raw = argparse.RawDescriptionHelpFormatter
        super().__init__(allow_abbrev=False, formatter_class=raw, **options)  # type: ignore[arg-type]

    def error(self, message: str) -> NoReturn:
        sentence = escape(" ".join(message.split()))
        sys.stderr.write(defuse(f"{self.prog}: {sentence} (`{self.prog} --help` shows the usage)\n"))
        raise SystemExit(UNUSABLE)


def add_report_options(parser: argparse.ArgumentParser) -> None:
    """How findings are shown: format, output file, colour, quiet, verbose, deny."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=FORMATS,
        default="text",
        help="text for people, concise: one line per finding, "
        + ", ".join(f"{name}: {purpose}" for name, (_, purpose) in MACHINE.items()),
    )
    _add_output_file(group)
    _add_color(group)
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="only findings of error severity, no table")
    volume.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="also notes, rejected scenarios' findings, every item and every bundle hash",
    )
    _add_deny(group)
    add_isolated(group)


def add_beside_options(parser: argparse.ArgumentParser, formats: tuple[str, ...], explained: str) -> None:
    """How a result of another kind than findings is shown, while these go to stderr: as for a report, but for its formats."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=formats, default="text", help=f"text for people, {explained}")
    _add_output_file(group)
    _add_color(group)
    volume = group.add_mutually_exclusive_group()
    volume.add_argument("-q", "--quiet", action="store_true", help="do not list what was found on standard error")
    volume.add_argument("-v", "--verbose", action="store_true", help="tell everything, and list notes, too")
    _add_deny(group)
    add_isolated(group)


def add_isolated(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Whether to look at the settings of the working directory."""
    parser.add_argument("--isolated", action="store_true", help="do not look at wellposed.toml or pyproject.toml")


def _add_output_file(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--output-file", metavar="FILE", help="write the result to FILE instead of standard output")


def _add_color(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto looks at NO_COLOR, FORCE_COLOR and the terminal",
    )


def _add_deny(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--deny", choices=("warnings",), help="let warnings count as errors in the exit status")


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Sources: files, folders, bundles, bundle folders, or `-`."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a .scenario file, a bundle, a bundle folder, a folder to search, or - for standard input",
    )
    parser.add_argument(
        "--stdin-filename",
        metavar="NAME",
        default="stdin.scenario",
        help="what to call standard input; imports are found beside it",
    )


def positive(text: str) -> int:
    """An argument that must be an integer above zero."""
    if not (text.isascii() and text.isdigit()) or len(text) > 18 or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to 18 nines")
    return int(text)
