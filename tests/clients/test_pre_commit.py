"""`pre-commit try-repo` installs the hooks from a clone of this repository and runs them in another one."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from tests.clients.install_desk import BIN, FOLDER
from tests.clients.snapshot import take
from tests.hostile.inputs import GOOD
from tests.hostile.logs import repository

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(
        not FOLDER.exists() and "CI" not in os.environ, reason="the programs of a reviewer's desk are not installed"
    ),
]


def test_the_hooks(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "good.scenario").write_text(GOOD.replace("  level L6", "  level  L6"), encoding="utf-8")
    race = GOOD.replace("scenario good", "scenario race").replace("at 12 escalate", "at 13 escalate")
    (work / "race.scenario").write_text(race, encoding="utf-8")
    repository(work)
    take(tmp_path / "hooks")
    repository(tmp_path / "hooks")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    }
    command = [
        str(BIN / "pre-commit"),
        "try-repo",
        str(tmp_path / "hooks"),
        "--all-files",
        "--verbose",
        "--color",
        "never",
    ]
    run = subprocess.run(command, cwd=work, check=False, capture_output=True, text=True, env=environment, timeout=170)
    told = dict(re.findall(r"(?m)^(.+?)\.{3,}(Passed|Failed|\(no files to check\)Skipped)$", run.stdout))
    assert told == {
        "scenarios are well-posed": "Failed",
        "scenarios are laid out in the canonical way": "Failed",
        "no sealed scenario is committed": "Passed",
    }, run.stdout + run.stderr
    assert run.returncode == 1
    assert "race.scenario:" in run.stdout and run.stdout.count("error[WP") == 1 and "WP501" in run.stdout
    assert "files were modified by this hook" in run.stdout
    assert "level   L6" in (work / "good.scenario").read_text(encoding="utf-8")
