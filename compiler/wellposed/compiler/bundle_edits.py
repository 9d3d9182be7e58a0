"""Edits of a bundle document, as repairs propose them: what changes, by JSON pointer, and nothing about any text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Replace:
    """Another value for the level, the horizon, the posture, the tick of an entry, a claim, or the window of a claim."""

    pointer: str
    value: Any


@dataclass(frozen=True, slots=True)
class Insert:
    """One more claim in `/expect` or entry in `/schedule`, behind those that come before it."""

    pointer: str
    value: Any


@dataclass(frozen=True, slots=True)
class Remove:
    """Without this entry, this claim, or, for `/invariants`, the line that suspends the standing obligations."""

    pointer: str


BundleEdit = Replace | Insert | Remove
