"""Whole outputs as files: one folder per case in `expected/`, with its inputs and what each format says about them.

`UPDATE_EXPECTED=1` writes what came out; the difference belongs to the review.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from wellposed.cli._version import __version__

CASES = Path(__file__).parent / "expected"
# How each case is called; inputs are whatever stands in its folder.
COMMANDS = {
    "ambiguous": "check .",
    "unsatisfiable": "check .",
    "vacuous": "check .",
    "clean": "check .",
    "rejected": "check .",
    "undecided": "check --budget 1 .",
    "broken": "check .",
    "hostile": "check .",
    "bundle": "check race.json",
}
CALLS = [
    *((name, command, "text") for name, command in COMMANDS.items()),
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
    case: str, command: str, name: str, wellposed: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(CASES / case)
    result = wellposed(*shlex.split(command), "--format", name.partition("-")[0])
    out: str = result.out  # type: ignore[attr-defined]
    if name == "json":
        json.loads(out)
    text = out.replace(f'"version": "{__version__}"', '"version": "VERSION"')
    text += f"exit status {result.status}\n" if name != "json" else ""  # type: ignore[attr-defined]
    assert result.err == ""  # type: ignore[attr-defined]
    golden = CASES / case / f"expected.{name}"
    if os.environ.get("UPDATE_EXPECTED"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_bytes().decode()
