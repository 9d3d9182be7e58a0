"""An editor for tests: starts the installed server, talks the protocol to it, and waits for what it publishes."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.client import LanguageClient

from wellposed.cli.lsp.server import create

T = TypeVar("T")
WAIT = 30


class Editor:
    """One editor in a folder. Offsets are found by a `|` in what is searched for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("test-editor", "1")
        self.published: dict[str, types.PublishDiagnosticsParams] = {}
        self.logged: list[str] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.news = asyncio.Event()
        self.thread: threading.Thread | None = None

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: types.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.news.set()

        @self.client.feature(types.WINDOW_LOG_MESSAGE)
        def _(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def _(params: types.RegistrationParams) -> None:
            self.registered = params.registrations

    async def start(self, command: list[str] | None = None) -> types.InitializeResult:
        """Start a server by a command, or in a thread of this process, and agree with it on what both can do."""
        if command is None:
            await self._start_here()
        else:
            await self.client.start_io(*command, cwd=str(self.folder))
        watched = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        agreed = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(
                    workspace=types.WorkspaceClientCapabilities(did_change_watched_files=watched)
                ),
                root_uri=self.folder.as_uri(),
                workspace_folders=[types.WorkspaceFolder(self.folder.as_uri(), "test")],
            )
        )
        self.client.initialized(types.InitializedParams())
        return agreed

    async def _start_here(self) -> None:
        to_server, from_client = (os.fdopen(end, mode) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
        to_client, from_server = (os.fdopen(end, mode) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
        self.server = create()
        self.thread = threading.Thread(target=self.server.start_io, args=(to_server, from_server), daemon=True)
        self.thread.start()
        reader = asyncio.StreamReader(limit=1 << 24)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), to_client)
        self.client.protocol.set_writer(StdoutWriter(from_client))
        self.listening = asyncio.create_task(
            run_async(self.client._stop_event, reader, self.client.protocol, error_handler=self.client.report_server_error)
        )
        self.pipes = (to_server, from_client, to_client, from_server)

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        if self.thread is None:
            await asyncio.wait_for(self.client.stop(), WAIT)
            return
        self.pipes[1].close()
        await asyncio.to_thread(self.thread.join, WAIT)
        assert not self.thread.is_alive()
        self.pipes[3].close()
        await asyncio.wait_for(self.listening, WAIT)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def at(self, name: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri(name))

    def open(self, name: str, text: str) -> None:
        self.texts[name], self.versions[name] = text, 1
        item = types.TextDocumentItem(self.uri(name), "wellposed", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.versions[name] += 1
        where = types.VersionedTextDocumentIdentifier(version=self.versions[name], uri=self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(where, [whole]))

    def close(self, name: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.at(name)))

    async def diagnostics(
        self, name: str, until: Callable[[list[types.Diagnostic]], bool] = lambda found: True
    ) -> list[types.Diagnostic]:
        """What is published for the present version of a document, once it is as wanted."""
        async with asyncio.timeout(WAIT):
            while True:
                self.news.clear()
                last = self.published.get(self.uri(name))
                if last is not None and last.version == self.versions.get(name) and until(list(last.diagnostics)):
                    return list(last.diagnostics)
                await self.news.wait()

    def position(self, name: str, marked: str) -> types.Position:
        """The position of the `|` in `marked`, which is searched for without it."""
        before, _, after = marked.partition("|")
        text = self.texts[name]
        assert text.count(before + after) >= 1, marked
        offset = text.index(before + after) + len(before)
        line = text.count("\n", 0, offset)
        start = text.rfind("\n", 0, offset) + 1
        return types.Position(line, len(text[start:offset].encode("utf-16-le")) // 2)

    def place(self, name: str, marked: str) -> dict[str, Any]:
        return {"text_document": self.at(name), "position": self.position(name, marked)}

    def written(self, name: str, where: types.Range) -> str:
        """What stands in a range."""
        return self.texts[name][self.offset(name, where.start) : self.offset(name, where.end)]

    def offset(self, name: str, position: types.Position) -> int:
        lines = self.texts[name].split("\n")
        units = lines[position.line].encode("utf-16-le")[: 2 * position.character]
        return sum(len(line) + 1 for line in lines[: position.line]) + len(units.decode("utf-16-le"))

    def applied(self, name: str, edits: list[types.TextEdit]) -> str:
        text = self.texts[name]
        for edit in sorted(edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True):
            start, end = self.offset(name, edit.range.start), self.offset(name, edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text


def talk(folder: Path, story: Callable[[Editor], Awaitable[T]]) -> T:
    """Start a server, let a story happen, and end it; the server must have had no error of its own."""

    async def run() -> T:
        editor = Editor(folder)
        await editor.start()
        try:
            return await asyncio.wait_for(story(editor), 120)
        finally:
            await editor.stop()
            assert editor.logged == []

    return asyncio.run(run())
