"""Minimal cores: the members together admit no run, any proper subset does."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def minimise(members: Sequence[int], admits_none: Callable[[Sequence[int]], bool]) -> tuple[int, ...]:
    """Delete members one at a time, in the order given, as long as what is left still admits no run.

    `members` must admit no run; those that come first are the first to go. Minimal in the sense of subset, not of size.
    """
    kept = list(members)
    for member in members:
        without = [other for other in kept if other != member]
        if admits_none(without):
            kept = without
    return tuple(kept)
