"""`diff A B`: what a change newly allows and forbids, held to the runs that it shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wellposed.cli.commands import diff
from wellposed.cli.usage import Parser
from wellposed.compiler.schemas import violations

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = """\
scenario hello {{
  level L0
  horizon 20
  conversation order {{ from "ada@example.test" subject "Where is my order?" }}
  conversation other {{ from "bea@example.test" subject "Where is mine?" }}
  at {at} deliver m1 in order "Hello."
  at 0 deliver m2 in other "Hello."{more}
  expect {{ {expect} }}
}}
"""
FREE = "m1 sent exactly once within 10"
TIGHT = "m1 sent exactly once within 6"


def scenario(expect: str = FREE, at: int = 0, more: str = "") -> str:
    return SCENARIO.format(expect=expect, at=at, more=more)


class Desk:
    """Two scenarios written to files and compared."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys = folder, capsys
        self.status = -1
        self.err = ""

    def told(self, before: str, after: str, *options: str) -> str:
        for name, text in (("a.scenario", before), ("b.scenario", after)):
            (self._folder / name).write_text(text)
        parser = Parser(prog="wellposed diff")
        diff.add_arguments(parser)
        self._capsys.readouterr()
        self.status = diff.run(parser.parse_args(["a.scenario", "b.scenario", *options]))
        captured = self._capsys.readouterr()
        self.err = captured.err
        return captured.out

    def document(self, before: str, after: str, *options: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.told(before, after, "--format", "json", *options))
        assert list(violations("diff", found)) == []
        return found


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path, capsys)


def sends(run: list[dict[str, Any]], item: str) -> list[int]:
    return [event["tick"] for event in run if (event["event"], event["item"]) == ("send", item)]


def test_a_tighter_expectation_forbids_and_allows_nothing(desk: Desk) -> None:
    found = desk.document(scenario(), scenario(TIGHT))
    assert found["same_runs"] and found["changed"] == ["expect"]
    assert found["newly_allowed"] is None
    assert found["newly_forbidden"]["fails"] == [TIGHT]
    ticks = sends(found["newly_forbidden"]["run"], "m1")
    assert len(ticks) == 1 and 6 < ticks[0] <= 10
    assert (found["before"]["verdict"], found["after"]["verdict"]) == ("well-posed", "ambiguous")


def test_the_other_way_round_is_the_mirror_image(desk: Desk) -> None:
    one, other = desk.document(scenario(), scenario(TIGHT)), desk.document(scenario(TIGHT), scenario())
    assert other["newly_forbidden"] is None
    assert other["newly_allowed"] == one["newly_forbidden"]
    assert (other["before"]["bundle"], other["after"]["bundle"]) == (one["after"]["bundle"], one["before"]["bundle"])


def test_both_at_once_in_items_that_do_not_touch(desk: Desk) -> None:
    """The run that is allowed passes in B what it speaks of, though that is another item's."""
    second = "m2 sent exactly once within 6"
    found = desk.document(scenario(TIGHT), scenario(second))
    allowed, forbidden = found["newly_allowed"], found["newly_forbidden"]
    assert (allowed["fails"], forbidden["fails"]) == ([TIGHT], [second])
    assert sends(allowed["run"], "m1")[0] > 6 >= sends(allowed["run"], "m2")[0]
    assert sends(forbidden["run"], "m2")[0] > 6 >= sends(forbidden["run"], "m1")[0]


def test_no_run_is_made_up_where_the_other_side_passes_none(desk: Desk) -> None:
    found = desk.document(scenario(TIGHT), scenario("m1 never sent"))
    assert found["newly_allowed"] is None
    assert found["newly_forbidden"]["fails"] == ["m1 never sent"]
    assert sends(found["newly_forbidden"]["run"], "m1")[0] <= 6


@pytest.mark.parametrize("expect", [FREE, TIGHT])
def test_the_same_scenario_changes_nothing(desk: Desk, expect: str) -> None:
    found = desk.document(scenario(expect), scenario(expect))
    assert found["changed"] == found["schedule"] == found["outcomes"] == []
    assert found["newly_allowed"] is found["newly_forbidden"] is None


def test_another_schedule_shifts_a_window(desk: Desk) -> None:
    found = desk.document(scenario(), scenario(at=2))
    assert not found["same_runs"]
    assert [(one["channel"], one["id"]) for one in found["schedule"]] == [("inbox", "m1")]
    [shift] = found["outcomes"]
    assert (shift["item"], shift["before"]["from"], shift["before"]["to"]) == ("m1", 0, 10)
    assert (shift["after"]["from"], shift["after"]["to"], shift["run"]) == (2, 12, [])


def test_an_outcome_that_one_side_alone_has_comes_with_a_run(desk: Desk) -> None:
    crash = (ROOT / "scenarios" / "l2-crash-at-approval.scenario").read_text()
    (Path.cwd() / "rules").mkdir()
    for rules in (ROOT / "scenarios" / "rules").iterdir():
        (Path.cwd() / "rules" / rules.name).write_bytes(rules.read_bytes())
    calm = crash.replace("    crash\n", "").replace("  catches restarts-step-on-crash, forgets-on-crash\n", "")
    found = desk.document(crash, calm)
    lost = [one for one in found["outcomes"] if one["after"] is None]
    ways = [(one["item"], one["before"]["outcome"], one["before"]["reason"]) for one in lost]
    assert ways == [("m1", "abandoned", "crash")]
    assert any(event.get("reason") == "crash" for event in lost[0]["run"])


def test_a_record_that_comes_in_again_is_an_event_of_its_own(desk: Desk) -> None:
    found = desk.document(scenario(), scenario(more="\n  at 5 redeliver m1"))
    assert [(one["id"], one["before"], one["after"]["at"]) for one in found["schedule"]] == [("m1", None, 5)]


def test_text(desk: Desk) -> None:
    told = desk.told(scenario(), scenario(TIGHT))
    assert "changed: expect\n" in told and "newly allowed: nothing\n" in told
    assert f"newly forbidden: a conforming run that fails in B: {TIGHT}\n" in told
    assert desk.status == 1 and "WP501" in desk.err


def test_text_of_a_schedule(desk: Desk) -> None:
    told = desk.told(scenario(), scenario(at=2))
    assert "schedule: inbox m1 moved: at 0 -> at 2\n" in told
    assert "m1: sent at 0 to 10 -> sent at 2 to 12\n" in told
    assert desk.status == 0


def test_too_little_budget_is_undecided(desk: Desk) -> None:
    found = desk.document(scenario(), scenario(TIGHT), "--budget", "1")
    assert found["undecided"] and desk.status == 3


def test_what_is_no_single_scenario_is_told(desk: Desk) -> None:
    assert desk.told(scenario(), scenario() + scenario().replace("hello", "again")) == ""
    assert desk.status == 2 and "several bundles" in desk.err
    assert desk.told(scenario(), "scenario {") == "" and desk.status == 1
