"""The README says what the tool does: its verbs and commands. Links of all pages lead somewhere; `tests/docs` runs examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from repository import ROOT, files

from wellposed.cli.main import VERBS

README = (ROOT / "README.md").read_text(encoding="utf-8")


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
