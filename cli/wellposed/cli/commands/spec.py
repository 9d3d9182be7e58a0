"""`spec levels`: the levels of the benchmark and the obligations that each adds, from the vocabulary."""

from __future__ import annotations

import argparse

from wellposed.cli import output
from wellposed.cli.status import CLEAN
from wellposed.dsl.vocabulary import LEVELS, OBLIGATIONS, READINGS, SPEC


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which table."""
    parser.add_argument("table", choices=("levels",), metavar="levels", help="the levels and what each demands")


def run(arguments: argparse.Namespace) -> int:
    """Print the table."""
    output.write_result(levels_table(), None)
    return CLEAN


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
