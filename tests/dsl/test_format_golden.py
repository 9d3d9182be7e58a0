"""Layouts as files: `before` as somebody wrote it, `after` as the formatter lays it out, one folder per subject.

`UPDATE_EXPECTED=1` writes what came out; the difference belongs to the review.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile

CASES = sorted((Path(__file__).parent / "expected").glob("*/before.*"))


def laid_out(path: str, text: str) -> str:
    formatted, findings = format_source(SourceFile(path, text))
    assert findings == ()
    assert formatted is not None
    return formatted


@pytest.mark.parametrize("before", CASES, ids=lambda path: path.parent.name)
def test_layout(before: Path) -> None:
    after = before.with_stem("after")
    text = laid_out(before.name, before.read_bytes().decode())
    if os.environ.get("UPDATE_EXPECTED"):
        after.write_text(text, encoding="utf-8", newline="\n")
    assert text == after.read_bytes().decode()
    assert laid_out(after.name, text) == text
    assert text != before.read_bytes().decode()


@pytest.mark.parametrize("before", CASES, ids=lambda path: path.parent.name)
def test_line_ends_change_nothing(before: Path) -> None:
    text = before.read_bytes().decode()
    assert laid_out(before.name, text.replace("\n", "\r\n")) == laid_out(before.name, text)
