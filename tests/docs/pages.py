"""The pages of the documentation as tests see them: their marked blocks, and their tables.

`<!-- example: NAME -->` before a fence says that it is the whole content of the file NAME, which the page may use elsewhere;
`<!-- output: COMMAND -->` that it is what this command prints in a folder that holds the page's examples; of several, joined by
`&&`, what the last one prints.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")))

_FENCE = re.compile(
    r"(?:^<!-- (?P<kind>example|output): (?P<of>[^\n]+) -->\n)?^```\w*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """A fenced block: "example" of a file or "output" of a command, or kind "" where it has no mark."""

    kind: str
    of: str
    text: str


@functools.cache
def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@functools.cache
def blocks(name: str) -> tuple[Block, ...]:
    found = _FENCE.finditer(page(name))
    return tuple(Block(match["kind"] or "", match["of"] or "", match["text"]) for match in found)


def examples(name: str) -> dict[str, str]:
    return {block.of: block.text for block in blocks(name) if block.kind == "example"}


def outputs(name: str) -> dict[str, str]:
    return {block.of: block.text for block in blocks(name) if block.kind == "output"}


def write_examples(name: str, folder: Path) -> None:
    """Put the example files of a page into a folder."""
    for path, text in examples(name).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def table(name: str, first_heading: str) -> list[list[str]]:
    """The rows of the table whose header begins with this cell, without header and rule; cells are stripped."""
    lines = page(name).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first_heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows


def codes(cell: str) -> list[str]:
    """The code spans of a cell, in order."""
    return re.findall(r"`([^`]+)`", cell)
