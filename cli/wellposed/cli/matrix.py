"""The kill matrix of all scenarios of one invocation: which faulty system is caught where, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from wellposed.cli.report import UNDECIDED_CODE, Report, ScenarioResult
from wellposed.compiler.bundle import Bundle
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding
from wellposed.dsl.vocabulary import SPEC
from wellposed.verifier.catching import Change, change_for
from wellposed.verifier.matrix import Kill, matrix
from wellposed.verifier.models import FAULT_TABLES, Fault
from wellposed.verifier.mutants import ABSENT, KILLED, SOMETIMES, SURVIVES
from wellposed.verifier.solver import OutOfBudget
from wellposed.verifier.verify import JUDGED

FAULTS = FAULT_TABLES[SPEC]


@dataclass(frozen=True, slots=True)
class Row:
    """One scenario with its cells, by system in the order of the table."""

    result: ScenarioResult
    bundle: Bundle
    kills: Mapping[str, Kill]
    changes: Mapping[str, Change | None]

    def value(self, system: str) -> str:
        return self.kills[system].cell.value


@dataclass(frozen=True, slots=True)
class Matrix:
    """The rows, and the scenarios that were left out, with their verdicts.

    `changes` of a row has an entry for every survivor of a system that no row always catches, and that a schedule could
    force to err: None where no change was found.
    """

    rows: tuple[Row, ...]
    left_out: tuple[tuple[str, str], ...]

    def best(self, system: str) -> str:
        """The best value of a system in any scenario: always caught, sometimes, never, or it cannot err anywhere."""
        values = {row.value(system) for row in self.rows}
        return next((value for value in (KILLED, SOMETIMES, SURVIVES) if value in values), ABSENT)

    def missed(self) -> tuple[Fault, ...]:
        """The systems that no scenario always catches."""
        return tuple(fault for fault in FAULTS if self.best(fault.id) != KILLED)


def matrix_of(report: Report, budget: int, changes: bool) -> tuple[Matrix, Report]:
    """The kill matrix of a verified report; and the report with what was left undecided.

    With `changes`, also what would catch the systems that are not always caught anywhere. Raises WitnessRejected.
    """
    rows: list[Row] = []
    left_out: list[tuple[str, str]] = []
    lost: list[Finding] = []
    for one in report.scenarios:
        if one.rejection is not None:
            continue
        if one.bundle is None or one.verdict not in JUDGED:
            left_out.append((one.id, one.verdict or "not verified"))
            continue
        try:
            kills = matrix(one.bundle, budget)
            rows.append(Row(one, one.bundle, {kill.cell.system: kill for kill in kills}, {}))
        except OutOfBudget as stop:
            left_out.append((one.id, "undecided"))
            lost.append(undecided(one.bundle, "every cell of the kill matrix", str(stop)))
    found = Matrix(tuple(rows), tuple(left_out))
    if changes:
        sought = [fault.id for fault in found.missed() if not fault.unforced]
        found = replace(found, rows=tuple(replace(row, changes=_changes(row, sought, budget)) for row in rows))
    return found, report.with_findings(lost)


def _changes(row: Row, systems: list[str], budget: int) -> Mapping[str, Change | None]:
    surviving = [row.kills[system].cell for system in systems if row.kills[system].survivor is not None]
    return {cell.system: change_for(row.bundle, cell, budget) for cell in surviving}


def undecided(bundle: Bundle, what: str, why: str) -> Finding:
    """WP403 for a question about a scenario that the budget did not reach."""
    message = f"undecided: it was not found out within the budget: {what}"
    notes = (f"not explored: {why}",)
    severity = BY_ID[UNDECIDED_CODE].severity
    return Finding(UNDECIDED_CODE, severity, message, bundle.place("/id"), notes=notes, scenario=bundle.id)
