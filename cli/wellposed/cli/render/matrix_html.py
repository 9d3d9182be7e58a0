"""The kill matrix as one page of HTML: a cell with a survivor leads to its run."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.cli.matrix import FAULTS, Matrix, Row
from wellposed.cli.render import html
from wellposed.cli.render.matrix_text import MEANINGS, left_out, remarks, summary
from wellposed.verifier.models import Fault
from wellposed.verifier.mutants import ABSENT, KILLED, SOMETIMES, SURVIVES
from wellposed.verifier.tables import alone

KINDS = {KILLED: "good", SOMETIMES: "some", SURVIVES: "bad", ABSENT: "dim"}


def render(matrix: Matrix) -> str:
    """The page, with a final newline."""
    return html.page("Kill matrix", _parts(matrix))


def _parts(matrix: Matrix) -> Iterator[str]:
    yield html.paragraph(summary(matrix))
    yield from map(html.paragraph, left_out(matrix))
    yield legend()
    columns = [row.result.id for row in matrix.rows]
    yield html.table(
        "Faulty systems by scenarios",
        "system",
        columns,
        ((fault.id, [_cell(number, row, fault) for number, row in enumerate(matrix.rows)]) for fault in FAULTS),
        links=True,
    )
    yield "<h2>Faulty systems</h2>"
    for fault in FAULTS:
        yield f'<h3 id="{html.text(fault.id)}">{html.text(fault.id)}</h3>'
        yield html.paragraph(f"It {fault.text}; that attacks {', '.join(fault.attacks)}.")
        for number, row in enumerate(matrix.rows):
            yield from _survivor(number, row, fault)


def legend() -> str:
    """What the marks of the kill matrix mean."""
    return html.legend((value, KINDS[value], meaning) for value, meaning in MEANINGS.items())


def _cell(number: int, row: Row, fault: Fault) -> str:
    kill = row.kills[fault.id]
    value = kill.cell.value
    link = None if kill.survivor is None else _anchor(number, fault)
    return html.cell(value, KINDS[value], f"{fault.id} in {row.result.id}: {MEANINGS[value]}", link)


def _anchor(number: int, fault: Fault) -> str:
    """By the place of the scenario: one bundle may be given twice."""
    return f"{fault.id}.{number + 1}"


def _survivor(number: int, row: Row, fault: Fault) -> Iterator[str]:
    survivor = row.kills[fault.id].survivor
    if survivor is not None:
        yield f'<section id="{html.text(_anchor(number, fault))}">'
        yield html.paragraph(f"{row.result.id}: {MEANINGS[row.value(fault.id)]}")
        name = f"a run of {fault.id} in {row.result.id}"
        yield html.block(name, alone(survivor.trace, "a run of it that passes"))
        yield html.items(remarks(row, fault, survivor))
        yield "</section>"
