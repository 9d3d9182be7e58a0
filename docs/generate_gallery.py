"""Write docs/gallery.md: the published scenarios, and those that are wrong on purpose with what repairs them. `make docs`; a test compares every byte."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from wellposed.compiler.compilation import CompiledScenario, compile_source
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.dsl.source import read_source

ROOT = Path(__file__).resolve().parents[1]
BEGIN = """# The gallery

## The published library

What the benchmark asks of a system, level by level. Every one of them is well-posed; [coverage.md](coverage.md) says what they cover together, and which faulty
systems they tell from honest ones. Each file begins with a comment that says what it is about; `wellposed timeline scenarios/l0-single-reply.scenario` draws one.

| scenario | level | what it tests |
|---|---|---|
"""
MIDDLE = """
## Wrong on purpose

Scenarios with a fault, each with the verdict that it gets and the reason, and beside it a twin in which the fault is repaired. Some of them retell a public report;
[corpus.md](corpus.md) has many more of these. `wellposed check examples/defects/fd-01/defect.scenario -v` shows what is found in one.

| scenario | level | verdict | why | repaired |
|---|---|---|---|---|
"""


def scenarios(path: Path) -> Iterator[CompiledScenario]:
    """The scenarios of a file."""
    source, _ = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None, path
    yield from compile_source(source, Importer(FolderReader())).scenarios


def cell(text: object) -> str:
    return str(text).replace("|", "\\|").replace("\n", " ")


def page() -> str:
    """The whole page."""
    lines = []
    for path in sorted((ROOT / "scenarios").glob("*.scenario")):
        for one in scenarios(path):
            assert one.bundle is not None, path
            lines.append(f"| [{one.id}](../scenarios/{path.name}) | L{one.bundle.level} | {cell(one.bundle.document['title'])} |\n")
    library, lines = "".join(lines), []
    for path in sorted((ROOT / "examples/defects").glob("*/defect.scenario")):
        for one in scenarios(path):
            assert one.rejected is not None, path
            level = "" if one.bundle is None else f"L{one.bundle.level}"
            folder = f"../{path.parent.relative_to(ROOT).as_posix()}"
            code = "" if one.rejected.code is None else f" [{one.rejected.code}](codes/{one.rejected.code}.md)"
            name, twin = f"[{one.id}]({folder}/defect.scenario)", f"[twin]({folder}/repaired.scenario)"
            lines.append(f"| {name} | {level} | {one.rejected.verdict}{code} | {cell(one.rejected.reason)} | {twin} |\n")
    return BEGIN + library + MIDDLE + "".join(lines)


def main() -> int:
    """Write the page."""
    (ROOT / "docs/gallery.md").write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
