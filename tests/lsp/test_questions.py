"""What an editor asks about a place: layout, hover, declarations and uses, outline, completion, fixes, hints."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from tests.lsp.editor import Editor, talk
from tests.lsp.texts import DESK, FAMILY, TIGHT, USES, WAITS

from wellposed.cli.lsp.meanings import MEANINGS
from wellposed.cli.lsp.names import RECORD, names_of
from wellposed.compiler.compilation import compile_source
from wellposed.dsl import tree
from wellposed.dsl.format import format_source
from wellposed.dsl.parser import parse_tolerantly
from wellposed.dsl.source import SourceFile
from wellposed.dsl.vocabulary import FAULTY_SYSTEMS, OBLIGATION_BY_ID, POSTURES
from wellposed.verifier.verify import verify

OPTIONS = types.FormattingOptions(tab_size=2, insert_spaces=True)


def test_the_layout_is_that_of_fmt(tmp_path: Path) -> None:
    untidy = WAITS.replace("  at 12 approve", "at   12\tapprove").replace("\n\n", "\n\n\n")
    expected, _ = format_source(SourceFile("a.scenario", untidy))

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", untidy)
        ask = types.DocumentFormattingParams(editor.at("a.scenario"), OPTIONS)
        edits = await editor.client.text_document_formatting_async(ask)
        assert edits and editor.applied("a.scenario", list(edits)) == expected
        editor.change("a.scenario", WAITS)
        assert not await editor.client.text_document_formatting_async(ask)
        editor.change("a.scenario", untidy.replace("approve", "aprove"))
        assert not await editor.client.text_document_formatting_async(ask)

    talk(tmp_path, story)


async def hovered(editor: Editor, marked: str) -> str:
    found = await editor.client.text_document_hover_async(types.HoverParams(**editor.place("a.scenario", marked)))
    assert found is not None, marked
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


def test_hover_tells_what_a_statement_does_and_what_it_demands(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS.replace("  }\n}", "  }\n\n  catches late-by-one\n}"))
        told = await hovered(editor, "app|rove m1")
        assert MEANINGS[tree.Decide].text in told
        assert OBLIGATION_BY_ID["L2.send"].text in told
        assert "can end as: **sent 12..17**" in await hovered(editor, "deliver m|1")
        assert "can end as: **sent 12..17**" in await hovered(editor, "as g|o")
        assert "**proved**" in await hovered(editor, "m1 ad|mitted")
        assert "well-posed" in await hovered(editor, "scenario wa|its")
        assert OBLIGATION_BY_ID["L2.authority"].text in await hovered(editor, "L|2")
        assert "late-by-one" in await hovered(editor, "late-by|-one")

    talk(tmp_path, story)


def test_hover_names_the_core_where_nothing_passes(tmp_path: Path) -> None:
    text = WAITS.replace("m1 sent exactly once within 5 of go", "m1 never sent")

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", text)
        told = [await hovered(editor, "app|rove m1"), await hovered(editor, "deli|ver m1")]
        assert any("conflict: `L" in one for one in told)
        assert "unsatisfiable" in await hovered(editor, "scenario wa|its")

    talk(tmp_path, story)


def test_every_construct_has_a_meaning() -> None:
    """Statements and expectations come from the tree, so that a new one without words is noticed."""
    from typing import get_args

    constructs = {*get_args(tree.Statement), *get_args(tree.Claim), *get_args(tree.Item), *get_args(tree.Declaration)}
    assert constructs - MEANINGS.keys() == set()
    named = {id for meaning in MEANINGS.values() for id in meaning.obligations}
    assert named - OBLIGATION_BY_ID.keys() == set()


def test_declarations_and_uses(tmp_path: Path) -> None:
    (tmp_path / "desk.rules").write_text(DESK, encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", USES)

        async def declared(marked: str) -> list[str]:
            ask = types.DefinitionParams(**editor.place("a.scenario", marked))
            found = await editor.client.text_document_definition_async(ask)
            assert isinstance(found, list | tuple)
            return [f"{Path(one.uri).name}:{one.range.start.line + 1}:{one.range.start.character + 1}" for one in found]

        assert await declared("of g|o") == ["a.scenario:16:23"]
        assert await declared("m1| sent") == ["a.scenario:15:17"]
        assert await declared("in or|der") == ["a.scenario:9:16"]
        assert await declared("rules   de|sk") == ["desk.rules:1:7"]
        assert await declared('"desk|.rules"') == ["desk.rules:1:1"]
        assert await declared("hori|zon") == []
        for with_declaration, count in ((True, 4), (False, 3)):
            ask = types.ReferenceParams(types.ReferenceContext(with_declaration), **editor.place("a.scenario", "m1| sent"))
            found = await editor.client.text_document_references_async(ask)
            assert found is not None and len(found) == count
            assert {editor.written("a.scenario", one.range) for one in found} == {"m1"}
        ask = types.ReferenceParams(types.ReferenceContext(True), **editor.place("a.scenario", "rules   de|sk"))
        found = await editor.client.text_document_references_async(ask)
        assert found is not None and sorted(Path(one.uri).name for one in found) == ["a.scenario", "desk.rules"]
        shown = await editor.client.text_document_document_highlight_async(
            types.DocumentHighlightParams(**editor.place("a.scenario", "m1| sent"))
        )
        assert shown is not None and len(shown) == 4

    talk(tmp_path, story)


def test_names_of_scenarios_side_by_side_are_apart(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS + TIGHT)
        ask = types.ReferenceParams(types.ReferenceContext(True), **editor.place("a.scenario", "m1| sent"))
        found = await editor.client.text_document_references_async(ask)
        assert found is not None and len(found) == 4

    talk(tmp_path, story)


def test_the_outline(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", DESK + WAITS.replace("approve m1 as go", "approve m1 as go oops"))
        found = await editor.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(editor.at("a.scenario"))
        )
        assert found is not None
        told = {one.name: [it.name for it in one.children or ()] for one in found if isinstance(one, types.DocumentSymbol)}
        assert told == {"desk": ["known"], "waits": ["order", "m1", "go"]}  # what is wrong hides nothing around it

    talk(tmp_path, story)


async def offered(editor: Editor, text: str) -> list[str]:
    """What is offered at the `|` in a text."""
    editor.change("a.scenario", text.replace("|", "", 1))
    line = text[: text.index("|")].count("\n")
    start = text.rfind("\n", 0, text.index("|")) + 1
    position = types.Position(line, len(text[start : text.index("|")].encode("utf-16-le")) // 2)
    found = await editor.client.text_document_completion_async(types.CompletionParams(editor.at("a.scenario"), position))
    assert isinstance(found, types.CompletionList)
    return [one.label for one in found.items]


def test_completion_offers_what_the_parser_accepts(tmp_path: Path) -> None:
    (tmp_path / "desk.rules").write_text(DESK, encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        statements = await offered(editor, WAITS.replace("approve m1 as go", "app|"))
        assert {"approve", "reject", "deliver", "crash", "jump", "hold"} <= set(statements)
        assert not {"scenario", "m1", "sent"} & set(statements)
        assert await offered(editor, WAITS.replace("approve m1 as go", "approve |")) == ["m1", "newest", "oldest"]
        assert await offered(editor, WAITS.replace("in order", "in o|")) == ["order"]
        assert set(await offered(editor, WAITS.replace("within 5 of go", "within 5 of |"))) == {"m1", "go"}
        assert set(await offered(editor, WAITS.replace("L2", "|"))) >= {f"L{n}" for n in range(7)}
        assert set(await offered(editor, USES.replace("rules   desk", "rules |"))) >= {"desk", "all"}
        assert set(await offered(editor, WAITS.replace("  conversation", "  posture |\n  conversation"))) >= set(POSTURES)
        assert set(await offered(editor, WAITS.replace("\n}\n", "\n  catches |\n}\n"))) >= set(FAULTY_SYSTEMS)
        assert await offered(editor, "|") == ["allow", "family", "import", "rules", "scenario", "skin"]

    talk(tmp_path, story)


def test_completion_goes_on_below_an_error(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        broken = WAITS.replace("deliver m1 in order", "delivre m1 in order").replace("approve m1 as go", "appr|")
        assert {"approve", "deliver"} <= set(await offered(editor, broken))
        broken = WAITS.replace("horizon 40", "horizon oops 40 )").replace("m1 sent exactly once within 5 of go", "m1 |")
        assert {"sent", "never", "abandoned"} <= set(await offered(editor, broken))

    talk(tmp_path, story)


def test_completion_is_silent_in_strings_and_comments(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        assert await offered(editor, "# scen|") == []
        assert await offered(editor, 'scenario a { title "ho| \n') == []
        assert await offered(editor, 'scenario a { title """ho\n|') == []

    talk(tmp_path, story)


def test_a_verified_repair_is_a_code_action(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", TIGHT)
        shown = await editor.diagnostics("a.scenario", lambda all: any(str(one.code)[:3] in ("WP4", "WP5") for one in all))
        place = editor.position("a.scenario", "m1 sent| exactly")
        ask = types.CodeActionParams(
            editor.at("a.scenario"), types.Range(place, place), types.CodeActionContext(diagnostics=shown)
        )
        (action,) = await editor.client.text_document_code_action_async(ask) or ()
        assert isinstance(action, types.CodeAction) and action.edit is not None and action.edit.changes is not None
        text = editor.applied("a.scenario", list(action.edit.changes[editor.uri("a.scenario")]))
        (scenario,) = compile_source(SourceFile("a.scenario", text)).scenarios
        assert scenario.bundle is not None and verify(scenario.bundle).verdict == "well-posed"
        assert action.diagnostics and action.diagnostics[0].code in {one.code for one in shown}
        editor.change("a.scenario", WAITS)
        assert not await editor.client.text_document_code_action_async(ask)

    talk(tmp_path, story)


def test_deadlines_are_hinted(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", WAITS)
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        ask = types.InlayHintParams(editor.at("a.scenario"), whole)
        found = await editor.client.text_document_inlay_hint_async(ask)
        assert found is not None
        assert [one.label for one in found] == ["admission due by 5", "send due by 17"]
        lines = WAITS.split("\n")
        assert [lines[one.position.line][: one.position.character].strip() for one in found] == [
            "m1 admitted within 5",
            "m1 sent exactly once within 5 of go",
        ]
        editor.change("a.scenario", WAITS.replace("at 12", "at 14"))
        found = await editor.client.text_document_inlay_hint_async(ask)
        assert found is not None and [one.label for one in found][1:] == ["send due by 19"]
        # This approval waits for a draft: when it comes hangs on the run, and so does what counts from it.
        editor.change("a.scenario", WAITS.replace("at 12", "at 4 "))
        found = await editor.client.text_document_inlay_hint_async(ask)
        assert found is not None and [one.label for one in found] == ["admission due by 5"]

    talk(tmp_path, story)


def test_rename_changes_every_place_in_every_file(tmp_path: Path) -> None:
    (tmp_path / "desk.rules").write_text(DESK, encoding="utf-8")
    (tmp_path / "b.scenario").write_text(USES.replace("scenario waits", "scenario other"), encoding="utf-8")
    (tmp_path / "c.scenario").write_text(f"{DESK}\n{WAITS}", encoding="utf-8")

    async def story(editor: Editor) -> None:
        editor.open("a.scenario", USES)

        async def renamed(marked: str, new: str) -> types.WorkspaceEdit:
            edit = await editor.client.text_document_rename_async(
                types.RenameParams(new_name=new, **editor.place("a.scenario", marked))
            )
            assert edit is not None and edit.changes is not None
            return edit

        edit = await renamed("m1| sent", "m2")
        assert edit.changes is not None and edit.changes.keys() == {editor.uri("a.scenario")}
        text = editor.applied("a.scenario", list(edit.changes[editor.uri("a.scenario")]))
        assert text == USES.replace("m1", "m2")
        edit = await renamed("m1| sent", "at")
        assert edit.changes is not None
        text = editor.applied("a.scenario", list(edit.changes[editor.uri("a.scenario")]))
        assert text == USES.replace("m1", "`at`")
        edit = await renamed("rules   de|sk", "front")
        assert edit.changes is not None
        # What only has the same name, in a file that does not import this one, stays.
        assert {Path(one).name for one in edit.changes} == {"a.scenario", "b.scenario", "desk.rules"}
        for marked, new in (("m1| sent", "go"), ("m1| sent", "no good"), ("m1| sent", ""), ("L|2", "L3")):
            with pytest.raises(JsonRpcException, match="cannot be called|is a word of"):
                await renamed(marked, new)
        prepared = await editor.client.text_document_prepare_rename_async(
            types.PrepareRenameParams(**editor.place("a.scenario", "m1| sent"))
        )
        assert isinstance(prepared, types.Range) and editor.written("a.scenario", prepared) == "m1"
        assert (
            await editor.client.text_document_prepare_rename_async(
                types.PrepareRenameParams(**editor.place("a.scenario", "L|2"))
            )
            is None
        )

    talk(tmp_path, story)


def test_the_bounds_of_a_loop_do_not_know_its_variable() -> None:
    text = FAMILY.replace("for n in 1..2 {\n    at", "for n in 1..n {\n    at")
    file, _ = parse_tolerantly(SourceFile("a.scenario", text))
    bound = names_of(file, text).at(text.index("..n") + 2)
    assert bound is not None and (bound.name, bound.kind) == ("n", RECORD)


def test_parameters_loops_and_indices(tmp_path: Path) -> None:
    async def story(editor: Editor) -> None:
        editor.open("a.scenario", FAMILY)
        assert not [one for one in await editor.diagnostics("a.scenario") if one.severity == types.DiagnosticSeverity.Error]

        async def uses(marked: str) -> list[tuple[int, str]]:
            ask = types.ReferenceParams(types.ReferenceContext(True), **editor.place("a.scenario", marked))
            found = await editor.client.text_document_references_async(ask)
            assert found is not None
            return [(one.range.start.line + 1, editor.written("a.scenario", one.range)) for one in found]

        assert await uses("gap| + n") == [(1, "gap"), (2, "gap"), (15, "gap")]
        assert await uses("posture pos|ture") == [(1, "posture"), (5, "posture")]
        first, second = [(13, "n"), *[(14, "n")] * 3, *[(15, "n")] * 3], [(19, "n"), *[(20, "n")] * 2]
        assert await uses("at n| - 1") == first
        assert await uses("number {n|}") == first
        assert await uses("m[n|] sent") == second
        assert await uses("go|[n]\n    }") == [(15, "go"), (20, "go")]
        assert await uses("m|[n] sent") == [(14, "m"), (15, "m"), (20, "m")]
        edit = await editor.client.text_document_rename_async(
            types.RenameParams(new_name="k", **editor.place("a.scenario", "at n| - 1"))
        )
        assert edit is not None and edit.changes is not None
        text = editor.applied("a.scenario", list(edit.changes[editor.uri("a.scenario")]))
        before, after = (compile_source(SourceFile("a.scenario", one)).scenarios for one in (FAMILY, text))
        assert text.count("for k in") == 1 and len(before) == 4
        assert [one.bundle and one.bundle.raw for one in before] == [one.bundle and one.bundle.raw for one in after]
        told = await hovered(editor, "app|rove m[n]")
        assert MEANINGS[tree.Decide].text in told
        told = await hovered(editor, "m|[n] sent")
        assert "`m[1]` in `" in told and "`m[2]` in `" in told and "can end as: **sent " in told
        hints = await editor.client.text_document_inlay_hint_async(
            types.InlayHintParams(editor.at("a.scenario"), types.Range(types.Position(0, 0), types.Position(99, 0)))
        )
        assert hints is not None and [one.label for one in hints] == ["send due by 16..27"]

    talk(tmp_path, story)
