"""`wellposed-claims/1`: claims and what they come to, as JSON. Every member is always there; no times, no absolute paths."""

from __future__ import annotations

from wellposed.cli._version import __version__
from wellposed.cli.claim import ClaimsReport
from wellposed.cli.render.json_report import findings, json_text, trace
from wellposed.dsl.findings import Severity
from wellposed.dsl.vocabulary import SPEC
from wellposed.verifier.claims import VERDICTS, ClaimResult

FORMAT = "wellposed-claims/1"


def render(report: ClaimsReport) -> str:
    """The report as JSON text with a final newline."""
    return json_text(document(report))


def document(report: ClaimsReport) -> dict[str, object]:
    """The report as a JSON value, members in the documented order."""
    return {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        "spec": SPEC,
        "claims": [claim_value(one) for one in report.claims],
        "findings": findings(report),
        "summary": {
            "claims": len(report.claims),
            **{verdict: sum(one.verdict == verdict for one in report.claims) for verdict in VERDICTS},
            "errors": report.count(Severity.ERROR),
            "warnings": report.count(Severity.WARNING),
            "notes": report.count(Severity.NOTE),
        },
    }


def claim_value(one: ClaimResult) -> dict[str, object]:
    """One claim: what it says, what it comes to, and what shows it."""
    claim = one.claim
    return {
        "name": one.name,
        "path": one.path,
        "kind": None if claim is None else claim.kind,
        "scenario": one.bundle.id if one.bundle is not None else None if claim is None else claim.scenario,
        "bundle": one.bundle.hash if one.bundle is not None else None if claim is None else claim.bundle,
        "previous": None if claim is None else claim.previous,
        "level": None if claim is None else claim.level,
        "obligations": [] if claim is None else list(claim.obligations),
        "system": None if claim is None else claim.system,
        "class": None if claim is None else claim.failure_class,
        "shows": None if claim is None else claim.shows,
        "reading": None if claim is None or claim.reading is None else f"{claim.reading}={claim.answer}",
        "justification": None if claim is None else claim.justification,
        "disclosure": None if claim is None else claim.disclosure,
        "verdict": one.verdict,
        "told": one.told,
        "broken": list(one.broken),
        "flips": [{"scenario": flip.scenario, "before": flip.before, "after": flip.after} for flip in one.flips],
        "witness": trace(one.witness),
    }
