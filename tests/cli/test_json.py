"""`wellposed-report/1`: real reports against the shipped schema, stable, without times and absolute paths."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from wellposed.cli import crash
from wellposed.cli.render import json_report
from wellposed.cli.report import Report

Command = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
CASES = sorted(path.name for path in (Path(__file__).parent / "expected").iterdir())


def _validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(
        (resources.files("wellposed.compiler") / "schemas" / f"{name}.json").read_text(encoding="utf-8")
    )
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


REPORT = _validator("report")
EVENT = _validator("trace-event")


def _checked(text: str) -> dict[str, Any]:
    assert text.endswith("}\n")
    report: dict[str, Any] = json.loads(text)
    assert list(REPORT.iter_errors(report)) == []
    for one in report["scenarios"]:
        for event in (*one["witnesses"]["pass"], *one["witnesses"]["fail"]):
            assert list(EVENT.iter_errors(event)) == []
    places = [place for finding in report["findings"] for place in (finding, *finding["labels"])]
    assert not any(str(place["path"]).startswith("/") for place in places)
    assert not any(one["source"].startswith("/") for one in report["scenarios"])
    counted = [one for one in report["findings"] if not one["suppressed"]]
    for severity in ("error", "warning", "note"):
        assert report["summary"][f"{severity}s"] == sum(one["severity"] == severity for one in counted)
    assert report["summary"]["scenarios"] == len(report["scenarios"])
    return report


@pytest.mark.parametrize("paths", [["scenarios"], ["examples"], ["scenarios", "examples"], ["nope"]], ids=" ".join)
def test_reports_of_the_repository(wellposed: Command, monkeypatch: pytest.MonkeyPatch, paths: list[str]) -> None:
    monkeypatch.chdir(ROOT)
    _checked(wellposed("check", *paths, "--format", "json").out)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("options", [[], ["--no-verify"], ["--budget", "50"]], ids=" ".join)
def test_reports_of_the_golden_cases(
    wellposed: Command, monkeypatch: pytest.MonkeyPatch, case: str, options: list[str]
) -> None:
    monkeypatch.chdir(Path(__file__).parent / "expected" / case)
    _checked(wellposed("check", ".", "--format", "json", *options).out)


def test_the_report_of_a_crash() -> None:
    try:
        raise RecursionError("deep")
    except RecursionError as failure:
        finding = crash.finding_of(failure)
    report = _checked(json_report.render(Report(findings=(finding,))))
    assert report["findings"][0]["notes"][0].startswith("at test_json.py:")


def test_a_scenario_in_full(wellposed: Command) -> None:
    report = _checked(wellposed("check", "race.scenario", "--format", "json").out)
    (one,) = report["scenarios"]
    assert (one["id"], one["source"], one["level"], one["verdict"]) == ("race", "race.scenario", 6, "ambiguous")
    assert one["levels"] == {
        level: "exercised" if level in ("L0", "L2", "L4", "L6") else "untested" for level in one["levels"]
    }
    assert one["expectations"] == [
        {"text": "m1 never sent", "line": 8, "verdict": "ambiguous", "rests_on": ["outbox"]}
    ]
    assert one["outcomes"]["m1"] == [
        {"outcome": "sent", "reason": None, "from": 12, "to": 12},
        {"outcome": "abandoned", "reason": "operator_escalation", "from": 13, "to": 40},
    ]
    sends = {
        name: [event["tick"] for event in one["witnesses"][name] if event["event"] == "send"]
        for name in ("pass", "fail")
    }
    assert sends == {"pass": [], "fail": [12]}
    error = next(one for one in report["findings"] if one["severity"] == "error")
    place = (error["path"], error["line"], error["column"], error["end_line"], error["end_column"])
    assert place == ("race.scenario", 8, 12, 8, 25)
    assert {label["line"] for label in error["labels"]} == {6, 7}


def test_a_core(wellposed: Command, folder: Path) -> None:
    text = (folder / "race.scenario").read_text().replace("at 13", "at 18")
    (folder / "race.scenario").write_text(text)
    (one,) = _checked(wellposed("check", "race.scenario", "--format", "json").out)["scenarios"]
    core = {(member["obligation"], member["line"]) for member in one["core"]}
    assert core == {("expectation", 8), ("L0.draft", 5), ("L2.send", 6)}


def test_a_rejection(wellposed: Command, folder: Path) -> None:
    text = (folder / "race.scenario").read_text()
    (folder / "race.scenario").write_text(text.replace("horizon 40", 'horizon 40 rejected ambiguous WP501 "a race"'))
    report = _checked(wellposed("check", "race.scenario", "--format", "json").out)
    assert report["scenarios"][0]["rejected"] == {"as": "ambiguous", "code": "WP501", "holds": True}
    assert {one["suppressed"] for one in report["findings"]} == {True}
    assert report["summary"] == {"scenarios": 1, "well-posed": 0, "rejected": 1, "errors": 0, "warnings": 0, "notes": 0}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for member in value.values() for text in _texts(member))
    elif isinstance(value, list):
        yield from (text for member in value for text in _texts(member))


def test_the_same_bytes_every_time(folder: Path) -> None:
    """Whatever the hash seed, the working directory and the order of the arguments."""
    outputs = set()
    script = str(Path(sys.executable).with_name("wellposed"))
    for seed, paths in (
        ("0", ["race.scenario", "hello.scenario"]),
        ("1", ["hello.scenario", "race.scenario"]),
        ("2", ["."]),
    ):
        command = [script, "check", "--format", "json", *paths]
        run = subprocess.run(command, cwd=folder, check=False, capture_output=True, env={"PYTHONHASHSEED": seed})
        outputs.add(run.stdout)
    (output,) = outputs
    report = _checked(output.decode())
    texts = [text for text in _texts(report) if not text.startswith("sha256:")]
    assert not any(re.search(r"\d\d:\d\d|\d{4}-\d\d-\d\d", text) for text in texts)
    assert str(folder) not in output.decode()
