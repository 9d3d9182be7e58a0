"""Several runs together: five in a row for a pass, none that fails, and what counts for nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from wellposed.verifier.amr.judge.across import judge_runs
from wellposed.verifier.judged import (
    ADAPTER,
    FIXTURE_DEFECT,
    Breach,
    Classified,
    JudgedRun,
    RunFailure,
)


def failure(obligation: str = "L0.reply", *levels: str) -> RunFailure:
    return RunFailure(f"{obligation}/m1", Breach(obligation, levels or ("L0",), "m1", "/level", "late"), (), ())


def run(kind: str, number: int = 0) -> JudgedRun:
    """`p` passes, `f` fails, `x` exercises nothing, `h` is annulled, `d` fails by something that gets classified."""
    identity = (1, number)
    if kind == "h":
        return JudgedRun("run", identity, harness=("no inbox",))
    if kind == "x":
        return JudgedRun("run", identity)
    failures = {"f": (failure(),), "d": (failure("L0.draft"),)}.get(kind, ())
    return JudgedRun("run", identity, exercised=frozenset({"L0"}), failures=failures, expectations=(kind == "p",))


def level(kinds: str, static: str | None = "exercised", classified: Sequence[Classified] = ()) -> str:
    runs = [run(kind, number) for number, kind in enumerate(kinds)]
    exercised = {} if static is None else {"L0": static}
    return judge_runs(0, exercised, runs, classified).levels["L0"].result


@pytest.mark.parametrize(
    ("kinds", "static", "result"),
    [
        ("ppppp", "exercised", "pass"),
        ("pppp", "exercised", "inconclusive"),
        ("p", "exercised", "inconclusive"),
        ("ppppf", "exercised", "fail"),
        ("fpppppp", "exercised", "fail"),
        ("f", "untested", "fail"),
        ("pppphp", "exercised", "pass"),
        ("pppph", "exercised", "inconclusive"),
        ("hhhhh", "exercised", "inconclusive"),
        ("xxxxx", "untested", "untested"),
        ("xxxxx", "exercised", "inconclusive"),
        ("xxxxx", None, "inconclusive"),
        ("pxpxppp", "exercised", "pass"),
        ("ppppx", "exercised", "inconclusive"),
        ("xf", "exercised", "fail"),
    ],
)
def test_five_runs(kinds: str, static: str | None, result: str) -> None:
    assert level(kinds, static) == result


DEFECT = Classified("L0.draft/m1", FIXTURE_DEFECT, "the inbox was late")


def test_a_defect_of_the_fixture_annuls_its_failure_alone() -> None:
    assert level("ppppd") == "fail"
    assert level("ppppd", classified=[DEFECT]) == "inconclusive"
    assert level("pppppd", classified=[DEFECT]) == "pass"
    assert level("pppppdf", classified=[DEFECT]) == "fail"
    assert level("ppppd", classified=[Classified("L0.draft/m1", ADAPTER, "")]) == "fail"


def test_a_classified_failure_stays_listed() -> None:
    (found,) = judge_runs(0, {"L0": "exercised"}, [run("p"), run("d")], [DEFECT]).failures
    assert (found.id, found.runs, found.kind, found.justification) == (
        "L0.draft/m1",
        (1,),
        FIXTURE_DEFECT,
        DEFECT.justification,
    )


def test_levels_are_independent() -> None:
    """What fails L1 leaves L0 and L2 as they are."""
    runs = [
        JudgedRun("run", (1, number), exercised=frozenset({"L0", "L1", "L2"}), failures=(failure("L1.once", "L1"),))
        for number in range(5)
    ]
    found = judge_runs(2, {}, runs).levels
    assert {name: one.result for name, one in found.items()} == {"L0": "pass", "L1": "fail", "L2": "pass"}


def test_one_failure_of_many_runs_is_told_once() -> None:
    scenario = judge_runs(0, {"L0": "exercised"}, [run("f", 1), run("p", 2), run("f", 3)])
    assert [(one.id, one.runs) for one in scenario.failures] == [("L0.reply/m1", (0, 2))]


def test_expectations_over_runs() -> None:
    runs = [run("p", number) for number in range(5)]
    assert judge_runs(0, {}, runs).expectations[0].result == "pass"
    assert judge_runs(0, {}, [*runs, run("h", 9)]).expectations[0].runs == ("pass",) * 5 + ("annulled",)
    assert judge_runs(0, {}, [*runs, run("f", 9)]).expectations[0].result == "fail"


def test_the_origin_of_all_runs() -> None:
    def origin(*kinds: str | None) -> str | None:
        return judge_runs(0, {}, [JudgedRun("run", (1, 1), origin=kind) for kind in kinds]).origin

    assert origin("model-free", "model-free") == "model-free"
    assert origin("model-free", None) == "model-free"
    assert origin("model-free", "model-based") == "mixed"
    assert origin(None) is None
