"""Source maps: written and read again, and never trusted beyond what fits the bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from wellposed.compiler.canonical import decode, file_bytes, sha256
from wellposed.compiler.source_map import MAX_SPANS, SourceMap, map_bytes, read_map, resolves
from wellposed.dsl.findings import Span

RAW = (Path(__file__).parent / "vectors" / "l0-single-reply.json").read_bytes()
DOCUMENT: Any = decode(RAW)
HASH = sha256(RAW)
FIRST = Span("scenarios/a.scenario", 10, 25, 2, 3, 2, 18)
SECOND = Span("scenarios/rules/b.rules", 0, 40, 1, 1, 4, 1)
MAP = SourceMap({"/schedule/0": FIRST, "/rules/0": SECOND, "": FIRST})


def written(**changes: Any) -> Any:
    """The map's JSON value with members replaced."""
    raw = map_bytes(MAP, HASH)
    assert raw is not None
    value: Any = decode(raw)
    return {**value, **changes}


def row(**changes: int | str) -> list[Any]:
    """One span of a map with numbers replaced."""
    given = {
        "pointer": "/schedule/0",
        "source": 0,
        "start": 1,
        "end": 5,
        "line": 1,
        "column": 2,
        "end_line": 1,
        "end_column": 6,
    }
    return list({**given, **changes}.values())


def test_frozen_form() -> None:
    assert map_bytes(MAP, HASH) == (
        b'{"bundle":"' + HASH.encode() + b'","format":"wellposed-map/1",'
        b'"sources":["scenarios/a.scenario","scenarios/rules/b.rules"],'
        b'"spans":[["",0,10,25,2,3,2,18],["/rules/0",1,0,40,1,1,4,1],["/schedule/0",0,10,25,2,3,2,18]]}\n'
    )


def test_written_maps_are_read_again() -> None:
    raw = map_bytes(MAP, HASH)
    assert raw is not None
    assert read_map(raw, HASH, DOCUMENT) == MAP
    empty = map_bytes(SourceMap({}), HASH)
    assert empty is not None
    assert read_map(empty, HASH, DOCUMENT) == SourceMap({})


def test_maps_have_a_limit_that_a_file_can_hold() -> None:
    most = SourceMap({f"/schedule/{n}/record": FIRST for n in range(MAX_SPANS)})
    assert map_bytes(most, HASH) is not None
    assert map_bytes(SourceMap({**most.spans, "/id": FIRST}), HASH) is None


def test_order_of_insertion_does_not_matter() -> None:
    assert map_bytes(SourceMap(dict(reversed(MAP.spans.items()))), HASH) == map_bytes(MAP, HASH)


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../a.scenario", "a/../../b", "a/..", "..", ".", "", "./a", "a//b", "a/", "a\\b", "C:x", "a\nb", "a\x1bb", "a\u202eb", "x" * 1025],
)  # fmt: skip
def test_paths_out_of_reach_are_neither_written_nor_read(path: str) -> None:
    assert map_bytes(SourceMap({"/id": Span(path, 0, 1, 1, 1, 1, 2)}), HASH) is None
    assert isinstance(read_map(file_bytes(written(sources=[path, "b"])), HASH, DOCUMENT), str)


def test_file_names_that_are_no_text_are_not_written() -> None:
    assert map_bytes(SourceMap({"/id": Span("a\udcffb", 0, 1, 1, 1, 1, 2)}), HASH) is None


@pytest.mark.parametrize("path", ["a", "a.scenario", "a b/c-d/é.rules", "...", "..a/b..", "x" * 1024])
def test_paths_below_the_working_directory_are(path: str) -> None:
    one = SourceMap({"/id": Span(path, 0, 1, 1, 1, 1, 2)})
    raw = map_bytes(one, HASH)
    assert raw is not None
    assert read_map(raw, HASH, DOCUMENT) == one


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "wellposed-map/2"}, "its format is not wellposed-map/1"),
        ({"bundle": "sha256:" + "0" * 64}, "it belongs to another bundle"),
        ({"more": 1}, "it is not an object of format, bundle, sources and spans"),
        ({"sources": {}}, "its sources and spans are not lists of a sensible length"),
        ({"spans": None}, "its sources and spans are not lists of a sensible length"),
        ({"spans": [0] * (MAX_SPANS + 1)}, "its sources and spans are not lists of a sensible length"),
        ({"sources": [1, "b"]}, "a source is not a relative path below the working directory"),
    ],
)
def test_maps_that_are_not_trusted(changes: dict[str, Any], reason: str) -> None:
    assert read_map(file_bytes(written(**changes)), HASH, DOCUMENT) == reason


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        row()[:-1],
        [*row(), 0],
        row(pointer=1),
        row(pointer="/schedule/1"),
        row(pointer="schedule/0"),
        row(pointer="/schedule/0/"),
        row(pointer="/schedule/00"),
        row(pointer="/schedule/-"),
        row(pointer="/schedule/" + "9" * 5000),
        row(pointer="/title/0"),
        row(pointer="/nothing"),
        row(source=2),
        row(source=-1),
        row(start=6),
        row(start=-1),
        row(line=0),
        row(line=2),
        row(column=0),
        row(column=7),
        row(end_column=0, end_line=2),
        row(end=2**53 - 1),
        row(end="5"),
        row(line=True),
    ],
)
def test_rows_that_do_not_fit(wrong: Any) -> None:
    due = "a span is malformed, stands twice, or points at nothing in the bundle"
    assert read_map(file_bytes(written(spans=[wrong])), HASH, DOCUMENT) == due
    assert isinstance(read_map(file_bytes(written(spans=[row()])), HASH, DOCUMENT), SourceMap)


def test_one_element_has_one_span() -> None:
    assert isinstance(read_map(file_bytes(written(spans=[row(), row(start=2)])), HASH, DOCUMENT), str)


@pytest.mark.parametrize(
    "raw",
    [b"", b"{}\n", b"[]\n", b"\xff", b"[" * 10_000, b'{"format":"wellposed-map/1"}\n', file_bytes(written())[:-1]],
)
def test_malformed_maps_are_told_not_raised(raw: bytes) -> None:
    assert isinstance(read_map(raw, HASH, DOCUMENT), str)


@pytest.mark.parametrize(
    ("pointer", "leads"),
    [("", True), ("/a~1b", True), ("/m~0n", True), ("/list/1", True), ("/list/2", False), ("/list/x", False), ("/a/b", False), ("a", False), ("/", False)],
)  # fmt: skip
def test_pointers(pointer: str, leads: bool) -> None:
    assert resolves({"a/b": 1, "m~n": 2, "list": [0, [1]]}, pointer) is leads
