"""Reports in the hands of others: SARIF through its schema and through the multitool, JUnit through a parser, lines through a matcher."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.clients.install_desk import BIN, FOLDER, MULTITOOL
from tests.clients.reports import write

pytestmark = [
    pytest.mark.clients,
    pytest.mark.skipif(
        not FOLDER.exists() and "CI" not in os.environ, reason="the programs of a reviewer's desk are not installed"
    ),
]
JUNIT = """
import sys
from junitparser import JUnitXml
for path in sys.argv[1:]:
    xml = JUnitXml.fromfile(path)
    cases = [case for suite in xml for case in suite]
    kinds = [type(result).__name__ for case in cases for result in case.result]
    assert xml.tests == len(cases), path
    assert all(case.name and case.classname for case in cases), path
    assert (xml.failures, xml.errors, xml.skipped) == tuple(map(kinds.count, ("Failure", "Error", "Skipped"))), path
    print(len(cases), len(kinds))
"""


@pytest.fixture(scope="module")
def sarif(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write("sarif", tmp_path_factory.mktemp("sarif"))


def _schema_faults(log: Any) -> list[str]:
    schema = json.loads((MULTITOOL / "sarif-2.1.0.json").read_text(encoding="utf-8-sig"))
    return [one.message for one in jsonschema.Draft202012Validator(schema).iter_errors(log)]


def test_sarif_keeps_its_schema(sarif: list[Path]) -> None:
    assert len(sarif) > 50
    logs = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sarif}
    assert {name: faults for name, log in logs.items() if (faults := _schema_faults(log))} == {}
    assert logs["no-input"]["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    results = [one for log in logs.values() for one in log["runs"][0]["results"]]
    assert len(results) > 200
    assert any("codeFlows" in one for one in results) and any("fixes" in one for one in results)


def test_the_schema_refuses_what_it_should(sarif: list[Path]) -> None:
    log = json.loads(sarif[0].read_text(encoding="utf-8"))
    log["runs"][0]["columnKind"] = "bytes"
    assert _schema_faults(log)


def _validated(paths: list[Path], output: Path) -> Counter[tuple[str, str]]:
    """What the multitool says, by rule and level. Its exit status is 0 whatever that is."""
    command = [str(MULTITOOL / "Sarif.Multitool"), "validate", *map(str, paths), "-o", str(output)]
    options = ["--log", "ForceOverwrite", "--rule-kind", "Sarif;Ghas", "--quiet"]
    environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
    run = subprocess.run(
        [*command, *options], check=False, capture_output=True, text=True, env=environment, timeout=170
    )
    assert run.returncode == 0 and output.exists(), run.stdout + run.stderr
    (log,) = json.loads(output.read_text(encoding="utf-8-sig"))["runs"]
    assert log["invocations"][0]["executionSuccessful"]
    assert not log["invocations"][0].get("toolExecutionNotifications")
    levels = {
        rule["id"]: rule.get("defaultConfiguration", {}).get("level", "warning")
        for rule in log["tool"]["driver"]["rules"]
    }
    return Counter((one["ruleId"], one.get("level", levels[one["ruleId"]])) for one in log["results"])


def test_the_multitool_finds_no_error(sarif: list[Path], tmp_path: Path) -> None:
    """SARIF2005 asks for an address of the tool, SARIF2017 for a region where a finding is about a whole file."""
    found = _validated(sarif, tmp_path / "told.sarif")
    assert {rule for rule, _ in found} <= {"SARIF2005", "SARIF2017"}
    assert {level for _, level in found} <= {"warning"}
    assert found["SARIF2005", "warning"] == len(sarif)


def test_the_multitool_finds_an_error(sarif: list[Path], tmp_path: Path) -> None:
    log = json.loads(next(path for path in sarif if path.stem == "terminal").read_text(encoding="utf-8"))
    log["runs"][0]["results"][0]["ruleIndex"] = 4711
    (tmp_path / "wrong.sarif").write_text(json.dumps(log), encoding="utf-8")
    assert "error" in {level for _, level in _validated([tmp_path / "wrong.sarif"], tmp_path / "told.sarif")}


def test_junit_is_read_by_a_parser(tmp_path: Path) -> None:
    reports = write("junit", tmp_path)
    command = [str(BIN / "python"), "-I", "-c", JUNIT, *map(str, reports)]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    counts = [tuple(map(int, line.split())) for line in run.stdout.splitlines()]
    assert len(counts) == len(reports)
    assert sum(cases for cases, _ in counts) > 100 and sum(results for _, results in counts) > 50
    assert not any(re.search(r"(?m)^\s*::|##\[", path.read_text(encoding="utf-8")) for path in reports)
