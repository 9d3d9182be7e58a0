"""The source map of a bundle: which stretch of source text each element of the document was written as.

It lies beside the bundle as `bundle.map.json` and is never hashed with it; whoever can write a folder can write a map, so a
map is bounded, must fit its bundle, and is otherwise ignored: then places are JSON pointers into `bundle.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from wellposed.compiler.canonical import CanonicalError, decode, file_bytes
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import MAX_INTEGER

MAP_FORMAT = "wellposed-map/1"
MAX_SPANS = 100_000
"""More would not fit the limits of a canonical file."""
# Relative, POSIX, no step upwards, nothing that a terminal or another system would read as something else.
_PATH = re.compile(
    r"(?!/)(?:(?!\.\.?(?:/|\Z))[^/\\:\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+(?:/(?=.)|\Z))+"
)
_PATH_LENGTH = 1024


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Spans by JSON pointer (RFC 6901) into the bundle document."""

    spans: Mapping[str, Span]

    def nearest(self, pointer: str) -> Span | None:
        """The span of the element at `pointer`, or else of the nearest enclosing element that has one."""
        while True:
            span = self.spans.get(pointer)
            if span is not None or pointer == "":
                return span
            pointer = pointer.rpartition("/")[0]


def map_bytes(source_map: SourceMap, bundle_hash: str) -> bytes | None:
    """The bytes of `bundle.map.json`, or None where there can be no map.

    That is when there are too many spans, or when a source lies where no map may point (an absolute path, a `..`).
    """
    sources = sorted({span.path for span in source_map.spans.values()})
    if len(source_map.spans) > MAX_SPANS or not all(_is_safe(path) for path in sources):
        return None
    number = {path: index for index, path in enumerate(sources)}
    spans = [
        [pointer, number[span.path], span.start, span.end, span.line, span.column, span.end_line, span.end_column]
        for pointer, span in sorted(source_map.spans.items())
    ]
    return file_bytes({"format": MAP_FORMAT, "bundle": bundle_hash, "sources": sources, "spans": spans})


def read_map(raw: bytes, bundle_hash: str, document: Mapping[str, Any]) -> SourceMap | str:
    """The map in `raw`, or in words why it is not trusted for this bundle."""
    try:
        value = decode(raw)
    except CanonicalError as error:
        return error.message
    if not isinstance(value, dict) or value.keys() != {"format", "bundle", "sources", "spans"}:
        return "it is not an object of format, bundle, sources and spans"
    if value["format"] != MAP_FORMAT:
        return f"its format is not {MAP_FORMAT}"
    if value["bundle"] != bundle_hash:
        return "it belongs to another bundle"
    sources, rows = value["sources"], value["spans"]
    if not isinstance(sources, list) or not isinstance(rows, list) or len(rows) > MAX_SPANS:
        return "its sources and spans are not lists of a sensible length"
    paths = [path for path in sources if isinstance(path, str) and _is_safe(path)]
    if len(paths) != len(sources):
        return "a source is not a relative path below the working directory"
    spans: dict[str, Span] = {}
    for row in rows:
        read = _row(row, paths, document)
        if read is None or read[0] in spans:
            return "a span is malformed, stands twice, or points at nothing in the bundle"
        spans[read[0]] = read[1]
    return SourceMap(spans)


def _is_safe(path: str) -> bool:
    return len(path) <= _PATH_LENGTH and _PATH.fullmatch(path) is not None


def _row(row: object, paths: list[str], document: Mapping[str, Any]) -> tuple[str, Span] | None:
    if not isinstance(row, list) or len(row) != 1 + len(fields(Span)):
        return None
    pointer, numbers = row[0], row[1:]
    if not isinstance(pointer, str) or any(type(one) is not int or not 0 <= one < MAX_INTEGER for one in numbers):
        return None
    source, start, end, line, column, end_line, end_column = numbers
    ordered = (
        start <= end and 1 <= line <= end_line and column >= 1 and end_column >= (column if line == end_line else 1)
    )
    if source >= len(paths) or not ordered or not resolves(document, pointer):
        return None
    return pointer, Span(paths[source], start, end, line, column, end_line, end_column)


def resolves(document: object, pointer: str) -> bool:
    """Whether a JSON pointer leads to an element of the document."""
    if pointer == "":
        return True
    here: Any = document
    head, *steps = pointer.split("/")
    if head != "":
        return False
    for step in steps:
        if isinstance(here, Mapping):
            name = step.replace("~1", "/").replace("~0", "~")
            if name not in here:
                return False
            here = here[name]
        elif isinstance(here, list):
            if re.fullmatch(r"0|[1-9][0-9]{0,6}", step) is None or int(step) >= len(here):
                return False
            here = here[int(step)]
        else:
            return False
    return True
