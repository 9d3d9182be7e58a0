"""The table of faulty systems as text, and one of them as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wellposed.cli.render.fill import fill
from wellposed.cli.render.table import render_table
from wellposed.dsl.vocabulary import SPEC
from wellposed.verifier.models import Fault

GAP = 2
"""Columns that the table puts between two of its own."""


def render_text(faults: Sequence[Fault], columns: int, paint: Callable[[str, str], str]) -> str:
    """The systems with what each does wrong and attacks, filled so that no line is wider than `columns`, from 72 on."""
    intro = (
        f"Specification {SPEC}: {len(faults)} systems that each err in one way. `wellposed mutants` says which of them "
        "a scenario catches; a kill counts only through what the fault attacks, or through an expectation."
    )
    names = max(len(fault.id) for fault in faults)
    rows = []
    for fault in faults:
        paragraphs = (f"{fault.text}.", f"Attacks {', '.join(fault.attacks)}.")
        rows.append(((fault.id,), [line for one in paragraphs for line in fill(one, columns - names - GAP)]))
    table = render_table(("", "a system that"), rows, paint, [("bold", "")] * len(rows))
    return "\n".join((*fill(intro, columns), "", table, ""))


def text_page(fault: Fault, columns: int) -> str:
    """One faulty system as a page of plain text."""
    return "\n\n".join("\n".join(fill(one, columns)) for one in _paragraphs(fault))


def _paragraphs(fault: Fault) -> Iterator[str]:
    yield f"{fault.id} (faulty system): a system that {fault.text}."
    yield f"It errs with an item if: {fault.cause}."
    yield f"Then: {fault.consequence}."
    yield f"It attacks {', '.join(fault.attacks)}, and is caught only through these or through an expectation."
    if fault.unforced:
        yield f"No scenario can always catch it. {fault.unforced}"
