"""Every row of the table of codes, through the whole tool: the bad example raises its code alone, the good one none."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.claims import examples as claims_examples
from tests.judge import examples as judge_examples
from tests.pr import examples as pr_examples
from tests.reserve import examples as reserve_examples

from wellposed.dsl.codes import TABLE, Code, Example
from wellposed.dsl.findings import Severity

# A fault of the tool, and one that no scenario that can be written is known to have.
WITHOUT_EXAMPLE = {"WP001", "WP402"}


def _write_files(folder: Path, text: str) -> None:
    """`#: name` begins each file of an example of kind "files" or "fixture"."""
    for part in text.split("#: ")[1:]:
        name, _, content = part.partition("\n")
        path = folder / name.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def _command(row: Code, example: Example, folder: Path, run: Callable[..., Any]) -> list[str]:
    """Put the example into the folder and return the command line that looks at it."""
    match example.kind:
        case "command":
            return shlex.split(example.text)[1:]
        case "settings":
            (folder / "wellposed.toml").write_text(example.text)
            return ["check", "hello.scenario"]
        case "rules":
            (folder / "example.rules").write_bytes(example.raw)
            return ["check", "hello.scenario", "example.rules"]
        case "files":
            _write_files(folder / "empty", example.text)
            return ["check", "empty"]
        case "fixture":
            _write_files(folder / "fixture", example.text)
            return ["adopt", "fixture"]
        case "folder":
            run("build", "hello.scenario", "--out", "built")
            subprocess.run(["sh", "-c", example.text], cwd=folder / "built" / "hello", check=True, capture_output=True)
            if row.id == "WP755":
                return ["build", "hello.scenario", "--check", "built"]
            return ["bundle", "check", "built/hello"]
        case "bytes" | "bundle" if row.id.startswith("WP7"):
            (folder / "example.json").write_bytes(example.raw)
            if row.id == "WP760":
                return ["decompile", "example.json"]
            return ["check", "--no-verify", "example.json"]
        case "scenario" | "bytes" | "reread":
            (folder / "example.scenario").write_bytes(example.raw)
            return ["check", "example.scenario", *(["--readings"] if example.kind == "reread" else [])]
        case "claim":
            return claims_examples.prepare(example, folder)
        case "run":
            return judge_examples.prepare(example, folder, run)
        case kind if kind in pr_examples.KINDS:
            return pr_examples.prepare(example, folder)
        case kind if kind in reserve_examples.KINDS:
            return reserve_examples.prepare(example, folder)
        case _:
            raise AssertionError(f"an example of kind {example.kind}")


def _codes(row: Code, example: Example, folder: Path, run: Callable[..., Any]) -> set[str]:
    """The codes that come out; notes only where the row is one, since a good scenario may have some."""
    for left in ("race.scenario", "wellposed.toml"):
        (folder / left).unlink(missing_ok=True)
    command = _command(row, example, folder, run)
    result = run(*command, "--format", "json")
    out = result.out
    if "--output-file" in command:  # where it cannot be written, stderr has the code
        report = folder / command[command.index("--output-file") + 1]
        if not report.exists():
            return {code.id for code in TABLE if code.id in result.err}
        out = report.read_text()
    weights = {"error", "warning"} | ({"note"} if row.severity is Severity.NOTE else set())
    findings = [one for one in json.loads(out)["findings"] if not one["suppressed"]]
    return {one["code"] for one in findings if one["severity"] in weights}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_the_bad_example_raises_exactly_its_code(row: Code, folder: Path, wellposed: Callable[..., Any]) -> None:
    if row.id in WITHOUT_EXAMPLE:
        assert row.bad == Example("none", "")
        return
    assert _codes(row, row.bad, folder, wellposed) == {row.id}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_the_good_example_raises_none(row: Code, folder: Path, wellposed: Callable[..., Any]) -> None:
    assert _codes(row, row.good, folder, wellposed) == set()
    shutil.rmtree(folder / "built", ignore_errors=True)
