"""Questions on a terminal, for what the command line leaves open."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from wellposed.cli.render.escape import defuse, escape

Answer = TypeVar("Answer")


class Unusable(ValueError):
    """An answer, or the value of an option, that cannot be used; `str()` is one sentence without its full stop."""


def can_ask() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None


def ask(question: str, choices: Sequence[tuple[str, str]], default: str, read: Callable[[str], Answer]) -> Answer:
    """Ask on stderr until the answer can be read; an empty one, or the end of the input, is the default.

    `choices` are listed with the question, each with a few words. `default` must be readable.
    """
    width = max(len(word) for word, _ in choices)
    _tell("".join(f"  {word:<{width}}  {what}\n" for word, what in choices))
    while True:
        _tell(f"{question} [{default}]: ")
        line = sys.stdin.readline()
        if not line.endswith("\n"):
            _tell("\n")
        try:
            return read(line.strip() or default)
        except Unusable as problem:
            if not line:
                raise
            _tell(f"{escape(str(problem))}\n")


def _tell(text: str) -> None:
    sys.stderr.write(defuse(text))
    sys.stderr.flush()
