"""The README says what the tool does: its example, its verbs, its exit statuses, and links that lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT, files

from wellposed.cli.main import VERBS

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _block(marker: str) -> str:
    match = re.search(rf"<!-- {re.escape(marker)} -->\n```\w*\n(.*?)```\n", README, re.DOTALL)
    assert match is not None, marker
    return match.group(1)


def test_the_example_is_real(tmp_path: Path) -> None:
    (tmp_path / "race.scenario").write_text(_block("example: race.scenario"))
    command = [str(Path(sys.executable).with_name("wellposed")), "check", "race.scenario"]
    run = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert run.stdout == _block("output: wellposed check race.scenario")


def test_every_verb_is_in_the_table() -> None:
    for verb in VERBS:
        assert f"| `wellposed {verb}" in README


def test_the_two_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in ("setup", "check", "test", "test-slow", "clients", "bench"):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    assert "make check" in README and "make test" in README


@pytest.mark.parametrize("page", [path for path in files() if path.suffix == ".md"], ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)\)", text):
        if not target.startswith(("http:", "https:")):
            assert (page.parent / target).exists(), target
