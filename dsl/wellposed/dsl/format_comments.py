"""From lines to text, with the comments behind neighbouring lines in one column."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from wellposed.dsl.format_layout import Line

_SPACE = "  "


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
    """The indentation of a line of code with a comment behind it; None for all others, and where a block begins."""
    return line.indent if line.comment is not None and line.code and not line.code.endswith("{") else None


def _plain(line: Line) -> str:
    comment = line.comment or ""
    return f"{' ' * line.indent}{line.code}{_SPACE if line.code and comment else ''}{comment}\n"


def _with_comments(lines: Sequence[Line]) -> list[str]:
    starts = [" " * line.indent + line.code for line in lines]
    widths = [len(start) - start.rfind("\n") - 1 for start in starts]
    column = max(widths) + len(_SPACE)
    return [
        f"{start}{' ' * (column - width)}{line.comment}\n"
        for start, width, line in zip(starts, widths, lines, strict=True)
    ]
