"""What editors are given to colour texts and to start the server: complete for every word of the grammar, and no more."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from tests.lsp.words import words
from tests.meta.repository import ROOT

from wellposed.cli._version import __version__
from wellposed.compiler.inputs import SOURCES

VSCODE = ROOT / "editors" / "vscode"
GRAMMAR = json.loads((VSCODE / "syntaxes" / "wellposed.tmLanguage.json").read_text(encoding="utf-8"))
MANIFEST = json.loads((VSCODE / "package.json").read_text(encoding="utf-8"))
VIM = (ROOT / "editors" / "neovim" / "syntax" / "wellposed.vim").read_text(encoding="utf-8")
SUFFIXES = [kind.value for kind in SOURCES]


def patterns(rules: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """The patterns in their order, as an editor tries them, with the scope of each."""
    for rule in rules:
        if "include" in rule:
            yield from patterns(GRAMMAR["repository"][rule["include"].removeprefix("#")]["patterns"])
        else:
            yield rule.get("match") or rule["begin"], rule["name"]


def scope(line: str, offset: int) -> str:
    """The scope of the first token that begins at an offset."""
    return next((name for pattern, name in patterns(GRAMMAR["patterns"]) if re.compile(pattern).match(line, offset)), "")


@pytest.mark.parametrize("word", words())
def test_every_word_of_the_grammar_is_coloured_as_one(word: str) -> None:
    assert re.match(r"keyword|storage", scope(f"  {word} x", 2)), word
    assert re.match(r"keyword|storage", scope(f"{{{word}}}", 1)), word
    for line in (f"a-{word} ", f"{word}-1 ", f"{word}s1 "):
        assert scope(line, 0) == "variable.other.wellposed", line


def test_nothing_else_is_coloured_as_a_word() -> None:
    listed = [one["match"] for one in GRAMMAR["repository"]["words"]["patterns"]]
    named = [word for pattern in listed for word in re.findall(r"(?<=[|:])[a-z][a-z-]*(?=[|)])", pattern)]
    assert sorted(named) == words()


def test_vim_has_the_same_words() -> None:
    named = [word for line in re.findall(r"^syntax keyword \w+ (.*)$", VIM, re.MULTILINE) for word in line.split()]
    named += re.findall(r"^syntax match wellposedRule /\\<(\w+)\\>/$", VIM, re.MULTILINE)
    assert sorted(word for word in named if not re.fullmatch(r"L\d", word)) == words()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# at 12", "comment"),
        ('"at 12"', "string"),
        ('"""at', "string.quoted.triple"),
        ("`at`", "variable.other.backquoted"),
        ("sender.messages", "support.variable.field"),
        ("12", "constant.numeric"),
        ("L2", "constant.language.level"),
        ("WP501", "support.constant.code"),
        ("m1", "variable.other.wellposed"),
        (">=", "keyword.operator"),
    ],
)
def test_what_is_no_word(text: str, expected: str) -> None:
    assert scope(text, 0).startswith(expected)


def test_every_editor_knows_the_suffixes_and_the_command() -> None:
    (language,) = MANIFEST["contributes"]["languages"]
    assert language["extensions"] == SUFFIXES
    assert MANIFEST["version"] == __version__
    for part in (MANIFEST["main"], language["configuration"], MANIFEST["contributes"]["grammars"][0]["path"]):
        assert (VSCODE / part).is_file()
    json.loads((VSCODE / language["configuration"]).read_text(encoding="utf-8"))
    command = MANIFEST["contributes"]["configuration"]["properties"]["wellposed.command"]["default"]
    helix = tomllib.loads((ROOT / "editors" / "helix" / "languages.toml").read_text(encoding="utf-8"))
    assert helix["language"][0]["file-types"] == [suffix.removeprefix(".") for suffix in SUFFIXES]
    server = helix["language-server"]["wellposed"]
    assert [server["command"], *server["args"]] == command
    folder = ROOT / "editors" / "neovim"
    assert ",".join(f"*{suffix}" for suffix in SUFFIXES) in (folder / "ftdetect" / "wellposed.vim").read_text("utf-8")
    assert ", ".join(f'"{word}"' for word in command) in (folder / "lua" / "wellposed" / "init.lua").read_text("utf-8")
