"""The language page shows every word, statement, expectation, rule and skin word that there is."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any, get_args

from pages import codes, examples, page, table

from wellposed.compiler.limits import LIMITS
from wellposed.dsl import lexing, tree
from wellposed.dsl.grammar import load
from wellposed.dsl.parser import parse
from wellposed.dsl.source import MAX_SOURCE_BYTES, SourceFile
from wellposed.dsl.vocabulary import (
    FAULTY_SYSTEMS,
    MAX_HORIZON,
    MAX_INTEGER,
    NUMBER_FIELDS,
    NUMBER_OPERATORS,
    POSTURES,
    REASONS,
    SKIN_WORDS,
    TEXT_FIELDS,
    TEXT_OPERATORS,
    TRIGGERS,
)

NAME = "docs/language.md"
# Parts of the language that the page does not describe yet.
LATER: set[str] = set()


def nodes() -> Iterator[Any]:
    """Every node of the syntax trees of the page's examples."""
    waiting: list[Any] = []
    for path, text in examples(NAME).items():
        file, findings = parse(SourceFile(path, text))
        assert file is not None, findings
        waiting.append(file)
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(one)
        elif dataclasses.is_dataclass(one):
            yield one
            waiting.extend(getattr(one, field.name) for field in dataclasses.fields(one))


def test_the_words_are_those_of_the_grammar() -> None:
    listed = re.findall(r"`([^`]+)`", page(NAME).partition("<!-- words -->\n")[2].partition("\n\n")[0])
    words = {pattern for pattern in load().patterns.values() if pattern and re.fullmatch(r"[a-z-]*[a-z]", pattern)}
    assert listed == sorted(words)


def test_every_construct_has_an_example() -> None:
    shown = {type(node).__name__ for node in nodes()}
    kinds = (*get_args(tree.Statement), *get_args(tree.Claim), *get_args(tree.Item), *get_args(tree.Declaration))
    kinds = (*kinds, *get_args(tree.StubLine), tree.Allow, tree.For, tree.Range)
    assert {kind.__name__ for kind in kinds} - shown <= LATER


def test_every_form_of_a_construct_has_an_example() -> None:
    """Forms that share a node."""
    found = list(nodes())
    headers = {node.word for node in found if isinstance(node, tree.Header)}
    assert headers == {"title", "level", "horizon", "rules", "posture", "skin"}
    assert {node.decision for node in found if isinstance(node, tree.Decide)} == {"approve", "reject"}
    assert {node.draft for node in found if isinstance(node, tree.Decide)} == {"newest", "oldest"}
    for signal in (tree.Escalate, tree.KillAgentOf):
        assert {node.deferred for node in found if isinstance(node, signal)} == {False, True}
    assert {node.ordered for node in found if isinstance(node, tree.OnlySent)} == {False, True}
    repeated = {node.original.text for node in found if isinstance(node, tree.Repeat)}
    assert repeated >= {node.label.text for node in found if isinstance(node, tree.Escalate) and node.label} & {"stop"}
    assert {node.relative for node in found if isinstance(node, tree.Jump)} == {False, True}
    plain = {node.claim for node in found if isinstance(node, tree.Plain)}
    assert plain == {"not-admitted", "never-sent", "completed", "open", "reassigned-or-orphaned"}
    sent = {(node.once, node.within is None, node.anchor is None) for node in found if isinstance(node, tree.Sent)}
    assert sent >= {
        (False, True, True),
        (False, False, True),
        (False, False, False),
        (True, True, True),
        (True, False, False),
    }
    fields = {node.field.text for node in found if isinstance(node, tree.Condition)}
    assert fields >= {"from", "subject", "body", "conversation", "posture", *NUMBER_FIELDS}
    assert {node.effect for node in found if isinstance(node, tree.Rule)} == {"admit", "refuse"}
    assert {node.word.text for node in found if isinstance(node, tree.SkinEntry)} == set(SKIN_WORDS)


def test_the_tables_of_rules_are_complete() -> None:
    rows = {tuple(codes(row[0])): set(codes(row[2])) for row in table(NAME, "field")}
    assert rows[tuple(TEXT_FIELDS)] == {f"{word} […]" if word.endswith("in") else word for word in TEXT_OPERATORS}
    assert rows[NUMBER_FIELDS[0],] == set(NUMBER_OPERATORS)
    assert {field for row in rows for field in row} == {*TEXT_FIELDS, *NUMBER_FIELDS, "posture"}


def test_closed_lists_are_complete() -> None:
    for word in (*POSTURES, *REASONS, *TRIGGERS):
        assert f"`{word}`" in page(NAME) or f"`when MESSAGE {word}`" in page(NAME), word


def test_faulty_systems_are_those_of_the_program() -> None:
    listed = re.findall(r"`([^`]+)`", page(NAME).partition("<!-- systems -->\n")[2].partition("\n\n")[0])
    assert tuple(listed) == FAULTY_SYSTEMS


def test_limits_are_those_of_the_program() -> None:
    rows = {row[0]: row[1] for row in table(NAME, "what")}
    assert rows == {
        "a source file": f"{MAX_SOURCE_BYTES // 2**20} MiB",
        "nesting of brackets": f"{lexing.MAX_BRACKETS}",
        "operators in one expression": f"{lexing.MAX_OPERATORS}",
        "nesting of `if`": f"{lexing.MAX_IFS}",
        "nesting of loops": f"{lexing.MAX_LOOPS}",
        "nesting of `any of`": "9",
        "files that one file imports, directly or not": f"{LIMITS.imports}",
        "a string, with its placeholders replaced": f"{LIMITS.text_length:,} characters",
        "an id with indices or values of parameters": f"{LIMITS.expanded_id_length} characters",
        "scenarios that the families of one file make": f"{LIMITS.scenarios:,}",
        "records that the loops and families of one file make": f"{LIMITS.records:,}",
        "entries of a schedule": f"{LIMITS.records:,}",
        "the horizon": f"{MAX_HORIZON:,}",
    }
    assert str(MAX_INTEGER) in page(NAME)
    assert f"at most {LIMITS.id_length} characters" in " ".join(page(NAME).split())
