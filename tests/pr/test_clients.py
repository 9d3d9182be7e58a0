"""The reports of all pull requests in the hands of others: SARIF through its schema and the multitool, JUnit through a parser."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.clients.install_desk import BIN, FOLDER
from tests.clients.test_reports import JUNIT, _schema_faults, _validated
from tests.pr.pulls import PULLS

from wellposed.cli.render import formats
from wellposed.cli.review.pull import Pull

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(not FOLDER.exists() and "CI" not in os.environ, reason="the programs of a reviewer's desk are not installed"),
]


def _written(format: str, folder: Path, reviewed: Callable[[str], Pull]) -> list[Path]:
    paths = []
    for one in PULLS:
        paths.append(folder / f"{one.name}.{format}")
        paths[-1].write_text(formats.render(format, reviewed(one.name).report), encoding="utf-8", newline="\n")
    return paths


def test_sarif(reviewed: Callable[[str], Pull], tmp_path: Path) -> None:
    paths = _written("sarif", tmp_path, reviewed)
    assert {path.stem: faults for path in paths if (faults := _schema_faults(json.loads(path.read_bytes())))} == {}
    assert {level for _, level in _validated(paths, tmp_path / "told.sarif")} <= {"warning"}


def test_junit(reviewed: Callable[[str], Pull], tmp_path: Path) -> None:
    paths = _written("junit", tmp_path, reviewed)
    run = subprocess.run([str(BIN / "python"), "-I", "-c", JUNIT, *map(str, paths)], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(run.stdout.splitlines()) == len(PULLS)
