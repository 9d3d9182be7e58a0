"""Write docs/pictures/*.svg: the examples of the pages below as `wellposed timeline` draws them. A test compares every byte."""

from __future__ import annotations

import functools
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from wellposed.cli.gather import gather
from wellposed.cli.pipeline import examine
from wellposed.cli.render import timeline_svg
from wellposed.cli.timeline.build import chart_of
from wellposed.verifier.verify import verify

DOCS = Path(__file__).resolve().parent
FOLDER = DOCS / "pictures"
PAGES = ("ten-minutes.md",)
_EXAMPLE = re.compile(r"^<!-- example: (\S+)\.scenario -->\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def sources() -> Iterator[tuple[str, str]]:
    """The scenarios of the pages: name of the picture, and text."""
    for page in PAGES:
        yield from _EXAMPLE.findall((DOCS / page).read_text(encoding="utf-8"))


def pictures() -> dict[str, str]:
    """Every picture by the name of its file."""
    return {f"{name}.svg": _drawn(name, text) for name, text in sources()}


def _drawn(name: str, text: str) -> str:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{name}.scenario").write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            report = examine(gather([f"{name}.scenario"], ""), functools.partial(verify, windows=True))
        finally:
            os.chdir(before)
    charts = [chart for chart in map(chart_of, report.scenarios) if chart is not None]
    return timeline_svg.render(charts)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, drawn in pictures().items():
        (FOLDER / file).write_text(drawn, encoding="utf-8", newline="\n")
        sys.stdout.write(f"docs/pictures/{file}\n")
