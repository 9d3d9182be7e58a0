"""`lsp`: the language server, which an editor starts and talks to over standard input and output."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Nothing to choose; editors are used to say `--stdio`."""
    parser.add_argument("--stdio", action="store_true", help="talk over standard input and output, as it does anyway")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends it. Exit 2, and what to do, where what it needs is not installed."""
    from wellposed.cli import output
    from wellposed.cli.status import CLEAN, UNUSABLE

    try:
        import pygls.lsp.server  # noqa: F401
    except ImportError:
        output.notice("the language server needs pygls 2, which is not installed: pip install 'wellposed[lsp]'")
        return UNUSABLE
    from wellposed.cli.lsp.server import create

    create().start_io()
    return CLEAN
