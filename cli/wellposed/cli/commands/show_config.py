"""`show-config`: the settings in force in this folder, and where each is from."""

from __future__ import annotations

import argparse
from pathlib import Path

from wellposed.cli import output
from wellposed.cli.settings import CHOICES, Settings, read
from wellposed.cli.status import CLEAN
from wellposed.cli.usage import add_isolated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing but whether to look at a file."""
    add_isolated(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a file that would set the same."""
    settings = Settings() if arguments.isolated else read(Path.cwd())
    lines = []
    for name in CHOICES:
        value, source = settings.effective(name)
        lines.append(f'{f"{name} = {chr(34)}{value}{chr(34)}":24} # {source}\n')
    output.write_result("".join(lines), None)
    return CLEAN
