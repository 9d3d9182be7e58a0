"""The verbs below `reserve`, as an operator, a submitter and an outsider use them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyrage
import pytest
import yaml
from tests.reserve.forge import sha
from tests.reserve.sample import ENVIRONMENT, RACE, Sample, commit, git
from tests.reserve.test_seal import FAMILY

from wellposed.cli.main import main
from wellposed.reserve.dates import stamp

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = str(Path(sys.executable).with_name("wellposed"))


class Result:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value

    @property
    def codes(self) -> set[str]:
        return {one["code"] for one in self.json["findings"]}


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> Result:
        capsys.readouterr()
        status = main(["reserve", *arguments])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Result(status, captured.out, captured.err)

    return call


@pytest.fixture
def inside(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> Sample:
    monkeypatch.chdir(sample.repo)
    return sample


def test_verify_says_what_it_checked_and_what_not(inside: Sample, run: Run) -> None:
    said = run("verify")
    assert said.status == 0
    blocks = said.out.split("\n\n")
    assert [block.split("\n")[0].split()[0] for block in blocks] == ["checked", "not", "cannot", "batch", "5"]
    assert "10 lines in commit" in said.out
    assert "rests on the operator's word" in said.out
    head = sha(inside.ledger.read_bytes().splitlines()[-1])
    assert re.search(rf"^reserve-checkpoint/1 [0-9a-f]{{32}} 9 {head}$", said.out, re.MULTILINE)


def test_verify_in_json_has_every_member(inside: Sample, run: Run) -> None:
    found = run("verify", "--format", "json").json
    assert list(found) == [
        "format", "tool", "verb", "revision", "ledger", "head", "as_of", "checked", "unchecked", "caveats", "figures",
        "forfeits", "batches", "anchors", "findings",
    ]  # fmt: skip
    assert found["format"] == "wellposed-reserve/1" and found["verb"] == "verify"
    assert found["figures"]["sealed"] == 5 and found["figures"]["revealed"] == 2
    assert [one["batch"] for one in found["batches"]] == ["first", "running", "next"]


@pytest.mark.parametrize("form", ["text", "concise", "json", "sarif", "github", "junit"])
def test_a_finding_is_told_in_every_format(form: str, inside: Sample, run: Run) -> None:
    inside.ledger.write_bytes(inside.ledger.read_bytes().replace(b"A reserve", b"a reserve"))
    commit(inside.repo)
    said = run("verify", "--format", form)
    assert said.status == 1
    assert "WP804" in said.out and "ledger.jsonl" in said.out


def test_exit_status_2_where_nothing_could_be_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    said = run("verify")
    assert said.status == 2 and "not a git repository" in said.err
    git(tmp_path, "init", "-q")
    assert run("verify").status == 2
    commit(tmp_path)
    said = run("verify")
    assert said.status == 1 and "WP809" in said.out
    assert run("verify", "--rev", "nothing").status == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "--since", "1"], ["verify", "--since", "1:sha256:12"], ["verify", "--as-of", "2026-02-30"], ["verify", "--as-of", "today"],
        ["verify", "--clone", "x"], ["seal", "x", "--store", "y", "--draw", "2"], ["seal", "x", "--store", "y", "--family", "z"],
        ["apply", "--announce"], ["apply", "--record", "x"], ["apply", "--void"], ["apply"], ["seal", "x"], ["publish", "x", "--batch", "b"], [],
    ],
)  # fmt: skip
def test_wrong_use_is_one_sentence(arguments: list[str], inside: Sample, run: Run) -> None:
    said = run(*arguments)
    assert said.status == 2
    assert said.err.count("\n") == 1 and said.out == ""


def test_a_checkpoint_is_read_as_it_was_printed(inside: Sample, run: Run) -> None:
    printed = run("verify").out.strip().splitlines()[-1]
    said = run("verify", "--since", printed)
    assert said.status == 0 and "is on this chain" in said.out
    assert "cut off the end" not in said.out
    assert run("status", "--since", printed).status == 0
    other = printed[:-1] + ("0" if printed[-1] != "0" else "1")
    said = run("verify", "--since", other)
    assert said.status == 1 and "WP807" in said.out


def test_a_clone_of_a_submission_is_looked_into(inside: Sample, run: Run) -> None:
    said = run("verify", "--clone", f"reference={inside.top / 'reference'}")
    assert said.status == 0 and "the frozen commit of reference is in the clone" in said.out
    said = run("verify", "--clone", f"reference={inside.repo}")
    assert "WP874" in said.out


def test_an_old_revision_and_another_folder(inside: Sample, run: Run) -> None:
    said = run("verify", "--rev", "HEAD~3", "--as-of", "2026-01-10")
    assert said.status == 0 and "2 lines in commit" in said.out
    git(inside.repo, "mv", "reserve", "kept")
    commit(inside.repo)
    assert run("verify").status == 1
    assert run("verify", "--folder", "kept").status == 0


def test_days_decide_what_is_due(inside: Sample, run: Run) -> None:
    assert run("verify", "--rev", "HEAD~2", "--as-of", "2026-01-20").status == 0
    late = run("verify", "--rev", "HEAD~2", "--as-of", "2026-01-21", "--format", "json")
    assert late.status == 1 and late.codes == {"WP846"}
    overdue = run("verify", "--rev", "HEAD~1", "--as-of", "2026-02-01", "--format", "json")
    assert overdue.codes == {"WP880"} and overdue.json["figures"]["overdue"] == 2


def test_status_reads_the_files_and_says_so(inside: Sample, run: Run) -> None:
    shutil.rmtree(inside.repo / ".git")
    said = run("status")
    assert said.status == 0
    assert "the history: these are the files of a folder" in said.out
    assert "written anew: give a checkpoint" in said.out
    assert run("status", "--format", "json").json["revision"] is None


def test_the_whole_course_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    """Sealed by a draw for two recipients, published, announced, run with the simulator, recorded, revealed, verified."""
    repo, store = tmp_path / "repo", tmp_path / "store"
    repo.mkdir()
    monkeypatch.chdir(repo)
    git(repo, "init", "-q")
    (tmp_path / "late.scenario").write_text(FAMILY)
    keys = [pyrage.x25519.Identity.generate() for _ in range(2)]
    (tmp_path / "key").write_text(f"{keys[1]}\n")
    opening = ["--store", str(store), "--identity", str(tmp_path / "key")]
    to = [part for key in keys for part in ("--to", str(key.to_public()))]
    said = run("seal", str(tmp_path / "late.scenario"), "--family", "late", "--draw", "2", *opening, *to, "--format", "json")
    assert said.status == 0 and said.codes == set()
    assert "lacks 3.6 bits" in said.err
    commits = [one["commit"] for one in said.json["sealed"]]
    far = ["--reveal-by", "2099-01-01"]
    said = run("publish", *commits, "--batch", "q1", *far, "--title", "A reserve", "--holder", "ada", "--max-reveal-days", "36500", *opening)
    assert said.status == 0 and said.out.startswith("reserve-checkpoint/1 ")
    commit(repo, "sealed")
    system = tmp_path / "system"
    system.mkdir()
    git(system, "init", "-q")
    commit(system)
    frozen = [git(system, "rev-parse", "HEAD"), git(system, "rev-parse", "HEAD^{tree}")]
    said = run(
        "apply", "--announce", "--batch", "q1", "--submission", "ref", "https://example.test/ref", *frozen,
        "--harness", "sha256:" + "0" * 64, "--until", "2099-01-01",
    )  # fmt: skip
    assert said.status == 0, said.out
    commit(repo, "announced")
    for number, one in enumerate(commits):
        plain = tmp_path / f"{number}.json"
        plain.write_bytes(pyrage.decrypt((store / f"{one[7:]}.age").read_bytes(), [keys[0]]))
        runs = tmp_path / f"runs-{number}"
        assert main(["simulate", str(plain), "--system", "reference", "--runs", "5", "--out", str(runs)]) == 0
        folders = [str(path) for path in sorted(runs.iterdir())]
        said = run("apply", "--record", *folders, "--entry", one[7:19], "--name", "ref", *opening)
        assert said.status == 0 and said.out.startswith("L0 pass"), said.out
    commit(repo, "applied")
    assert run("audit", "--history", *opening).status == 0
    said = run("reveal", "--batch", "q1", "--author", "ada", "--author", f"{commits[0][7:19]}=ref", *opening)
    assert said.status == 0, said.out
    commit(repo, "revealed")
    said = run("verify")
    assert said.status == 0, said.out
    assert "2 outcomes judged again from the logs" in said.out
    assert "1 of a system on its author's own entries" in said.out


def test_seal_tells_plain_storage_and_a_single_recipient(inside: Sample, run: Run) -> None:
    said = run("seal", "../new.json", "--store", "../sealed", "--format", "json")
    assert said.status == 0 and said.codes == {"WP889"}
    assert run("seal", "../new.json", "--store", "../sealed-2", "--deny", "warnings").status == 1
    one = pyrage.x25519.Identity.generate()
    said = run("seal", "../new.json", "--store", "../sealed-3", "--to", str(one.to_public()))
    assert said.status == 0 and "two are recommended" in said.err
    (inside.top / "key").write_text(str(pyrage.x25519.Identity.generate()))
    said = run("seal", "../new.json", "--store", "../sealed-4", "--to", str(one.to_public()), "--identity", "../key")
    assert "the identities given do not open sha256:" in said.err


def test_seal_seals_all_or_nothing(inside: Sample, run: Run) -> None:
    (inside.top / "race.scenario").write_text(RACE)
    said = run("seal", "../new.json", "../race.scenario", "--store", "../sealed", "--format", "json")
    assert said.status == 1 and said.codes == {"WP886"} and "sealed" not in said.json
    assert list((inside.top / "sealed").iterdir()) == []
    (inside.top / "broken.scenario").write_text("scenario x {")
    assert run("seal", "../broken.scenario", "--store", "../sealed").status == 1
    assert run("seal", "../nothing.json", "--store", "../sealed").status == 2


def test_audit_says_what_it_looked_at(inside: Sample, run: Run) -> None:
    said = run("audit", "--history")
    assert said.status == 0
    assert re.search(r"looked at \d+ files in the index\nlooked at \d+ files in HEAD\nlooked at \d+ files among all objects\n", said.out)
    assert "compared with 3 sealed entries\n" in said.out
    assert "(3 of them opened" in run("audit", "--store", "../store").out


def test_the_hook_stops_a_commit(inside: Sample) -> None:
    """With the entry of the shipped hook as git runs it, also for `commit -a`, which has an index of its own."""
    (hook,) = [one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()) if one["id"] == "wellposed-reserve-audit"]
    assert hook["pass_filenames"] is False and hook["always_run"] is True
    program, *arguments = shlex.split(hook["entry"])
    assert program == "wellposed"
    path = inside.repo / ".git" / "hooks" / "pre-commit"
    path.write_text(f"#!/bin/sh\nexec {shlex.join([SCRIPT, *arguments])}\n")
    path.chmod(0o755)
    sealed = (inside.top / "store" / ((inside.top / "closed").read_text() + ".json")).read_bytes()
    tracked = inside.repo / "scenarios" / "notes.json"
    tracked.write_text("{}")
    commit(inside.repo, "harmless")
    head = git(inside.repo, "rev-parse", "HEAD")
    tracked.write_bytes(sealed)
    for how in (["commit", "-q", "-a", "-m", "x"], ["commit", "-q", "-m", "x", "scenarios/notes.json"]):
        done = subprocess.run(["git", *how], cwd=inside.repo, env=ENVIRONMENT, capture_output=True, check=False)
        assert done.returncode == 1 and b"WP891" in done.stdout + done.stderr
        assert git(inside.repo, "rev-parse", "HEAD") == head


def test_printed_text_from_a_ledger_is_escaped(inside: Sample, run: Run) -> None:
    """A title, a ref or a name is somebody's text."""
    blob = git(inside.repo, "rev-parse", "HEAD:reserve/ledger.jsonl")
    name = "::error::\u202ex"
    (inside.reserve / "revealed" / f"{name}.json").write_text("{}")
    commit(inside.repo)
    said = run("verify")
    assert "\u202e" not in said.out and "\n::error" not in said.out
    assert blob


def test_times_are_cut_to_the_second() -> None:
    from datetime import datetime, timedelta, timezone

    assert stamp(datetime(2026, 1, 1, 1, 0, 0, 999999, timezone(timedelta(hours=2)))) == "2025-12-31T23:00:00Z"


def test_the_store_is_never_read_by_a_verification(inside: Sample, run: Run) -> None:
    shutil.rmtree(inside.top / "store")
    assert run("verify").status == 0 and run("status").status == 0
    assert os.path.isdir(inside.reserve)
