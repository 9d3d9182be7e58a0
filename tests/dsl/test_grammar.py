"""The grammar file: no conflicts, every word reserved, and the same language as lark runs from it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from wellposed.dsl import vocabulary
from wellposed.dsl.codes.syntax import ROWS
from wellposed.dsl.grammar import END, START_SYMBOLS, grammar_text, load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile
from wellposed.dsl.wording import RULES, TERMINALS, terminal_words

# Every word of the language.
WORDS = re.findall(
    r"\S+",
    """
    abandoned admit admitted after agent agrees allow anchor anchors and any approval approve as at because body by
    carries catches claims completed contains conversation crash deferred deliver distinct draft drafted effect effects else ends
    escalate exactly expect family for forge from hash hold horizon if import in invariants is jump kill level message
    never newest not of oldest on once only open or orphaned posture reassigned redeliver refuse reject rejected rejection
    release repeat reply rest rules scenario sent settle skin starts state stub subject then title to when with within
    work-item wrong
    """,
)

# What is checked beside the grammar.
BEYOND_GRAMMAR = {"WP106", "WP112", "WP113", "WP114", "WP115", "WP116", "WP117", "WP118", "WP119", "WP125", "WP127"}


@pytest.fixture(scope="module")
def strict() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",
        strict=True,
        propagate_positions=True,
        maybe_placeholders=False,
        start=START_SYMBOLS,
    )


def test_the_grammar_is_lalr_without_conflicts_or_colliding_terminals(strict: Lark) -> None:
    assert len(strict.rules) > 200


def test_every_word_is_reserved() -> None:
    words = {pattern for pattern in load().patterns.values() if pattern is not None and pattern[0].isalpha()}
    assert words == set(WORDS)


def test_words_of_closed_sets_that_are_names_stay_names() -> None:
    names = [
        *vocabulary.POSTURES,
        *vocabulary.VERDICTS,
        *vocabulary.FAULTY_SYSTEMS,
        "L0",
        "WP501",
        "all",
        "support-desk",
    ]
    assert not set(names) & set(WORDS)


@pytest.mark.parametrize("word", WORDS)
def test_no_word_is_a_name_and_every_word_with_more_is(word: str) -> None:
    def kinds(text: str) -> list[str]:
        return [token.type for token in load().tokens(text)]

    assert kinds(word) != ["NAME"]
    assert len(kinds(word)) == 1
    for name in (f"{word}-x", f"{word}1", f"{word}_", f"x-{word}", word.upper(), word.capitalize()):
        assert kinds(name) == ["NAME"]


def test_a_hyphen_joins_and_a_minus_between_spaces_subtracts() -> None:
    def tokens(text: str) -> list[tuple[str, str]]:
        return [(token.type, str(token)) for token in load().tokens(text)]

    assert tokens("i-1") == [("NAME", "i-1")]
    assert tokens("i - 1") == [("NAME", "i"), ("MINUS", "-"), ("NUMBER", "1")]
    assert tokens("i -1") == [("NAME", "i"), ("MINUS", "-"), ("NUMBER", "1")]
    assert tokens("i- 1") == [("NAME", "i"), ("MINUS", "-"), ("NUMBER", "1")]
    assert tokens("1-i") == [("NUMBER", "1"), ("MINUS", "-"), ("NAME", "i")]
    assert tokens("a--b") == [("NAME", "a"), ("MINUS", "-"), ("MINUS", "-"), ("NAME", "b")]
    assert tokens("1..20") == [("NUMBER", "1"), ("RANGE", ".."), ("NUMBER", "20")]


def test_the_lexer_has_a_token_for_every_character() -> None:
    every = "".join(map(chr, (*range(0x300), 0x202E, 0x4E2D, 0x1D11E)))
    assert "".join(map(str, load().tokens(every.replace("#", "")))) == re.sub(r"[ \t\r\n#]", "", every)


def test_the_table_accepts_what_lark_accepts(strict: Lark) -> None:
    for row in ROWS:
        for example in (row.bad, row.good):
            if example.kind == "bytes":
                continue
            try:
                strict.parse(example.text, start="file")
                accepted = True
            except UnexpectedInput:
                accepted = False
            _, findings = parse(SourceFile("a.scenario", example.text))
            assert accepted == all(finding.code in BEYOND_GRAMMAR for finding in findings), row.id


def test_every_terminal_has_wording() -> None:
    grammar = load()
    for terminal in (*grammar.patterns, END):
        words = terminal_words(grammar, terminal)
        assert words
        assert terminal == words.strip("`") or terminal not in words
    assert {name for name, pattern in grammar.patterns.items() if pattern is None} | {END} == set(TERMINALS)


def test_wording_is_of_rules_that_exist() -> None:
    assert set(RULES) <= set(load().first)


def test_importing_the_parser_builds_nothing_and_loads_little() -> None:
    program = (
        "import sys, wellposed.dsl.parser, wellposed.dsl.grammar as g\n"
        "assert g.load.cache_info().currsize == 0\n"
        "heavy = {'networkx', 'jsonschema', 'rich', 'yaml', 'pygls', 'regex', 'atomicwrites', 'asyncio', 'difflib'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
