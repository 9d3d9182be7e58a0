"""Every marked block of the README and of docs/*.md is real: files are checked by the tool, outputs are what it prints."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from pages import PAGES, blocks, examples, outputs, write_examples

WITH_EXAMPLES = [name for name in PAGES if examples(name)]
WITHOUT_UNMARKED_BLOCKS = ("docs/language.md", "docs/model.md")


def run(folder: Path, *arguments: str) -> str:
    command = [str(Path(sys.executable).with_name("wellposed")), *arguments]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True).stdout


@pytest.fixture
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with the examples of the page that the test is about."""
    write_examples(request.getfixturevalue("name"), tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_well_posed_unless_they_say_otherwise(name: str, folder: Path) -> None:
    """Otherwise: `rejected` in the scenario, or an output of the page that shows what is wrong."""
    report: dict[str, Any] = json.loads(run(folder, "check", "--format", "json", "."))
    shown = {word for command in outputs(name) for word in shlex.split(command)}
    scenarios = {one["source"]: one for one in report["scenarios"] if one["source"] not in shown or one["rejected"]}
    wrong = {
        source: one["verdict"]
        for source, one in scenarios.items()
        if not (one["rejected"]["holds"] if one["rejected"] else one["verdict"] == "well-posed")
    }
    findings = [
        (one["path"], one["code"], one["message"])
        for one in report["findings"]
        if one["severity"] != "note" and not one["suppressed"] and one["path"] not in shown
    ]
    assert (wrong, findings) == ({}, [])
    assert {one["source"] for one in report["scenarios"]} == {
        path for path in examples(name) if path.endswith(".scenario")
    }


@pytest.mark.parametrize(("name", "command"), [(name, command) for name in PAGES for command in outputs(name)])
def test_outputs_are_what_the_command_prints(name: str, command: str, folder: Path) -> None:
    printed = ""
    for part in command.split(" && "):
        program, *arguments = shlex.split(part)
        assert program == "wellposed"
        printed = run(folder, *arguments)
    assert printed == outputs(name)[command]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_imported_examples_are_used(name: str) -> None:
    """A rules or skin file is only looked at where a scenario imports it."""
    imported = set(re.findall(r'^import "(.+)"$', "\n".join(examples(name).values()), re.MULTILINE))
    assert {path for path in examples(name) if PurePosixPath(path).suffix in (".rules", ".skin")} == imported


@pytest.mark.parametrize("name", WITHOUT_UNMARKED_BLOCKS)
def test_every_block_is_marked(name: str) -> None:
    assert [block.text for block in blocks(name) if not block.kind] == []


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_no_mark_is_given_twice(name: str) -> None:
    marks = [(block.kind, block.of) for block in blocks(name) if block.kind]
    assert len(marks) == len(set(marks))


def _misplaced(text: str) -> Iterator[str]:
    """Lines that are not indented by two spaces per open brace, and those with more than a statement or a claim."""
    depth = 0
    # The lines of a string in triple quotes are indented as their author likes.
    text = re.sub(r'""".*?"""', '""', text, flags=re.DOTALL)
    for line in text.splitlines():
        outside = re.sub(r'"(?:[^"\\]|\\.)*"|#.*', "", line)
        closes_first = outside.strip().startswith("}")
        if line and (line != line.rstrip() or len(line) - len(line.lstrip()) != 2 * (depth - closes_first)):
            yield line
        depth += outside.count("{") - outside.count("}")
        if re.match(r" *(at|when|expect|rules|skin|conversation|scenario)\b.*\{.*\}", outside):
            yield line


@pytest.mark.parametrize("name", WITHOUT_UNMARKED_BLOCKS)
def test_examples_are_laid_out_alike(name: str) -> None:
    assert [line for text in examples(name).values() for line in _misplaced(text)] == []
