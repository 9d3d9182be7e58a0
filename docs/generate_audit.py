"""Write docs/audit.md: the published library under every other reading of the specification. A test compares every byte."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path

from wellposed.cli.audit import audit
from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render.audit import render_markdown
from wellposed.verifier.verify import verify

ROOT = Path(__file__).resolve().parents[1]
INTRODUCTION = """# The specification audited: what hangs on how it is read

The specification of the benchmark leaves questions open, and some of its sentences contradict others. [readings.md](readings.md) lists these
questions with the answer that was taken for each. This page shows what becomes of the published scenarios under the other answers that the text
allows, one at a time. A reading under which a level's scenarios become unsatisfiable cannot be what the benchmark means; one under which they become
ambiguous is a sentence that it should make precise. What follows is what `wellposed spec audit scenarios --format markdown` prints; every verdict rests
on a core or on runs, which `wellposed check --readings` shows.

"""


def page() -> str:
    """The whole page."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        report = examine(gather(["scenarios"], ""), functools.partial(verify, readings=True))
    finally:
        os.chdir(before)
    return INTRODUCTION + render_markdown(audit(report))


if __name__ == "__main__":
    (ROOT / "docs" / "audit.md").write_text(page(), encoding="utf-8")
    sys.stdout.write("docs/audit.md\n")
