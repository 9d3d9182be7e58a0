"""From lines to text, with the comments behind neighbouring lines in one column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from wellposed.dsl.format_layout import Line

_SPACE_BEFORE = 2


def text_of(lines: Sequence[Line]) -> str:
    """The text of the lines, with a line end behind each."""
    written: list[str] = []
    for indent, group in groupby(lines, key=_table):
        if indent is None:
            written += map(_plain, group)
        else:
            written += _with_comments(list(group))
    return "".join(written)


def _table(line: Line) -> int | None:
    """The indentation of a line of code with a comment behind it; None for all others."""
    return line.indent if line.code and line.comment is not None else None


def _plain(line: Line) -> str:
    text = line.code or line.comment or ""
    return f"{' ' * line.indent}{text}\n"


def _with_comments(lines: Sequence[Line]) -> list[str]:
    starts = [" " * line.indent + line.code for line in lines]
    widths = [len(start) - start.rfind("\n") - 1 for start in starts]
    column = max(widths) + _SPACE_BEFORE
    return [
        f"{start}{' ' * (column - width)}{line.comment}\n"
        for start, width, line in zip(starts, widths, lines, strict=True)
    ]
