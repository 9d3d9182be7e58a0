"""Whole outputs as files: one folder per case in `expected/`, with its inputs and what each format says about them.

`UPDATE_EXPECTED=1` writes what came out; the difference belongs to the review.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli._version import __version__

CASES = Path(__file__).parent / "expected"
# How each case is called, and the name of the file that holds the outcome.
CALLS = [
    *(
        (case, "check .", "text")
        for case in ("ambiguous", "unsatisfiable", "vacuous", "clean", "rejected", "broken", "hostile")
    ),
    ("undecided", "check --budget 1 .", "text"),
    ("bundle", "check race.json", "text"),
    ("ambiguous", "check .", "json"),
    ("unsatisfiable", "check .", "json"),
    ("rejected", "check .", "json"),
    ("broken", "check .", "json"),
    ("broken", "check .", "concise"),
    ("hostile", "check .", "json"),
    ("hostile", "check .", "concise"),
    ("bundle", "check race.json", "json"),
    ("clean", "check .", "concise"),
    ("clean", "check -v .", "text-verbose"),
    ("rejected", "check -q .", "text-quiet"),
    ("ambiguous", "check --color always .", "text-color"),
]


@pytest.mark.parametrize(("case", "command", "name"), CALLS, ids=lambda value: str(value))
def test_output(
    case: str, command: str, name: str, wellposed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(CASES / case)
    result = wellposed(*shlex.split(command), "--format", name.partition("-")[0])
    out: str = result.out
    if name == "json":
        json.loads(out)
    text = out.replace(f'"version": "{__version__}"', '"version": "VERSION"')
    text += f"exit status {result.status}\n" if name != "json" else ""
    assert result.err == ""
    golden = CASES / case / f"expected.{name}"
    if os.environ.get("UPDATE_EXPECTED"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_bytes().decode()
