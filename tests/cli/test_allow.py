"""`allow` through the whole tool: what it covers is reported and counts for nothing, what it does not need is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import RACE

Wellposed = Callable[..., Any]
CLAIM = "m1 never sent"


def allowing(code: str = "WP501", text: str = RACE, before: str = CLAIM) -> str:
    return text.replace(before, f'allow {code} "the race is the point" {before}', 1)


def findings(result: Any) -> list[tuple[str, bool]]:
    return sorted(
        (one["code"], one["suppressed"]) for one in json.loads(result.out)["findings"] if one["severity"] != "note"
    )


@pytest.mark.parametrize("before", [CLAIM, "expect", "scenario race"])
def test_an_allowed_ambiguity_is_reported_and_counts_for_nothing(
    folder: Path, wellposed: Wellposed, before: str
) -> None:
    (folder / "race.scenario").write_text(allowing(before=before))
    result = wellposed("check", "race.scenario")
    assert result.status == 0
    assert "WP501" not in result.out
    assert "ambiguous" in result.out, "the verdict stays what it is"
    assert "1 finding allowed (shown with -v)" in result.out
    verbose = wellposed("check", "-v", "race.scenario")
    assert verbose.status == 0
    assert "error[WP501]" in verbose.out and 'allowed: "the race is the point"' in verbose.out
    report = wellposed("check", "--format", "json", "race.scenario")
    assert findings(report) == [("WP501", True)]
    assert json.loads(report.out)["scenarios"][0]["verdict"] == "ambiguous"
    assert json.loads(report.out)["summary"]["errors"] == 0
    assert "WP501" not in wellposed("check", "--format", "concise", "race.scenario").out


def test_another_finding_counts_all_the_same(folder: Path, wellposed: Wellposed) -> None:
    (folder / "race.scenario").write_text(allowing().replace(CLAIM, f"{CLAIM} m1 abandoned"))
    result = wellposed("check", "--format", "json", "race.scenario")
    assert result.status == 1
    assert findings(result) == [("WP501", False), ("WP501", True)]


def test_an_allow_that_nothing_needs_is_a_warning(folder: Path, wellposed: Wellposed) -> None:
    (folder / "race.scenario").write_text(allowing("WP601"))
    result = wellposed("check", "--format", "json", "race.scenario")
    assert findings(result) == [("WP233", False), ("WP501", False)]
    (folder / "race.scenario").write_text(allowing("WP310", allowing()))
    assert wellposed("check", "race.scenario").status == 0
    assert wellposed("check", "--deny", "warnings", "race.scenario").status == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--no-verify",), allowing()),
        (("--no-verify",), allowing(text=RACE.replace("at 12 approve m1", "at 12 approve m9"))),
        ((), allowing(text=RACE.replace("at 12 approve m1", "at 12 approve m9"))),
        (("--budget", "1"), allowing()),
    ],
)
def test_nothing_is_said_of_an_allow_for_what_was_not_looked_at(
    folder: Path, wellposed: Wellposed, arguments: tuple[str, ...], text: str
) -> None:
    (folder / "race.scenario").write_text(text)
    result = wellposed("check", *arguments, "--format", "json", "race.scenario")
    assert "WP233" not in [code for code, _ in findings(result)]


def test_a_scenario_that_is_rejected_on_purpose_may_have_one_too(folder: Path, wellposed: Wellposed) -> None:
    text = allowing().replace("  expect", '  rejected ambiguous WP501 "it is a race"\n  expect')
    (folder / "race.scenario").write_text(text)
    result = wellposed("check", "--format", "json", "race.scenario")
    assert result.status == 0
    assert findings(result) == [("WP501", True)]


def test_what_all_scenarios_of_a_family_have_is_told_and_allowed_once(folder: Path, wellposed: Wellposed) -> None:
    text = RACE.replace("scenario race {", "family race(gap in [1, 2]) {").replace("at 13", "at 12 + gap")
    (folder / "race.scenario").write_text(text)
    result = wellposed("check", "--format", "json", "race.scenario")
    assert result.status == 1
    assert findings(result) == [("WP501", False)]
    report = json.loads(result.out)
    assert [(one["id"], one["verdict"]) for one in report["scenarios"]] == [
        ("race.gap-1", "ambiguous"),
        ("race.gap-2", "ambiguous"),
    ]
    (finding,) = [one for one in report["findings"] if one["code"] == "WP501"]
    assert finding["notes"][-1] == "found in `race.gap-1` and in 1 more scenario of this family"
    (folder / "race.scenario").write_text(allowing(text=text))
    result = wellposed("check", "--format", "json", "race.scenario")
    assert (result.status, findings(result)) == (0, [("WP501", True)])


def test_an_allow_of_imported_rules_is_unused_only_where_they_are_checked_themselves(
    folder: Path, wellposed: Wellposed
) -> None:
    (folder / "r.rules").write_text('allow WP326 "kept" rules r { admit rest }')
    text = (folder / "hello.scenario").read_text().replace("  horizon 20", "  horizon 20\n  rules r")
    (folder / "hello.scenario").write_text(f'import "r.rules"\n{text}')
    assert findings(wellposed("check", "--format", "json", "hello.scenario")) == []
    assert findings(wellposed("check", "--format", "json", "hello.scenario", "r.rules")) == [("WP233", False)]


def test_every_member_of_a_family_is_built(folder: Path, wellposed: Wellposed) -> None:
    text = RACE.replace("scenario race {", "family race(gap in [1, 2]) {").replace("at 13", "at 12 + gap")
    (folder / "race.scenario").write_text(text)
    result = wellposed("build", "race.scenario", "--out", "built")
    assert [line.split()[1] for line in result.out.splitlines()] == ["race.gap-1", "race.gap-2"]
    assert wellposed("bundle", "check", "built").status == 0
