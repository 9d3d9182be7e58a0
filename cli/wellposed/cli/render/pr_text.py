"""A pull request for people: the verdict in the first line, what a person has to decide, what changed, then the details."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.cli.render import diff_text, pr_outline
from wellposed.cli.render.colour import Palette
from wellposed.cli.render.concise import render_line
from wellposed.cli.render.escape import escape, pad, width
from wellposed.cli.render.snippet import render_finding
from wellposed.cli.render.view import View
from wellposed.cli.review.changes import ScenarioChange
from wellposed.cli.review.pull import ACCEPT, PERSON, Pull
from wellposed.dsl.findings import Finding

SHOWN = 25
"""How many findings are listed before the details."""


def render(pull: Pull, palette: Palette, view: View) -> str:
    """The whole account, with a final newline."""
    blocks = [_head(pull, palette)]
    if not view.quiet:
        blocks += [_section(title, _findings(found, palette), palette) for title, found in pr_outline.sections(pull)]
        blocks += [_section("scenarios", _rows(pull), palette), _section("claims", _claims(pull), palette), _section("files", _files(pull), palette)]
    details = [render_finding(one, pull.report.sources, palette) for one in pr_outline.in_weight(view.findings(pull.report))]
    if details:
        blocks.append(palette.paint("details", "bold"))
    blocks += details
    if not view.quiet:
        blocks += [_section(f"{one.kind}: {escape(one.id)}", _difference(text), palette) for one, text in _differences(pull, view.verbose)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def concise(pull: Pull, palette: Palette, view: View) -> str:
    """The verdict, then one line per finding."""
    return "".join(f"{line}\n" for line in (escape(pr_outline.headline(pull)), *(render_line(one, palette) for one in pr_outline.in_weight(view.findings(pull.report)))))


def _head(pull: Pull, palette: Palette) -> str:
    kind = {ACCEPT: "good", PERSON: "warning"}.get(pull.verdict, "error")
    first = palette.paint(escape(pr_outline.headline(pull)), kind)
    compared = escape(pr_outline.compared(pull))
    return f"{first}\n{compared}" if compared else first


def _section(title: str, lines: list[str], palette: Palette) -> str:
    return "\n".join([palette.paint(title, "bold"), *(f"  {line}".rstrip() for line in lines)]) if lines else ""


def _findings(found: Sequence[Finding], palette: Palette) -> list[str]:
    """One line each for the weightiest; the details have them all."""
    lines = [render_line(one, palette) for one in found[:SHOWN]]
    return [*lines, f"and {len(found) - SHOWN} more, all of them below"] if len(found) > SHOWN else lines


def _rows(pull: Pull) -> list[str]:
    return _aligned([(row.what, escape(row.id), escape(row.states), row.hashes, escape(row.remark)) for row in pr_outline.rows(pull)])


def _claims(pull: Pull) -> list[str]:
    return _aligned([(verdict, escape(path), escape(why)) for path, verdict, why in pr_outline.claims(pull)])


def _files(pull: Pull) -> list[str]:
    return [f"{kind}: {escape(some)}" for kind, some in pr_outline.files(pull)]


def _differences(pull: Pull, all: bool) -> Iterator[tuple[ScenarioChange, str]]:
    """Each change in full; of those that come from an import, what the finding about it says is enough unless all is asked for."""
    for one in pull.scenarios:
        if one.difference is not None and (all or not one.because):
            yield one, diff_text.render(one.difference, "the version before", "the version after")


def _difference(text: str) -> list[str]:
    return text.rstrip("\n").split("\n")


def _aligned(table: list[tuple[str, ...]]) -> list[str]:
    widths = [max(width(row[column]) for row in table) for column in range(len(table[0]))] if table else []
    return ["  ".join(pad(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip() for row in table]
