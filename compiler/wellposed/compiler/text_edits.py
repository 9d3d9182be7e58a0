"""Edits of source texts: applied, found between two texts, and followed by the layout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from wellposed.dsl.findings import Edit, Span
from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile


def with_edits(text: str, edits: Iterable[Edit]) -> str | None:
    """The text after edits of it; None where two of them overlap."""
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda one: (one.span.start, one.span.end)):
        if edit.span.start < done:
            return None
        pieces += (text[done : edit.span.start], edit.replacement)
        done = edit.span.end
    return "".join((*pieces, text[done:]))


def without_names(source: SourceFile, names: Iterable[Span]) -> str | None:
    """The text without the names of these statements: `as go` behind them, or `go:` before them."""
    edits = []
    for span in dict.fromkeys(names):
        before = re.search(r"\s+as\s+$", source.text[: span.start])
        colon = re.compile(r"\s*:\s*").match(source.text, span.end)
        start = span.start if before is None else before.start()
        end = span.end if colon is None else colon.end()
        edits.append(Edit(source.span(start, end), ""))
    return with_edits(source.text, edits)


def laid_out_alike(source: SourceFile, text: str) -> str:
    """An edited text in the canonical layout if the source is in it, else as it is."""
    if format_source(source)[0] != source.text:
        return text
    return format_source(SourceFile(source.path, text))[0] or text


def differences(source: SourceFile, text: str) -> tuple[Edit, ...]:
    """The edits that make `text` of the source: lines that differ, without the words at both ends that do not."""
    before, after = (re.findall(r"[^\n]*\n|[^\n]+", one) for one in (source.text, text))
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    found = []
    for kind, first, last, new_first, new_last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "replace" and last - first == new_last - new_first:
            pairs = zip(range(first, last), before[first:last], after[new_first:new_last], strict=True)
            found += [_difference(source, starts[index], old, new) for index, old, new in pairs]
        elif kind != "equal":
            old, new = "".join(before[first:last]), "".join(after[new_first:new_last])
            found.append(_difference(source, starts[first], old, new))
    return tuple(found)


def _difference(source: SourceFile, start: int, old: str, new: str) -> Edit:
    before, after = _words(old), _words(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    end = start + len(old) - len("".join(before[len(before) - tail :]))
    replacement = "".join(after[head : len(after) - tail])
    return Edit(source.span(start + len("".join(before[:head])), end), replacement)


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\w+|.", text)


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = zip(first, second, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))
