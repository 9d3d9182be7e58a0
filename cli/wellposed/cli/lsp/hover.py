"""What an editor shows for the place under the pointer: what it does, what can lawfully happen, and what is demanded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from lsprotocol import types

from wellposed.cli.lsp import names
from wellposed.cli.lsp.analysis import Analysis
from wellposed.cli.lsp.documents import Document
from wellposed.cli.lsp.meanings import HEADERS, MEANINGS
from wellposed.cli.lsp.names import Occurrence
from wellposed.cli.render.escape import escape
from wellposed.cli.render.text import outcome_text
from wellposed.cli.report import ScenarioResult
from wellposed.compiler.texts import spelled
from wellposed.dsl import tree
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import FAULTY_SYSTEMS, LEVELS, OBLIGATION_BY_ID, OBLIGATIONS, SPEC, Obligation
from wellposed.verifier.models import MODELS

MOST_SCENARIOS = 4
"""Scenarios of a family whose outcomes are listed one by one."""


def hover(document: Document, offset: int, analysis: Analysis | None) -> types.Hover | None:
    """The text for an offset; with outcomes and windows where there is an analysis of this very text."""
    path = _path_to(document.file, offset)
    if document.file is None or not path:
        return None
    name = document.names.at(offset)
    scenarios = [] if analysis is None else _scenarios(document, path, analysis)
    parts = [*_about_word(name)]
    node = path[-1]
    parts += _about_node(node, path, scenarios)
    if name is not None and name.kind == names.RECORD:
        parts += _about_item(_item_of(document, name), scenarios)
    if not parts:
        return None
    span = getattr(node, "span", None)
    where = document.positions.of(span) if isinstance(span, Span) else None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(parts)), where)


def _path_to(file: tree.File | None, offset: int) -> list[object]:
    """The nodes with a meaning around an offset, the outermost first."""
    found: list[object] = []
    node: object | None = file
    while node is not None:
        if type(node) in MEANINGS or isinstance(node, tree.Header):
            found.append(node)
        node = next((it for it in _parts(node) if _holds(it, offset)), None)
    return found


def _parts(node: object) -> Iterator[object]:
    if not is_dataclass(node) or isinstance(node, Span):
        return
    for one in fields(node):
        value = getattr(node, one.name)
        for part in value if isinstance(value, tuple) else (value,):
            yield from part if isinstance(part, tuple) else (part,)


def _holds(node: object, offset: int) -> bool:
    span = getattr(node, "span", None)
    return isinstance(span, Span) and span.start <= offset <= span.end


def _scenarios(document: Document, path: list[object], analysis: Analysis) -> list[ScenarioResult]:
    """The scenarios of the declaration around, if the analysis is of this text."""
    if analysis.document.text != document.text:
        return []
    found = []
    for one in analysis.report.scenarios:
        span = None if one.bundle is None or one.bundle.source_map is None else one.bundle.source_map.spans.get("")
        span = span or _place_of_id(one)
        around = getattr(path[0], "span", None)
        if isinstance(around, Span) and span is not None and around.start <= span.start < around.end:
            found.append(one)
    return found


def _place_of_id(one: ScenarioResult) -> Span | None:
    place = None if one.bundle is None else one.bundle.place("/id")
    return place if isinstance(place, Span) else None


def _item_of(document: Document, name: Occurrence) -> str:
    """The message that a name is about: itself, or that of the statement which it names."""
    declared = next((it for it in document.names.all if it.declares and it.key == name.key), None)
    about = None if declared is None else getattr(declared.owner, "message", None)
    return about.text if isinstance(about, tree.Name) else name.name


def _about_word(name: Occurrence | None) -> Iterator[str]:
    if name is None:
        return
    if name.kind == names.CODE and name.name in BY_ID:
        row = BY_ID[name.name]
        yield f"**{row.id}** {row.slug} ({row.severity.value}): {row.title}"
        yield row.explanation.strip()
    elif name.kind == names.SYSTEM and name.name in FAULTY_SYSTEMS:
        yield f"**{name.name}**: a system that {MODELS[SPEC].fault(name.name)}"
    elif name.kind == names.LEVEL:
        for level in LEVELS:
            if name.name == f"L{level.number}":
                yield f"**L{level.number} {level.name}**: {level.demands}"
                yield _listed(one for one in OBLIGATIONS if one.level <= level.number)


def _about_node(node: object, path: list[object], scenarios: list[ScenarioResult]) -> Iterator[str]:
    if isinstance(node, tree.Header):
        yield f"`{node.word}`: {HEADERS.get(node.word, 'a line of the header')}"
        return
    meaning = MEANINGS[type(node)]
    yield meaning.text
    if isinstance(node, tree.Scenario | tree.Family):
        for one in scenarios[:MOST_SCENARIOS]:
            yield f"`{escape(one.id)}`: **{one.verdict or 'not verified'}**"
        return
    levels = [one.bundle.level for one in scenarios if one.bundle is not None]
    in_force = [OBLIGATION_BY_ID[it] for it in meaning.obligations if OBLIGATION_BY_ID[it].level <= min(levels, default=6)]
    yield from [_listed(in_force)] if in_force else []
    yield from _core(node, scenarios)
    yield from _expectation(node, scenarios)


def _listed(rows: Iterator[Obligation] | list[Obligation]) -> str:
    return "\n".join(f"- `{row.id}` {row.text}" for row in rows)


def _core(node: object, scenarios: list[ScenarioResult]) -> Iterator[str]:
    """What a core says about a node: the members that it brings into it."""
    span = getattr(node, "span", None)
    for one in scenarios:
        if one.verification is None or one.bundle is None:
            continue
        for member in one.verification.core:
            if one.bundle.place(member.pointer) == span:
                row = OBLIGATION_BY_ID.get(member.obligation)
                demand = "" if row is None else f"; {row.text}"
                yield f"conflict: `{member.obligation}` {escape(member.text)}{demand}"


def _expectation(node: object, scenarios: list[ScenarioResult]) -> Iterator[str]:
    span = getattr(node, "span", None)
    for one in scenarios:
        if one.verification is None or one.bundle is None:
            continue
        for row in one.verification.expectations:
            if one.bundle.place(f"/expect/{row.index}") == span:
                which = "" if len(scenarios) == 1 else f"`{escape(one.id)}`: "
                yield f"{which}**{row.verdict}**: `{escape(row.text)}`"


def _about_item(item: str, scenarios: list[ScenarioResult]) -> Iterator[str]:
    """The outcomes and windows of an item, per scenario; one that is indexed is told with every index."""
    for one in scenarios[:MOST_SCENARIOS]:
        result = one.verification
        if result is None:
            continue
        which = "" if len(scenarios) == 1 else f" in `{escape(one.id)}`"
        for id, outcomes in result.outcomes.items():
            if id != item and id.partition(".")[0] != item:
                continue
            ends = ", ".join(map(outcome_text, outcomes))
            lines = [f"`{escape(spelled(id))}`{which} can end as: **{ends}**"]
            windows = [it for it in result.windows if it.item == id and not it.record.startswith("/")]
            lines += [f"- {escape(it.record)}: ticks {it.first}..{it.last}" for it in windows]
            yield "\n".join(lines)
