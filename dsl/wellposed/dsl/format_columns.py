"""Which tokens stand in a column of their own, so that lines of one kind under each other read as a table."""

from __future__ import annotations

from itertools import zip_longest

from wellposed.dsl.format_blocks import HEADS, PAIRS, Block
from wellposed.dsl.format_stream import Stream

_HEADERS = frozenset({"TITLE", "LEVEL", "HORIZON", "RULES", "POSTURE", "SKIN"})
_HEADER_WIDTH = len("horizon")
_SKIN_WIDTH = len("work-item")
# Statements of a word and its operand.
_VERBS = frozenset({"REDELIVER", "APPROVE", "REJECT", "REPEAT", "ESCALATE"})
_EFFECTS = frozenset({"ADMIT", "REFUSE"})
_OPERATORS = frozenset({"PLUS", "MINUS", "STAR"})
_OPENING = frozenset({"LPAR", "LSQB"})
_CLOSING = frozenset({"RPAR", "RSQB"})
_OPERANDS = frozenset({"NAME", "BACKQUOTED", "NUMBER"})

_Cell = tuple[int, int]
"""The first token of a cell, and the token that begins the next one."""


def columns_of(block: Block, stream: Stream) -> dict[int, int]:
    """How many spaces more than one stand before which tokens of a block whose entries have lines of their own.

    Words that begin the lines of a head, a conversation or a skin have a column of a fixed width. Other columns are as
    wide as the widest in a run of lines of one kind. An empty line ends a run, and so does a line of another kind; a
    comment or an `allow` does not.
    """
    columns: dict[int, int] = {}
    run: list[tuple[_Cell, ...]] = []
    kind_of_run = ""
    for entry in block.entries:
        first = entry.first
        word = stream.kinds[first]
        if fixed := _fixed_width(block.kind, word):
            columns[first + 1] = max(0, fixed - len(stream.texts[first]))
        kind, cells = _cells(stream, first)
        if word == "ALLOW":
            kind = kind_of_run
        if kind != kind_of_run or stream.blank_before(first):
            _align(run, stream, columns)
            run, kind_of_run = [], kind
        if cells:
            run.append(cells)
    _align(run, stream, columns)
    return columns


def _align(run: list[tuple[_Cell, ...]], stream: Stream, columns: dict[int, int]) -> None:
    for cells in zip_longest(*run):
        widths = {cell[1]: len(stream.written(cell[0], cell[1] - 1)) for cell in cells if cell is not None}
        widest = max(widths.values())
        for token, width in widths.items():
            columns[token] = widest - width


def _fixed_width(kind: str, word: str) -> int:
    if kind in PAIRS or (kind in HEADS and word in _HEADERS):
        return _HEADER_WIDTH
    return _SKIN_WIDTH if kind == "SKIN" else 0


def _cells(stream: Stream, first: int) -> tuple[str, tuple[_Cell, ...]]:
    """The kind of line that begins with token `first`, and its cells but for the last; none where it has no columns."""
    kinds = stream.kinds
    word = kinds[first]
    kind, cells = "", tuple[_Cell, ...]()
    if word in _VERBS:
        kind, cells = "statement", ((first, first + 1),)
    elif word in _EFFECTS:
        kind, cells = "rule", ((first, first + 1),)
        if kinds[first + 2] == "WHEN":
            cells = (*cells, (first + 1, first + 2))
    elif word == "AT":
        begins = _behind_tick(kinds, first + 1)
        if kinds[begins] != "LBRACE":
            kind = "at a number" if begins == first + 2 and kinds[first + 1] == "NUMBER" else "at"
            cells = ((first, begins),)
    if cells and stream.has_comment(first, cells[-1][1]):
        return "", ()
    return kind, cells


def _behind_tick(kinds: list[str], index: int) -> int:
    """The token behind the calculation that begins at `index`: the first that cannot continue it."""
    depth = 0
    complete = False
    while True:
        kind = kinds[index]
        if kind in _OPENING:
            depth += 1
        elif kind in _CLOSING:
            depth -= 1
            complete = True
        elif depth == 0:
            if kind in _OPERATORS:
                complete = False
            elif kind not in _OPERANDS or complete:
                return index
            else:
                complete = True
        index += 1
