"""The shapes of lines and manifests, and the JSON Schemas that are shipped for them."""

from __future__ import annotations

import os

import pytest
from jsonschema import Draft202012Validator
from tests.reserve.forge import GENESIS, ZERO

from wellposed.compiler.canonical import pretty
from wellposed.compiler.schemas import FOLDER, load_schema, violations
from wellposed.reserve.shapes import BODIES, LINE, MANIFEST, faults, schemas


@pytest.mark.parametrize("name", sorted(schemas()))
def test_schemas_are_what_the_table_says(name: str) -> None:
    """UPDATE_EXPECTED=1 writes them."""
    text = pretty(schemas()[name]) + "\n"
    if os.environ.get("UPDATE_EXPECTED"):
        (FOLDER / f"{name}.json").write_text(text)
    assert (FOLDER / f"{name}.json").read_text() == text
    Draft202012Validator.check_schema(load_schema(name))


def test_a_line_has_every_type_and_no_other() -> None:
    assert set(LINE.cases) == set(BODIES) and len(BODIES) == 9


GOOD = {"format": "reserve-ledger/1", "seq": 0, "prev": ZERO, **GENESIS}


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("seq", -1), ("seq", "0"), ("seq", True), ("prev", ZERO.upper()), ("prev", ZERO + "\n"), ("t", "2026-01-01"),
        ("t", "2026-13-01T00:00:00Z"), ("t", "2026-01-01T24:00:00Z"), ("t", "2026-01-01T00:00:00Z\n"), ("type", "Genesis"),
        ("format", "reserve-ledger/2"), ("body", None), ("body", {}), ("more", 1),
    ],
)  # fmt: skip
def test_checker_and_schema_refuse_the_same(member: str, value: object) -> None:
    assert faults(LINE, GOOD) == [] and list(violations("reserve-ledger", GOOD)) == []
    changed = {**GOOD, member: value}
    assert faults(LINE, changed) != []
    assert list(violations("reserve-ledger", changed)) != []


def test_a_manifest_names_all_files_of_a_run() -> None:
    run = {"files": {}, "outcome": {"L0": "pass"}, "forced_advances": 0}
    told = faults(MANIFEST, {"runs": [run]})
    assert any("inbox.jsonl" in sentence for sentence in told)
