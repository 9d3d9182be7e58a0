"""Level 0: owed work is drafted and answered, and nothing is abandoned without a cause (seed section 4, L0)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.decisions import Fire
from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations.instance import Instance, deadline, due, fired, send_deadline, tick, ticks
from wellposed.verifier.formula import FALSE, Formula, Term, any_of, constant, negate


def arrival(item: Item) -> tuple[Term, str]:
    """Where the clock of owed work starts: the delivery if it is owed from there, else the admission."""
    if item.owed:
        at = constant(item.message.at)
        return at, f"{item.message.id} delivered at {tick(item, at)}"
    return item.admitted, f"{item.message.id} admitted"


def draft(item: Item) -> Iterator[Instance]:
    """L0.draft: a draft within the budget of the arrival."""
    start, words = arrival(item)
    end = start.plus(item.answers.draft)
    formula = any_of(
        (
            item.space.le(item.draft, end),
            item.escalated_by(end),
            item.abandoned_by(end),
        )
    )
    by = deadline(item, end, ticks(item.answers.draft), "the admission")
    yield Instance(item.message.pointer, formula, f"{words}, so its first draft is due {by}")


def reply(item: Item) -> Iterator[Instance]:
    """L0.reply: a send within the budget of the arrival, or of each genuine approve of a gated item."""
    if not item.gated or item.answers.reply_from_arrival:
        start, words = arrival(item)
        by = send_deadline(item, start, item.answers.reply, "the admission")
        formula = send_due(item, start, start, item.answers.reply)
        yield Instance(item.message.pointer, formula, f"{words}, so the reply is due {by}")
        return
    for fire in item.approves():
        formula = send_due(item, fire, fire.tick, item.answers.reply)
        text = f"{fired(item, fire)}, so the reply is due {due(item, fire, item.answers.reply)}"
        yield Instance(fire.decision.event.pointer, formula, text)


def send_due(item: Item, cause: Fire | Term, start: Term, budget: int, crash_excuses: bool = True) -> Formula:
    """A send within `budget` of the cause at `start`, unless the item was resolved before it or an excuse comes in time."""
    end = item.send_by(start, budget)
    return any_of(
        (
            item.absent(start),
            item.space.le(item.send, end),
            item.space.lt(item.resolved, start),
            item.escalated_by(end),
            item.rejected_between(cause, end),
            item.abandoned_by(end),
            item.crashed_between(start, end) if crash_excuses else FALSE,
        )
    )


def abandon(item: Item) -> Iterator[Instance]:
    """L0.abandon: an abandonment has a cause."""
    formula = any_of((negate(item.abandoned()), item.lawfully_abandoned()))
    text = (
        f"{item.message.id} may be abandoned only after an escalation or, unsent, while a reject is in force, within "
        f"{item.answers.death} ticks of its agent's death or within {item.answers.crash} of a crash that found it pending"
    )
    yield Instance(item.message.pointer, formula, text)
