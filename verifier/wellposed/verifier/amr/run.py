"""A run: what one implementation did under one schedule, as the verifier finds, checks and prints it.

All ticks are real (not compressed) ticks of the scenario's clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Draft:
    """A declared draft: its tick, the conversation it replies in, and the conversations whose anchors it carries."""

    tick: int
    conversation: str
    carries: frozenset[str]


@dataclass(frozen=True, slots=True)
class Contention:
    """Two agents claim an item at tick `claimed`; one wins and the other stands down at `settled` (None: never)."""

    claimed: int
    settled: int | None


@dataclass(frozen=True, slots=True)
class ItemRun:
    """What happened to the work item of one message.

    `admitted` is a tick and `rules` the name of the rules version whose hash the admission cites; `sends` are pairs of
    tick and index into `drafts`; `resolution` is (tick, outcome, reason); `won` are the ticks of reassignments;
    `claimed` is the tick at which an agent first wins the item (None: no record says so). `forked` says that the message
    is admitted a second time, as another item.
    """

    admitted: int | None = None
    rules: str | None = None
    drafts: tuple[Draft, ...] = ()
    sends: tuple[tuple[int, int], ...] = ()
    resolution: tuple[int, str, str | None] | None = None
    won: tuple[int, ...] = ()
    contention: Contention | None = None
    claimed: int | None = None
    forked: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run: an `ItemRun` per message id, what each dying agent held, and whether every snapshot agrees.

    `held` maps the signal id of an agent death to the ids of the messages whose items that agent held.
    """

    items: Mapping[str, ItemRun]
    held: Mapping[str, frozenset[str]] = field(default_factory=dict)
    state_agrees: bool = True


@dataclass(frozen=True, slots=True)
class Violation:
    """An obligation or expectation that a run breaks: its id (or "expect"), the element of the bundle, and why.

    `pointer` is a JSON pointer into the bundle document; `message` the message id concerned, or None.
    """

    obligation: str
    pointer: str
    message: str | None
    text: str
