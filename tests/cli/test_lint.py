"""Fixture lint through the whole tool: what files share is told once, advice does not stop a verification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Command

SCENARIO = """\
import "desk.rules"
scenario {name} {{
  level L2
  horizon 40
  rules desk
  conversation order {{ from "ada@example.test" subject "Where is my order?" anchor "ORD-1" }}
  at 0 deliver m1 in order "Hello."
  at 12 approve m1 as go
  {line}
  expect {{ m1 sent exactly once within 5 of go }}
}}
"""
RULES = """\
rules desk {
  admit orders when subject contains "order"
  refuse spam when subject contains "reorder"
  refuse bob when from is "bob@example.test"
  refuse rest
}
"""


def _told(wellposed: Command, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    result = wellposed("check", *arguments, "--format", "json")
    report = json.loads(result.out)
    assert {one["verdict"] for one in report["scenarios"]} == {"well-posed"}
    return result.status, [one for one in report["findings"] if one["code"] >= "WP320" and one["code"] < "WP400"]


def test_findings_about_shared_rules_are_told_once_for_all_scenarios(wellposed: Command, folder: Path) -> None:
    (folder / "empty/desk.rules").write_text(RULES)
    for name in ("a", "b", "c"):
        (folder / f"empty/{name}.scenario").write_text(SCENARIO.format(name=name, line=""))
    status, told = _told(wellposed, "empty")
    assert [(one["code"], one["path"], one["line"], one["scenario"]) for one in told] == [
        ("WP327", "empty/desk.rules", 3, None),
        ("WP328", "empty/desk.rules", 4, None),
    ]
    assert status == 0
    assert _told(wellposed, "empty", "--deny", "warnings")[0] == 1


def test_findings_about_a_scenario_bear_its_name_and_leave_its_verdict(wellposed: Command, folder: Path) -> None:
    (folder / "empty/desk.rules").write_text("rules desk { admit rest }\n")
    for name, line in (("a", "at 14 jump to 30"), ("b", "at 17 jump to 30")):
        (folder / f"empty/{name}.scenario").write_text(SCENARIO.format(name=name, line=line))
    status, told = _told(wellposed, "empty")
    assert [(one["code"], one["path"], one["scenario"]) for one in told] == [("WP322", "empty/a.scenario", "a")]
    assert status == 0
