"""Fixes that were verified, as code actions."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from wellposed.cli.lsp.documents import Document
from wellposed.dsl.findings import Finding, Span


def fixes_at(
    document: Document,
    findings: Sequence[Finding],
    asked: types.Range,
    diagnostics: Sequence[types.Diagnostic],
) -> list[types.CodeAction]:
    """The fixes of findings whose place has something in common with a range.

    One that changes nothing of what a scenario tests is marked as preferred. `diagnostics` are those that the editor
    shows there.
    """
    actions = []
    places = document.positions
    start, end = places.offset(asked.start), places.offset(asked.end)
    for finding in findings:
        fix, place = finding.fix, finding.place
        if fix is None or not isinstance(place, Span) or any(edit.span.path != document.path for edit in fix.edits):
            continue
        spans = [place, *(edit.span for edit in fix.edits)]
        if not any(span.path == document.path and span.start <= end and start <= span.end for span in spans):
            continue
        edits = [types.TextEdit(places.of(edit.span), edit.replacement) for edit in fix.edits]
        where = places.of(place)
        actions.append(
            types.CodeAction(
                title=f"{fix.description} (verified: well-posed)",
                kind=types.CodeActionKind.QuickFix,
                is_preferred=fix.safe,
                edit=types.WorkspaceEdit(changes={document.uri: edits}),
                diagnostics=[one for one in diagnostics if one.code == finding.code and one.range == where] or None,
            )
        )
    return actions
