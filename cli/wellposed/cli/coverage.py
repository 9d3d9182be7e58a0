"""What the scenarios of one invocation cover together, of obligations and faulty systems, and what nothing covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wellposed.cli.matrix import FAULTS, Matrix, Row, matrix_of, undecided
from wellposed.cli.report import Report
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding
from wellposed.dsl.vocabulary import OBLIGATIONS, Obligation
from wellposed.verifier.coverage import Covered, coverage
from wellposed.verifier.decisive import decisive_obligations, idle_expectations
from wellposed.verifier.matrix import Survivor
from wellposed.verifier.models import Fault
from wellposed.verifier.mutants import KILLED, SOMETIMES
from wellposed.verifier.solver import OutOfBudget

TOO_LITTLE = "WP612"
COUNTED = tuple(row for row in OBLIGATIONS if not row.id.startswith("K."))
"""The obligations that scenarios can cover."""
NOT_COUNTED = tuple(row for row in OBLIGATIONS if row.id.startswith("K."))
"""The physics of every log: no schedule brings them into question."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario: its cells, and the obligations that count in it.

    `decisive` are its standing obligations on which some cell depends; `idle` are the indexes of the expectations on which
    none does, where the expectations alone count.
    """

    row: Row
    covered: Mapping[str, Covered]
    decisive: frozenset[str] = frozenset()
    idle: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        return self.row.result.id

    def notices(self, obligation: str) -> bool:
        """Whether the obligation counts here and would be seen broken."""
        return obligation in self.covered and self.covered[obligation].unnoticed is None

    def judges(self, obligation: str) -> bool:
        """Whether it is one of the standing obligations."""
        return obligation in self.row.bundle.document["invariants"]

    def expectation(self, index: int) -> str:
        """An expectation as it is written."""
        assert self.row.result.verification is not None
        return self.row.result.verification.expectations[index].text


@dataclass(frozen=True, slots=True)
class Coverage:
    """All scenarios with a kill matrix."""

    scenarios: tuple[Scenario, ...]
    matrix: Matrix

    def counting(self, obligation: str) -> tuple[Scenario, ...]:
        """The scenarios in which an obligation counts."""
        return tuple(one for one in self.scenarios if obligation in one.covered)

    def noticing(self, obligation: str) -> tuple[Scenario, ...]:
        """Those that would see it broken: they cover it."""
        return tuple(one for one in self.scenarios if one.notices(obligation))

    def catching(self, system: str) -> tuple[Scenario, ...]:
        """Those that cover a faulty system: that always catch it, or, where no schedule can force it, sometimes."""
        fault = next(one for one in FAULTS if one.id == system)
        enough = (KILLED, SOMETIMES) if fault.unforced else (KILLED,)
        return tuple(one for one in self.scenarios if one.row.value(system) in enough)

    # What is missing

    def gaps(self) -> Iterator[Obligation | Fault]:
        """The obligations that count nowhere, then the systems that are caught nowhere, not even under some timings."""
        yield from (row for row in COUNTED if not self.counting(row.id))
        yield from (fault for fault in FAULTS if self.matrix.best(fault.id) not in (KILLED, SOMETIMES))

    def near_misses(self) -> Iterator[Obligation | Fault]:
        """The obligations that count and that no scenario would see broken, then the systems caught by luck only."""
        yield from (row for row in COUNTED if self.counting(row.id) and not self.noticing(row.id))
        yield from (f for f in FAULTS if self.matrix.best(f.id) == SOMETIMES and not self.catching(f.id))

    def spare(self) -> Iterator[Obligation]:
        """The obligations that are covered, and judged in some scenario, and on which no cell of any depends."""
        for row in COUNTED:
            judging = any(one.judges(row.id) for one in self.scenarios)
            if judging and self.noticing(row.id) and not any(row.id in one.decisive for one in self.scenarios):
                yield row

    def idle(self) -> Iterator[tuple[Scenario, int]]:
        """The expectations on which no cell depends, by scenario and index, where the expectations alone count."""
        yield from ((one, index) for one in self.scenarios for index in one.idle)

    def unnoticed(self, obligation: str) -> tuple[Scenario, Survivor]:
        """The first scenario in which a near miss counts, with a run that breaks it and passes."""
        first = self.counting(obligation)[0]
        survivor = first.covered[obligation].unnoticed
        assert survivor is not None
        return first, survivor

    def only_cover(self) -> Iterator[tuple[Scenario, tuple[str, ...]]]:
        """The scenarios without which something would not be covered, with the ids of that."""
        alone: dict[int, list[str]] = {}
        for id, covering in self._covering():
            if len(covering) == 1:
                alone.setdefault(self.scenarios.index(covering[0]), []).append(id)
        yield from ((self.scenarios[index], tuple(ids)) for index, ids in sorted(alone.items()))

    # How much

    def _covering(self) -> Iterator[tuple[str, tuple[Scenario, ...]]]:
        yield from ((row.id, self.noticing(row.id)) for row in COUNTED)
        yield from ((fault.id, self.catching(fault.id)) for fault in FAULTS)

    @property
    def percent(self) -> int:
        """How much of all obligations and faulty systems is covered, rounded down."""
        covered = [bool(covering) for _, covering in self._covering()]
        return 100 * sum(covered) // len(covered)


def coverage_of(report: Report, budget: int, least: int | None) -> tuple[Coverage, Report]:
    """The coverage of a verified report, and the report with what is undecided, and WP612 below `least` percent.

    Raises WitnessRejected.
    """
    matrix, report = matrix_of(report, budget, changes=False)
    scenarios: list[Scenario] = []
    left_out = list(matrix.left_out)
    lost: list[Finding] = []
    for row in matrix.rows:
        try:
            covered = {one.obligation: one for one in coverage(row.bundle, budget)}
            cells = [kill.cell for kill in row.kills.values()]
            decisive = decisive_obligations(row.bundle, cells, [one.id for one in COUNTED], budget)
            scenarios.append(Scenario(row, covered, decisive, idle_expectations(row.bundle, cells, budget)))
        except OutOfBudget as stop:
            left_out.append((row.result.id, "undecided"))
            lost.append(undecided(row.bundle, "which obligations it covers", str(stop)))
    found = Coverage(tuple(scenarios), Matrix(tuple(one.row for one in scenarios), tuple(left_out)))
    if least is not None and found.percent < least:
        lost.append(_too_little(found, least))
    return found, report.with_findings(lost)


def _too_little(found: Coverage, least: int) -> Finding:
    missing = [one.id for one in (*found.gaps(), *found.near_misses())]
    return Finding(
        TOO_LITTLE,
        BY_ID[TOO_LITTLE].severity,
        f"the scenarios cover {found.percent} % of the obligations and faulty systems; at least {least} % is asked for",
        notes=(f"not covered: {', '.join(missing)}",),
        help="add scenarios in which these come into question, or expectations that see them broken",
    )
