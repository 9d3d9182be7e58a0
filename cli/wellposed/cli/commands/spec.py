"""`spec`: the tables of the specification: its levels with their obligations, how it is read where it is silent, and the
faulty systems that scenarios are measured with."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from wellposed.cli import output
from wellposed.cli.status import CLEAN
from wellposed.cli.usage import Parser
from wellposed.dsl.findings import Severity
from wellposed.dsl.vocabulary import LEVELS, OBLIGATIONS, READINGS, SPEC

FORMATS = ("text", "json")
NARROW, USUAL, WIDE = 72, 100, 120
"""Columns of prose: at least, where there is no terminal, and at most."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which table."""
    tables = parser.add_subparsers(metavar="TABLE", dest="table", required=True, parser_class=Parser)
    purpose = "the levels and what each demands"
    tables.add_parser("levels", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    purpose = "how the specification is read where it is silent or contradicts itself"
    readings = tables.add_parser("readings", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    readings.add_argument(
        "--format", choices=FORMATS, default="text", help="text for people, json: wellposed-readings/1"
    )
    purpose = "the faulty systems that scenarios are measured with"
    tables.add_parser("mutants", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    purpose = "which other readings change the verdicts of a set of scenarios, at which levels and why"
    audit = tables.add_parser("audit", help=purpose, description=purpose[0].upper() + purpose[1:] + ".")
    audit.add_argument("paths", nargs="*", metavar="PATH", default=["scenarios"], help="what to audit; else `scenarios`")
    audit.add_argument("--format", choices=(*FORMATS, "markdown"), default="text", help="json: wellposed-audit/1")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    if arguments.table == "audit":
        return run_audit(arguments.paths, arguments.format)
    tables = {"levels": levels_table, "mutants": mutants_table}
    chosen = tables.get(arguments.table)
    output.write_result(readings_table(arguments.format) if chosen is None else chosen(), None)
    return CLEAN


def run_audit(paths: Sequence[str], form: str) -> int:
    """Verify every scenario under every reading and print what changes; errors in the scenarios go to stderr."""
    import functools

    from wellposed.cli.audit import audit
    from wellposed.cli.gather import gather
    from wellposed.cli.pipeline import examine
    from wellposed.cli.render import audit as render
    from wellposed.cli.render.concise import render_line
    from wellposed.cli.status import status_of
    from wellposed.verifier.verify import verify

    gathered = gather(paths, "stdin.scenario")
    report = examine(gathered, functools.partial(verify, readings=True))
    for finding in report.findings:
        if finding.severity is Severity.ERROR:
            output.notice(render_line(finding, output.palette("never", to_file=True)))
    found = audit(report)
    if found.rows:
        palette = output.palette("auto", to_file=False)
        forms = {"json": render.render_json, "markdown": render.render_markdown}
        output.write_result(forms[form](found) if form in forms else render.render_text(found, palette.paint), None)
    return status_of(report.findings, report.undecided, False)


def readings_table(form: str) -> str:
    """The questions that the specification leaves open, with their answers; text is filled to the terminal."""
    from wellposed.cli.render import readings
    from wellposed.verifier.models import READING_TABLES

    rows = READING_TABLES[READINGS]
    if form == "json":
        return readings.render_json(rows)
    return readings.render_text(rows, _columns(), output.palette("auto", False).paint)


def mutants_table() -> str:
    """The faulty systems, with what each attacks; text is filled to the terminal."""
    from wellposed.cli.render import faults
    from wellposed.verifier.models import FAULT_TABLES

    return faults.render_text(FAULT_TABLES[SPEC], _columns(), output.palette("auto", False).paint)


def _columns() -> int:
    """The width of the terminal, within bounds."""
    import shutil

    return min(max(shutil.get_terminal_size((USUAL, 0)).columns, NARROW), WIDE)


def levels_table() -> str:
    """Every level with its name and demand, then its obligations; `due` ones have a deadline, in visible ticks."""
    column = max(len(row.id) for row in OBLIGATIONS)
    lines = [
        f"Specification {SPEC}, readings {READINGS}.",
        "A scenario of level N is held to every obligation of the levels 0 to N.",
    ]
    kernel = [row for row in OBLIGATIONS if row.id.startswith("K.")]
    groups = [("Every level", "what any well-formed log keeps", kernel)]
    for level in LEVELS:
        rows = [row for row in OBLIGATIONS if row.id.startswith(f"L{level.number}.")]
        groups.append((f"L{level.number} {level.name}", level.demands, rows))
    for title, demands, rows in groups:
        lines += ["", f"{title}: {demands}"]
        for row in rows:
            at = (
                ""
                if row.id.startswith("K.") or row.level == int(row.id[1])
                else f" (at every level from L{row.level} on)"
            )
            lines.append(f"  {row.id:<{column}}  {'due' if row.due else 'ban'}  {row.text}{at}")
    lines += ["", "due: something has to happen by a deadline    ban: something must not happen"]
    return "\n".join(lines) + "\n"
