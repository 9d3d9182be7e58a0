"""The format for people: findings with quoted source, the table of scenarios, one line of summary."""

from __future__ import annotations

from wellposed.cli.render.colour import Palette
from wellposed.cli.render.escape import escape
from wellposed.cli.render.snippet import render_finding
from wellposed.cli.render.summary import summary_line
from wellposed.cli.render.table import render_table
from wellposed.cli.render.view import View
from wellposed.cli.report import Report, ScenarioResult
from wellposed.verifier.report import Outcome

# Items whose outcomes are listed per scenario unless everything was asked for.
SHOWN_ITEMS = 8

HEAD = ("scenario", "level", "verdict", "exercised", "outcomes, with the ticks at which they can fall")


def render(report: Report, palette: Palette, view: View) -> str:
    """The report as text, with a final newline unless it is empty."""
    blocks = [render_finding(finding, report.sources, palette) for finding in view.findings(report)]
    if view.summary and (blocks or report.scenarios):
        if report.scenarios:
            blocks.append(_table(report, palette, view.verbose))
        blocks.append(summary_line(report, palette, notes_hidden=not view.verbose))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _table(report: Report, palette: Palette, verbose: bool) -> str:
    rows, kinds = [], []
    for one in report.scenarios:
        verdict, kind = verdict_text(one)
        level = "" if one.bundle is None else f"L{one.bundle.level}"
        rows.append([[escape(one.id)], [level], [verdict], [_exercised(one)], _outcomes(one, verbose)])
        kinds.append(["", "", kind, "", ""])
    return render_table(HEAD, rows, palette.paint, kinds)


def verdict_text(one: ScenarioResult) -> tuple[str, str]:
    """The verdict in words, and its colour."""
    verdict = one.verdict or "not verified"
    if one.rejection is not None and one.verdict is not None:
        code = "" if one.rejection.code is None else f" {escape(one.rejection.code)}"
        if one.rejection.holds:
            return f"rejected as expected: {verdict}{code}", "good"
        return f"{verdict}, announced as {escape(one.rejection.verdict)}{code}", "error"
    return verdict, {"well-posed": "good", "undecided": "warning", "not verified": "dim"}.get(verdict, "error")


def _exercised(one: ScenarioResult) -> str:
    if one.verification is None:
        return ""
    return " ".join(escape(level) for level, state in one.verification.levels.items() if state == "exercised")


def _outcomes(one: ScenarioResult, verbose: bool) -> list[str]:
    if one.verification is None:
        return []
    items = list(one.verification.outcomes.items())
    messages = one.bundle is not None and any(entry["channel"] == "inbox" for entry in one.bundle.document["schedule"])
    if not items and messages and one.verification.levels:
        return ["not listed within the budget"]
    shown = items if verbose else items[:SHOWN_ITEMS]
    lines = [f"{escape(item)}: {' | '.join(map(outcome_text, outcomes))}" for item, outcomes in shown]
    if len(shown) < len(items):
        lines.append(f"and {len(items) - len(shown)} more items, all with -v")
    if verbose and one.bundle is not None:
        lines.append(one.bundle.hash)
    return lines


def outcome_text(outcome: Outcome) -> str:
    """`sent 6..16`, `abandoned(operator_escalation) 12..40`, `open`, `not admitted`; ticks of the scenario's clock."""
    text = escape(outcome.outcome.replace("-", " "))
    if outcome.reason is not None:
        text += f"({escape(outcome.reason)})"
    if outcome.first is None or outcome.last is None:
        return text
    return f"{text} {outcome.first}" if outcome.first == outcome.last else f"{text} {outcome.first}..{outcome.last}"
