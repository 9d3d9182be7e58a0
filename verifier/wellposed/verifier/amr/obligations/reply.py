"""Level 0: owed work is drafted and answered, and nothing is abandoned without a cause (seed section 4, L0)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.decisions import Fire
from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations.instance import Instance, deadline, due, fired, tick
from wellposed.verifier.formula import Formula, Term, all_of, any_of, constant, negate


def arrival(item: Item) -> tuple[Term, str]:
    """Where the clock of owed work starts: the delivery if an admission is required, else the admission."""
    if item.rules.required:
        at = constant(item.message.at)
        return at, f"{item.message.id} delivered at {tick(item, at)}"
    return item.admitted, f"{item.message.id} admitted"


def draft(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L0.draft: a draft within the budget of the arrival."""
    start, words = arrival(item)
    end = start.plus(budgets.draft)
    formula = any_of(
        (
            item.space.le(item.draft, end),
            item.escalated_by(end),
            item.abandoned_by(end, budgets),
        )
    )
    by = deadline(item, start, budgets.draft, "the admission")
    yield Instance(item.message.pointer, formula, f"{words}, so its first draft is due {by}")


def reply(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L0.reply: a send within the budget of the arrival, or of each genuine approve of a gated item."""
    if not item.gated:
        start, words = arrival(item)
        by = deadline(item, start, budgets.reply, "the admission")
        formula = send_due(item, start, start, budgets.reply, budgets)
        yield Instance(item.message.pointer, formula, f"{words}, so the reply is due {by}")
        return
    for fire in item.approves():
        formula = send_due(item, fire, fire.tick, budgets.reply, budgets)
        text = f"{fired(item, fire, budgets)}, so the reply is due {due(item, fire, budgets.reply, budgets)}"
        yield Instance(fire.decision.event.pointer, formula, text)


def send_due(item: Item, cause: Fire | Term, start: Term, budget: int, budgets: Budgets) -> Formula:
    """A send within `budget` of the cause at `start`, unless the item was resolved before it or an excuse comes in time."""
    end = start.plus(budget)
    return any_of(
        (
            item.space.le(item.send, end),
            item.space.lt(item.resolved, start),
            item.escalated_by(end),
            item.rejected_between(cause, end),
            item.abandoned_by(end, budgets),
            item.crashed_between(start, end),
        )
    )


def abandon(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L0.abandon: an abandonment has a cause."""
    formula = any_of((negate(item.abandoned()), item.lawfully_abandoned(budgets)))
    text = (
        f"{item.message.id} may be abandoned only after an escalation or, unsent, while a reject is in force, within "
        f"{budgets.death} ticks of its agent's death or within {budgets.crash} of a crash that found it pending"
    )
    yield Instance(item.message.pointer, all_of((formula,)), text)
