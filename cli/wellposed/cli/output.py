"""Where a verb's result and its notices go: the result as one piece to stdout or a file, notices to stderr."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from wellposed.cli.render.colour import Palette, wants_colour
from wellposed.cli.render.escape import defuse, escape


class OutputError(Exception):
    """The result cannot be written; `str()` is one sentence."""


def prepare_streams() -> None:
    """Make both streams UTF-8 with line feeds: output is the same bytes everywhere and no character can stop it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def palette(choice: str, to_file: bool) -> Palette:
    """Colour for the result, decided once."""
    terminal = not to_file and sys.stdout is not None and sys.stdout.isatty()
    return Palette(wants_colour(choice, os.environ, terminal))


def reason(failure: OSError) -> str:
    """Why the operating system refused, in its own words."""
    return (failure.strerror or type(failure).__name__).lower()


def write_result(text: str, output_file: str | None) -> None:
    """Write the whole result. Raises OutputError, or BrokenPipeError where the reader of stdout has gone."""
    if output_file is None:
        _write_stream(sys.stdout, text)
        return
    try:
        with open(output_file, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
    except (OSError, ValueError) as failure:
        why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
        raise OutputError(f"cannot write {output_file}: {why}") from failure


def refuse_existing(path: str) -> None:
    """Raises OutputError where anything is there under this name, even a link that leads nowhere."""
    if os.path.lexists(path):
        raise OutputError(f"cannot write {path}: it exists already, and nothing is overwritten")


def make_folder(path: str) -> None:
    """Make a folder, and those above it, unless they are there. Raises OutputError."""
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as failure:
        why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
        raise OutputError(f"cannot write {path}: {why}") from failure


def write_new(text: str, path: str) -> None:
    """Write a file that is not there yet. Raises OutputError."""
    refuse_existing(path)
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except (OSError, ValueError) as failure:
        why = reason(failure) if isinstance(failure, OSError) else "the name is impossible"
        raise OutputError(f"cannot write {path}: {why}") from failure


def _write_stream(stream: TextIO | None, text: str) -> None:
    if stream is None:
        raise OutputError("standard output is closed")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as failure:
        raise OutputError(f"cannot write to standard output: {reason(failure)}") from failure


def notice(sentence: str) -> None:
    """One line on stderr; where even that is impossible, silence."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(defuse("wellposed: " + escape(sentence)) + "\n")
        sys.stderr.flush()
    except OSError:
        pass


def drop_streams() -> None:
    """After a broken pipe: let the interpreter's own last flush go nowhere instead of complaining."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
