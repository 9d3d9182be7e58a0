"""How fast source text is read: the parser with its tree against the bare lark parse, and recovery on broken lines.

Both are linear: ten times the lines take about ten times as long, or a little more where the processor's memory shows.
Of 10,000 broken lines the first 100 errors are told; what a repair costs is measured with all of them told.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import median_seconds, report
from lark import Lark

from wellposed.dsl.grammar import START_SYMBOLS, grammar_text
from wellposed.dsl.parser import MAX_FINDINGS, parse
from wellposed.dsl.source import SourceFile

SIZES = {100: 7, 1_000: 7, 10_000: 3, 100_000: 1}
"""Lines, and how many rounds are measured."""

HEAD = """scenario big {
  level L6
  horizon 40

  conversation order {
    from "ada@example.test"
    subject "Where is my order?"
    anchor "ORD-1001"
  }
"""
ITEMS = """
  at {0} deliver m{0} in order "Hello, where is {{anchor}}? # {0}"
  at m{0} + 12 {{   # both in one tick
    approve m{0} as go-{0}
    escalate m{0}
  }}
  for i in 1..3 {{
    at 2 * i + {0} deliver n{0}[i] in order "Again: {{i}}"
  }}
"""
CLAIMS = """
    m{0} admitted within 5
    m{0} sent exactly once within 5 of go-{0}
    m{0} abandoned because operator_escalation
"""
BROKEN = (
    '  at {} deliver m in "x"',
    "  at {} {{ aprove m }}",
    "  at approve m{}",
    '  conversation c{} {{ form "a" }}',
    "  at {} {{ approve }}",
    "  when m{} {{ crash }}",
    "  at {} 007 crash",
    '  at {} deliver m in c "x',
)


def right(lines: int) -> SourceFile:
    """A file of about so many lines."""
    count = max(1, (lines - HEAD.count("\n") - 4) // (ITEMS.count("\n") + CLAIMS.count("\n") - 2))
    items = "".join(ITEMS.format(index)[1:] for index in range(count))
    claims = "".join(CLAIMS.format(index)[1:] for index in range(count))
    return SourceFile("big.scenario", f"{HEAD}\n{items}\n  expect {{\n{claims}  }}\n}}\n")


def broken(lines: int) -> SourceFile:
    """A file of so many lines with an error in each."""
    body = "\n".join(BROKEN[index % len(BROKEN)].format(index) for index in range(lines))
    return SourceFile("broken.scenario", f"scenario broken {{\n{body}\n}}\n")


def main() -> None:
    """Prints the ratio to lark at each size, how the time grows, and what errors cost."""
    lark = Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",
        start=START_SYMBOLS,
        maybe_placeholders=False,
        propagate_positions=True,
    )
    before = 0.0
    for lines, rounds in SIZES.items():
        source = right(lines)
        assert parse(source)[1] == ()
        own, _ = median_seconds(partial(parse, source), rounds)
        bare, _ = median_seconds(partial(lark.parse, source.text, start="file"), rounds)
        detail = f"{source.line_count / own:,.0f} lines per second"
        report(f"parse / bare lark parse, {source.line_count:,} lines", own / bare, 1.5, detail)
        if before:
            report("  ten times the lines", own / before, 20, f"{own * 1000:.0f} ms")
        before = own
    base = before
    before = 0.0
    for lines in (100, 1_000):
        source = broken(lines)
        own, _ = median_seconds(partial(parse, source, most=lines), 3)
        assert len(parse(source, most=lines)[1]) == lines
        detail = f"{own / lines * 1e6:.0f} us for an error"
        if before:
            report("ten times the broken lines, all errors told", own / before, 20, detail)
        before = own
    source = broken(10_000)
    own, _ = median_seconds(partial(parse, source), 3)
    assert len(parse(source)[1]) == MAX_FINDINGS
    detail = f"{own * 1000:.0f} ms"
    report("10,000 broken lines / 100,000 right lines", own / base, 0.5, detail)


if __name__ == "__main__":
    main()
