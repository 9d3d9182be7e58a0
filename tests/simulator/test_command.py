"""`wellposed simulate`: what it writes, what it says, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.simulator.library import ROOT

from wellposed.cli.main import main

FILES = {
    "inbox.jsonl",
    "drafts.jsonl",
    "outbox.jsonl",
    "audit.jsonl",
    "approvals.jsonl",
    "signals.jsonl",
    "model-calls.jsonl",
    "state.jsonl",
    "run.jsonl",
}
SINGLE = str(ROOT / "scenarios" / "l0-single-reply.scenario")


def simulate(*arguments: str) -> int:
    return main(["simulate", *arguments])


def test_the_folder_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert simulate(SINGLE, "--system", "reference", "--seed", "3", "--out", str(out)) == 0
    assert {path.name for path in out.iterdir()} == FILES
    said = capsys.readouterr()
    assert said.out == f"{out}  l0-single-reply  reference  seed 3  21 ticks  1 send\n"
    assert said.err == ""


def test_several_runs_have_folders_named_by_their_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "runs"
    assert simulate(SINGLE, "--system", "idle", "--seed", "7", "--runs", "3", "--out", str(out)) == 0
    assert {path.name for path in out.iterdir()} == {"7", "8", "9"}
    assert [line.split("  ")[-1] for line in capsys.readouterr().out.splitlines()] == ["0 sends"] * 3


def test_source_folder_and_document_make_the_same_run(tmp_path: Path) -> None:
    assert main(["build", SINGLE, "--out", str(tmp_path / "built")]) == 0
    folder = tmp_path / "built" / "l0-single-reply"
    for number, bundle in enumerate((SINGLE, str(folder), str(folder / "bundle.json"))):
        assert simulate(bundle, "--system", "reference", "--out", str(tmp_path / str(number))) == 0
    runs = [{path.name: path.read_bytes() for path in (tmp_path / str(number)).iterdir()} for number in range(3)]
    assert runs[0] == runs[1] == runs[2]


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept").write_text("mine")
    assert simulate(SINGLE, "--system", "reference", "--out", str(tmp_path)) == 2
    assert "error[WP005]" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("kind", ["link", "file"])
def test_neither_links_nor_files_are_written_to(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    if kind == "link":
        (tmp_path / "real").mkdir()
        out.symlink_to(tmp_path / "real")
    else:
        out.write_text("")
    assert simulate(SINGLE, "--system", "reference", "--out", str(out)) == 2
    assert "error[WP005]" in capsys.readouterr().err


def test_an_unknown_system_is_told_with_the_one_that_is_meant(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(SINGLE, "--system", "sends-after-escalaton", "--out", str(tmp_path / "run")) == 2
    assert "did you mean sends-after-escalation?" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_folder_of_scenarios_is_no_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(str(ROOT / "scenarios"), "--system", "reference", "--out", str(tmp_path / "run")) == 2
    assert "error[WP004]" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_scenario_with_an_error_is_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.scenario"
    broken.write_text("scenario broken {\n  level L9\n}\n")
    assert simulate(str(broken), "--system", "reference", "--out", str(tmp_path / "run")) == 1
    assert "error[WP" in capsys.readouterr().out
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("runs", ["0", "10001"])
def test_the_number_of_runs_is_bounded(tmp_path: Path, runs: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(SINGLE, "--system", "idle", "--runs", runs, "--out", str(tmp_path / "run")) == 2
    assert runs in capsys.readouterr().err
