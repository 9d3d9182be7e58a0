"""Write docs/coverage.md: what the published library covers, and the kill matrix of it. A test compares every byte."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from wellposed.cli.coverage import coverage_of
from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render import coverage_text, matrix_text
from wellposed.cli.render.colour import Palette
from wellposed.verifier.verify import DEFAULT_BUDGET, verify

ROOT = Path(__file__).resolve().parents[1]
PAGE = """# What the published scenarios cover

A set of scenarios has to ask for every obligation of its benchmark, and to notice when one is broken. `wellposed coverage` finds out whether it does,
by proof, and tells what is missing first.

- An obligation **counts** in a scenario if its cause (the column of the table in [model.md](model.md)) is there in some conforming run, and some log
  breaks it. The rows `K` are the physics of every log and are not counted.
- The scenario **covers** it if it would see it broken: every log that breaks the obligation, whatever else it does, is rejected. While the standing
  obligations are judged that is so by definition. Under `invariants only expect` it is so if no log breaks the obligation and satisfies every
  expectation.
- A scenario covers a [faulty system](mutants.md) that it catches under every timing. Where no schedule can force the fault, for a reason that stands
  with the system, under some timings is enough.

A **gap** is an obligation that counts in no scenario, or a system that none catches. A **near miss** is an obligation that counts and that no scenario
would see broken, told with a run that breaks it and passes (if possible nothing but it); or a system that is caught under some timings only. Also
listed there, though they are covered, are the parts that judge and on which nothing depends: a standing obligation without which every cell of the
[kill matrix](mutants.md) of every scenario would be what it is (an obligation that is taken away is not attacked any more), and under
`invariants only expect` an expectation without which every cell of its scenario would be. An author may forget these and miss no faulty system. The
percentage is the share of all obligations and systems that are covered, rounded down; `--min` makes an error of less ([WP612](codes/WP612.md)).
*Covered by one scenario only* says what would be lost with a scenario.

## The library

This is what `wellposed coverage scenarios` prints, with the scenarios of [scenarios/](../scenarios):

```text
{coverage}```

## The kill matrix

And this is the table of `wellposed mutants scenarios`; [mutants.md](mutants.md) says what its cells mean.

```text
{matrix}```
"""


def page() -> str:
    """The whole page."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        report = examine(gather(["scenarios"], ""), verify)
    finally:
        os.chdir(before)
    found, _ = coverage_of(report, DEFAULT_BUDGET, None)
    plain = Palette(False).paint
    return PAGE.format(coverage=coverage_text.render(found, plain), matrix=matrix_text.grid(found.matrix, plain))


if __name__ == "__main__":
    (ROOT / "docs" / "coverage.md").write_text(page(), encoding="utf-8")
    sys.stdout.write("docs/coverage.md\n")
