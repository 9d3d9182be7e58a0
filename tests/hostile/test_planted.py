"""Code, configuration and tricks of git that lie in the folder that is looked at: none of it is run, read or believed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hostile.inputs import GOOD
from tests.hostile.logs import GENESIS, repository

COMMAND = str(Path(sys.executable).with_name("wellposed"))
MODULES = [
    "sitecustomize",
    "usercustomize",
    "conftest",
    "json",
    "argparse",
    "wellposed",
    "lark",
    "rich",
    "jsonschema",
    "networkx",
    "site",
    "encodings",
    "os",
    "setup",
]
"""Modules that a careless start would take from the folder."""
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_", "WELLPOSED"))
}


def _run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, check=False, capture_output=True, text=True, env=ENVIRONMENT, timeout=120
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a good scenario, in which everything leaves a mark beside the folder when it is run."""
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "marks").mkdir()
    (work / "good.scenario").write_text(GOOD, encoding="utf-8")
    for name in MODULES:
        code = f"open({str(tmp_path / 'marks' / name)!r}, 'w').close()\n"
        (work / f"{name}.py").write_text(code, encoding="utf-8")
        (work / name).mkdir()
        (work / name / "__init__.py").write_text(code, encoding="utf-8")
    (work / "planted.pth").write_text(
        f"import pathlib; pathlib.Path({str(tmp_path / 'marks' / 'pth')!r}).touch()\n", encoding="utf-8"
    )
    (work / "setup.cfg").write_text("[options.entry_points]\nconsole_scripts =\n  x = wellposed:x\n", encoding="utf-8")
    return work


def _marks(folder: Path) -> list[str]:
    return os.listdir(folder.parent / "marks")


@pytest.mark.parametrize("start", [(COMMAND,), (sys.executable, "-P", "-m", "wellposed")], ids=["command", "module"])
def test_no_code_of_the_folder_is_run(folder: Path, start: tuple[str, ...]) -> None:
    for arguments in (
        ("check", "."),
        ("check", "good.scenario", "--format", "sarif"),
        ("mutants", "good.scenario"),
        ("fmt", "--check", "."),
    ):
        run = _run(folder, *start, *arguments)
        assert run.returncode == (arguments[0] == "fmt"), run.stderr
    assert _marks(folder) == []


@pytest.mark.parametrize(("name", "head"), [("wellposed.toml", ""), ("pyproject.toml", "[tool.wellposed]\n")])
def test_no_configuration_of_the_folder_changes_a_verdict(folder: Path, name: str, head: str) -> None:
    (folder / "good.scenario").write_text(GOOD.replace("at 12 escalate", "at 13 escalate"), encoding="utf-8")
    (folder / name).write_text(f'{head}format = "json"\nvolume = "quiet"\n', encoding="utf-8")
    run = _run(folder, COMMAND, "check", "good.scenario")
    assert (run.returncode, [one["verdict"] for one in json.loads(run.stdout)["scenarios"]]) == (1, ["ambiguous"])
    for setting in ('allow = ["WP501"]', "budget = 1", 'deny = "none"', 'output-file = "x"'):
        (folder / name).write_text(f"{head}{setting}\n", encoding="utf-8")
        run = _run(folder, COMMAND, "check", "good.scenario")
        assert run.returncode == 2 and "WP009" in run.stderr
    assert not (folder / "x").exists()


SETTINGS = """
[core]
	fsmonitor = touch {mark}
	hooksPath = {hooks}
	pager = touch {mark}
	sshCommand = touch {mark}
[alias]
	cat-file = !touch {mark}
	rev-parse = !touch {mark}
[pager]
	log = touch {mark}
[diff "x"]
	textconv = touch {mark}
[filter "x"]
	clean = touch {mark}
	smudge = touch {mark}
[include]
	path = {include}
"""


def test_no_setting_of_a_repository_runs_anything(folder: Path) -> None:
    (folder / "reserve").mkdir()
    (folder / "reserve" / "ledger.jsonl").write_bytes(GENESIS)
    repository(folder)
    (folder / ".gitattributes").write_text(
        "* diff=x filter=x ident text eol=crlf working-tree-encoding=UTF-16LE\n", encoding="utf-8"
    )
    mark, hooks, include = folder.parent / "marks" / "git", folder.parent / "hooks", folder.parent / "include"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "pre-commit", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
        (hooks / name).chmod(0o755)
    include.write_text(f"[core]\n\tfsmonitor = touch {mark}\n", encoding="utf-8")
    with open(folder / ".git" / "config", "a", encoding="utf-8") as config:
        config.write(SETTINGS.format(mark=mark, hooks=hooks, include=include))
    for arguments in (("verify",), ("status",), ("audit",), ("audit", "--history")):
        run = _run(folder, COMMAND, "reserve", *arguments, "--format", "json")
        assert run.returncode in (0, 1), (arguments, run.stderr)
    run = _run(folder, COMMAND, "pr", "--base", "HEAD", "--head", "HEAD", "--format", "json")
    assert run.returncode in (0, 2) and "WP001" not in run.stdout
    assert _marks(folder) == []


def test_a_bare_repository_inside_is_not_entered(folder: Path) -> None:
    (folder / "reserve").mkdir()
    (folder / "reserve" / "ledger.jsonl").write_bytes(GENESIS)
    repository(folder)
    inner = folder / "reserve" / "inner"
    subprocess.run(["git", "init", "-q", "--bare", str(inner)], check=True, env=ENVIRONMENT)
    with open(inner / "config", "a", encoding="utf-8") as config:
        config.write(f"[core]\n\tfsmonitor = touch {folder.parent / 'marks' / 'git'}\n")
    for arguments in (
        ("reserve", "audit", "--repo", str(inner)),
        ("reserve", "verify", "--repo", str(inner)),
        ("pr", "--base", "HEAD", "--repo", str(inner)),
    ):
        run = _run(inner, COMMAND, *arguments, "--format", "json")
        assert run.returncode in (0, 1, 2) and "WP001" not in run.stdout
    assert _marks(folder) == []


def _verified(folder: Path) -> dict[str, object]:
    told: dict[str, object] = json.loads(
        _run(folder, COMMAND, "reserve", "verify", "--as-of", "2026-01-10", "--format", "json").stdout
    )
    return told


def test_replaced_objects_are_not_believed(folder: Path) -> None:
    """A replace ref shows another ledger to git; here it is told, and changes nothing else."""
    (folder / "reserve").mkdir()
    (folder / "reserve" / "ledger.jsonl").write_bytes(GENESIS)
    repository(folder)
    before = _verified(folder)
    blob = subprocess.run(
        ["git", "rev-parse", "HEAD:reserve/ledger.jsonl"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()
    (folder.parent / "other").write_bytes(GENESIS.replace(b"A reserve", b"A revenge"))
    stored = subprocess.run(
        ["git", "hash-object", "-w", str(folder.parent / "other")],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    subprocess.run(["git", "replace", blob, stored.stdout.strip()], cwd=folder, check=True)
    after = _verified(folder)
    assert after.pop("findings") and not before.pop("findings")
    assert after == before
