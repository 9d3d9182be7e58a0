"""The outline of a document: scenarios with their conversations, messages and named statements, rules and skins."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from wellposed.cli.lsp import names
from wellposed.cli.lsp.documents import Document
from wellposed.cli.lsp.names import Occurrence
from wellposed.dsl import tree

KINDS = {
    tree.Scenario: types.SymbolKind.Class,
    tree.Family: types.SymbolKind.Class,
    tree.Rules: types.SymbolKind.Module,
    tree.Skin: types.SymbolKind.Enum,
}
INNER = {
    names.CONVERSATION: types.SymbolKind.Object,
    names.RECORD: types.SymbolKind.Event,
    names.VARIABLE: types.SymbolKind.Variable,
    names.RULE: types.SymbolKind.Function,
}


def outline(document: Document) -> list[types.DocumentSymbol]:
    """The declarations of a document, and inside of each what it declares."""
    if document.file is None:
        return []
    symbols = []
    for node in document.file.declarations:
        children = list(_inside(document, node))
        place = document.positions
        symbols.append(
            types.DocumentSymbol(
                name=node.name.text,
                detail=type(node).__name__.lower(),
                kind=KINDS[type(node)],
                range=place.of(node.span),
                selection_range=place.of(node.name.span),
                children=children,
            )
        )
    return symbols


def _inside(document: Document, node: tree.Declaration) -> Iterator[types.DocumentSymbol]:
    for one in document.names.all:
        if one.declares and one.kind in INNER and node.span.start <= one.start < node.span.end:
            yield _symbol(document, one)


def _symbol(document: Document, one: Occurrence) -> types.DocumentSymbol:
    places = document.positions
    name = places.range(one.start, one.end)
    span = getattr(one.owner, "span", None)
    whole = name if span is None or not span.start <= one.start <= one.end <= span.end else places.of(span)
    what = type(one.owner).__name__.lower() if one.kind == names.RECORD else one.kind
    return types.DocumentSymbol(name=one.name, detail=what, kind=INNER[one.kind], range=whole, selection_range=name)
