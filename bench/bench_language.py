"""How fast source text is read: the parser with its tree against the bare lark parse, and recovery on broken lines.

Ratios of medians, one machine, one run, processor time. Linear means: ten times the lines take about ten times as long.
The bounds are on what ten times the lines may cost, on the ratio to lark, and on a file of 10,000 broken lines, of
which the first 100 errors are told.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable

from lark import Lark

from wellposed.dsl.grammar import START_SYMBOLS, grammar_text
from wellposed.dsl.parser import parse
from wellposed.dsl.source import SourceFile

ROUNDS = 7
SIZES = {100: ROUNDS, 1_000: ROUNDS, 10_000: 3, 100_000: 1}
"""Lines, and how many rounds the median is of."""

RATIO_BOUND = 1.5
GROWTH_BOUND = 20.0
BROKEN_BOUND = 3.0

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


def seconds(call: Callable[[], object], rounds: int) -> float:
    """The median processor time of a call."""
    times = []
    for _ in range(rounds):
        gc.collect()
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return statistics.median(times)


def main() -> int:
    """Print the table; 1 where a bound is broken."""
    lark = Lark(
        grammar_text(),
        parser="lalr",
        lexer="basic",
        start=START_SYMBOLS,
        maybe_placeholders=False,
        propagate_positions=True,
    )
    failed = False
    print("  lines     lark    parse  ratio  lines/s  growth")
    before = 0.0
    for lines, rounds in SIZES.items():
        source = right(lines)
        assert parse(source)[1] == ()
        bare = seconds(lambda text=source.text: lark.parse(text, start="file"), rounds)  # type: ignore[misc]
        own = seconds(lambda source=source: parse(source), rounds)  # type: ignore[misc]
        growth, before = (own / before if before else 0.0), own
        slow = own / bare > RATIO_BOUND or growth > GROWTH_BOUND
        failed = failed or slow
        speed = source.line_count / own
        print(
            f"{source.line_count:7d} {bare * 1000:6.0f} ms {own * 1000:5.0f} ms {own / bare:6.2f} {speed:8.0f} "
            f"{growth:7.1f}{'  TOO SLOW' if slow else ''}"
        )
    print(" broken     told     time  per error  growth")
    before = 0.0
    for lines, most in ((100, 1_000), (1_000, 10_000), (10_000, 100)):
        source = broken(lines)
        told = len(parse(source, most)[1])
        own = seconds(lambda source=source, most=most: parse(source, most), 3)  # type: ignore[misc]
        growth, before = (own / before if before else 0.0), own
        slow = own > BROKEN_BOUND or growth > GROWTH_BOUND
        failed = failed or slow
        print(
            f"{lines:7d} {told:8d} {own * 1000:5.0f} ms {own * 1000 / told:7.2f} ms {growth:7.1f}"
            f"{'  TOO SLOW' if slow else ''}"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
