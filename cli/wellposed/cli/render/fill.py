"""Prose filled to a number of columns."""

from __future__ import annotations

from wellposed.cli.render.escape import width


def fill(text: str, columns: int) -> list[str]:
    """The lines of a paragraph, broken at white space only: a longer word has a line to itself. The text is escaped."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
