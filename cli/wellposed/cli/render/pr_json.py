"""`wellposed-pr/1`: a pull request under review, as JSON. Every member is always there, in a stable order."""

from __future__ import annotations

from wellposed.cli._version import __version__
from wellposed.cli.render import diff_json
from wellposed.cli.render.json_report import findings, json_text, trace
from wellposed.cli.report import ScenarioResult
from wellposed.cli.review.changes import ScenarioChange
from wellposed.cli.review.pull import ACCEPT, PERSON, REJECT, Pull
from wellposed.dsl.findings import Severity
from wellposed.dsl.vocabulary import SPEC
from wellposed.verifier.claims import ClaimResult

FORMAT = "wellposed-pr/1"
WORDS = {ACCEPT: "accept", PERSON: "needs-a-person", REJECT: "reject"}


def render(pull: Pull) -> str:
    """The document as JSON text with a final newline."""
    return json_text(document(pull))


def document(pull: Pull) -> dict[str, object]:
    """The document as a JSON value; without a verdict, `verdict` is null."""
    options, report = pull.options, pull.report
    return {
        "format": FORMAT,
        "tool": {"name": "wellposed", "version": __version__},
        "spec": SPEC,
        "verdict": WORDS.get(pull.verdict),
        "base": {"revision": options.base, "commit": pull.base},
        "head": {"revision": options.head, "commit": pull.head},
        "merge_base": pull.ancestor,
        "commits": pull.commits,
        "scenarios": [_scenario(one) for one in pull.scenarios],
        "suppressions": [
            {"kind": one.kind, "what": one.what, "reason": one.reason, "path": one.place.path, "scenario": one.scenario}
            for one in pull.suppressions
        ],
        "claims": [_claim(one) for one in pull.claims],
        "files": [{"kind": kind, "paths": list(paths)} for kind, paths in pull.files.items()],
        "findings": findings(report),
        "summary": {f"{severity.value}s": report.count(severity) for severity in Severity},
    }


def _scenario(one: ScenarioChange) -> dict[str, object]:
    return {
        "change": one.kind,
        "id": one.id,
        "source": one.source,
        "before": _side(one.before),
        "after": _side(one.after),
        "through": list(one.because),
        "loosened": one.is_loosened,
        "no_longer_demanded": None if one.loosened is None else list(one.loosened),
        "lost": {
            "level": None if one.lost.level is None else list(one.lost.level),
            "exercised": list(one.lost.exercised),
            "caught": list(one.lost.caught),
            "catches": list(one.lost.catches),
            "expectations": list(one.lost.expectations),
            "obligations": list(one.lost.obligations),
        },
        "difference": None if one.difference is None else diff_json.members(one.difference),
    }


def _side(one: ScenarioResult | None) -> dict[str, object] | None:
    if one is None:
        return None
    return {
        "id": one.id,
        "source": one.source,
        "bundle": None if one.bundle is None else one.bundle.hash,
        "level": None if one.bundle is None else one.bundle.level,
        "verdict": one.verdict,
    }


def _claim(one: ClaimResult) -> dict[str, object]:
    return {
        "path": one.path,
        "kind": None if one.claim is None else one.claim.kind,
        "subject": None if one.claim is None else one.claim.subject,
        "verdict": one.verdict,
        "told": one.told,
        "bundle": None if one.bundle is None else one.bundle.hash,
        "witness": trace(one.witness),
    }
