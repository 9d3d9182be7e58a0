"""The page for reviewers: its pull request is made in a repository, and each of its commands is run there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from pages import page, write_examples

NAME = "docs/reviewing.md"
ENVIRONMENT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def _git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.test")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, env=ENVIRONMENT, capture_output=True)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The branch `main` with the scenario, and `pull-17` with the claim; the work tree has the repair as well."""
    folder = tmp_path_factory.mktemp("repository")
    write_examples(NAME, folder)
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "add", "scenarios/race.scenario")
    _git(folder, "commit", "-q", "-m", "the scenario")
    _git(folder, "switch", "-q", "-c", "pull-17")
    _git(folder, "add", "claims")
    _git(folder, "commit", "-q", "-m", "the claim")
    return folder


def _run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command)
    assert program == "wellposed"
    path = str(Path(sys.executable).with_name("wellposed"))
    return subprocess.run([path, *arguments], cwd=folder, check=False, capture_output=True, text=True, env=ENVIRONMENT)


def test_the_pull_request(repository: Path) -> None:
    (command, shown), *more = re.findall(
        r"^<!-- pull request: ([^\n]+) -->\n```text\n(.*?)^```$", page(NAME), re.MULTILINE | re.DOTALL
    )
    assert not more and f"\n{command}\n```" in page(NAME)
    run = _run(repository, command)
    told = run.stdout.partition("\n\ndetails\n")[0].splitlines()
    assert (run.returncode, [told[0], *told[2:]]) == (0, shown.splitlines())
    assert told[1].startswith("head ")


def test_every_command_in_the_text_can_be_run(repository: Path) -> None:
    commands = sorted(set(re.findall(r"`(wellposed [^`\n]+)`", page(NAME))))
    assert len(commands) > 5
    for command in commands:
        run = _run(repository, command)
        assert run.returncode in (0, 1) and run.stdout, (command, run.stderr)
