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

from wellposed.cli.coverage import COUNTED, NOT_COUNTED, Coverage, Scenario, coverage_of
from wellposed.cli.matrix import FAULTS, Matrix
from wellposed.verifier.models import MODELS
from wellposed.verifier.mutants import kill_matrix
from wellposed.verifier.solver import Budget

Command = Callable[..., Any]

SCENARIOS = sorted(path.stem for path in (ROOT / "scenarios").glob("*.scenario"))


@functools.cache
def covered(path: str) -> Coverage:
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.verifier.verify import DEFAULT_BUDGET, verify

    return coverage_of(examine(gather([str(ROOT / path)], ""), verify), DEFAULT_BUDGET, None)[0]


def library() -> Coverage:
    return covered("scenarios")


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
    missed = [one["id"] for one in found["near_misses"] if not one["covered"]]
    assert (found["gaps"], missed, found["percent"]) == (["stale-posture"], [], 98)
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
    assert "\n  not counted, as the physics of every log: K.declared, " in result.out
    assert (
        "\nnear misses\n  L1.once  at most one send per item: covered, but no cell depends on it (cannot err: "
        in result.out
    )
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
            "not_counted",
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
    assert "Near misses" in out and "<pre " in out and "not counted, as the physics of every log" in out


# What judges, and what depends on it

COSTLY = ("l3-fleet-concurrent", "l3-fleet-concurrent-redelivery")
LENIENT_BUNDLES = [
    str(path.relative_to(ROOT))
    for folder in ("examples/defects", "tests/corpus")
    for path in sorted((ROOT / folder).glob("*/*.scenario"))
    if "invariants only expect" in path.read_text(encoding="utf-8")
]


def cells(document: Any) -> dict[str, str]:
    found = kill_matrix(MODELS[document["spec"]].mutants(document, Budget(10**9)), Budget(10**9))
    return {system: cell.value for system, cell in found.items()}


def without(document: Any, member: str, index: int) -> Any:
    return {**document, member: [one for place, one in enumerate(document[member]) if place != index]}


def alone(one: Scenario) -> Coverage:
    """What a scenario covers by itself."""
    return Coverage((one,), Matrix((one.row,), ()))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in COSTLY else name for name in SCENARIOS]
)
def test_a_standing_obligation_changes_a_cell_or_is_listed(name: str) -> None:
    """Where no cell changes without it, it is a gap or a near miss of that scenario; and no other is called spare."""
    one = next(one for one in library().scenarios if one.id == name)
    document = one.row.bundle.document
    whole = cells(document)
    standing = document["invariants"]
    unchanged = {id for index, id in enumerate(standing) if cells(without(document, "invariants", index)) == whole}
    found = alone(one)
    spare = {row.id for row in found.spare()}
    assert unchanged <= {*uncovered(found), *spare, *(row.id for row in NOT_COUNTED)}
    assert spare <= unchanged and not spare & set(uncovered(found))
    assert len(unchanged) < len(standing)


def test_what_no_cell_of_the_library_depends_on() -> None:
    """Whoever breaks these breaks another row, or fails an expectation, in every scenario: L6.stop demands what L4 does."""
    assert [row.id for row in library().spare()] == ["L0.abandon", "L2.only", "L2.forged", "L6.stop"]


def test_what_one_scenario_depends_on_by_hand() -> None:
    """Only who never drafts attacks L0.draft alone, only who drafts and stops L0.reply; nothing is delivered twice."""
    one = next(one for one in library().scenarios if one.id == "l0-single-reply")
    assert one.decisive == {"L0.draft", "L0.reply"}
    assert [row.id for row in alone(one).spare()] == ["L1.once", "L1.fork"]


def test_there_are_foreign_bundles() -> None:
    assert len(LENIENT_BUNDLES) >= 5


@pytest.mark.parametrize("path", LENIENT_BUNDLES)
def test_an_expectation_changes_a_cell_or_is_listed(path: str) -> None:
    found = covered(path)
    for one in found.scenarios:
        document = one.row.bundle.document
        whole = cells(document)
        expected = range(len(document["expect"]))
        unchanged = [index for index in expected if cells(without(document, "expect", index)) == whole]
        assert list(found.idle()) == [(one, index) for index in unchanged]


def test_an_expectation_on_which_nothing_depends(wellposed: Command, lenient: Path) -> None:
    lenient.write_text(LENIENT.replace("5 of go\n", "5 of go\n    m1 sent within 6 of go\n"))
    out = wellposed("coverage", "lenient.scenario").out
    assert "  `m1 sent within 6 of go` in lenient: no cell depends on this expectation\n" in out
    misses = document(wellposed, "lenient.scenario")["near_misses"]
    wanted = {"id": None, "scenario": "lenient", "expectation": "m1 sent within 6 of go", "covered": True, "run": []}
    assert [one for one in misses if one["covered"]] == [wanted]


def test_a_spare_obligation_is_told(wellposed: Command) -> None:
    text = wellposed("coverage", "hello.scenario").out
    line = next(line for line in text.splitlines() if line.startswith("  L1.fork "))
    assert line.endswith("covered, but no cell depends on it (cannot err: forks-on-redelivery)")
    found = document(wellposed, "hello.scenario")
    spare = {"id": "L1.fork", "scenario": None, "expectation": None, "covered": True, "run": []}
    assert spare in found["near_misses"] and found["not_counted"] == [row.id for row in NOT_COUNTED]
    page = wellposed("coverage", "--format", "html", "hello.scenario").out
    assert "covered, but no cell depends on it (cannot err: forks-on-redelivery)" in page
