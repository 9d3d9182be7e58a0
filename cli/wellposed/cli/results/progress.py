"""How far it has got: one line on a terminal's stderr, from one second on, gone when the result is there."""

from __future__ import annotations

import sys
import time
from typing import Self

AFTER = 1.0
"""Seconds for which nothing is shown."""
BETWEEN = 0.1
"""Seconds between two changes of the line."""
_CLEAR = "\r\x1b[K"


class Progress:
    """Counts what is done of so many; a context, which takes the line away at its end."""

    def __init__(self, total: int, quiet: bool) -> None:
        self._total = total
        self._done = 0
        self._visible = False
        self._next = time.monotonic() + AFTER
        self._shows = not quiet and sys.stderr is not None and sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        if self._visible:
            _write(_CLEAR)

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        if self._shows and time.monotonic() >= self._next:
            self._next = time.monotonic() + BETWEEN
            self._visible = True
            _write(f"{_CLEAR}verified {self._done} of {self._total}")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
