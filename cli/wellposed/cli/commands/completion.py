"""`completion SHELL`: a script that completes verbs, options and paths; with it, a shell never starts the tool to ask."""

from __future__ import annotations

import argparse

from wellposed.cli import output
from wellposed.cli.status import CLEAN

SHELLS = ("bash", "zsh", "fish", "tcsh")
FILES = frozenset(("PATH", "FILE", "BUNDLE", "REPORT", "SOURCE"))
FOLDERS = frozenset(("DIR", "RUN_DIR"))
"""Arguments that are paths, by what they are called in the help."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that is to read the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from wellposed.cli.main import whole_parser

    parser = whole_parser()
    _complete_paths(parser, shtab.FILE, shtab.DIRECTORY)
    output.write_result(shtab.complete(parser, arguments.shell) + "\n", None)
    return CLEAN


def _complete_paths(parser: argparse.ArgumentParser, files: object, folders: object) -> None:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _complete_paths(below, files, folders)
        elif action.metavar in FILES:
            action.complete = files  # type: ignore[attr-defined]
        elif action.metavar in FOLDERS:
            action.complete = folders  # type: ignore[attr-defined]
