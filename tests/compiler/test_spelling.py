"""Whatever is spelt is read back: ids, strings, long strings, and no output looks like a command or hides a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.compiler.documents import IDS, TEXTS

from wellposed.cli.render.escape import defuse
from wellposed.compiler import spelling
from wellposed.dsl import tree
from wellposed.dsl.grammar import load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile, is_invisible


def _parsed(text: str) -> tree.File:
    file, findings = parse(SourceFile("x.scenario", text))
    assert file is not None, (findings, text)
    return file


def _only(text: str) -> tree.Scenario:
    (scenario,) = _parsed(text).declarations
    assert isinstance(scenario, tree.Scenario)
    return scenario


def _pieces(text: tree.Text) -> list[str]:
    pieces = [""]
    for part in text.parts:
        if isinstance(part, str):
            pieces[-1] += part
        else:
            assert part.name == "anchor"
            pieces.append("")
    return pieces


@given(IDS)
def test_names(id: str) -> None:
    scenario = _only(f"scenario {spelling.name(id)} {{ level L0 }}")
    assert scenario.name.text == id


def test_every_word_of_the_language_needs_backquotes() -> None:
    words = [text for text in load().patterns.values() if text is not None and text[0].isalpha()]
    assert "at" in words and "work-item" in words
    for word in words:
        assert spelling.name(word) == f"`{word}`"


@pytest.mark.parametrize(
    ("id", "written"),
    [
        ("m1", "m1"),
        ("go-2", "go-2"),
        ("m.3", "`m.3`"),
        ("1a", "`1a`"),
        ("a--b", "`a--b`"),
        ("a-", "`a-`"),
        ("_", "`_`"),
    ],
)
def test_only_what_is_no_name_is_quoted(id: str, written: str) -> None:
    assert spelling.name(id) == written


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_strings(pieces: list[str]) -> None:
    written = spelling.string(pieces)
    scenario = _only(f"scenario s {{ title {written} }}")
    (title,) = scenario.headers
    assert isinstance(title.value, tree.Text)
    assert _pieces(title.value) == pieces
    _harmless(written)


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_long_strings(pieces: list[str]) -> None:
    first, *inner = spelling.lines(pieces)
    assert bool(inner) == any("\n" in piece for piece in pieces)
    text = "\n".join([f"  stub {{ reply c {first}", *(f"    {line}" if line else "" for line in inner)])
    scenario = _only(f"scenario s {{\n{text}\n}} }}")
    (stub,) = scenario.items
    assert isinstance(stub, tree.Stub)
    (reply,) = stub.lines
    assert isinstance(reply, tree.Reply)
    assert _pieces(reply.text) == pieces
    _harmless(text)


@given(TEXTS)
def test_literals(text: str) -> None:
    (rules,) = _parsed(f"rules r {{ admit a when body is {spelling.literal(text)} }}").declarations
    assert isinstance(rules, tree.Rules)
    (value,) = rules.rules[0].conditions[0].values
    assert isinstance(value, tree.Text)
    assert value.parts == ((text,) if text else ())
    _harmless(spelling.literal(text))


def _harmless(written: str) -> None:
    """No line ends in a space, hides a character, or is a command to whatever prints it."""
    assert defuse(written) == written
    for line in written.split("\n"):
        assert not any(map(is_invisible, line))
        assert not line.endswith((" ", "\t", "\r"))


@pytest.mark.parametrize(
    ("text", "anchor", "pieces"),
    [
        ("Where is ORD-1?", "ORD-1", ["Where is ", "?"]),
        ("ORD-1", "ORD-1", ["", ""]),
        ("Where is ORD-11?", "ORD-1", ["Where is ORD-11?"]),
        ("xORD-1", "ORD-1", ["xORD-1"]),
        ("#1 #12 #1", "#1", ["", " #12 ", ""]),
        ("a.b", ".", ["a", "b"]),
        ("aa", "", ["aa"]),
        ("aa", None, ["aa"]),
    ],
)
def test_an_anchor_is_found_as_a_word(text: str, anchor: str | None, pieces: list[str]) -> None:
    assert spelling.pieces(text, anchor) == pieces


def test_what_is_written() -> None:
    assert spelling.string(['a "b" \\ {c} { d }']) == r'"a \"b\" \\ \{c} { d }"'
    assert spelling.string(["Where is ", "?"]) == '"Where is {anchor}?"'
    assert spelling.string(["\u202e\u0301\x07"]) == r'"\u{202E}' + "\u0301" + r'\u{7}"'
    assert spelling.string(["\u0301"]) == r'"\u{301}"'
    assert spelling.literal("{c}") == '"{c}"'
    assert spelling.lines(["a\n\n b \n::c"]) == ['"""', "a", "", r" b\u{20}", r"\u{3A}:c", '"""']
    assert spelling.lines(['"""\n""""']) == ['"""', r"\"\"\"", r'\"\"\""', '"""']
