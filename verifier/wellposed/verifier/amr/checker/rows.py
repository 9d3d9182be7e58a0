"""What the rows of the obligation table have in common: their type, and how a deadline is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from wellposed.verifier.amr.checker.case import Case, Item, Moment

Breach = tuple[str, str]
"""A JSON pointer into the bundle document and a text in ticks."""

Row = Callable[[Case, Item], Iterator[Breach]]
"""A row of the table: the breaches of one obligation by one item."""


def due(case: Case, cause: int, budget: int) -> int | None:
    """The deadline `budget` visible ticks after the index `cause`; None if it is beyond the horizon, so not due."""
    deadline = cause + budget
    return deadline if deadline <= case.last else None


def within(indexes: Iterable[int], first: int, last: int) -> bool:
    """Whether any of the indexes lies in the closed window."""
    return any(first <= index <= last for index in indexes)


def missed(case: Case, cause: str, what: str, deadline: int, actual: Iterable[int]) -> str:
    """The text of a missed deadline: "approved at 12, so a send is due by 17; none", or the first that came later."""
    late = [index for index in actual if index > deadline]
    tail = f"the next is at {case.tick(min(late))}" if late else "none"
    return f"{cause}, so {what} is due by {case.tick(deadline)}; {tail}"


def excused(case: Case, item: Item, cause: Moment, deadline: int) -> bool:
    """The excuses that L0.reply and L2.send share, but for crashes: escalation, later reject, lawful abandonment."""
    return (
        item.escalated_by(deadline)
        or item.rejected_later(deadline, order=cause.order)
        or item.lawfully_abandoned_by(deadline, case.budgets)
    )


def unsettled(item: Item, index: int) -> bool:
    """Neither sent nor resolved before an index, the condition under which an approve is a cause."""
    return not item.sent_before(index) and not item.resolved_before(index)
