"""`wellposed-mutants/1`: the kill matrix as JSON. Every member is always there, in a stable order."""

from __future__ import annotations

from wellposed.cli._version import __version__
from wellposed.cli.matrix import FAULTS, Matrix, Row
from wellposed.cli.render.json_report import findings, json_text, trace
from wellposed.cli.report import Report
from wellposed.dsl.vocabulary import READINGS, SPEC
from wellposed.verifier.catching import Change
from wellposed.verifier.matrix import Kill

FORMAT = "wellposed-mutants/1"


def render(matrix: Matrix, report: Report) -> str:
    """The systems with their best value in any scenario, the scenarios with cells and survivors, and the findings."""
    document = {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        "spec": SPEC,
        "readings": READINGS,
        "systems": systems(matrix),
        "scenarios": [_row(row) for row in matrix.rows],
        "left_out": [{"id": id, "verdict": verdict} for id, verdict in matrix.left_out],
        "findings": findings(report),
    }
    return json_text(document)


def systems(matrix: Matrix) -> list[object]:
    """The table of faulty systems. `unforced` says why no schedule can force an error, or is null."""
    return [
        {
            "id": fault.id,
            "text": fault.text,
            "attacks": list(fault.attacks),
            "unforced": fault.unforced or None,
            "best": matrix.best(fault.id),
        }
        for fault in FAULTS
    ]


def _row(row: Row) -> dict[str, object]:
    return {
        "id": row.result.id,
        "source": row.result.source,
        "bundle": row.bundle.hash,
        "level": row.bundle.level,
        "verdict": row.result.verdict,
        "cells": {system: kill.cell.value for system, kill in row.kills.items()},
        "survivors": [_survivor(kill, row.changes.get(system)) for system, kill in row.kills.items() if kill.survivor],
    }


def _survivor(kill: Kill, change: Change | None) -> dict[str, object]:
    """`beside` is what goes wrong in the run beside what the fault attacks; it kills nothing."""
    assert kill.survivor is not None
    cell, broken = kill.cell, kill.survivor.broken
    return {
        "system": cell.system,
        "value": cell.value,
        "attacked": list(cell.attacked),
        "shown": cell.shown,
        "broken": [row for row in broken if row in cell.attacked],
        "beside": [row for row in broken if row not in cell.attacked],
        "run": trace(kill.survivor.trace),
        "change": None
        if change is None
        else {"kind": change.kind, "words": change.words, "bundle": change.bundle.hash},
    }
