"""What a pull request newly excuses: `allow` lines in its sources, and scenarios newly marked as wrong on purpose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from wellposed.cli.review.pairing import Pair
from wellposed.cli.review.sources import Side, parsed
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.texts import literal
from wellposed.dsl.findings import Place, Pointer, Span
from wellposed.dsl.source import SourceFile, read_source

ALLOW, REJECTED = "allow", "rejected"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One excuse: a code that is allowed, or a verdict that is announced; with the reason given."""

    kind: str
    what: str
    reason: str
    place: Place
    scenario: str | None = None


def allows_added(before: Side, after: Side, before_of: dict[str, str], paths: Iterable[str]) -> Iterator[Suppression]:
    """The `allow` lines of the sources that were not there, by code and by the kind of construct that they cover.

    `before_of` says where the scenarios of a path were before, where that is another path. Raises GitError.
    """
    for path in paths:
        had = Counter(key for key, _ in _allows(before, before_of.get(path, path)))
        for key, one in _allows(after, path):
            if had[key]:
                had[key] -= 1
            else:
                yield one


def marks_added(pairs: Iterable[Pair]) -> Iterator[Suppression]:
    """Scenarios that are rejected on purpose, and were not, or as something else."""
    for pair in pairs:
        if pair.after is None or pair.after.rejection is None:
            continue
        mark = pair.after.rejection
        old = None if pair.before is None else pair.before.rejection
        if old is None or (old.verdict, old.code) != (mark.verdict, mark.code):
            what = mark.verdict if mark.code is None else f"{mark.verdict} {mark.code}"
            bundle = pair.after.bundle
            place = Pointer(pair.after.source, "") if bundle is None else bundle.place("/id")
            yield Suppression(REJECTED, what, "", place, pair.after.id)


def _allows(side: Side, path: str) -> list[tuple[tuple[str, str], Suppression]]:
    raw = side.read(path, LIMITS.source_bytes)
    source = None if raw is None else read_source(path, raw)[0]
    file = None if raw is None else parsed(path, raw)
    if source is None or file is None:
        return []
    return [
        ((one.code.text, _covered(source, one.covers)), Suppression(ALLOW, one.code.text, literal(one.reason), one.span))
        for one in file.allows
    ]


def _covered(source: SourceFile, span: Span) -> str:
    """The word that the covered construct begins with: an `allow` that moves outwards covers more."""
    found = _WORD.search(source.text, span.start, span.end)
    return found.group() if found is not None else ""

