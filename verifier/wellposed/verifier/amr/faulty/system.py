"""One row of the table of faulty systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.formula import TRUE, Formula

Pair = tuple[Formula, Formula]
"""A cause and its consequence: what the system does wrong with an item when the cause holds."""

Policy = Callable[[Suspect], Iterator[Pair]]


@dataclass(frozen=True, slots=True)
class FaultySystem:
    """A system that errs in one way, as an edit of what a conforming one does; timing stays free.

    - `text`: what it does wrong, in a sentence.
    - `policy`: when it errs, and how. An item for which no cause holds is treated as by a conforming system.
    - `attacks`: the obligations that its fault breaks; only through them, or through an expectation, is it killed.
    - `without`: the rows that an item with a cause does not keep: those attacked, and those that cannot be kept any more.
    - `relaxes`: the rows of K that such an item breaks.
    - `uses`: what its policy decides; all else is as in a conforming run: "second send", "fork", "contention",
      "conversation", "anchors", "snapshots".
    - `late`: the budget that it misses by one tick, with the row of that budget.
    - `unforced`: why no schedule can make every timing of it show the fault; "" where one can.
    """

    id: str
    text: str
    policy: Policy
    attacks: tuple[str, ...]
    without: tuple[str, ...] = ()
    relaxes: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    late: tuple[str, str] | None = None
    unforced: str = ""


def always(suspect: Suspect) -> Iterator[Pair]:
    """Errs with every item, and nothing more is said of how."""
    yield TRUE, TRUE
