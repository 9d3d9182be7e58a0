"""`spec readings` and `explain` of a reading."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from wellposed.dsl.vocabulary import READINGS, SPEC
from wellposed.verifier.models import READING_TABLES

Command = Callable[..., Any]
TABLE = READING_TABLES[READINGS]


def _words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("terminal", "columns"), [("20", 72), ("72", 72), ("83", 83), ("500", 120)], ids=lambda value: str(value)
)
def test_text_is_filled_to_the_terminal(
    wellposed: Command, monkeypatch: pytest.MonkeyPatch, terminal: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", terminal)
    result = wellposed("spec", "readings")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert columns - 20 < max(map(len, lines)) <= columns
    assert not any(line != line.rstrip() for line in lines)
    assert "\x1b" not in result.out


def test_text_has_every_row_in_order(wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = wellposed("spec", "readings").out.splitlines()
    start = max(len(reading.id) for reading in TABLE) + 2
    assert [line.split()[0] for line in lines[3:] if line[:1] not in ("", " ")] == [reading.id for reading in TABLE]
    said = _words(" ".join(line[start:] for line in lines))
    for reading in TABLE:
        paragraphs = [reading.question, reading.answer, f"Source: {reading.source}."]
        paragraphs[2:2] = [f"Why: {reading.why}"] if reading.why else []
        paragraphs += [f"Or {one.id}: {one.text}" for one in reading.alternatives]
        assert _words(" ".join(paragraphs)) in said


def test_json(wellposed: Command) -> None:
    result = wellposed("spec", "readings", "--format", "json")
    assert (result.status, result.err) == (0, "")
    document = json.loads(result.out)
    assert list(document) == ["format", "spec", "readings", "table"]
    assert (document["format"], document["spec"], document["readings"]) == ("wellposed-readings/1", SPEC, READINGS)
    members = ["id", "topic", "question", "answer", "why", "source", "places", "hazards", "alternatives"]
    for row, reading in zip(document["table"], TABLE, strict=True):
        assert list(row) == members
        for name in members[:-1]:
            value = getattr(reading, name)
            assert row[name] == (list(value) if isinstance(value, tuple) else value or None)
        assert row["alternatives"] == [{"id": one.id, "text": one.text} for one in reading.alternatives]


def test_explain(wellposed: Command) -> None:
    for reading in TABLE:
        result = wellposed("explain", reading.id)
        assert (result.status, result.err) == (0, "")
        assert _words(result.out).startswith(_words(f"{reading.id} (reading): {reading.question} {reading.answer} "))
        assert f"Source: {reading.source}." in _words(result.out)
        for alternative in reading.alternatives:
            assert wellposed("explain", alternative.id).out == result.out
            assert f"Or {alternative.id}: {alternative.text}" in _words(result.out)


def test_a_code_and_a_reading_together(wellposed: Command) -> None:
    out = wellposed("explain", "wp001", "Reply-Clock").out
    assert out.startswith("WP001 internal-error") and "\n\nreply-clock (reading): " in out


def test_explain_knows_which_reading_was_meant(wellposed: Command) -> None:
    result = wellposed("explain", "replyclock")
    assert (result.status, result.out) == (2, "")
    assert result.err == "wellposed: unknown code 'replyclock'; did you mean reply-clock, send-clock?\n"
