"""Findings as diagnostics: place, severity, code with its page, and what else was found to have to do with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from lsprotocol import types

from wellposed.cli.lsp.analysis import Analysis
from wellposed.cli.lsp.documents import Document
from wellposed.cli.render.escape import escape
from wellposed.compiler.inputs import Kind
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label, Severity, Span

SOURCE = "wellposed"
MOST_RELATED = 20
"""How many other places one diagnostic names."""
NO_SCENARIOS = "WP003"

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Hint,
}

At = Callable[[str], Document | None]
PageOf = Callable[[str], str | None]
Diagnostics = Mapping[str, list[types.Diagnostic]]


def diagnostics_of(analysis: Analysis, at: At, page_of: PageOf) -> Diagnostics:
    """The diagnostics of an analysis by URI: those of its document, and of what it imports.

    `at` gives the document at a display path, `page_of` the URI of a code's page.
    """
    document = analysis.document
    found: defaultdict[str, list[types.Diagnostic]] = defaultdict(list)
    found[document.uri] = []
    for finding in analysis.report.findings:
        if finding.place is None:
            if finding.code == NO_SCENARIOS and document.kind is not Kind.SCENARIO:
                continue  # rules and skins alone are no mistake here
            found[document.uri].append(_diagnostic(finding, types.Range(*2 * (types.Position(0, 0),)), [], page_of))
        elif isinstance(finding.place, Span):
            place = _document(finding.place.path, document, at)
            if place is not None:
                related = list(_related(finding.labels, document, at))
                found[place.uri].append(_diagnostic(finding, place.positions.of(finding.place), related, page_of))
    return found


def text_of(finding: Finding) -> str:
    """What a finding says, with its reasons and what to do, one below the other."""
    lines = [finding.message, *finding.detail, *(f"note: {note}" for note in finding.notes)]
    if finding.help is not None:
        lines.append(f"help: {finding.help}")
    return "\n".join(escape(line) for part in lines for line in part.split("\n"))


def _document(path: str, document: Document, at: At) -> Document | None:
    return document if path == document.path else at(path)


def _diagnostic(
    finding: Finding, place: types.Range, related: list[types.DiagnosticRelatedInformation], page_of: PageOf
) -> types.Diagnostic:
    page = page_of(finding.code)
    row = BY_ID.get(finding.code)
    unused = row is not None and row.slug.startswith("unused-")
    return types.Diagnostic(
        range=place,
        message=text_of(finding),
        severity=SEVERITIES[finding.severity],
        code=finding.code,
        code_description=None if page is None else types.CodeDescription(page),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if unused else None,
        related_information=related or None,
    )


def _related(
    labels: Iterable[Label], document: Document, at: At
) -> Iterator[types.DiagnosticRelatedInformation]:
    for label in tuple(labels)[:MOST_RELATED]:
        if isinstance(label.place, Span):
            place = _document(label.place.path, document, at)
            if place is not None:
                location = types.Location(place.uri, place.positions.of(label.place))
                yield types.DiagnosticRelatedInformation(location, escape(label.text))


class Board:
    """What is published for each URI: what a document's own check found, or what the checks of others found in it."""

    def __init__(self) -> None:
        self._by_origin: dict[str, Diagnostics] = {}

    def put(self, origin: str, found: Diagnostics) -> set[str]:
        """Enter what the check of a document found; the URIs for which that may change something."""
        before = self._by_origin.get(origin, {}).keys()
        self._by_origin[origin] = found
        return {*before, *found}

    def drop(self, origin: str) -> set[str]:
        """The document is closed."""
        return {origin, *self._by_origin.pop(origin, {})}

    def of(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics of a URI, each once."""
        if uri in self._by_origin:
            return list(self._by_origin[uri].get(uri, ()))
        found: list[types.Diagnostic] = []
        for one in (each for origin in self._by_origin.values() for each in origin.get(uri, ())):
            if one not in found:
                found.append(one)
        return found
