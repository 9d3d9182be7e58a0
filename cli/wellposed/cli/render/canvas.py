"""One line of a chart: a fixed number of columns, on which texts find a place and nothing is drawn over."""

from __future__ import annotations

from wellposed.cli.render.escape import character_width, escape, width

ELLIPSIS = "…"


def clip(text: str, columns: int) -> str:
    """The escaped text in at most so many columns, its end left out where it is longer."""
    escaped = escape(text)
    if width(escaped) <= columns:
        return escaped
    kept, used = "", 0
    for character in escaped:
        used += character_width(character)
        if used > columns - 1:
            break
        kept += character
    return kept + ELLIPSIS if columns > 0 else ""


class Line:
    """The cells of a line. A cell is one column; what is put down is ASCII or one column wide."""

    def __init__(self, columns: int) -> None:
        self._cells: list[str | None] = [None] * columns

    def free(self, start: int, end: int) -> bool:
        """Whether the columns from `start` up to `end` exist and nothing stands in them."""
        return 0 <= start and end <= len(self._cells) and not any(self._cells[start:end])

    def put(self, start: int, text: str) -> None:
        """Put down a text; its spaces count as drawn."""
        self._cells[start : start + len(text)] = list(text)

    def fill(self, column: int, character: str) -> None:
        """Draw in a column where nothing stands."""
        if self.free(column, column + 1):
            self._cells[column] = character

    def text(self) -> str:
        return "".join(cell or " " for cell in self._cells).rstrip()


class Lines:
    """As many lines as the texts put down need; a text goes to the first line with room for it."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self.lines: list[Line] = []

    def at(self, column: int, text: str, mark: str) -> None:
        """A text with its mark at a column: behind the mark, or where the line ends too soon, before it.

        A text that is too long for both is clipped on the side with more room.
        """
        behind, before = self._columns - column - len(mark), column
        if len(text) <= behind or (len(text) > before and behind >= before):
            self._place(column, mark + clip(text, behind))
        else:
            shown = clip(text, before)
            self._place(column - len(shown), shown + mark)

    def ending(self, column: int, text: str, mark: str) -> None:
        """A text with its mark behind it at a column, or where the line begins too late, before it."""
        before, behind = column, self._columns - column - len(mark)
        if len(text) <= before or (len(text) > behind and before >= behind):
            shown = clip(text, before)
            self._place(column - len(shown), shown + mark)
        else:
            self._place(column, mark + clip(text, behind))

    def span(self, column: int, drawn: str, note: str = "") -> None:
        """Something drawn from a column on, with a note behind it, or where there is no room, before it."""
        end = column + len(drawn)
        if end > self._columns:
            column, end = self._columns - len(drawn), self._columns
        if note and end + 1 + len(note) <= self._columns:
            self._place(column, f"{drawn} {note}")
        elif note and column >= len(note) + 1:
            self._place(column - len(note) - 1, f"{note} {drawn}")
        else:
            self._place(column, drawn)

    def _place(self, start: int, text: str) -> None:
        """On the first line that has room for the text and a blank column around it."""
        end = start + len(text)
        for line in self.lines:
            if line.free(max(start - 1, 0), min(end + 1, self._columns)):
                line.put(start, text)
                return
        self.lines.append(Line(self._columns))
        self.lines[-1].put(start, text)
