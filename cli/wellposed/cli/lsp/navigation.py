"""Where a name is declared, where else it stands, and another name in all these places."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from wellposed.cli.lsp import names
from wellposed.cli.lsp.documents import Document, Documents
from wellposed.cli.lsp.names import SHARED, Occurrence
from wellposed.compiler.compilation import Compilation, compile_source
from wellposed.compiler.imports import Importer, module_of
from wellposed.compiler.spelling import is_name, name
from wellposed.compiler.text_edits import with_edits
from wellposed.dsl.findings import Edit, Severity
from wellposed.dsl.source import SourceFile

RENAMED = frozenset(
    {names.RECORD, names.CONVERSATION, names.VARIABLE, names.RULES, names.SKIN, names.SCENARIO, names.RULE}
)

Placed = tuple[Document, Occurrence]


class CannotRename(Exception):
    """Why a name cannot be changed, or not into that one."""


def definitions(documents: Documents, document: Document, one: Occurrence) -> list[types.Location]:
    """Where the thing is declared that a name stands for: in its document, or in one that this imports."""
    return [_location(it) for it in _same(_sources(documents, document, one), one) if it[1].declares]


def import_at(documents: Documents, document: Document, offset: int) -> list[types.Location]:
    """The file that is imported at an offset."""
    if document.file is None:
        return []
    found = next((one for one in document.file.imports if one.span.start <= offset <= one.span.end), None)
    edges = () if found is None else module_of(document.file, document.path, ()).edges
    targets = [documents.at(edge.target) for edge in edges if found is not None and edge.span == found.path.span]
    return [types.Location(it.uri, it.positions.range(0, 0)) for it in targets if it is not None]


def references(documents: Documents, document: Document, one: Occurrence, declaration: bool) -> list[types.Location]:
    """All places of a name; with its declaration if that is asked for."""
    return [_location(it) for it in _everywhere(documents, document, one) if declaration or not it[1].declares]


def highlights(document: Document, one: Occurrence) -> list[types.DocumentHighlight]:
    """The places of a name in its own document."""
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [
        types.DocumentHighlight(document.positions.range(it.start, it.end), kinds[it.declares])
        for it in document.names.all
        if it.key == one.key
    ]


def can_rename(document: Document, one: Occurrence) -> types.Range:
    """The range of a name that can be changed. Raises CannotRename."""
    if one.kind not in RENAMED:
        raise CannotRename(f"`{one.name}` is a word of the language or the benchmark, not a name of this text")
    start, end = one.start, one.end
    return document.positions.range(start, end)


def renamed(documents: Documents, document: Document, one: Occurrence, new: str) -> types.WorkspaceEdit:
    """The edits that give a thing another name, in every file that knows it.

    Raises CannotRename also where the texts would then have errors that they do not have now.
    """
    can_rename(document, one)
    id = new.strip().strip("`")
    if id == one.name:
        return types.WorkspaceEdit(changes={})
    found = _everywhere(documents, document, one)
    if not any(it.declares for _, it in found):
        raise CannotRename(f"`{one.name}` is not declared in a file that can be changed")
    changes: dict[str, list[types.TextEdit]] = {}
    texts: dict[str, list[Edit]] = {}
    for where, it in found:
        if where.source is None:
            continue
        written = id if it.in_string else name(id)
        changes.setdefault(where.uri, []).append(types.TextEdit(where.positions.range(it.start, it.end), written))
        texts.setdefault(where.path, []).append(Edit(where.source.span(it.start, it.end), written))
    _check(documents, [it for it, _ in found], texts, one, id)
    return types.WorkspaceEdit(changes=changes)


def _check(
    documents: Documents, found: list[Document], edits: dict[str, list[Edit]], one: Occurrence, id: str
) -> None:
    """Raises CannotRename where the renamed texts have errors that the present ones do not have."""
    after: dict[str, str] = {}
    for document in found:
        text = with_edits(document.text, edits[document.path])
        if text is None:
            raise CannotRename("two of its places overlap")
        after[document.path] = text
    now = documents.reader()
    then = type(now)({**now.texts, **{path: text.encode() for path, text in after.items()}}, now.files)
    for document in dict.fromkeys(found):
        before = _errors(compile_source(SourceFile(document.path, document.text), Importer(now)))
        new = _errors(compile_source(SourceFile(document.path, after[document.path]), Importer(then)))
        if len(new) > len(before):
            message = next((it for it in new if it not in before), new[0])
            hint = "" if is_name(id) else " (names are letters, digits, `_` and single hyphens)"
            raise CannotRename(f"`{one.name}` cannot be called `{id}`{hint}: {document.path} would be wrong: {message}")


def _errors(compilation: Compilation) -> list[str]:
    return [one.message for one in compilation.findings if one.severity is Severity.ERROR]


def _everywhere(documents: Documents, document: Document, one: Occurrence) -> list[Placed]:
    """All places of what a name stands for; for what files share, in every file that knows the same declaration."""
    if one.kind not in SHARED:
        return list(_same([document], one))
    declaring = {it[0].path for it in _same(_sources(documents, document, one), one) if it[1].declares}
    found: dict[tuple[str, int], Placed] = {}
    for each in {it.path: it for it in (document, *documents.everywhere())}.values():
        placed = list(_same([each], one))
        if placed and (each.path in declaring or declaring & {it.path for it in imported(documents, each)}):
            found |= {(each.path, it.start): (where, it) for where, it in placed}
    return list(found.values())


def _same(documents: list[Document], one: Occurrence) -> Iterator[Placed]:
    return ((each, it) for each in documents for it in each.names.all if it.key == one.key)


def _sources(documents: Documents, document: Document, one: Occurrence) -> list[Document]:
    return [document, *imported(documents, document)] if one.kind in SHARED else [document]


def imported(documents: Documents, document: Document) -> list[Document]:
    """What a document imports, directly or not."""
    if document.file is None:
        return []
    modules, _ = Importer(documents.reader()).reachable(module_of(document.file, document.path, ()))
    paths = [path for path, module in modules.items() if path != document.path and module.failure is None]
    return [it for it in map(documents.at, paths) if it is not None]


def _location(placed: Placed) -> types.Location:
    document, one = placed
    return types.Location(document.uri, document.positions.range(one.start, one.end))
