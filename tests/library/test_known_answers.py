"""Well-posed known answers of the model that are no part of the published library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wellposed.compiler.compilation import CompiledScenario
from wellposed.verifier.report import Outcome, Verification

ROOT = Path(__file__).resolve().parents[2]

ENDS = {
    "l2-approval-at-delivery": {Outcome("sent", None, 1, 16)},
    "l2-crash-long-before-approval": {Outcome("sent", None, 105, 110)},
    "l2-rejected-then-approved": {Outcome("abandoned", "rejected", 12, 19), Outcome("sent", None, 20, 25)},
    "l4-escalation-before-delivery": {Outcome("abandoned", "operator_escalation", 3, 40)},
    "l6-same-tick-late-mail": {Outcome("abandoned", "operator_escalation", 12, 40)},
}


def test_every_known_answer_has_its_ends() -> None:
    assert {path.stem for path in (ROOT / "tests/library/known").iterdir()} == set(ENDS)


@pytest.mark.parametrize("name", ENDS)
def test_a_known_answer_is_well_posed(
    name: str, scenario: Callable[[str], CompiledScenario], verification: Callable[[str], Verification]
) -> None:
    path = f"tests/library/known/{name}.scenario"
    assert scenario(path).id == name
    assert scenario(path).rejected is None
    assert verification(path).verdict == "well-posed"
    assert set(verification(path).outcomes["m1"]) == ENDS[name]
