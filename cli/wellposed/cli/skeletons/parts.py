"""What starting points are made of: levels, faults, and the text around them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

WIDTH = 118
"""Columns of a comment, at most."""


class Turn(Enum):
    """When a fault strikes: after the first delivery, while nothing is due, or after the decision."""

    OPENING = "opening"
    WAITING = "waiting"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, so many ticks after the beginning of its part; with `when` it waits for that record instead."""

    after: int
    text: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong, for a range of levels.

    - `what` stands in the list to choose from, `comment` in the source.
    - `length`: ticks until everything that it starts is decided.
    - `delay`: ticks that it may add to the reply of m1, where that waits for no approval.
    - `reason`: why it lets open items be abandoned instead of what they would come to.
    - `rules` and `conversations` are declarations that it needs, `expect` what follows from it.
    """

    name: str
    levels: range
    what: str
    comment: str
    turn: Turn
    statements: tuple[Statement, ...]
    length: int = 0
    delay: int = 0
    reason: str | None = None
    rules: str = ""
    conversations: str = ""
    expect: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """What becomes of a message: what holds `always`, and the `way` in which it ends unless a fault opens another.

    `exposed` says that the faults of the scenario reach it.
    """

    always: tuple[str, ...]
    way: tuple[str, ...]
    exposed: bool = True


@dataclass(frozen=True, slots=True)
class Shape:
    """What a level needs in any case, besides the first conversation and the delivery of m1.

    In its texts `{go}` names the approval where something repeats it, and `{reply}` is the time for a reply, in ticks.

    - `arrival`: comment on the delivery.
    - `more`: further statements of the opening.
    - `comment` and `closing`: the end of the script; `room`: ticks that must follow its last statement.
    - `together`: what is expected of all items together.
    - `faults`: those without which the level is not exercised.
    """

    title: str
    arrival: str
    endings: tuple[Ending, ...]
    comment: str = ""
    closing: tuple[Statement, ...] = ()
    more: tuple[Statement, ...] = ()
    conversations: str = ""
    together: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    room: int = 10


def comment(text: str, indent: str = "") -> list[str]:
    """The text as comment lines."""
    lead = f"{indent}# "
    return textwrap.wrap(text, WIDTH, initial_indent=lead, subsequent_indent=lead, break_on_hyphens=False)


def listed(words: Iterable[str]) -> str:
    """`a, b and c`."""
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def schedule(statements: Sequence[Statement], start: int) -> list[str]:
    """The statements as lines, those of one tick in one block."""
    lines = [f"when {one.when} {{ {one.text} }}" for one in statements if one.when]
    ticks: dict[int, list[str]] = {}
    for one in statements:
        if not one.when:
            ticks.setdefault(start + one.after, []).append(one.text)
    for tick, texts in sorted(ticks.items()):
        lines += [f"at {tick} {texts[0]}"] if len(texts) == 1 else [f"at {tick} {{", *texts, "}"]
    return [f"  {line}" for line in lines]
