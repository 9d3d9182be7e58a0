"""Which scenario of one side is which of the other: by id, and where an id is gone, by what the scenarios have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.cli.report import ScenarioResult
from wellposed.compiler.canonical import file_bytes

ALIKE = (1, 2)
"""The share of all that two scenarios say which both must say for one to be the other under a new name."""
_SAID = ("level", "horizon", "mode", "rules", "stub", "schedule", "expect", "catches")
"""The members that tell scenarios apart; the others are alike in most of them."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A scenario before and after; None where a side has none. With two ids it was renamed."""

    before: ScenarioResult | None
    after: ScenarioResult | None


def pairs(before: Sequence[ScenarioResult], after: Sequence[ScenarioResult]) -> tuple[Pair, ...]:
    """Every scenario of the two sides once, those that are the same on both included; in the order of their ids."""
    had = {one.id: one for one in reversed(before)}
    has = {one.id: one for one in reversed(after)}
    found = [Pair(had[id], has[id]) for id in had if id in has]
    gone = {id: one for id, one in had.items() if id not in has}
    new = {id: one for id, one in has.items() if id not in had}
    for old, fresh in _renamed(gone, new):
        found.append(Pair(gone.pop(old), new.pop(fresh)))
    found += [Pair(one, None) for one in gone.values()]
    found += [Pair(None, one) for one in new.values()]
    return tuple(sorted(found, key=lambda pair: (pair.after or pair.before or _NOBODY).id))


_NOBODY = ScenarioResult("", "", None, None)


def _renamed(gone: Mapping[str, ScenarioResult], new: Mapping[str, ScenarioResult]) -> list[tuple[str, str]]:
    """Pairs of ids, the most alike first, each scenario in one of them."""
    olds = {id: facts for id, one in gone.items() if (facts := _facts(one))}
    news = {id: facts for id, one in new.items() if (facts := _facts(one))}
    ranked = []
    for old, one in olds.items():
        for fresh, other in news.items():
            shared, all = len(one & other), len(one | other)
            if shared * ALIKE[1] >= all * ALIKE[0]:
                ranked.append((-shared / all, old, fresh))
    taken: set[str] = set()
    found = []
    for _, old, fresh in sorted(ranked):
        if old not in taken and fresh not in taken:
            taken |= {old, fresh}
            found.append((old, fresh))
    return found


def _facts(one: ScenarioResult) -> frozenset[str]:
    """What a scenario says, piece by piece, without its name and without the order of its schedule."""
    return frozenset() if one.bundle is None else frozenset(_pieces(one.bundle.document))


def _pieces(document: Mapping[str, Any]) -> Iterator[str]:
    for member in _SAID:
        value = document[member]
        for part in value if isinstance(value, list) else [value]:
            said = {name: inner for name, inner in part.items() if name != "seq"} if isinstance(part, dict) else part
            yield f"{member} {file_bytes(said).decode()}"
