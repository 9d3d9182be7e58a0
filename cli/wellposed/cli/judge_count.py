"""Lines of code below a folder, counted mechanically: non-blank lines of files that are text. No link is followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from wellposed.cli.judge import Counted
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.opened import Opened, Refused, TooLarge


class TooMany(Exception):
    """More entries, or deeper folders, than are looked at."""


def count(folder: Path) -> Counted:
    """What is below a folder; hidden entries, links and devices are not looked at. Raises OSError, Refused, TooMany."""
    counted = Counted()
    with Opened(folder) as opened:
        for raw in _files(opened, 0, [0]):
            if raw is None or b"\0" in raw:
                counted = replace(counted, others=counted.others + 1)
            else:
                lines = sum(1 for line in raw.split(b"\n") if line.strip())
                counted = replace(counted, files=counted.files + 1, lines=counted.lines + lines)
    return counted


def _files(folder: Opened, depth: int, seen: list[int]) -> Iterator[bytes | None]:
    """The contents of the files below, None for one that is larger than any source."""
    for name in folder.names():
        seen[0] += 1
        if seen[0] > LIMITS.entries or depth > LIMITS.folder_depth:
            raise TooMany
        if name.startswith("."):
            continue
        try:
            yield folder.read(name, LIMITS.source_bytes)
        except TooLarge:
            yield None
        except Refused:
            try:
                below = folder.folder(name)
            except Refused:
                continue
            with below:
                yield from _files(below, depth + 1, seen)
