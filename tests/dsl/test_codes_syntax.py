"""The rows of WP1xx: the bad example raises exactly its code, the good one none, and every code has a row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wellposed.dsl.parser
from wellposed.dsl.codes.row import Code, Example
from wellposed.dsl.codes.syntax import ROWS
from wellposed.dsl.findings import Severity
from wellposed.dsl.parser import parse
from wellposed.dsl.source import read_source


def codes(example: Example) -> list[str]:
    source, findings = read_source("example.rules" if example.kind == "rules" else "example.scenario", example.raw)
    if source is not None:
        _, findings = parse(source)
    return [finding.code for finding in findings]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_examples(row: Code) -> None:
    assert codes(row.bad) == [row.id]
    assert codes(row.good) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_all_are_errors_and_told_in_full(row: Code) -> None:
    assert row.severity is Severity.ERROR
    assert row.id.startswith("WP1")
    assert len(row.explanation) > 80
    assert row.explanation.endswith(".")
    assert not row.title.endswith(".")


def test_the_code_of_the_front_end_and_the_rows_name_the_same_codes() -> None:
    folder = Path(wellposed.dsl.parser.__file__).parent
    used = {code for path in folder.glob("*.py") for code in re.findall(r'"(WP1\d\d)"', path.read_text("utf-8"))}
    assert used == {row.id for row in ROWS}


@pytest.mark.parametrize("text", ["1", "'a'", "b'a' * b'b'", "f(b'a')", "b'a' - b'b'", "b'a' + 1", "x"])
def test_an_example_in_bytes_is_bytes(text: str) -> None:
    with pytest.raises(ValueError, match="kind `bytes`"):
        _ = Example("bytes", text).raw


def test_examples_in_bytes() -> None:
    assert Example("bytes", 'b"\\xff" + b"ab" * 2\n').raw == b"\xffabab"
    assert Example("scenario", "é").raw == b"\xc3\xa9"
