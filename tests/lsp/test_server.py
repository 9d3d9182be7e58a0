"""The verb `lsp`: as an editor starts it, and where what it needs is missing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from lsprotocol import types
from tests.lsp.editor import WAIT, Editor
from tests.lsp.texts import TIGHT


def test_a_process_talks_over_its_streams_and_ends_with_the_editor(tmp_path: Path) -> None:
    async def story() -> tuple[int | None, types.InitializeResult, set[str], Path]:
        editor = Editor(tmp_path)
        agreed = await editor.start([sys.executable, "-m", "wellposed", "lsp", "--stdio"])
        editor.open("a.scenario", TIGHT)
        found = await editor.diagnostics("a.scenario", lambda all: any(one.severity == 1 for one in all))
        server = editor.client._server
        assert server is not None
        await editor.stop()
        page = Path(str(found[0].code_description.href).removeprefix("file://")) if found[0].code_description else Path()
        return server.returncode, agreed, {str(one.code) for one in found}, page

    status, agreed, codes, page = asyncio.run(asyncio.wait_for(story(), WAIT))
    assert status == 0
    assert any(code.startswith(("WP4", "WP5")) for code in codes)
    assert agreed.server_info is not None and agreed.server_info.name == "wellposed"
    offers = agreed.capabilities
    assert offers.text_document_sync is not None
    for offer in (
        offers.hover_provider,
        offers.completion_provider,
        offers.definition_provider,
        offers.references_provider,
        offers.rename_provider,
        offers.document_symbol_provider,
        offers.document_formatting_provider,
        offers.code_action_provider,
        offers.inlay_hint_provider,
    ):
        assert offer
    assert not page.exists(), "the pages are gone with the server"


def test_its_help_imports_no_server(tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "wellposed", "lsp", "--help"]
    run = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in run.stderr.splitlines()}
    assert "wellposed" in imported
    assert imported & {"pygls", "lsprotocol", "lark", "asyncio"} == set()


def test_without_pygls_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ImportError\n", encoding="utf-8")
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from wellposed.cli.main import main; sys.exit(main(['lsp']))"
    run = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert run.returncode == 2
    assert "pip install 'wellposed[lsp]'" in run.stderr
    assert "Traceback" not in run.stderr
