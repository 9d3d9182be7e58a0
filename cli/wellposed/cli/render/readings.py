"""The table of readings as text and as JSON (`wellposed-readings/1`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from wellposed.cli.render.fill import fill
from wellposed.cli.render.table import render_table
from wellposed.compiler.canonical import pretty
from wellposed.dsl.vocabulary import READINGS, SPEC
from wellposed.verifier.models import Reading

FORMAT = "wellposed-readings/1"
GAP = 2
"""Columns that the table puts between two of its own."""


def render_text(readings: Sequence[Reading], columns: int, paint: Callable[[str, str], str]) -> str:
    """One table per topic, its text filled so that no line is wider than `columns`, from 72 on."""
    alternatives = sum(len(reading.alternatives) for reading in readings)
    intro = (
        f"Specification {SPEC}, readings {READINGS}: the {len(readings)} questions that the specification leaves open "
        f'or answers twice, with the answers taken. Behind "Or" stands an alternative, {alternatives} in all: an '
        "answer that the text allows as well, and that changes what a system may do."
    )
    names = max(len(reading.id) for reading in readings)
    tables = ["\n".join(fill(intro, columns))]
    for topic, group in groupby(readings, lambda reading: reading.topic):
        rows = []
        for reading in group:
            paragraphs = (reading.question, *_answers(reading))
            lines = [line for one in paragraphs for line in fill(one, columns - names - GAP)]
            rows.append(((reading.id.ljust(names),), (*lines, "")))
        tables.append(render_table(("", topic), rows, paint, [("bold", "")] * len(rows)).rstrip("\n"))
    return "\n\n".join(tables) + "\n"


def text_page(reading: Reading, columns: int) -> str:
    """One reading as a page of plain text."""
    return "\n\n".join(
        "\n".join(fill(one, columns)) for one in (f"{reading.id} (reading): {reading.question}", *_answers(reading))
    )


def _answers(reading: Reading) -> Iterator[str]:
    """Its paragraphs behind the question."""
    yield reading.answer
    if reading.why:
        yield f"Why: {reading.why}"
    yield f"Source: {reading.source}."
    for alternative in reading.alternatives:
        yield f"Or {alternative.id}: {alternative.text}"


def render_json(readings: Sequence[Reading]) -> str:
    """All of it; members are always there, in a stable order, and rows in the order of the table."""
    rows = [
        {
            "id": reading.id,
            "topic": reading.topic,
            "question": reading.question,
            "answer": reading.answer,
            "why": reading.why or None,
            "source": reading.source,
            "places": list(reading.places),
            "hazards": list(reading.hazards),
            "alternatives": [{"id": one.id, "text": one.text} for one in reading.alternatives],
        }
        for reading in readings
    ]
    return pretty({"format": FORMAT, "spec": SPEC, "readings": READINGS, "table": rows}) + "\n"
