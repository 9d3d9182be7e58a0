"""The board as one page of HTML that stands alone."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.cli.board import LEVEL_NAMES, Board, Cell
from wellposed.cli.render import board_text, html
from wellposed.verifier.judged import FAIL, INCONCLUSIVE, PASS, UNTESTED

KINDS = {PASS: "good", FAIL: "bad", INCONCLUSIVE: "some", UNTESTED: "dim"}


def render(board: Board) -> str:
    """The page, with a final newline."""
    return html.page(board_text.TITLE, _parts(board))


def _parts(board: Board) -> Iterator[str]:
    yield from map(html.paragraph, board_text.EXPLAINED)
    yield html.table(
        board_text.TITLE,
        board_text.HEAD[0],
        LEVEL_NAMES,
        ((system.name, [_cell(system.cells.get(level)) for level in LEVEL_NAMES]) for system in board.systems),
        upright=False,
    )
    efforts = list(board_text.efforts(board))
    if efforts:
        yield "<h2>Effort</h2>"
        yield html.paragraph(board_text.BESIDE)
        yield html.table(
            "Effort",
            board_text.EFFORT_HEAD[0],
            board_text.EFFORT_HEAD[1:],
            ((row[0], [_text(one) for one in row[1:]]) for row in efforts),
            upright=False,
        )
    yield "<h2>What tells systems apart</h2>"
    yield html.paragraph(board_text.DEMOTION)
    rows = [board_text.separation(one) for one in board.separations]
    yield html.table(
        "Systems told apart",
        board_text.SEPARATION_HEAD[0],
        board_text.SEPARATION_HEAD[1:],
        ((row[0], [_text(one) for one in row[1:]]) for row in rows),
        upright=False,
    )
    yield from map(html.paragraph, board_text.conclusions(board))
    defects = list(board_text.defects(board))
    if defects:
        yield "<h2>Annulled as defects of the fixture</h2>"
        yield html.items(defects)


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "<td></td>"
    result, beside = board_text.cell(cell)
    return f'<td class="text"><span class="{KINDS[result]}">{html.text(result)}</span><br>{html.text(beside)}</td>'


def _text(words: str) -> str:
    return f'<td class="text">{html.text(words)}</td>'
