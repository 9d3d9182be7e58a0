"""The canonical layout as edits: what `wellposed fmt` would write."""

from __future__ import annotations

from lsprotocol import types

from wellposed.cli.lsp.documents import Document
from wellposed.compiler.text_edits import differences
from wellposed.dsl.format import format_source


def layout_edits(document: Document) -> list[types.TextEdit]:
    """The edits that lay a document out; none for one that has errors."""
    if document.source is None:
        return []
    text, _ = format_source(document.source)
    if text is None:
        return []
    places = document.positions
    return [types.TextEdit(places.of(edit.span), edit.replacement) for edit in differences(document.source, text)]
