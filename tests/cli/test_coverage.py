"""`coverage`: the library covers everything, what one alone covers, gaps come first, `--min` is kept."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_mutants import LENIENT, Page
from tests.meta.repository import ROOT

from wellposed.cli.coverage import COUNTED, Coverage, coverage_of
from wellposed.cli.matrix import FAULTS, Matrix

Command = Callable[..., Any]

SCENARIOS = sorted(path.stem for path in (ROOT / "scenarios").glob("*.scenario"))


@functools.cache
def library() -> Coverage:
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.verifier.verify import DEFAULT_BUDGET, verify

    return coverage_of(examine(gather([str(ROOT / "scenarios")], ""), verify), DEFAULT_BUDGET, None)[0]


def uncovered(found: Coverage) -> list[str]:
    return [one.id for one in (*found.gaps(), *found.near_misses())]


@pytest.fixture
def lenient(folder: Path) -> Path:
    path = folder / "lenient.scenario"
    path.write_text(LENIENT)
    return path


def document(wellposed: Command, *arguments: str) -> Any:
    return json.loads(wellposed("coverage", "-q", "--format", "json", *arguments).out)


def test_the_library_covers_everything() -> None:
    assert (library().percent, uncovered(library())) == (100, [])


@pytest.mark.parametrize("name", SCENARIOS)
def test_without_a_scenario_exactly_its_only_cover_is_lost(name: str) -> None:
    whole = library()
    rest = tuple(one for one in whole.scenarios if one.id != name)
    found = Coverage(rest, Matrix(tuple(one.row for one in rest), ()))
    lost = {one.id: list(ids) for one, ids in whole.only_cover()}.get(name, [])
    assert sorted(uncovered(found)) == sorted(lost)


def test_some_of_it_by_hand() -> None:
    lost = {one.id: set(ids) for one, ids in library().only_cover()}
    assert lost["l2-posture-change"] == {"stale-posture"}
    assert lost["l2-forged-approvals"] == {"L2.forged", "trusts-dangling", "trusts-wrong-hash"}
    assert "l3-fleet-concurrent" not in lost, "the other fleet has all that it has"


def test_what_is_missing_without_one_on_the_command_line(wellposed: Command) -> None:
    paths = [str(ROOT / "scenarios" / f"{name}.scenario") for name in SCENARIOS if name != "l2-posture-change"]
    found = document(wellposed, *paths)
    assert (found["gaps"], found["near_misses"], found["percent"]) == (["stale-posture"], [], 98)
    out = wellposed("coverage", *paths).out
    assert out.startswith(
        "gaps\n  stale-posture  cannot err: it admits by the posture of the beginning, which attacks "
    )


def test_near_misses_come_with_a_run(wellposed: Command, lenient: Path) -> None:
    found = document(wellposed, "lenient.scenario")
    near = {one["id"]: one for one in found["near_misses"]}
    assert list(near) == ["L0.draft", "L1.once", "L1.fork", "L2.admit", "L2.authority", "late-by-one"]
    assert near["L1.once"]["scenario"] == "lenient"
    assert [event["event"] for event in near["L1.once"]["run"] if event["actor"] == "system"][-2:] == ["send", "send"]
    lenient.write_text(LENIENT.replace("m1 sent", "m1 sent exactly once"))
    assert "L1.once" not in {one["id"] for one in document(wellposed, "lenient.scenario")["near_misses"]}


def test_text(wellposed: Command, folder: Path) -> None:
    result = wellposed("coverage", "hello.scenario")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith("gaps\n  L0.abandon  ")
    assert "\nnear misses\n  none\n" in result.out
    assert "\nL0 respond                   1              2 of 3       L0.abandon\n" in result.out
    assert "\nL0.reply      +  " in result.out and "\nL2.send       -  " in result.out
    assert wellposed("coverage", "hello.scenario").out == result.out


def test_json(wellposed: Command, lenient: Path) -> None:
    found = document(wellposed, "hello.scenario", "lenient.scenario")
    assert list(found) == [
        *(
            "format",
            "tool",
            "spec",
            "readings",
            "percent",
            "gaps",
            "near_misses",
            "only_cover",
            "levels",
            "obligations",
        ),
        *("systems", "scenarios", "left_out", "findings"),
    ]
    assert [row["id"] for row in found["obligations"]] == [row.id for row in COUNTED]
    assert [row["id"] for row in found["systems"]] == [fault.id for fault in FAULTS]
    for row in found["obligations"]:
        assert set(row["noticed"]) <= set(row["counts"]) and set(row["always_caught"]) <= set(row["attacked_by"])
    covered = [row["noticed"] for row in found["obligations"]] + [row["covered_by"] for row in found["systems"]]
    assert found["percent"] == 100 * sum(map(bool, covered)) // (len(COUNTED) + len(FAULTS))


def test_a_minimum(wellposed: Command, folder: Path) -> None:
    have = document(wellposed, "hello.scenario")["percent"]
    assert wellposed("coverage", "--min", str(have), "hello.scenario").status == 0
    result = wellposed("coverage", "--min", str(have + 1), "hello.scenario")
    assert result.status == 1
    assert (
        f"error[WP612]: the scenarios cover {have} % of the obligations and faulty systems; at least {have + 1} %"
        in result.err
    )
    (finding,) = document(wellposed, "--min", "100", "hello.scenario")["findings"]
    assert finding["code"] == "WP612" and "L0.abandon, " in finding["notes"][0]


@pytest.mark.parametrize("wrong", ["101", "-1", "x", "9999", "1.5", ""])
def test_a_minimum_that_is_none(wellposed: Command, wrong: str) -> None:
    assert wellposed("coverage", f"--min={wrong}", "hello.scenario").status == 2


def test_nothing_that_could_be_covered(wellposed: Command) -> None:
    result = wellposed("coverage", "--min", "1", "race.scenario")
    assert result.status == 1 and "WP501" in result.err and "race (ambiguous)" in result.out


def test_a_budget_that_does_not_suffice(wellposed: Command, lenient: Path) -> None:
    """For the verdict, for the cells or for what counts: always undecided, and never an error of the program."""
    for budget in (1, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000):
        result = wellposed("coverage", "hello.scenario", "lenient.scenario", "--budget", str(budget))
        assert result.status in (1, 3), result.err
        if "lenient (undecided)" in result.out:
            assert "WP403" in result.err


def test_html(wellposed: Command, lenient: Path) -> None:
    out = wellposed("coverage", "--format", "html", "hello.scenario", "lenient.scenario").out
    page = Page(out)
    assert not page.names & {"script", "link", "img", "iframe"} and "://" not in out
    assert "Near misses" in out and "<pre>" in out
