"""SARIF, JUnit and workflow commands: complete for every input, in order of severity, and deaf to what an input says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellposed.cli import crash
from wellposed.cli.render import formats, github
from wellposed.cli.report import Report, ScenarioResult
from wellposed.dsl.findings import Finding, Label, Severity, Span
from wellposed.dsl.source import SourceFile

Command = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
ASTRAL = """\
scenario race {
  level L6 horizon 40
  conversation order { from "ada@example.test" subject "\U0001f600\U0001f600" } at 0 delivr m1 in order "Hello."
  at 12 approve m1
  at 13 escalate m1
  expect { m1 never sent }
}
"""
SEVERITIES = st.sampled_from(Severity)


def _sarif(text: str) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(text)
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == sorted(set(rules))
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            assert not location["physicalLocation"]["artifactLocation"]["uri"].startswith(("/", "file:"))
    return run


def test_the_two_runs_of_an_ambiguity_are_code_flows(wellposed: Command, folder: Path) -> None:
    (result, note) = _sarif(wellposed("check", "race.scenario", "--format", "sarif").out)["results"]
    assert (result["ruleId"], result["level"], note["level"]) == ("WP501", "error", "note")
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 8, "startColumn": 12, "endLine": 8, "endColumn": 25}
    passing, failing = (flow["threadFlows"][0]["locations"] for flow in result["codeFlows"])
    assert [one["location"]["message"]["text"] for one in passing if "send" in one["location"]["message"]["text"]] == []
    assert "tick 12: sends the reply to m1" in [one["location"]["message"]["text"] for one in failing]
    lines = [one["location"]["physicalLocation"]["region"]["startLine"] for one in passing if len(one["location"]) > 1]
    assert lines == [5, 6, 7]


def test_columns_count_utf_16(wellposed: Command, folder: Path) -> None:
    (folder / "race.scenario").write_text(ASTRAL, encoding="utf-8")
    found = json.loads(wellposed("check", "race.scenario", "--format", "json").out)["findings"]
    result = _sarif(wellposed("check", "race.scenario", "--format", "sarif").out)["results"][0]
    assert found[0]["line"] == 3
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region["startColumn"] == found[0]["column"] + 2


def test_a_fingerprint_survives_moved_lines(wellposed: Command, folder: Path) -> None:
    def fingerprints() -> list[str]:
        results = _sarif(wellposed("check", "race.scenario", "--format", "sarif").out)["results"]
        return [one["partialFingerprints"]["wellposed/v1"] for one in results]

    before = fingerprints()
    text = (folder / "race.scenario").read_text()
    (folder / "race.scenario").write_text("# a comment\n\n" + text)
    assert fingerprints() == before
    assert len(set(before)) == len(before)
    (folder / "race.scenario").write_text(text.replace("m1 never sent", "m1 sent exactly once"))
    assert fingerprints()[0] != before[0]


@pytest.mark.parametrize("name", formats.MACHINE)
@pytest.mark.parametrize(
    "text",
    ["", "scenario {", "\x00", "\ufeffscenario a { level L0 horizon 3 }", "scenario a { level L0 horizon 3 }"],
    ids=["empty", "torn", "nul", "bom", "vacuous"],
)
def test_every_format_is_whole_for_broken_input(wellposed: Command, folder: Path, name: str, text: str) -> None:
    (folder / "broken.scenario").write_bytes(text.encode())
    result = wellposed("check", "broken.scenario", "--format", name)
    assert result.status in (1, 2)
    _well_formed(name, result.out)


@pytest.mark.parametrize("name", formats.MACHINE)
def test_every_format_is_whole_without_input_and_after_a_crash(wellposed: Command, folder: Path, name: str) -> None:
    assert wellposed("check", "nope", "--format", name).status == 2
    _well_formed(name, wellposed("check", "nope", "--format", name).out)
    try:
        raise RecursionError("deep")
    except RecursionError as failure:
        text = formats.render(name, Report(findings=(crash.finding_of(failure),)))
    _well_formed(name, text)
    assert "WP001" in text


@pytest.mark.parametrize("name", formats.MACHINE)
@pytest.mark.parametrize("paths", [["scenarios"], ["examples"]], ids=" ".join)
def test_every_format_takes_the_repository(
    wellposed: Command, monkeypatch: pytest.MonkeyPatch, name: str, paths: list[str]
) -> None:
    monkeypatch.chdir(ROOT)
    _well_formed(name, wellposed("check", *paths, "--format", name).out)


def _well_formed(name: str, text: str) -> None:
    if name == "sarif":
        _sarif(text)
    elif name == "junit":
        root = ElementTree.fromstring(text)
        cases = list(root.iter("testcase"))
        assert int(root.get("tests", "")) == len(cases)
        assert int(root.get("failures", "")) == sum(case.find("failure") is not None for case in cases)
    elif name == "github":
        lines = text.split("\n")
        assert lines[-1] == ""
        commands = [line for line in lines if line.lstrip().startswith("::")]
        assert all(re.match(r"::(error|warning|notice) (\w+=[^,:\n]*,)*title=WP\d{3}[^,:\n]*::", one) for one in commands)
        ranks = [["error", "warning", "notice"].index(re.match(r"::(\w+)", one)[1]) for one in commands]  # type: ignore[index]
        assert ranks == sorted(ranks)
    else:
        json.loads(text)


def test_junit_has_one_case_per_scenario(wellposed: Command, folder: Path) -> None:
    root = ElementTree.fromstring(wellposed("check", ".", "--format", "junit").out)
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert sorted(cases) == ["hello", "race"]
    failure = cases["race"].find("failure")
    assert failure is not None and "error[WP501]" in str(failure.text)
    assert len(cases["hello"]) == 0
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")


def test_junit_calls_undecided_an_error(wellposed: Command, folder: Path) -> None:
    result = wellposed("check", "race.scenario", "--budget", "1", "--format", "junit")
    (case,) = ElementTree.fromstring(result.out).iter("testcase")
    error = case.find("error")
    assert result.status == 3 and error is not None and error.get("type") == "WP403" and case.find("failure") is None


def test_junit_passes_what_is_rejected_as_announced(wellposed: Command, folder: Path) -> None:
    text = (folder / "race.scenario").read_text()
    (folder / "race.scenario").write_text(text.replace("horizon 40", 'horizon 40 rejected ambiguous WP501 "a race"'))
    (case,) = ElementTree.fromstring(wellposed("check", "race.scenario", "--format", "junit").out).iter("testcase")
    assert case.find("failure") is None and case.find("error") is None


def test_how_many_annotations_are_not_shown(folder: Path) -> None:
    found = tuple(Finding("WP205", Severity.ERROR, f"fault {number}") for number in range(github.SHOWN + 3))
    assert "3 more of kind error than a step shows" in formats.render("github", Report(findings=found))


HOSTILE = st.lists(st.sampled_from("ab:,%\r\n[]#\\\x1b\u202e\ufffe<&]>\U0001f600`"), max_size=24).map("".join)


@given(HOSTILE, HOSTILE, SEVERITIES)
def test_no_text_of_an_input_breaks_out(text: str, name: str, severity: Severity) -> None:
    """Whatever stands in a name, a path or a message: one annotation, one result, one case."""
    path = name.replace("/", "") + "x"
    span = Span(path, 0, 1, 1, 1, 1, 2)
    text = "##[" + text + "::error::" + text
    finding = Finding("WP501", severity, text, span, (Label(span, text),), (text,), (text,), text, name or "s")
    report = Report(
        (ScenarioResult(name or "s", path, None, "ambiguous"),), (finding,), sources={path: SourceFile(path, text)}
    )
    lines = formats.render("github", report).split("\n")
    assert len([line for line in lines if line.lstrip().startswith("::")]) == 1
    assert "##[" not in "".join(lines) and "\r" not in "".join(lines) and "\x1b" not in "".join(lines)
    (result,) = _sarif(formats.render("sarif", report))["results"]
    assert not re.search(r"(?<!\\)(?:\\\\)*\[", result["message"]["text"])
    assert unquote(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) == path
    suites = ElementTree.fromstring(formats.render("junit", report))
    assert len(list(suites.iter("testcase"))) == 1
