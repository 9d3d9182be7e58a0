"""The result of a look at a proof."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proof:
    """`wrong` says why it proves nothing, `time` is the proven time as a stamp, `unchecked` what was left open."""

    wrong: str | None = None
    time: str | None = None
    unchecked: str | None = None
