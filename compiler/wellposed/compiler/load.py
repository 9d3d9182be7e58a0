"""Loading a bundle: canonical bytes first, then the shape of the document, then what it means.

All three are told at once only where they are independent: a text that is not canonical is not looked into, and references
are followed only in a document of the right shape. Within one step every finding is reported, up to a cap.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from wellposed.compiler import meaning
from wellposed.compiler.bundle import Bundle, bundle_of, place_of
from wellposed.compiler.canonical import CanonicalError, decode
from wellposed.compiler.shape import Checker, kind, quoted
from wellposed.compiler.shapes import BUNDLE, DEFINITIONS
from wellposed.compiler.source_map import SourceMap
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Place, Pointer
from wellposed.dsl.vocabulary import BUNDLE_FORMAT, READINGS, SPEC

__all__ = ["MAX_FINDINGS", "bundle_of", "examine", "finding", "load_bundle"]

MAX_FINDINGS = 100
"""Findings of one bundle; the last one says how many more there are."""
UNKNOWN_FORMAT = "WP720"
UNKNOWN_SPEC = "WP725"


def load_bundle(
    raw: bytes, path: str, source_map: SourceMap | None = None
) -> tuple[Bundle | None, tuple[Finding, ...]]:
    """The bundle in the bytes of a `bundle.json`, or None and the reasons. Never raises for any bytes.

    `path` is the display path for places; with a source map (which must belong to these bytes) they are source spans.
    """
    try:
        document = decode(raw)
    except CanonicalError as error:
        where = "" if error.offset is None else f" (byte {error.offset})"
        place = Pointer(path, error.pointer)
        return None, (finding(error.code, error.message + where, place),)
    found = examine(document, path, source_map)
    if found or not isinstance(document, dict):
        return None, found
    return Bundle(document, raw, path, source_map), ()


def examine(document: object, path: str, source_map: SourceMap | None = None) -> tuple[Finding, ...]:
    """What is wrong with a document of the canonical profile as a bundle: its shape, or else its meaning."""
    collected = _Collected(path, source_map, document)
    if not isinstance(document, dict):
        collected.add(UNKNOWN_FORMAT, f"a bundle is an object; this is {kind(document)}", "")
    elif document.get("format") != BUNDLE_FORMAT:
        given = document.get("format")
        shown = (
            "has no format"
            if given is None
            else f"has the format {quoted(given) if isinstance(given, str) else kind(given)}"
        )
        collected.add(
            UNKNOWN_FORMAT,
            f"the document {shown}; a bundle has {BUNDLE_FORMAT}",
            "/format" if "format" in document else "",
        )
    else:
        _examine_bundle(document, collected)
    return collected.findings()


def _examine_bundle(document: Mapping[str, Any], collected: _Collected) -> None:
    for member, what, known in (("spec", "specification", SPEC), ("readings", "readings set", READINGS)):
        given = document.get(member, known)
        if isinstance(given, str) and given != known:
            collected.add(
                UNKNOWN_SPEC, f"the {what} {quoted(given)} is not known here; this version knows {known}", f"/{member}"
            )
    if collected.count == 0:
        Checker(DEFINITIONS, collected.add).check(BUNDLE, document)
    if collected.count == 0:
        meaning.check(document, collected.add)


def finding(code: str, message: str, place: Place | None, scenario: str | None = None) -> Finding:
    """A finding with the severity that the table gives its code."""
    return Finding(code, BY_ID[code].severity, message, place, scenario=scenario)


class _Collected:
    """Findings in the order they are reported, capped."""

    def __init__(self, path: str, source_map: SourceMap | None, document: object) -> None:
        self._path = path
        self._source_map = source_map
        given = document.get("id") if isinstance(document, dict) else None
        self._scenario = given if isinstance(given, str) and len(given) <= 128 else None
        self._kept: list[Finding] = []
        self.count = 0

    def add(self, code: str, message: str, pointer: str) -> None:
        self.count += 1
        if len(self._kept) < MAX_FINDINGS:
            self._kept.append(finding(code, message, place_of(pointer, self._path, self._source_map), self._scenario))

    def findings(self) -> tuple[Finding, ...]:
        more = self.count - len(self._kept)
        if more == 0:
            return tuple(self._kept)
        last = dataclasses.replace(self._kept[-1], notes=(f"{more} more findings of this bundle are not shown",))
        return (*self._kept[:-1], last)
