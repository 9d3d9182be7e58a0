"""The formatter against the bare lark parse of the same text, from a hundred lines to ten thousand: both are linear."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import median_seconds, report
from lark import Lark

from wellposed.dsl.format import format_source
from wellposed.dsl.grammar import START_SYMBOLS, grammar_text
from wellposed.dsl.source import SourceFile

SIZES = (100, 1_000, 10_000)
CYCLE = """  conversation c{n} {{ from "u{n}@example.test"   subject "Where is my order?" anchor "ORD-{n}" }}
  at {n} deliver m{n} in c{n} "Hello, where is {{anchor}}?" # the first
  # A decision, and what follows it.
  at {n}+12 {{
    approve m{n} as go{n}
    escalate   m{n} }}

  expect {{ m{n} admitted within 5
    any of {{ m{n} sent exactly once within 5 of go{n} }} or {{ m{n} never sent m{n} abandoned }} }}
"""


def text_of(lines: int) -> str:
    """A scenario of about so many lines, none of them laid out well."""
    cycles = range(lines // CYCLE.count("\n"))
    return "scenario long {\n level L6 horizon 1000\n" + "".join(CYCLE.format(n=n) for n in cycles) + "}\n"


def main() -> None:
    """Prints the ratio at each size, and how the time of a line changes from the smallest to the largest."""
    lark = Lark(grammar_text(), parser="lalr", lexer="basic", start=START_SYMBOLS, maybe_placeholders=False)
    per_line = []
    for lines in SIZES:
        text = text_of(lines)
        source = SourceFile("long.scenario", text)
        formatted, findings = format_source(source)
        assert formatted is not None and formatted != text and not findings
        bare, _ = median_seconds(lambda text=text: lark.parse(text, start="file"), rounds=5)
        seconds, _ = median_seconds(lambda source=source: format_source(source), rounds=5)
        count = text.count("\n")
        per_line.append(seconds / count)
        detail = f"{seconds * 1000:.1f} ms against {bare * 1000:.1f} ms, {count / seconds:,.0f} lines per second"
        report(f"fmt against the bare parse, {count:,} lines", seconds / bare, 4, detail)
    report("time per line, largest against smallest", per_line[-1] / per_line[0], 1.5, f"{per_line[-1] * 1e6:.0f} µs")


if __name__ == "__main__":
    main()
