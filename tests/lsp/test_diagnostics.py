"""What is wrong is published while a text is written, with its places, its page and what else it has to do with."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest
from lsprotocol import types
from tests.lsp.editor import Editor, talk
from tests.lsp.texts import DESK, TIGHT, USES, WAITS

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Severity
from wellposed.verifier.report import Verification
from wellposed.verifier.verify import verify


def codes(found: list[types.Diagnostic]) -> list[str]:
    return [str(one.code) for one in found if one.severity != types.DiagnosticSeverity.Hint]


def test_a_text_without_errors_has_none_and_an_error_comes_and_goes(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        assert codes(await editor.diagnostics("a.scenario")) == []
        editor.change("a.scenario", WAITS.replace("approve m1", "aprove m1"))
        (found,) = await editor.diagnostics("a.scenario")
        assert found.code == "WP120"
        editor.change("a.scenario", WAITS)
        assert codes(await editor.diagnostics("a.scenario")) == []

    talk(tmp_path, story)


def test_columns_count_utf16_units(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        text = 'scenario a { title "😀😀" oops }\n'
        editor.open("a.scenario", text)
        found = [one for one in await editor.diagnostics("a.scenario") if one.code == "WP120"]
        assert [editor.written("a.scenario", one.range) for one in found] == ["oops"]
        assert found[0].range.start == types.Position(0, 26)

    talk(tmp_path, story)


def test_a_line_separator_ends_no_line(tmp_path: Path) -> None:
    """The protocol knows three ends of lines; what Python also calls one must not move what stands below."""

    async def story(editor: Editor) -> None:
        text = WAITS.replace("comes late", "comes\u2028late\x0b")
        editor.open("a.scenario", WAITS)
        editor.change("a.scenario", text.replace("approve m1", "aprove m1"))
        found = await editor.diagnostics("a.scenario")
        assert [editor.written("a.scenario", one.range) for one in found if one.code == "WP120"] == ["aprove"]
        assert codes(found).count("WP106") == 2

    talk(tmp_path, story)


def test_a_verdict_has_its_other_places_and_its_page(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", TIGHT)
        found = await editor.diagnostics("a.scenario", lambda all: bool(codes(all)))
        verdict = next(one for one in found if str(one.code).startswith("WP5") or str(one.code).startswith("WP4"))
        assert verdict.severity == types.DiagnosticSeverity.Error
        assert verdict.source == "wellposed"
        assert verdict.related_information
        assert {one.location.uri for one in verdict.related_information} == {editor.uri("a.scenario")}
        assert verdict.code_description is not None
        page = Path(unquote(urlparse(verdict.code_description.href).path))
        assert page.read_text(encoding="utf-8").startswith(f"{verdict.code} ")

    talk(tmp_path, story)


def test_imports_are_read_as_they_stand_in_the_editor(tmp_path: Path) -> None:
    (tmp_path / "desk.rules").write_text("rules other { refuse rest }\n", encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", USES)
        assert codes(await editor.diagnostics("a.scenario", lambda all: bool(codes(all))))
        editor.open("desk.rules", DESK)
        assert codes(await editor.diagnostics("a.scenario", lambda all: not codes(all))) == []
        assert await editor.diagnostics("desk.rules") == []  # that it has no scenario is no mistake
        editor.change("desk.rules", DESK.replace("rules desk", "rules desks"))
        assert codes(await editor.diagnostics("a.scenario", lambda all: bool(codes(all))))
        editor.close("desk.rules")
        editor.change("a.scenario", USES)
        (tmp_path / "desk.rules").write_text(DESK, encoding="utf-8")
        event = types.FileEvent(editor.uri("desk.rules"), types.FileChangeType.Changed)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert codes(await editor.diagnostics("a.scenario", lambda all: not codes(all))) == []

    talk(tmp_path, story)


def test_what_is_wrong_in_an_import_stands_there(tmp_path: Path) -> None:
    (tmp_path / "desk.rules").write_text("rules desk { admit }\n", encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", USES)
        await editor.diagnostics("a.scenario")
        assert codes(await editor.diagnostics("desk.rules", lambda all: bool(all)))
        editor.close("a.scenario")
        assert await editor.diagnostics("desk.rules", lambda all: not all) == []
        assert list(editor.published[editor.uri("a.scenario")].diagnostics) == []

    talk(tmp_path, story)


def test_many_changes_at_once_end_with_the_last(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        for number in range(60):
            editor.change("a.scenario", WAITS.replace("horizon 40", f"horizon {40 + number} oops"))
        editor.change("a.scenario", TIGHT)
        found = await editor.diagnostics("a.scenario", lambda all: bool(codes(all)))
        assert "WP120" not in codes(found)

    talk(tmp_path, story)


@pytest.mark.parametrize("text", ["", "\0", "﻿scenario a {}", "\r", "scenario", '"""', "{" * 1000, "\ud800"], ids=lambda text: ascii(text)[:20])
def test_hostile_texts_are_answered(tmp_path: Path, text: str) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        editor.change("a.scenario", text)
        assert await editor.diagnostics("a.scenario")
        for marked in ("|",):
            place = editor.place("a.scenario", marked)
            await editor.client.text_document_hover_async(types.HoverParams(**place))
            await editor.client.text_document_completion_async(types.CompletionParams(**place))
            await editor.client.text_document_definition_async(types.DefinitionParams(**place))
        await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(editor.at("a.scenario")))
        options = types.FormattingOptions(tab_size=2, insert_spaces=True)
        await editor.client.text_document_formatting_async(
            types.DocumentFormattingParams(editor.at("a.scenario"), options)
        )

    talk(tmp_path, story)


def test_errors_of_the_text_are_told_while_something_is_still_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that takes long stands in the way of what is known without it, nor do its results come later."""
    release = threading.Event()
    begun = threading.Event()

    def slow(bundle: Bundle, **options: Any) -> Verification:
        begun.set()
        assert release.wait(60)
        return verify(bundle, **options)

    monkeypatch.setattr("wellposed.cli.lsp.analysis.verify", slow)

    async def story(editor: Editor) -> None:
        try:
            editor.open("a.scenario", TIGHT)
            await asyncio.to_thread(begun.wait, 60)
            for number in range(6):
                editor.change("a.scenario", WAITS.replace("horizon 40", f"horizon {40 + number}"))
                await asyncio.sleep(0.15)
            unused = WAITS.replace("within 5 of go", "within 5")
            editor.change("a.scenario", unused)
            found = await editor.diagnostics("a.scenario", lambda all: bool(codes(all)))
            assert codes(found) == ["WP313"]
            offered = await editor.client.text_document_completion_async(
                types.CompletionParams(**editor.place("a.scenario", "m1| sent"))
            )
            assert offered is not None
        finally:
            release.set()
        editor.change("a.scenario", WAITS)
        assert codes(await editor.diagnostics("a.scenario", lambda all: not codes(all))) == []
        assert all(params.version in (None, editor.versions["a.scenario"]) for params in editor.published.values())

    talk(tmp_path, story)


def test_every_severity_has_one_of_the_protocol() -> None:
    from wellposed.cli.lsp.diagnostics import SEVERITIES

    assert SEVERITIES.keys() == set(Severity)
