"""Every source that a reader meets is laid out as `fmt` lays it out: the library, the gallery, and all examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

import pytest
from repository import ROOT, files

from wellposed.dsl.codes import TABLE
from wellposed.dsl.format import format_source
from wellposed.dsl.source import read_source

SUFFIXES = (".scenario", ".rules", ".skin")
FOLDERS = ("scenarios", "examples", "tests/library/known")
SOURCES = [
    path.relative_to(ROOT).as_posix()
    for path in files()
    if path.suffix in SUFFIXES and path.relative_to(ROOT).as_posix().startswith(FOLDERS)
]


def laid_out(path: str, raw: bytes) -> bytes | None:
    """The canonical layout of a source; None where it has errors of text or syntax, and so no layout."""
    source, _ = read_source(path, raw)
    if source is None:
        return None
    text, _ = format_source(source)
    return None if text is None else text.encode()


def test_there_are_sources() -> None:
    assert len(SOURCES) > 70


@pytest.mark.parametrize("path", SOURCES)
def test_a_file_of_the_library(path: str) -> None:
    raw = (ROOT / path).read_bytes()
    assert laid_out(path, raw) == raw


def examples() -> Iterator[tuple[str, str, bytes]]:
    """The source files in the examples of the codes: code with kind of example, path, content."""
    for row in TABLE:
        for kind, example in (("bad", row.bad), ("good", row.good)):
            if example.kind in ("scenario", "rules", "skin"):
                yield f"{row.id} {kind}", f"example.{example.kind}", example.raw
            elif example.kind == "files":
                for path, raw in example.files().items():
                    if PurePosixPath(path).suffix in SUFFIXES:
                        yield f"{row.id} {kind}", path, raw


@pytest.mark.parametrize(("of", "path", "raw"), [pytest.param(*one, id=f"{one[0]} {one[1]}") for one in examples()])
def test_an_example_of_a_code(of: str, path: str, raw: bytes) -> None:
    """Only what does not parse, because that is what it shows, is laid out as its author pleased."""
    formatted = laid_out(path, raw)
    if formatted is None:
        assert of.startswith("WP1") and of.endswith("bad")
    else:
        assert formatted.decode() == raw.decode()
