"""Making text from an input safe and measurable on a terminal.

A checked file may hold control characters, escape sequences, bidirectional overrides, or lines that a CI runner takes
for commands (`::set-env …`, `##[error]…`). Everything that is printed goes through here.
"""

from __future__ import annotations

import re
import unicodedata

TAB_STOP = 4
WINDOW = 240
"""A longer line of a source is shown as a window around what is of interest. In characters of the source."""

# Controls, format characters (bidirectional ones among them), line and paragraph separators, surrogates, private use,
# unassigned.
_UNSAFE_CATEGORIES = frozenset(("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"))
_WORKFLOW_LINE = re.compile(r"(?m)^([^\S\n]*)::")
# The runner looks for `##[` anywhere in a line, not only at its start.
_WORKFLOW_MARK = "##["


def escape_character(character: str) -> str:
    """The character itself where it is harmless, else `\\u{…}` as the scenario language writes it."""
    if " " <= character <= "~":
        return character
    if unicodedata.category(character) in _UNSAFE_CATEGORIES:
        return f"\\u{{{ord(character):x}}}"
    return character


def escape(text: str) -> str:
    """One line's worth of text from an input, with everything that is not a visible character spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(escape_character, text))


def defuse(output: str) -> str:
    """The whole output with what a CI runner would take for a command made harmless. Applied last, to all of it."""
    return _WORKFLOW_LINE.sub(r"\1\\::", output).replace(_WORKFLOW_MARK, "##\\[")


def character_width(character: str) -> int:
    """Columns that one harmless character takes: 0 for combining marks, 2 for wide East Asian ones, else 1."""
    if " " <= character <= "~":
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def width(text: str) -> int:
    """Columns that an escaped text takes."""
    return len(text) if text.isascii() else sum(map(character_width, text))


def pad(text: str, columns: int) -> str:
    """An escaped text filled with spaces to a number of columns."""
    return text + " " * (columns - width(text))


def window(text: str, start: int, end: int) -> tuple[str, int]:
    """A line cut to at most WINDOW characters that hold `start`, and how far columns move by it."""
    if len(text) <= WINDOW:
        return text, 0
    middle = (start + min(end, start + WINDOW // 2)) // 2
    left = max(0, min(middle - WINDOW // 2, len(text) - WINDOW))
    right = left + WINDOW
    head, tail = ("…" if left else ""), ("…" if right < len(text) else "")
    return head + text[left:right] + tail, left - len(head)


def lay_out(line: str) -> tuple[str, list[int]]:
    """A source line as it is shown, and the display column at which each of its characters starts, and the last ends.

    Tabs are expanded to multiples of four columns, unsafe characters spelled out.
    """
    shown: list[str] = []
    columns = [0]
    at = 0
    for index, character in enumerate(line):
        if character == "\t":
            piece = " " * (TAB_STOP - at % TAB_STOP)
            at += len(piece)
        elif character == "[" and line[max(0, index - 2) : index] == "##":
            piece = "\\["  # as `defuse` would, but counted, so that carets stay in place
            at += 2
        else:
            piece = escape_character(character)
            at += width(piece)
        shown.append(piece)
        columns.append(at)
    return "".join(shown), columns
