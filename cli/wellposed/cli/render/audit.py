"""The audit of readings as text, as Markdown and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from wellposed.cli.audit import Audit, Row
from wellposed.cli.render.escape import escape
from wellposed.cli.render.table import Cell, render_table
from wellposed.compiler.canonical import pretty
from wellposed.dsl.vocabulary import READINGS, VERDICTS

FORMAT = "wellposed-audit/1"


def render_text(audit: Audit, paint: Callable[[str, str], str]) -> str:
    """A table of readings by levels, then the reasons; with a final newline."""
    changing = [row for row in audit.rows if row.flipped]
    head = ("reading", *(f"L{level} ({count})" for level, count in audit.scenarios.items()))
    cells: list[list[Cell]] = [[[row.id], *([_cell(row, level)] for level in audit.scenarios)] for row in changing]
    blocks = [_opening(audit), render_table(head, cells, paint, [["bold", *[""] * len(audit.scenarios)] for _ in changing])]
    for row in changing:
        lines = [paint(row.id, "bold"), f"  {row.answer}", f"  {_changes(row)}"]
        for reason in row.reasons:
            lines.append(f"  no run is left, for one in {escape(reason.scenarios[0])}:")
            lines += [f"    {number}. {escape(line)}" for number, line in enumerate(reason.argument, start=1)]
        blocks.append("\n".join(lines))
    quiet = [row.id for row in audit.rows if not row.flipped]
    if quiet:
        blocks.append(f"No verdict changes under: {', '.join(quiet)}")
    return "\n\n".join(blocks) + "\n"


def render_markdown(audit: Audit) -> str:
    """The same as a page; with a final newline."""
    changing = [row for row in audit.rows if row.flipped]
    lines = [_opening(audit), "", "| reading | " + " | ".join(f"L{level}" for level in audit.scenarios) + " |"]
    lines.append("|---|" + "---|" * len(audit.scenarios))
    for row in changing:
        lines.append(f"| `{row.id}` | " + " | ".join(_cell(row, level) for level in audit.scenarios) + " |")
    for row in changing:
        lines += ["", f"## `{row.id}`", "", row.answer, "", f"{_changes(row)}."]
        for reason in row.reasons:
            lines += ["", f"No run is left, for one in `{reason.scenarios[0]}`:", ""]
            lines += [f"{number}. {_plain(line)}" for number, line in enumerate(reason.argument, start=1)]
    quiet = [row.id for row in audit.rows if not row.flipped]
    if quiet:
        lines += ["", f"No verdict changes under {', '.join(f'`{name}`' for name in quiet)}."]
    return "\n".join(lines) + "\n"


def render_json(audit: Audit) -> str:
    """`wellposed-audit/1`: every alternative, with the scenarios whose verdict changes and the cores."""
    rows = [
        {
            "id": row.id,
            "answer": row.answer,
            "flipped": dict(sorted(row.flipped.items())),
            "cores": [
                {"obligations": list(r.obligations), "scenarios": list(r.scenarios), "argument": list(r.argument)}
                for r in row.reasons
            ],
        }
        for row in audit.rows
    ]
    counts = {f"L{level}": count for level, count in audit.scenarios.items()}
    document = {"format": FORMAT, "readings": READINGS, "scenarios": counts, "left_out": list(audit.left_out), "rows": rows}
    return pretty(document) + "\n"


def _opening(audit: Audit) -> str:
    count = sum(audit.scenarios.values())
    text = f"{count} scenarios, all well-posed under {READINGS}; what becomes of them under other readings, by level:"
    if audit.left_out:
        text += f"\nleft out, as they are not well-posed to begin with: {', '.join(map(escape, audit.left_out))}"
    return text


def _cell(row: Row, level: int) -> str:
    counts = row.verdicts.get(level, Counter())
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]) or "-"


def _changes(row: Row) -> str:
    by_verdict: dict[str, list[str]] = {}
    for name, verdict in sorted(row.flipped.items()):
        by_verdict.setdefault(verdict, []).append(escape(name))
    return "; ".join(f"{verdict}: {', '.join(by_verdict[verdict])}" for verdict in VERDICTS if verdict in by_verdict)


def _plain(line: str) -> str:
    """A line of text in Markdown, where names of obligations are code."""
    text, _, obligation = line.rpartition("  [")
    return f"{text} (`{obligation.rstrip(']')}`)".replace("|", "\\|")
