"""One instance of an obligation, and the words for ticks that its argument is told in."""

from __future__ import annotations

from typing import NamedTuple

from wellposed.verifier.amr.decisions import Fire
from wellposed.verifier.amr.environment import TIMED, Event, Trigger
from wellposed.verifier.amr.items import Item
from wellposed.verifier.formula import TRUE, Formula, Term, constant


class Instance(NamedTuple):
    """The formula, the element of the bundle that causes it, and the argument in ticks.

    `forced` says that the schedule makes it due; where its cause is the system's own choice, leaving it undone is no
    omission.
    """

    pointer: str
    formula: Formula
    text: str
    forced: bool = True

    @property
    def trivial(self) -> bool:
        return self.formula is TRUE


_RECORDS = {"admitted": "admission", "drafted": "first draft", "sent": "send"}


def tick(item: Item, term: Term) -> str:
    """A constant in words."""
    assert term.var == 0
    return str(item.environment.clock.tick(term.offset))


def happens_at(item: Item, event: Event) -> str:
    """The tick of an event: a number, or what it follows, with the proviso of a deferred signal that waits for its item."""
    when = event.when
    if not isinstance(when, Trigger):
        return tick(item, item.never if when is None else constant(when))
    if event.rank == TIMED:
        return f"{item.environment.clock.tick(when.since)}, or at the tick after the admission if that is later"
    return f"the tick after the {_RECORDS[when.event]} of {when.message}"


def may_wait(item: Item, fire: Fire) -> bool:
    """Whether some system that drafts in time has no draft yet when the decision is written, so that it is deferred."""
    when = fire.decision.event.when
    return not item.owed or not isinstance(when, int) or when <= item.message.at + item.answers.draft


def fired(item: Item, fire: Fire) -> str:
    """`approved at 12`, with the proviso of deferral where there is one."""
    verb = "approved" if fire.decision.approve else "rejected"
    when = fire.decision.event.when
    told = f"{verb} at {happens_at(item, fire.decision.event)}"
    drafted = isinstance(when, Trigger) and when.message == item.message.id and when.event != "admitted"
    return told if drafted or not may_wait(item, fire) else f"{told}, or at the tick after the first draft if that is later"


def due(item: Item, fire: Fire, budget: int) -> str:
    """The deadline of a decision's response: a number where the decision cannot be deferred."""
    when = fire.decision.event.when
    if isinstance(when, int) and not may_wait(item, fire):
        return send_deadline(item, constant(when), budget, "that")
    return f"within {_open_ticks(item, budget)} of that"


def send_deadline(item: Item, cause: Term, budget: int, after: str) -> str:
    """The deadline of a send, for which ticks at which effects are held do not count."""
    return deadline(item, item.send_by(cause, budget), _open_ticks(item, budget), after)


def deadline(item: Item, end: Term, budget: str, after: str) -> str:
    """`by 17`, or `within 5 ticks of` what is not a constant."""
    if end.var == 0 and end.offset <= item.environment.clock.horizon:
        return f"by {item.environment.clock.tick(end.offset)}"
    return f"within {budget} of {after}"


def ticks(budget: int) -> str:
    """A number of ticks in words."""
    return f"{budget} ticks"


def _open_ticks(item: Item, budget: int) -> str:
    return ticks(budget) + (", those with effects held not counted," if item.environment.outbox.held else "")
