"""The same sources give the same bytes, hashes and reports under every Python that `make clients` found."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = sorted((ROOT / ".venv" / "clients").glob("py3.*/bin/wellposed"))

pytestmark = pytest.mark.clients


def _run(command: str, *arguments: str, check: bool = True) -> str:
    run = subprocess.run(
        [command, *arguments],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={"LC_ALL": "C", "PYTHONHASHSEED": "random"},
    )
    assert not check or run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.mark.skipif(not ENVIRONMENTS, reason="no other Python on this machine")
@pytest.mark.parametrize("command", ENVIRONMENTS, ids=lambda path: path.parts[-3])
def test_the_library_gives_the_same_bytes(command: Path, tmp_path: Path) -> None:
    ours = str(Path(sys.executable).with_name("wellposed"))
    assert _run(str(command), "build", "scenarios", "--out", str(tmp_path / "theirs")) == _run(
        ours, "build", "scenarios", "--out", str(tmp_path / "ours")
    )
    names = [path.relative_to(tmp_path / "ours") for path in sorted((tmp_path / "ours").rglob("*")) if path.is_file()]
    assert names
    assert names == [
        path.relative_to(tmp_path / "theirs") for path in sorted((tmp_path / "theirs").rglob("*")) if path.is_file()
    ]
    for name in names:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name


@pytest.mark.skipif(not ENVIRONMENTS, reason="no other Python on this machine")
@pytest.mark.parametrize("command", ENVIRONMENTS, ids=lambda path: path.parts[-3])
@pytest.mark.parametrize(
    "arguments",
    [("check", "--format", "json", "scenarios", "examples"), ("check", "-v", "scenarios", "examples")],
    ids=" ".join,
)
def test_reports_are_the_same(command: Path, arguments: tuple[str, ...]) -> None:
    ours = str(Path(sys.executable).with_name("wellposed"))
    assert _run(str(command), *arguments, check=False) == _run(ours, *arguments, check=False)
