"""A plain text table: columns aligned by display width, cells of several lines, nothing wrapped or cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wellposed.cli.render.escape import pad, width

Cell = Sequence[str]


def render_table(
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    paint: Callable[[str, str], str],
    kinds: Sequence[Sequence[str]],
) -> str:
    """Lines of text without a final newline. `kinds[row][column]` names the colour of a cell, "" for none.

    Cells are already escaped.
    """
    widths = [
        max([width(title), *(width(line) for row in rows for line in row[column])]) for column, title in enumerate(head)
    ]
    lines = [paint("  ".join(pad(title, widths[column]) for column, title in enumerate(head)).rstrip(), "bold")]
    for row, colours in zip(rows, kinds, strict=True):
        for index in range(max(len(cell) for cell in row)):
            pieces = []
            for column, cell in enumerate(row):
                text = cell[index] if index < len(cell) else ""
                # Padding stands outside the colour, and the last column has none.
                padding = "" if column == len(row) - 1 else " " * (widths[column] - width(text))
                pieces.append((paint(text, colours[column]) if colours[column] else text) + padding)
            lines.append("  ".join(pieces).rstrip())
    return "\n".join(lines)
