"""Claims for people: a table of what each says and comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from wellposed.cli.claim import ClaimsReport
from wellposed.cli.render.escape import escape
from wellposed.cli.render.table import render_table
from wellposed.verifier.claims import HOLDS, UNDECIDED, VERDICTS

HEAD = ("claim", "kind", "about", "verdict", "why")
COLOURS: Mapping[str, str] = {verdict: "error" for verdict in VERDICTS} | {HOLDS: "good", UNDECIDED: "warning"}


def render(report: ClaimsReport, paint: Callable[[str, str], str]) -> str:
    """The table and a line that counts, with a final newline; nothing where there is no claim."""
    if not report.claims:
        return ""
    rows = [
        [
            [escape(one.name)],
            ["" if one.claim is None else one.claim.kind],
            ["" if one.claim is None else escape(one.claim.subject)],
            [one.verdict],
            [escape(one.told)],
        ]
        for one in report.claims
    ]
    colours = [["", "", "", COLOURS[one.verdict], ""] for one in report.claims]
    counts = Counter(one.verdict for one in report.claims)
    told = ", ".join(
        f"{counts[verdict]} {'hold' if verdict == HOLDS and counts[verdict] > 1 else verdict}"
        for verdict in VERDICTS
        if counts[verdict]
    )
    number = len(report.claims)
    return f"{render_table(HEAD, rows, paint, colours)}\n\n{number} claim{'' if number == 1 else 's'}: {told}\n"
