"""The language server: from a keystroke to the diagnostics in a file of 500 lines, against running `check` again.

Wall time, since that is what somebody waits for; both verify. The debounce of the server is a part of its time, and is
also told by itself.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import report
from tests.lsp.editor import Editor

from wellposed.cli.lsp.checker import DEBOUNCE

LINES = 500
ROUNDS = 7
NAME = "a.scenario"
SCENARIO = """\
scenario s{number} {{
  title   "An approval that comes late"
  level   L2
  horizon 40

  conversation order {{
    from    "ada@example.test"
    subject "Where is my order?"
    anchor  "ORD-{number}"
  }}

  at 0  deliver m1 in order "Hello, where is {{anchor}}?"
  at 12 approve m1 as go

  expect {{
    m1 admitted within 5
    m1 sent exactly once within 5 of go
  }}
}}
"""


def text_of(lines: int) -> str:
    """Scenarios until the text has so many lines."""
    count = lines // SCENARIO.count("\n")
    return "".join(SCENARIO.format(number=number) for number in range(count))


async def keystrokes(folder: Path, text: str) -> tuple[float, float]:
    """Median seconds to the diagnostics after a change of one scenario, and after one that means nothing."""
    editor = Editor(folder)
    await editor.start([sys.executable, "-m", "wellposed", "lsp"])
    editor.open(NAME, text)
    await editor.diagnostics(NAME)
    seconds: tuple[list[float], list[float]] = ([], [])
    for number in range(ROUNDS):
        for kept, changed in zip(
            seconds, (text.replace("at 12", f"at {13 + number}", 1), f"{text}# {number}\n"), strict=True
        ):
            start = time.perf_counter()
            editor.change(NAME, changed)
            await editor.diagnostics(NAME)
            kept.append(time.perf_counter() - start)
    await editor.stop()
    return statistics.median(seconds[0]), statistics.median(seconds[1])


def main() -> None:
    """Prints both ratios."""
    text = text_of(LINES)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / NAME).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "wellposed", "check", NAME]
        again = []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True, cwd=folder)
            again.append(time.perf_counter() - start)
        check = statistics.median(again)
        changed, same = asyncio.run(keystrokes(folder, text))
    lines = text.count("\n")
    for what, seconds in (("a statement changed", changed), ("a comment changed", same)):
        detail = f"{seconds * 1000:.0f} ms, {DEBOUNCE * 1000:.0f} of them debounce, against {check * 1000:.0f} ms"
        report(f"lsp, {lines} lines, {what}, against check", seconds / check, 0.5, detail)


if __name__ == "__main__":
    main()
