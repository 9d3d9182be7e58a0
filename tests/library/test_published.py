"""The published library: which scenarios there are, and what follows from each, worked out by hand from the model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from wellposed.compiler.compilation import Compilation, CompiledScenario
from wellposed.dsl.findings import Severity
from wellposed.verifier.report import Outcome, Verification

ROOT = Path(__file__).resolve().parents[2]

Ends = dict[str, set[Outcome]]


def sent(first: int, last: int) -> Outcome:
    return Outcome("sent", None, first, last)


def abandoned(reason: str, first: int, last: int) -> Outcome:
    return Outcome("abandoned", reason, first, last)


OPEN = Outcome("open", None, None, None)
NOT_ADMITTED = Outcome("not-admitted", None, None, None)


@dataclass(frozen=True)
class Answer:
    """What conforming runs of a scenario look like: the levels that some of them exercise, and every item's ends.

    The first number of a window is the earliest tick of that end in any conforming run, the second the latest.
    """

    exercised: str
    ends: Ends = field(default_factory=dict)


# A draft is due 10 ticks after its message, a send 5 after an approval (10 after the message below level 2), an orphaning
# 5 after a death, an abandonment 20 after the crash that found the item pending, an escalation's abandonment by the horizon.
ANSWERS = {
    "l0-single-reply": Answer("L0", {"m1": {sent(0, 10)}}),
    "l1-follow-up": Answer(
        "L0 L1",
        {"chair-1": {sent(0, 10)}, "lamp-1": {sent(1, 11)}, "chair-2": {sent(50, 60)}, "lamp-2": {sent(51, 61)}},
    ),
    # m2 drafted in 20..29, so the crash falls in 21..30: a draft at 30 must be sent at 30.
    "l1-crash-before-send": Answer("L0 L1", {"m1": {sent(0, 10)}, "m2": {sent(20, 50), abandoned("crash", 21, 50)}}),
    "l2-late-approval-two-restarts": Answer("L0 L1 L2", {"m1": {sent(110, 115)}}),
    "l2-approval-redelivery": Answer("L0 L1 L2", {"m1": {sent(12, 17)}}),
    "l2-forged-approvals": Answer("L0 L1 L2", {"m1": {sent(30, 35)}, "m2": {OPEN}}),
    # The crash finds m1 pending at 12, the tick of its approval, and gives it 20 ticks.
    "l2-crash-at-approval": Answer("L0 L1 L2", {"m1": {sent(12, 32), abandoned("crash", 12, 32)}}),
    # Not standing from 12 on, m1 may be given up at any later tick, or wait for ever.
    "l2-withdrawn-approval": Answer(
        "L0 L1 L2", {"m1": {abandoned("rejected", 12, 40), OPEN}, "m2": {sent(12, 17)}}
    ),
    "l2-posture-change": Answer(
        "L0 L1 L2",
        {"m1": {sent(30, 35)}, "m2": {NOT_ADMITTED}, "m3": {sent(70, 75)}, "m4": {NOT_ADMITTED}},
    ),
    "l2-rules-change": Answer("L0 L1 L2", {"m1": {sent(30, 35)}, "m2": {NOT_ADMITTED}, "m3": {sent(40, 45)}}),
    "l2-sender-history": Answer(
        "L0 L1 L2",
        {"m1": {NOT_ADMITTED}, "m2": {NOT_ADMITTED}, "m3": {sent(24, 29)}, "m4": {NOT_ADMITTED}},
    ),
    "l3-fleet-concurrent": Answer(
        "L0 L1 L2 L3",
        {
            "m1": {sent(40, 45), abandoned("agent_death", 15, 20)},
            "m2": {sent(44, 49), abandoned("agent_death", 15, 20)},
        },
    ),
    "l3-fleet-concurrent-redelivery": Answer(
        "L0 L1 L2 L3",
        {
            "m1": {sent(40, 45), abandoned("agent_death", 15, 20)},
            "m2": {sent(44, 49), abandoned("agent_death", 15, 20)},
        },
    ),
    "l4-operator-escalation": Answer("L0 L1 L2 L4", {"m1": {abandoned("operator_escalation", 2, 30)}}),
    "l5-identity-fallibility": Answer(
        "L0 L1 L2 L4 L5",
        {"m1": {sent(12, 17)}, "m2": {abandoned("operator_escalation", 12, 40)}},
    ),
    "l6-post-approval-escalation": Answer("L0 L1 L2 L4 L6", {"m1": {abandoned("operator_escalation", 12, 40)}}),
}


def path_of(name: str) -> str:
    return f"scenarios/{name}.scenario"


def test_the_library_is_complete_and_nothing_else_lies_in_it() -> None:
    folder = ROOT / "scenarios"
    assert {path.name for path in folder.glob("*.scenario")} == {f"{name}.scenario" for name in ANSWERS}
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == {".scenario", ".rules", ".skin"}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_file_is_named_as_its_scenario(name: str, scenario: Callable[[str], CompiledScenario]) -> None:
    assert scenario(path_of(name)).id == name


@pytest.mark.parametrize("name", ANSWERS)
def test_it_compiles_without_a_warning(
    name: str, compilation: Callable[[str], Compilation], scenario: Callable[[str], CompiledScenario]
) -> None:
    found = (*compilation(path_of(name)).findings, *scenario(path_of(name)).findings)
    assert [finding for finding in found if finding.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("name", ANSWERS)
def test_a_published_scenario_is_never_rejected_on_purpose(
    name: str, scenario: Callable[[str], CompiledScenario]
) -> None:
    assert scenario(path_of(name)).rejected is None


@pytest.mark.parametrize("name", ANSWERS)
def test_it_is_well_posed(name: str, verification: Callable[[str], Verification]) -> None:
    result = verification(path_of(name))
    assert result.verdict == "well-posed"
    assert {one.text: one.verdict for one in result.expectations if one.verdict != "proved"} == {}
    assert [finding for finding in result.findings if finding.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("name", ANSWERS)
def test_the_levels_that_it_exercises(name: str, verification: Callable[[str], Verification]) -> None:
    levels = verification(path_of(name)).levels
    assert " ".join(level for level, state in levels.items() if state == "exercised") == ANSWERS[name].exercised
    assert list(levels) == [f"L{number}" for number in range(int(name[1]) + 1)]


@pytest.mark.parametrize("name", ANSWERS)
def test_the_ends_of_its_items_and_their_windows(name: str, verification: Callable[[str], Verification]) -> None:
    found = {message: set(ends) for message, ends in verification(path_of(name)).outcomes.items()}
    assert found == ANSWERS[name].ends
