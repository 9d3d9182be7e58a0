"""`wellposed-diff/1`: two scenarios compared, as JSON. Every member is always there, in a stable order."""

from __future__ import annotations

from wellposed.cli._version import __version__
from wellposed.cli.render.json_report import findings, json_text, trace
from wellposed.cli.report import Report
from wellposed.cli.review.diff import Difference, Side
from wellposed.verifier.compare import Change
from wellposed.verifier.report import Outcome

FORMAT = "wellposed-diff/1"


def render(found: Difference, report: Report) -> str:
    """Both sides, what differs, a run for each thing newly allowed or forbidden, and the findings on both."""
    document = {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        **members(found),
        "findings": findings(report),
    }
    return json_text(document)


def members(found: Difference) -> dict[str, object]:
    """Both sides, what differs, and a run for each thing newly allowed or forbidden."""
    comparison = found.comparison
    return {
        "before": _side(found.before),
        "after": _side(found.after),
        "changed": list(comparison.changed),
        "schedule": [
            {"channel": one.channel, "id": one.id, "before": one.before, "after": one.after} for one in found.events
        ],
        "same_runs": comparison.same_runs,
        "undecided": comparison.undecided,
        "newly_allowed": _change(comparison.allowed, found.before),
        "newly_forbidden": _change(comparison.forbidden, found.after),
        "outcomes": [
            {
                "item": one.item,
                "before": _outcome(one.before),
                "after": _outcome(one.after),
                "run": trace(one.run),
            }
            for one in comparison.outcomes
        ],
    }


def _side(side: Side) -> dict[str, object]:
    return {
        "id": side.bundle.id,
        "source": side.source,
        "bundle": side.bundle.hash,
        "level": side.bundle.level,
        "verdict": side.verification.verdict,
        "levels": dict(side.verification.levels),
        "mutants": side.cells,
    }


def _change(change: Change | None, failing: Side) -> dict[str, object] | None:
    if change is None:
        return None
    texts = [side.text for side in failing.verification.expectations]
    return {"fails": [texts[index] for index in change.failed], "run": trace(change.run)}


def _outcome(outcome: Outcome | None) -> dict[str, object] | None:
    if outcome is None:
        return None
    return {"outcome": outcome.outcome, "reason": outcome.reason, "from": outcome.first, "to": outcome.last}
