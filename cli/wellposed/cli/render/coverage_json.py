"""`wellposed-coverage/1`: the coverage as JSON. Every member is always there, in a stable order."""

from __future__ import annotations

from wellposed.cli._version import __version__
from wellposed.cli.coverage import COUNTED, NOT_COUNTED, Coverage
from wellposed.cli.matrix import FAULTS
from wellposed.cli.render.coverage_text import levels, through
from wellposed.cli.render.json_report import findings, json_text, trace
from wellposed.cli.report import Report
from wellposed.dsl.vocabulary import READINGS, SPEC, Obligation
from wellposed.verifier.models import Fault

FORMAT = "wellposed-coverage/1"


def render(found: Coverage, report: Report) -> str:
    """What is missing, then every obligation and every faulty system with the scenarios, and the findings."""
    document = {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        "spec": SPEC,
        "readings": READINGS,
        "percent": found.percent,
        "gaps": [one.id for one in found.gaps()],
        "near_misses": [
            *(_near(found, one) for one in found.near_misses()),
            *(_near_miss(row.id, covered=True) for row in found.spare()),
            *(_near_miss(None, one.id, one.expectation(index), covered=True) for one, index in found.idle()),
        ],
        "not_counted": [row.id for row in NOT_COUNTED],
        "only_cover": {one.id: list(ids) for one, ids in found.only_cover()},
        "levels": [
            {"level": name.split()[0], "scenarios": scenarios, "obligations": own, "not_covered": missing}
            for name, scenarios, own, missing in levels(found)
        ],
        "obligations": [_obligation(found, row) for row in COUNTED],
        "systems": [_system(found, fault) for fault in FAULTS],
        "scenarios": [
            {
                "id": one.id,
                "source": one.row.result.source,
                "bundle": one.row.bundle.hash,
                "level": one.row.bundle.level,
            }
            for one in found.scenarios
        ],
        "left_out": [{"id": id, "verdict": verdict} for id, verdict in found.matrix.left_out],
        "findings": findings(report),
    }
    return json_text(document)


def _near(found: Coverage, one: Obligation | Fault) -> dict[str, object]:
    """With a run that breaks an obligation and passes; `wellposed mutants` has those of faulty systems."""
    if not isinstance(one, Obligation):
        return _near_miss(one.id)
    scenario, survivor = found.unnoticed(one.id)
    return _near_miss(one.id, scenario.id, run=trace(survivor.trace))


def _near_miss(
    id: str | None,
    scenario: str | None = None,
    expectation: str | None = None,
    run: list[object] | None = None,
    covered: bool = False,
) -> dict[str, object]:
    """`covered` marks an obligation that is covered, or an expectation, on which no cell depends."""
    return {"id": id, "scenario": scenario, "expectation": expectation, "covered": covered, "run": run or []}


def _obligation(found: Coverage, row: Obligation) -> dict[str, object]:
    attacking, caught = through(found, row.id)
    return {
        "id": row.id,
        "counts": [one.id for one in found.counting(row.id)],
        "noticed": [one.id for one in found.noticing(row.id)],
        "attacked_by": attacking,
        "always_caught": caught,
    }


def _system(found: Coverage, fault: Fault) -> dict[str, object]:
    return {
        "id": fault.id,
        "best": found.matrix.best(fault.id),
        "unforced": fault.unforced or None,
        "covered_by": [one.id for one in found.catching(fault.id)],
    }
