"""The coverage as one page of HTML."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.cli.coverage import COUNTED, Coverage
from wellposed.cli.matrix import FAULTS
from wellposed.cli.render import html
from wellposed.cli.render.coverage_text import (
    MEANINGS,
    NOT_IN_QUESTION,
    NOTICED,
    UNNOTICED,
    idle,
    levels,
    mark,
    not_counted,
    spare,
    summary,
    through,
    why,
)
from wellposed.cli.render.matrix_html import KINDS, legend
from wellposed.cli.render.matrix_text import MEANINGS as VALUES
from wellposed.cli.render.matrix_text import left_out
from wellposed.dsl.vocabulary import Obligation
from wellposed.verifier.tables import alone

MARKS = {NOTICED: "good", UNNOTICED: "bad", NOT_IN_QUESTION: "dim"}


def render(found: Coverage) -> str:
    """The page, with a final newline."""
    return html.page("Coverage", _parts(found))


def _parts(found: Coverage) -> Iterator[str]:
    yield html.paragraph(summary(found))
    yield from map(html.paragraph, left_out(found.matrix))
    yield from _missing(found)
    yield "<h2>Levels</h2>"
    rows = [
        (name, [_text(str(scenarios)), _text(f"{len(own) - len(missing)} of {len(own)}"), _text(", ".join(missing))])
        for name, scenarios, own, missing in levels(found)
    ]
    yield html.table("Levels", "level", ("its scenarios", "obligations covered", "not covered"), rows, upright=False)
    yield "<h2>Obligations by scenarios</h2>"
    yield html.legend((value, MARKS[value], meaning) for value, meaning in MEANINGS.items())
    names = [one.id for one in found.scenarios]
    yield html.table(
        "Obligations by scenarios",
        "obligation",
        (*names, "systems always caught"),
        ((row.id, _obligation(found, row.id)) for row in COUNTED),
    )
    yield "<h2>Faulty systems by scenarios</h2>"
    yield legend()
    systems = ((fault.id, _system(found, fault.id)) for fault in FAULTS)
    yield html.table("Faulty systems by scenarios", "system", names, systems)
    yield "<h2>Covered by one scenario only</h2>"
    yield html.items(f"{one.id}: {', '.join(ids)}" for one, ids in found.only_cover())


def _missing(found: Coverage) -> Iterator[str]:
    for title, missing, gap in (("Gaps", found.gaps(), True), ("Near misses", found.near_misses(), False)):
        yield f"<h2>{title}</h2>"
        ones = list(missing)
        lines = [f"{one.id}: {why(found, one, gap)}" for one in ones]
        if not gap:
            lines += [f"{row.id}: {spare(found, row)}" for row in found.spare()]
            lines += idle(found)
        yield html.items(lines) if lines else html.paragraph("none")
        if gap:
            yield html.paragraph(not_counted())
        for one in ones if not gap else ():
            if isinstance(one, Obligation):
                scenario, survivor = found.unnoticed(one.id)
                yield html.paragraph(f"{one.id} is broken in {scenario.id}:")
                name = f"a run that breaks {one.id} in {scenario.id}"
                yield html.block(name, alone(survivor.trace, "a run that passes"))


def _obligation(found: Coverage, obligation: str) -> list[str]:
    marks = [(one, mark(one, obligation)) for one in found.scenarios]
    attacking, caught = through(found, obligation)
    cells = [html.cell(value, MARKS[value], f"{obligation} in {one.id}: {MEANINGS[value]}") for one, value in marks]
    return [*cells, _text(f"{len(caught)} of {len(attacking)}")]


def _system(found: Coverage, system: str) -> list[str]:
    values = [(one, one.row.value(system)) for one in found.scenarios]
    return [html.cell(value, KINDS[value], f"{system} in {one.id}: {VALUES[value]}") for one, value in values]


def _text(words: str) -> str:
    return f'<td class="text">{html.text(words)}</td>'
