"""The layout of source files as `fmt` sees it: what it would be, what differs, and the rewriting of files."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from wellposed.cli.render.escape import escape
from wellposed.cli.rewrite import RewriteError, rewrite
from wellposed.compiler.inputs import Input
from wellposed.dsl.findings import Finding, Severity
from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile, read_source


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A source and its canonical layout, which is None where `findings` say why there is none."""

    input: Input
    source: SourceFile | None
    text: str | None
    findings: tuple[Finding, ...]

    @property
    def changes(self) -> bool:
        """Whether the layout is another than the file has."""
        return self.text is not None and self.text.encode() != self.input.raw


def lay_out(one: Input) -> LaidOut:
    """Read, parse and format; nothing is compiled."""
    source, findings = read_source(one.path, one.raw)
    if source is None:
        return LaidOut(one, None, None, findings)
    text, findings = format_source(source)
    return LaidOut(one, source, text, findings)


def complaint(one: LaidOut) -> Finding:
    """WP008 at the first line that `fmt` would write differently."""
    assert one.source is not None and one.text is not None
    before, after = (text.splitlines(keepends=True) for text in (one.source.text, one.text))
    differing = (index for index, (old, new) in enumerate(zip_longest(before, after)) if old != new)
    line = min(next(differing), len(before) - 1)
    start = sum(map(len, before[:line]))
    shown = before[line].rstrip()
    indented = len(shown) - len(shown.lstrip())
    return Finding(
        "WP008",
        Severity.ERROR,
        "this file is not laid out in the canonical way",
        one.source.span(start + indented, start + len(shown)),
        notes=("its lines end in CRLF",) if "\r\n" in one.source.text else (),
        help=f"`wellposed fmt {one.input.path}` rewrites it; with `--diff` it only shows what would change",
    )


def difference(one: LaidOut) -> str:
    """What `fmt` would change, as a unified diff."""
    assert one.source is not None and one.text is not None
    path = escape(one.input.path)
    lines = difflib.unified_diff(_lines(one.source.text), _lines(one.text), path, path, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _lines(text: str) -> list[str]:
    *lines, last = map(escape, text.split("\n"))
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines


def write(changes: Sequence[LaidOut]) -> tuple[str, list[Finding]]:
    """Rewrite the files; the names of those that are written, and WP005 for those that cannot be."""
    listing = ""
    failures = []
    for one in changes:
        assert one.text is not None
        try:
            rewrite(one.input.location, one.input.raw, one.text.encode())
        except RewriteError as failure:
            failures.append(Finding("WP005", Severity.ERROR, f"cannot write {one.input.path}: {failure}"))
        else:
            listing += f"laid out {escape(one.input.path)}\n"
    return listing, failures
