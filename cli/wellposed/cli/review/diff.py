"""Two scenarios read, verified and compared."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.cli.gather import gather, several_bundles
from wellposed.cli.pipeline import examine
from wellposed.cli.report import UNDECIDED_CODE, Report, ScenarioResult, in_order
from wellposed.compiler.bundle import Bundle
from wellposed.compiler.references import record_id
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding
from wellposed.verifier.compare import Comparison, compare
from wellposed.verifier.matrix import matrix
from wellposed.verifier.report import Verification
from wellposed.verifier.solver import OutOfBudget
from wellposed.verifier.verify import JUDGED, verify


@dataclass(frozen=True, slots=True)
class Side:
    """One scenario of the two. `cells` is its row of the kill matrix, None where it has none."""

    source: str
    bundle: Bundle
    verification: Verification
    cells: dict[str, str] | None


@dataclass(frozen=True, slots=True)
class EventChange:
    """An event of the schedule, by channel and id, as each side has it; None where it has not."""

    channel: str
    id: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Both sides, what differs in their schedules, and what that makes lawful or accepted."""

    before: Side
    after: Side
    events: tuple[EventChange, ...]
    comparison: Comparison


def difference(one: str, other: str, budget: int) -> tuple[Difference | None, Report, Sequence[str]]:
    """What differs between the scenarios at two paths: None where one of them is no single usable scenario.

    Also the report on both, and remarks for stderr. Raises WitnessRejected.
    """
    checked = functools.partial(verify, budget=budget)
    reports: list[Report] = []
    notices: list[str] = []
    for path in (one, other):
        gathered = gather([path], "stdin.json")
        report = examine(gathered, checked)
        reports.append(report if len(report.scenarios) < 2 else report.with_findings([several_bundles(path)]))
        notices += gathered.notices
    first, second = reports
    both = Report(
        (*first.scenarios, *second.scenarios),
        in_order((*first.findings, *second.findings)),
        in_order((*first.suppressed, *second.suppressed)),
        {**first.sources, **second.sources},
    )
    sides = [side_of(report.scenarios[0], budget) for report in reports if len(report.scenarios) == 1]
    if len(sides) < 2 or sides[0] is None or sides[1] is None:
        return None, both, notices
    found = difference_of(sides[0], sides[1], budget)
    if found.comparison.undecided:
        both = both.with_findings([undecided("what the second scenario changes")])
    return found, both, notices


def difference_of(before: Side, after: Side, budget: int) -> Difference:
    """What differs between two verified scenarios. Raises WitnessRejected."""
    comparison = compare(before.bundle, after.bundle, before.verification, after.verification, budget)
    return Difference(before, after, tuple(_events(before.bundle, after.bundle)), comparison)


def undecided(what: str, scenario: str | None = None) -> Finding:
    """WP403 for a comparison that the budget does not reach."""
    message = f"{what} is not decided within the work budget"
    return Finding(UNDECIDED_CODE, BY_ID[UNDECIDED_CODE].severity, message, help="raise --budget", scenario=scenario)


def side_of(found: ScenarioResult, budget: int) -> Side | None:
    """A verified scenario with its row of the kill matrix; None for one that is not verified. Raises WitnessRejected."""
    if found.bundle is None or found.verification is None:
        return None
    cells = None
    if found.verification.verdict in JUDGED:
        try:
            cells = {kill.cell.system: kill.cell.value for kill in matrix(found.bundle, budget)}
        except OutOfBudget:
            cells = None
    return Side(found.source, found.bundle, found.verification, cells)


def _events(one: Bundle, other: Bundle) -> list[EventChange]:
    """The events that were added, removed or changed; that others moved in the order of the schedule counts for nothing."""
    had, has = _by_id(one), _by_id(other)
    different = [key for key in dict.fromkeys((*had, *has)) if had.get(key) != has.get(key)]
    return [EventChange(channel, id, had.get(key), has.get(key)) for key in different for channel, id, _ in (key,)]


def _by_id(bundle: Bundle) -> dict[tuple[str, str, int], Mapping[str, Any]]:
    """The events without their place in the order; one id stands several times where a record comes in again."""
    seen: Counter[tuple[str, str]] = Counter()
    events: dict[tuple[str, str, int], Mapping[str, Any]] = {}
    for entry in bundle.document["schedule"]:
        key = entry["channel"], record_id(entry)[1]
        events[(*key, seen[key])] = {name: value for name, value in entry.items() if name != "seq"}
        seen[key] += 1
    return events
