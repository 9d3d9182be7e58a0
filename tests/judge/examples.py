"""What the examples of kind `run` stand in: five conforming runs of `hello.scenario`, and the same as a submission."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.judge.runs import Act, admit, bundle_of, call, claim, draft, files_of, note, resolve, send

from wellposed.dsl.codes import Example

DISCLOSURE = """# hello

## Async intake
It polls the inbox at every tick.

## Contextual admission
It evaluates the rules when a message arrives.

## Irreversible effects
It looks into the outbox before it sends.

## Continuity
It derives its state from its logs.

## Observable operation
It writes a snapshot at the end of each tick.

## Known gaps
None known.
"""


def acts() -> list[Act]:
    """The records of a system that answers m1, drafts again for nothing, and tells of it."""
    return [
        call(0, "call-1"),
        admit(0, "m1"),
        claim(0, "m1", "a1", "won"),
        call(1, "call-2"),
        draft(1, "m1", origin=["call-1"]),
        draft(2, "m1", "Noted, again.", 2, origin=["call-2"]),
        send(3, "m1"),
        note(3),
        resolve(4, "m1"),
        note(5),
    ]


def write_runs(folder: Path) -> None:
    """The runs and the submission."""
    bundle = bundle_of((folder / "hello.scenario").read_text())
    submission = folder / "submission"
    for number in range(1, 6):
        run = files_of(bundle, [*acts(), note(6, attempt=number)]).put(folder / f"run.{number}")
        shutil.copytree(run, submission / "logs" / "hello" / run.name)
    (submission / "logs" / "hello" / "bundle.json").write_bytes(bundle.raw)
    for name, text in (
        ("implementation/main.py", "print('hello')\n\n# done\n"),
        ("adapters/rules/translate.py", "RULES = []\n"),
        ("disclosure.md", DISCLOSURE),
    ):
        path = submission / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    manifest = {"format": "wellposed-submission/1", "system": "hello", "attempts": ["L0"], "development_hours": 3}
    (submission / "submission.json").write_text(json.dumps(manifest, separators=(",", ":")))


def prepare(example: Example, folder: Path, run: Callable[..., Any]) -> list[str]:
    """Write what the example stands in, do what it does but for the last command, and return that one."""
    write_runs(folder)
    *before, last = example.text.strip().split("\n")
    for line in before:
        if line.startswith("wellposed "):
            assert run(*shlex.split(line)[1:]).status == 0, line
        else:
            subprocess.run(["sh", "-c", line], cwd=folder, check=True, capture_output=True)
    return shlex.split(last)[1:]
