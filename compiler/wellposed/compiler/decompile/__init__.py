"""From a bundle back to a source whose compilation has the same hash.

A bundle says what a scenario means, not how it was written: comments, loops, families, names of times and the files that
rules came from are gone. What is written is the plain form of the same meaning. Nothing is taken on trust: the source is
compiled, and given away only where the bytes come out again; everything else ends in a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.decompile.claims import nested
from wellposed.compiler.decompile.rules import is_built_in, unconditional
from wellposed.compiler.decompile.schedule import Document
from wellposed.compiler.decompile.sheet import sheet_of
from wellposed.compiler.load import MAX_FINDINGS, finding
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.format import format_source
from wellposed.dsl.source import MAX_SOURCE_BYTES, SourceFile
from wellposed.dsl.vocabulary import BUILT_IN_RULES

WITHOUT_SOURCE = "WP760"
_PATH = "decompiled.scenario"


def decompile(bundle: Bundle, heading: Sequence[str] = ()) -> tuple[str | None, tuple[Finding, ...]]:
    """The text of a `.scenario` file that compiles to the bundle, or None and what in it no source can say (WP760).

    `heading` are lines of comment, without their `#`, to begin the file with.
    """
    document = bundle.document
    obstacles = list(_obstacles(document))
    if obstacles:
        return None, _findings(bundle, obstacles)
    sheet = sheet_of(document, heading)
    plain = "".join(f"{line}\n" for line in sheet.lines)
    if _too_large(plain):
        what = f"the source would have more than the {MAX_SOURCE_BYTES:,} bytes of a source file"
        return None, _findings(bundle, [("", what)])
    differences = list(_differences(bundle, plain, sheet.pointers))
    if differences:
        return None, _findings(bundle, differences)
    laid_out, _ = format_source(SourceFile(_PATH, plain))
    assert laid_out is not None, "what compiles has a layout"
    return plain if _too_large(laid_out) else laid_out, ()


def _too_large(text: str) -> bool:
    return len(text.encode()) > MAX_SOURCE_BYTES


def _findings(bundle: Bundle, obstacles: Sequence[tuple[str, str]]) -> tuple[Finding, ...]:
    """One finding for each (JSON pointer, reason), up to a cap."""
    shown = [
        finding(WITHOUT_SOURCE, f"no source says this: {reason}", bundle.place(pointer), bundle.id)
        for pointer, reason in obstacles[:MAX_FINDINGS]
    ]
    more = len(obstacles) - len(shown)
    if more:
        shown[-1] = replace(shown[-1], notes=(f"{more} more findings of this bundle are not shown",))
    return tuple(shown)


def _obstacles(document: Document) -> Iterator[tuple[str, str]]:
    """What the language has no words for, as (JSON pointer, reason)."""
    if "seal" in document:
        yield "/seal", "a seal is put on a bundle, it is not written"
    for index, version in enumerate(document["rules"]):
        if version["name"].casefold() == BUILT_IN_RULES and not is_built_in(version):
            yield f"/rules/{index}/name", f"the rules `{BUILT_IN_RULES}` are built in and admit every message"
    for pointer, id in unconditional(document["rules"]):
        yield pointer, f"a rule without conditions is called `rest`, not `{id}`"
    for pointer, claim in nested(document["expect"], "/expect"):
        if claim["claim"] == "sent" and claim["within"] is None and claim["from"] != claim["of"]:
            yield f"{pointer}/from", "only a window has a start, and this `sent` has none"


def _differences(bundle: Bundle, text: str, pointers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Why the text does not compile to the bundle; nothing where it does."""
    compilation = compile_source(SourceFile(_PATH, text))
    failed = False
    for problem in compilation.findings:
        if problem.severity is Severity.ERROR:
            failed = True
            line = problem.place.line if isinstance(problem.place, Span) else 0
            yield pointers[line - 1] if 0 < line <= len(pointers) else "", problem.message
    if failed:
        return
    compiled = [one.bundle for one in compilation.scenarios if one.bundle is not None]
    if len(compiled) != 1 or compiled[0].raw != bundle.raw:
        other = compiled[0].document if len(compiled) == 1 else {}
        yield _first_difference(bundle.document, other), "what comes closest to it has another meaning"


def _first_difference(one: Any, other: Any) -> str:
    """The JSON pointer of the first element, in the order of `one`, that is not the same in both."""
    pointer = ""
    while True:
        if isinstance(one, dict) and isinstance(other, dict):
            steps: Iterable[Any] = one
        elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            steps = range(len(one))
        else:
            return pointer
        for step in steps:
            if isinstance(other, dict) and step not in other:
                return f"{pointer}/{step}"
            if one[step] != other[step]:
                pointer, one, other = f"{pointer}/{step}", one[step], other[step]
                break
        else:
            return pointer
