"""The board as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wellposed.cli.board import LEVEL_NAMES, Board
from wellposed.cli.render import board_text
from wellposed.cli.render.escape import escape

_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~&@:-])")


def render(board: Board) -> str:
    """The page, with a final newline."""
    rows = []
    for system in board.systems:
        told = (board_text.cell(system.cells.get(level)) for level in LEVEL_NAMES)
        cells = [f"**{result}**<br>{_plain(beside)}" if result else "" for result, beside in told]
        rows.append([_plain(system.name), *cells])
    parts = [f"# {board_text.TITLE}", " ".join(board_text.EXPLAINED), _table(board_text.HEAD, rows)]
    efforts = [list(map(_plain, row)) for row in board_text.efforts(board)]
    if efforts:
        parts += ["## Effort", board_text.BESIDE, _table(board_text.EFFORT_HEAD, efforts)]
    separations = [list(map(_plain, board_text.separation(one))) for one in board.separations]
    parts += ["## What tells systems apart", board_text.DEMOTION, _table(board_text.SEPARATION_HEAD, separations)]
    parts += [" ".join(map(_plain, board_text.conclusions(board)))]
    defects = [f"- {_plain(one)}" for one in board_text.defects(board)]
    if defects:
        parts += ["## Annulled as defects of the fixture", "\n".join(defects)]
    return "\n\n".join(parts) + "\n"


def outline(board: Board) -> str:
    """The matrix in a few lines, for a terminal."""
    lines = []
    for system in board.systems:
        results = (f"{level} {board_text.cell(one)[0]}" for level, one in system.cells.items())
        lines.append(f"{escape(system.name)}: {', '.join(results)}")
    for one in board.separations:
        scenario, systems, pairs, levels = board_text.separation(one)
        lines.append(f"{escape(scenario)}: {systems} systems, pairs told apart: {pairs}, by levels: {levels}")
    return "\n".join(lines) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(words: str) -> str:
    """Text of an input that Markdown takes for nothing but text."""
    return _MARKS.sub(r"\\\1", escape(words))
