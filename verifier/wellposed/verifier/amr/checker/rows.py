"""What the rows of the obligation table have in common: their type, and how a deadline is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from wellposed.verifier.amr.checker.case import Case
from wellposed.verifier.amr.checker.item import Item, Moment

Breach = tuple[str, str]
"""A JSON pointer into the bundle document and a text in ticks."""

Row = Callable[[Case, Item], Iterator[Breach]]
"""A row of the table: the breaches of one obligation by one item."""


@dataclass(frozen=True, slots=True)
class Cause:
    """What starts a clock: its index, the place behind which an event is a later one, where it is written, its text."""

    index: int
    place: int
    pointer: str
    text: str

    @staticmethod
    def of(event: Moment, text: str) -> Cause:
        """An event as a cause: what fires behind it in the order, be it in the same tick, is later."""
        return Cause(event.index, event.order + 1, event.pointer, text)


def due(case: Case, deadline: int) -> int | None:
    """The deadline if it is due. One beyond the horizon is not (None), or is due there (`Answers.due_at_horizon`)."""
    if deadline <= case.last:
        return deadline
    return case.last if case.answers.due_at_horizon else None


def single(index: int | None) -> tuple[int, ...]:
    """The indexes of a record that comes at most once."""
    return () if index is None else (index,)


def within(indexes: Iterable[int], first: int, last: int) -> bool:
    """Whether any of the indexes lies in the closed window."""
    return any(first <= index <= last for index in indexes)


def missed(case: Case, cause: str, what: str, deadline: int, actual: Iterable[int]) -> str:
    """The text of a missed deadline: "approved at 12, so a send is due by 17; none", or the first that came later."""
    late = [index for index in actual if index > deadline]
    tail = f"the next is at {case.tick(min(late))}" if late else "none"
    return f"{cause}, so {what} is due by {case.tick(deadline)}; {tail}"


def excused(item: Item, cause: Cause, deadline: int) -> bool:
    """The excuses that L0.reply and L2.send share, but for crashes: escalation, later reject, lawful abandonment."""
    return (
        item.escalated_by(deadline)
        or item.rejected_later(cause.place, deadline)
        or item.lawfully_abandoned_by(deadline)
    )
