"""The server: what an editor asks, and which module answers."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from wellposed.cli._version import __version__
from wellposed.cli.lsp import navigation
from wellposed.cli.lsp.actions import fixes_at
from wellposed.cli.lsp.analysis import Analysis
from wellposed.cli.lsp.checker import Checker
from wellposed.cli.lsp.completion import completions
from wellposed.cli.lsp.diagnostics import Board, diagnostics_of
from wellposed.cli.lsp.documents import Document, Documents
from wellposed.cli.lsp.formatting import layout_edits
from wellposed.cli.lsp.hover import hover
from wellposed.cli.lsp.inlay import hints
from wellposed.cli.lsp.names import Occurrence
from wellposed.cli.lsp.pages import Pages
from wellposed.cli.lsp.symbols import outline
from wellposed.compiler.inputs import SOURCES, display_path

WATCHERS = "wellposed-files"
WATCHED = "**/*.{" + ",".join(kind.value.removeprefix(".") for kind in SOURCES) + "}"


class Asked(Protocol):
    """A question about a place."""

    text_document: types.TextDocumentIdentifier
    position: types.Position


class Server(LanguageServer):
    """One editor and its documents. Texts are sent whole: pygls would count their lines in another way than the protocol."""

    def __init__(self) -> None:
        super().__init__("wellposed", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.pages = Pages()
        self.board = Board()
        self.documents = Documents(Path.cwd(), types.PositionEncodingKind.Utf16)
        self.checker = Checker(self.documents, self.told, self.failed)

    def begin(self) -> None:
        """Take over what was agreed on with the editor."""
        folders = list(self.workspace.folders.values())
        root = to_fs_path(folders[0].uri) if folders else self.workspace.root_path
        encoding = self.workspace.position_encoding or types.PositionEncodingKind.Utf16
        # As the system calls it: an editor may have come here through a link, and its paths begin as the root does.
        self.documents.root = Path(root) if root else Path.cwd()
        self.documents.encoding = str(getattr(encoding, "value", encoding))

    def told(self, analysis: Analysis) -> None:
        """An analysis is there: publish what it changes."""
        found = diagnostics_of(analysis, self.documents.at, self.pages)
        self.publish(self.board.put(analysis.document.uri, found))

    def publish(self, uris: set[str]) -> None:
        """Send the diagnostics of these documents."""
        for uri in sorted(uris):
            document = self.documents.get(uri)
            version = None if document is None else document.version
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, self.board.of(uri), version))

    def failed(self, failure: BaseException) -> None:
        """A check came to no end: say so, and go on with the next."""
        message = f"wellposed: internal error: {type(failure).__name__}: {failure}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    def shutdown(self) -> None:
        """Give up what is under way, remove the pages."""
        self.checker.stop()
        self.pages.close()
        super().shutdown()  # type: ignore[no-untyped-call]

    def at(self, params: Asked) -> tuple[Document, int, Occurrence | None] | None:
        """The document of a question, the offset that it is about, and the name there."""
        document = self.documents.get(params.text_document.uri)
        if document is None:
            return None
        offset = document.positions.offset(params.position)
        return document, offset, document.names.at(offset)


def create() -> Server:
    """A server with everything that it answers."""
    server = Server()
    _documents(server)
    _questions(server)
    _names(server)
    return server


def _documents(server: Server) -> None:
    """Opened, changed, saved and closed documents, and files that change outside of the editor."""

    @server.feature(types.INITIALIZED)
    def initialized(ls: Server, params: types.InitializedParams) -> None:
        ls.begin()
        workspace = ls.client_capabilities.workspace
        watched = None if workspace is None else workspace.did_change_watched_files
        if watched is not None and watched.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(WATCHED)])
            wanted = types.Registration(WATCHERS, types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            ls.client_register_capability(types.RegistrationParams([wanted]))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        one = params.text_document
        if ls.documents.put(one.uri, one.text, one.version) is not None:
            ls.checker.changed(one.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        one = params.text_document
        text = ls.workspace.get_text_document(one.uri).source
        if ls.documents.put(one.uri, text, one.version) is not None:
            ls.checker.changed(one.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        ls.checker.changed(params.text_document.uri, at_once=True)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = ls.documents.get(uri)
        ls.documents.drop(uri)
        ls.checker.closed(uri)
        ls.publish(ls.board.drop(uri))
        if document is not None:
            ls.checker.files_changed({document.path})

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        paths = {to_fs_path(one.uri) for one in params.changes}
        ls.checker.files_changed({display_path(Path(path), ls.documents.root) for path in paths if path})


def _questions(server: Server) -> None:
    """What is asked about a place or a whole document."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        document = ls.documents.get(params.text_document.uri)
        return None if document is None else layout_edits(document)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        document = ls.documents.get(params.text_document.uri)
        return None if document is None else outline(document)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: Server, params: types.HoverParams) -> types.Hover | None:
        analysis = await ls.checker.current(params.text_document.uri)
        found = ls.at(params)
        return None if found is None else hover(found[0], found[1], analysis)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" "]))
    def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
        found = ls.at(params)
        return None if found is None else types.CompletionList(False, completions(ls.documents, found[0], found[1]))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    async def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        fixes = await ls.checker.fixes(params.text_document.uri)
        if fixes is None:
            return []
        analysis, findings = fixes
        return fixes_at(analysis.document, findings, params.range, params.context.diagnostics)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        analysis = await ls.checker.current(params.text_document.uri)
        return [] if analysis is None else hints(analysis.document, analysis, params.range)


def _names(server: Server) -> None:
    """What is asked about a name."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
        found = ls.at(params)
        if found is None:
            return []
        document, offset, name = found
        if name is None:
            return navigation.import_at(ls.documents, document, offset)
        return navigation.definitions(ls.documents, document, name)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: Server, params: types.ReferenceParams) -> list[types.Location]:
        found = ls.at(params)
        if found is None or found[2] is None:
            return []
        return navigation.references(ls.documents, found[0], found[2], params.context.include_declaration)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(ls: Server, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = ls.at(params)
        return [] if found is None or found[2] is None else navigation.highlights(found[0], found[2])

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: Server, params: types.PrepareRenameParams) -> types.Range | None:
        found = ls.at(params)
        if found is None or found[2] is None:
            return None
        try:
            return navigation.can_rename(found[0], found[2])
        except navigation.CannotRename:
            return None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
        found = ls.at(params)
        if found is None or found[2] is None:
            return None
        try:
            return navigation.renamed(ls.documents, found[0], found[2], params.new_name)
        except navigation.CannotRename as problem:
            raise JsonRpcInvalidParams(str(problem)) from None
