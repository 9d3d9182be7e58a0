"""The demonstration in `reserve/`: sealed, applied, revealed, and sound in every way that somebody can look at it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.reserve.sample import commit, git
from tests.reserve.test_tampering import SILENT, by_hand_in

from wellposed.reserve.verify import Options, verify

ROOT = Path(__file__).resolve().parents[2]


def test_the_files_are_sound() -> None:
    found = verify(Options(ROOT, None))
    assert found.findings == ()
    figures = found.figures
    assert (figures["sealed"], figures["revealed"], figures["results"], figures["unused"]) == (6, 6, 6, 0)
    assert any("6 outcomes judged again" in sentence for sentence in found.checked)


def test_an_outsider_s_clone_is_sound(tmp_path: Path) -> None:
    for name in ("reserve", "scenarios"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("wellposed", "__pycache__"))
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    assert verify(Options(tmp_path)).findings == ()
    assert by_hand_in(tmp_path)[0] == SILENT


def test_the_history_of_this_repository_is_sound() -> None:
    """Where the tests run in a clone, and the ledger is in its history."""
    listed = subprocess.run(
        ["git", "ls-tree", "HEAD", "reserve/ledger.jsonl"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode != 0 or not listed.stdout:
        pytest.skip("the ledger is not in the history of this folder")
    assert verify(Options(ROOT)).findings == ()
