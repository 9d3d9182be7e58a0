"""The gallery of defects: each is rejected exactly as it declares, and the twin beside it is well-posed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from wellposed.compiler.compilation import Compilation, CompiledScenario
from wellposed.dsl.findings import Severity
from wellposed.verifier.report import Verification

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "defects"

REPORTED = ("fd-01", "fd-02", "fd-06", "fd-18", "fd-21", "fd-23", "fd-24", "fd-27", "fd-47", "fd-55", "fd-61", "fd-64")
KNOWN = (
    "l1-crash-while-waiting",
    "l1-nothing-for-level-1",
    "l2-posture-lifted-later",
    "l2-reply-in-no-time",
    "l2-two-of-five-ticks",
    "l3-fleet-expects-every-reply",
    "l3-kill-after-send",
    "l3-kill-before-admission",
    "l3-nobody-dies",
    "l6-escalation-one-tick-late",
    "l6-escalation-five-ticks-late",
    "l6-escalation-six-ticks-late",
    "l6-escalation-eleven-ticks-late",
    "l6-late-mail-escalation-ten-ticks-late",
    "l6-late-mail-escalation-eleven-ticks-late",
    "l6-withdrawn-but-sent",
    "lenient-invariants",
    "unbreakable-expectation",
)
CASES = (*REPORTED, *KNOWN)

# The obligations of each core, beside the expectation. The rows of the kernel (K) are the background of every core: a
# completed item was sent (fd-21), and an abandonment names a cause that has happened (fd-27: there is none).
CORES = {
    "fd-01": [{"L2.only"}],
    "fd-02": [{"L2.only"}],
    "fd-18": [{"L2.only"}],
    "fd-21": [{"L2.authority"}],
    "fd-27": [{"L2.authority"}],
    "l6-escalation-six-ticks-late": [{"L0.draft", "L2.send"}],
    "l6-escalation-eleven-ticks-late": [{"L0.draft", "L2.send"}, {"L0.draft", "L0.reply"}],
    "l6-late-mail-escalation-eleven-ticks-late": [{"L0.draft", "L2.send"}],
    "l6-withdrawn-but-sent": [{"L2.authority", "L4.stop"}, {"L2.authority", "L6.stop"}],
}

# Cases that have a second fault, which follows from the first or stands in the report that they retell.
ALSO = {
    "fd-55": {"WP602"},
    "fd-61": {"WP602"},
    "l1-crash-while-waiting": {"WP603"},
    "l2-posture-lifted-later": {"WP602"},
    "l3-kill-after-send": {"WP603"},
    "l3-kill-before-admission": {"WP603"},
}


def defect(case: str) -> str:
    return f"examples/defects/{case}/defect.scenario"


def repaired(case: str) -> str:
    return f"examples/defects/{case}/repaired.scenario"


def test_every_case_has_a_defect_and_its_twin_and_nothing_else() -> None:
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.is_file()}
    assert found == {f"{case}/{name}.scenario" for case in CASES for name in ("defect", "repaired")}


@pytest.mark.parametrize("case", REPORTED)
def test_a_reported_defect_links_its_public_report(case: str) -> None:
    assert "https://github.com/" in (ROOT / defect(case)).read_text().split("scenario ", 1)[0]


@pytest.mark.parametrize("case", CASES)
def test_the_twin_bears_the_name_of_its_defect(case: str, scenario: Callable[[str], CompiledScenario]) -> None:
    name = scenario(defect(case)).id
    assert name == case or name.startswith(f"{case}-")
    assert scenario(repaired(case)).id == f"{name}-repaired"


@pytest.mark.parametrize("case", CASES)
def test_the_defect_is_rejected_as_it_declares(
    case: str,
    compilation: Callable[[str], Compilation],
    scenario: Callable[[str], CompiledScenario],
    verification: Callable[[str], Verification],
) -> None:
    compiled = scenario(defect(case))
    assert compiled.rejected is not None and compiled.rejected.code is not None
    if compiled.rejected.verdict == "invalid":
        assert compiled.bundle is None
        found = (*compilation(defect(case)).findings, *compiled.findings)
    else:
        result = verification(defect(case))
        assert result.verdict == compiled.rejected.verdict
        found = result.findings
    errors = {finding.code for finding in found if finding.severity is Severity.ERROR}
    assert errors == {compiled.rejected.code} | ALSO.get(case, set())


@pytest.mark.parametrize("case", CASES)
def test_the_twin_is_well_posed(
    case: str,
    compilation: Callable[[str], Compilation],
    scenario: Callable[[str], CompiledScenario],
    verification: Callable[[str], Verification],
) -> None:
    assert scenario(repaired(case)).rejected is None
    found = (*compilation(repaired(case)).findings, *verification(repaired(case)).findings)
    assert [finding for finding in found if finding.severity is not Severity.NOTE] == []
    assert verification(repaired(case)).verdict == "well-posed"


@pytest.mark.parametrize("case", CORES)
def test_the_core_of_an_unsatisfiable_defect(case: str, verification: Callable[[str], Verification]) -> None:
    core = {member.obligation for member in verification(defect(case)).core}
    assert "expectation" in core
    assert core - {"expectation"} in CORES[case]


def test_ids_are_unique_over_the_whole_tree(scenario: Callable[[str], CompiledScenario]) -> None:
    paths = [
        str(path.relative_to(ROOT))
        for folder in ("scenarios", "examples/defects", "tests/library/known")
        for path in sorted((ROOT / folder).rglob("*.scenario"))
    ]
    ids = [scenario(path).id.casefold() for path in paths]
    assert len(ids) == len(set(ids))
