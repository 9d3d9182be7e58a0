"""One line that says what the run came to."""

from __future__ import annotations

from collections import Counter

from wellposed.cli.render.colour import Palette
from wellposed.cli.report import Report
from wellposed.dsl.findings import Severity
from wellposed.dsl.vocabulary import VERDICTS


def tally(report: Report) -> dict[str, int]:
    """How many scenarios, how many of each verdict that occurs (well-posed always), findings by severity."""
    counts = Counter(one.verdict for one in report.scenarios if not (one.rejection is not None and one.rejection.holds))
    result = {"scenarios": len(report.scenarios)}
    for verdict in reversed(VERDICTS):
        if counts[verdict] or verdict == "well-posed":
            result[verdict] = counts[verdict]
    held = sum(one.rejection is not None and one.rejection.holds for one in report.scenarios)
    if held:
        result["rejected"] = held
    return {
        **result,
        "errors": report.count(Severity.ERROR),
        "warnings": report.count(Severity.WARNING),
        "notes": report.count(Severity.NOTE),
    }


def summary_line(report: Report, palette: Palette, notes_hidden: bool = False) -> str:
    """`14 scenarios: 13 well-posed, 1 ambiguous; 1 error, 2 notes (shown with -v)`."""
    counts = tally(report)
    scenarios = counts.pop("scenarios")
    errors, warnings, notes = counts.pop("errors"), counts.pop("warnings"), counts.pop("notes")
    verdicts = [
        f"{number} {'rejected as expected' if verdict == 'rejected' else verdict}"
        for verdict, number in counts.items()
        if number
    ]
    unverified = sum(one.verdict is None for one in report.scenarios)
    if unverified:
        verdicts.append(f"{unverified} not verified")
    text = _plural(scenarios, "scenario") + (f": {', '.join(verdicts)}" if verdicts else "")
    problems = [
        _plural(number, word) for number, word in ((errors, "error"), (warnings, "warning"), (notes, "note")) if number
    ]
    if problems:
        text += "; " + ", ".join(problems) + (" (notes are shown with -v)" if notes and notes_hidden else "")
    allowed = sum(one.suppressed is not None for one in report.suppressed)
    if allowed:
        text += f"; {_plural(allowed, 'finding')} allowed" + (" (shown with -v)" if notes_hidden else "")
    kind = "error" if errors else "warning" if warnings or report.undecided else "good"
    return palette.paint(text, kind)


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
