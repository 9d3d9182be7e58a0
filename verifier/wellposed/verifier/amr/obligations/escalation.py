"""Levels 4 and 6: an escalation stops the item, even one that was approved (seed section 4, L4 and L6)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.items import ESCALATED, Item
from wellposed.verifier.amr.obligations.instance import Instance, tick
from wellposed.verifier.formula import Formula, Term, all_of, any_of, negate


def _not_sent_from(item: Item, at: Term) -> Formula:
    return all_of(any_of((item.space.lt(send, at), item.absent(send))) for send in item.sends)


def _resolved_as_escalated(item: Item) -> Formula:
    return all_of((item.happens(item.resolved), item.ends(ESCALATED)))


def stop(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L4.stop: nothing is sent at or after an escalation."""
    for event, at in item.escalations:
        formula = any_of((item.absent(at), _not_sent_from(item, at)))
        when = tick(item, at)
        yield Instance(event.pointer, formula, f"escalated at {when}, so nothing may be sent from {when} on")


def resolve(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L4.resolve: a live item that is escalated is abandoned with reason operator_escalation by the horizon."""
    for event, at in item.escalations:
        formula = any_of(
            (
                item.absent(at),
                item.absent(item.admitted),
                negate(item.unfinished_at(at)),
                _resolved_as_escalated(item),
            )
        )
        ending = "abandoned with reason operator_escalation"
        text = f"escalated at {tick(item, at)}, so {item.message.id}, unless sent or resolved before, is {ending}"
        yield Instance(event.pointer, formula, text)


def stop_approved(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L6.stop: an escalation stops the send of an approval that was already in force."""
    for event, at in item.escalations:
        cause = revoked(item, at, item.standing_before(event, at))
        formula = any_of((negate(cause), all_of((_not_sent_from(item, at), _resolved_as_escalated(item)))))
        when = tick(item, at)
        text = f"escalated at {when} while an approval is in force, so nothing may be sent from {when} on"
        yield Instance(event.pointer, formula, text)


def revoked(item: Item, at: Term, standing: Formula) -> Formula:
    """The cause of L6.stop: an escalation meets an approval in force, and nothing has been sent or resolved."""
    return all_of((item.happens(at), standing, item.unfinished_at(at)))
