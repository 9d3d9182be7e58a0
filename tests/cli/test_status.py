"""Exit statuses, their precedence, and what goes to which stream."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli import output, pipeline
from wellposed.cli._version import __version__
from wellposed.cli.status import status_of
from wellposed.dsl.findings import Finding, Severity

Command = Callable[..., Any]


def _finding(code: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(code, severity, "…")


@pytest.mark.parametrize(
    ("codes", "undecided", "status"),
    [
        ([], False, 0),
        ([], True, 3),
        (["WP501"], True, 1),
        (["WP501", "WP002"], True, 2),
        (["WP002", "WP501"], False, 2),
        (["WP003", "WP501", "WP001"], True, 70),
    ],
)
def test_precedence(codes: list[str], undecided: bool, status: int) -> None:
    assert status_of([_finding(code) for code in codes], undecided, False) == status


def test_warnings_count_only_when_denied() -> None:
    findings = [_finding("WP310", Severity.WARNING), _finding("WP606", Severity.NOTE)]
    assert status_of(findings, False, False) == 0
    assert status_of(findings, False, True) == 1


def test_clean(wellposed: Command) -> None:
    result = wellposed("check", "hello.scenario")
    assert (result.status, result.err) == (0, "")
    assert "well-posed" in result.out


def test_errors(wellposed: Command) -> None:
    assert wellposed("check", "race.scenario").status == 1
    assert wellposed("check", "race.scenario", "--no-verify").status == 0


def test_undecided(wellposed: Command) -> None:
    assert wellposed("check", "race.scenario", "--budget", "1").status == 3
    assert wellposed("check", "race.scenario", "--budget", "1", "--deny", "warnings").status == 1


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        (["nope"], "error[WP002]: nope does not exist"),
        (["empty"], "error[WP003]: no scenarios found in empty"),
        (["nope", "hello.scenario"], "error[WP002]: nope does not exist"),
        ([""], "error[WP002]: '' does not exist"),
    ],
)
def test_unusable_input_is_one_sentence(wellposed: Command, paths: list[str], sentence: str) -> None:
    for form in ("text", "concise", "json"):
        result = wellposed("check", *paths, "--format", form)
        assert result.status == 2
        assert result.err == f"wellposed: {sentence}\n"
    findings = json.loads(result.out)["findings"]
    assert [f"error[{one['code']}]: {one['message']}" for one in findings] == [sentence]


def test_a_file_without_scenarios_is_not_a_green_nothing(wellposed: Command, folder: Path) -> None:
    (folder / "void.scenario").write_text("# nothing here\n")
    (folder / "only.rules").write_text("rules desk { admit rest }\n")
    for paths in (["void.scenario"], ["only.rules"], ["void.scenario", "only.rules"]):
        result = wellposed("check", *paths)
        assert (result.status, result.out) == (2, "")
        assert "no scenarios found in " in result.err


def test_unusable_outweighs_errors_and_both_are_told(wellposed: Command) -> None:
    result = wellposed("check", "race.scenario", "nope")
    assert result.status == 2
    assert "error[WP501]" in result.out
    assert "nope does not exist" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["check"],
        ["check", "hello.scenario", "--format", "yaml"],
        ["check", "hello.scenario", "--form", "json"],
        ["check", "hello.scenario", "-q", "-v"],
        ["check", "hello.scenario", "--budget", "-1"],
        ["check", "hello.scenario", "--budget", "1e9"],
        ["check", "hello.scenario", "--budget", "9" * 5000],
        ["check", "hello.scenario", "--deny", "everything"],
        ["build", "hello.scenario"],
        ["build", "hello.scenario", "--out", "a", "--check", "b"],
        ["bundle"],
        ["explain"],
        ["spec", "everything"],
        ["\x1b[31m"],
        ["check", "--\x1b[31m::set-env"],
    ],
)
def test_wrong_use_is_one_sentence(wellposed: Command, arguments: list[str]) -> None:
    result = wellposed(*arguments)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert "\x1b" not in result.err


def test_version(wellposed: Command) -> None:
    result = wellposed("--version")
    assert (result.status, result.out, result.err) == (0, f"wellposed {__version__}\n", "")


@pytest.mark.parametrize("form", ["text", "concise", "json"])
def test_a_crash_is_a_coded_finding(wellposed: Command, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise RuntimeError(f"lost in {os.getcwd()}/somewhere ##[error]")

    monkeypatch.setattr(pipeline, "examine", crash)
    result = wellposed("check", "hello.scenario", "--format", form)
    assert result.status == 70
    assert result.err.startswith("wellposed: error[WP001]: internal error: RuntimeError: lost in …/somewhere")
    assert result.err.count("\n") == 1
    assert os.getcwd() not in result.out + result.err
    assert "##[" not in result.out + result.err
    if form == "json":
        report = json.loads(result.out)
        assert [one["code"] for one in report["findings"]] == ["WP001"]
        assert report["summary"]["errors"] == 1
    else:
        assert "error[WP001]" in result.out


def test_a_crash_with_an_output_file(wellposed: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "examine", lambda *_: 1 / 0)
    result = wellposed("check", "hello.scenario", "--format=json", "--output-file=out.json")
    assert (result.status, result.out) == (70, "")
    assert json.loads((folder / "out.json").read_text())["findings"][0]["code"] == "WP001"


def test_an_interrupt_is_quiet(wellposed: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "examine", interrupt)
    result = wellposed("check", "hello.scenario")
    assert (result.status, result.out, result.err) == (130, "", "")


def test_the_output_file_gets_the_result(wellposed: Command, folder: Path) -> None:
    to_stdout = wellposed("check", "race.scenario", "--format", "json")
    to_file = wellposed("check", "race.scenario", "--format", "json", "--output-file", "report.json")
    assert (to_file.status, to_file.out, to_file.err) == (1, "", "")
    assert (folder / "report.json").read_text() == to_stdout.out


@pytest.mark.parametrize("target", ["no/such/folder/x", "empty", "", "a\0b", "hello.scenario/x"])
def test_an_output_file_that_cannot_be_written(wellposed: Command, target: str) -> None:
    result = wellposed("check", "race.scenario", "--output-file", target)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("wellposed: error[WP005]: cannot write ")
    assert result.err.count("\n") == 1


def _process(*arguments: str, shell: str = "", cwd: Path) -> subprocess.CompletedProcess[str]:
    script = str(Path(sys.executable).with_name("wellposed"))
    if shell:
        command = ["bash", "-c", shell, script, *arguments]
    else:
        command = [script, *arguments]
    return subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)


def test_a_broken_pipe_is_quiet(folder: Path) -> None:
    """The status stays that of the check, and nothing is said about the pipe."""
    shell = '"$0" check -v race.scenario | true; echo "${PIPESTATUS[0]}"'
    run = _process(shell=shell, cwd=folder)
    assert (run.stdout, run.stderr) == ("1\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_exit_2(folder: Path) -> None:
    run = _process(shell='"$0" check race.scenario > /dev/full', cwd=folder)
    assert run.returncode == 2
    assert run.stderr.startswith("wellposed: error[WP005]: cannot write to standard output: ")
    assert run.stderr.count("\n") == 1


def test_closed_streams(folder: Path) -> None:
    assert _process(shell='"$0" check hello.scenario >&-', cwd=folder).returncode == 2
    assert _process(shell='"$0" check nope 2>&-', cwd=folder).returncode == 2
    run = _process(shell='"$0" check - <&-', cwd=folder)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)


def test_an_ascii_locale_changes_nothing(folder: Path) -> None:
    (folder / "wide.scenario").write_text('scenario wide { level L0 title "注文" horizon 5 }\n')
    script = str(Path(sys.executable).with_name("wellposed"))
    outputs = set()
    for settings in (
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C.UTF-8"},
        {"PYTHONUTF8": "0", "LC_ALL": "POSIX"},
    ):
        run = subprocess.run(
            [script, "check", "wide.scenario"], cwd=folder, check=False, capture_output=True, env=settings
        )
        outputs.add((run.returncode, run.stdout, run.stderr))
    assert len(outputs) == 1


def test_notices_can_fail_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    output.notice("nobody hears this")
