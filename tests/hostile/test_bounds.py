"""Every bound of the table has its code, is reached, lets a larger input pass where it is raised, and stands in docs/reviewing.md."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hostile.bounds import BOUNDS
from tests.hostile.children import Children
from tests.hostile.inputs import GOOD
from tests.hostile.valid import faults
from tests.meta.repository import ROOT

from wellposed.compiler.limits import LIMITS
from wellposed.dsl.codes import BY_ID

REACHED = [name for name, bound in BOUNDS.items() if bound.put is not None]
# As an edit of the table would: before any other module has taken a value from it.
RAISED = """
import sys
from wellposed.compiler import limits
object.__setattr__(limits.LIMITS, sys.argv[1], 10 * getattr(limits.LIMITS, sys.argv[1]))
from wellposed.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def test_every_bound_is_here_and_on_the_page() -> None:
    fields = [field.name for field in dataclasses.fields(LIMITS)]
    assert list(BOUNDS) == fields
    assert all(bound.code in BY_ID for bound in BOUNDS.values() if bound.code)
    page = (ROOT / "docs" / "reviewing.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(\w+)`[^|]*\| ([\d,]+) \| (?:\[(WP\d{3})\]\(codes/WP\d{3}\.md\)|-) \| [^|]+ \|$", page)
    expected = [(name, f"{getattr(LIMITS, name):,}", BOUNDS[name].code or "") for name in fields]
    assert rows == expected


def _codes(text: str) -> set[str]:
    return {one["code"] for one in json.loads(text)["findings"]}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if BOUNDS[name].heavy else ()) for name in REACHED]
)
def test_a_bound_is_reached(children: Children, tmp_path: Path, name: str) -> None:
    bound = BOUNDS[name]
    assert bound.put is not None
    (tmp_path / "good.scenario").write_text(GOOD, encoding="utf-8")
    bound.put(tmp_path)
    child = children.run(tmp_path, [(*bound.command, "--format", "json")])
    assert child.signal is None
    (said,) = child.said
    assert faults(said) == []
    assert bound.code in _codes(said.out)


RAISABLE = ("text_length", "folder_depth", "imports", "path_length", "id_length", "expanded_id_length")
"""Bounds of which ten times as much is still a small input."""


@pytest.mark.slow
@pytest.mark.parametrize("name", RAISABLE)
def test_a_bound_that_is_raised_lets_the_input_pass(tmp_path: Path, name: str) -> None:
    bound = BOUNDS[name]
    assert bound.put is not None
    bound.put(tmp_path)
    command = [sys.executable, "-P", "-c", RAISED, name, *bound.command, "--no-verify", "--format", "json"]
    run = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert bound.code not in _codes(run.stdout), run.stderr
