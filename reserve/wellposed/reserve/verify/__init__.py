"""The check that an outsider makes of a reserve: eight steps, each a module, each saying what it looked at and what not."""

from __future__ import annotations

from collections.abc import Callable

from wellposed.reserve.verify import anchors, frozen, history, logs, outcomes, reveals, rules
from wellposed.reserve.verify.case import Case, Options, Verified
from wellposed.reserve.verify.read import read
from wellposed.reserve.verify.summary import summarise

__all__ = ["Options", "Verified", "verify"]

STEPS: tuple[Callable[[Case], None], ...] = (
    history.check,
    rules.check,
    anchors.check,
    reveals.check,
    logs.check,
    outcomes.check,
    frozen.check,
)
"""What is checked once the lines have been read, in order."""


def verify(options: Options) -> Verified:
    """Everything that can be checked of a reserve. Raises GitError where there is no repository or revision to read."""
    with read(options) as case:
        if case.readable:
            for step in STEPS:
                step(case)
        return summarise(case)
