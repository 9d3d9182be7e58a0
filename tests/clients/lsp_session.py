"""A session with the language server as pytest-lsp plays it, in the roles of the editors that it knows.

Run by `test_pytest_lsp.py` with the pytest that pytest-lsp brings; what it starts is the installed `wellposed lsp`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SERVER = [os.environ["WELLPOSED_PYTHON"], "-m", "wellposed", "lsp", "--stdio"]
TEXT = Path(os.environ["WELLPOSED_SCENARIO"]).read_text(encoding="utf-8")
EDITORS = ("visual_studio_code", "neovim")


@pytest_lsp.fixture(params=EDITORS, config=ClientServerConfig(server_command=SERVER))
async def client(request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path: Path):
    folder = types.WorkspaceFolder(tmp_path.as_uri(), "test")

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def _(params: types.RegistrationParams) -> None:
        assert [one.method for one in params.registrations] == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]

    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param), root_uri=tmp_path.as_uri(), workspace_folders=[folder]
        )
    )
    yield lsp_client
    await lsp_client.shutdown_session()


@pytest.mark.asyncio
async def test_a_session(client: LanguageClient, tmp_path: Path) -> None:
    """pytest-lsp checks on the way that every answer is one that the editor said it can take."""
    uri = (tmp_path / "a.scenario").as_uri()
    item = types.TextDocumentItem(uri, "wellposed", 1, TEXT)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not [one for one in client.diagnostics[uri] if one.severity == types.DiagnosticSeverity.Error]
    where = types.TextDocumentIdentifier(uri)
    broken = TEXT.replace("approve", "aprove", 1)
    change = types.TextDocumentContentChangeWholeDocument(broken)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(types.VersionedTextDocumentIdentifier(version=2, uri=uri), [change])
    )
    errors: list[types.Diagnostic] = []
    while not errors:  # the first text may be told of once more, when it is verified
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        errors = [one for one in client.diagnostics[uri] if one.severity == types.DiagnosticSeverity.Error]
    (found,) = errors
    assert found.code == "WP120"
    position = found.range.start
    hover = await client.text_document_hover_async(types.HoverParams(where, types.Position(0, 12)))
    assert hover is None or hover.contents
    offered = await client.text_document_completion_async(types.CompletionParams(where, position))
    assert isinstance(offered, types.CompletionList) and "approve" in [one.label for one in offered.items]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(where))
    assert symbols
