"""Levels 4 and 6: an escalation stops the item, even one that was approved (seed section 4, L4 and L6)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.environment import Event
from wellposed.verifier.amr.items import ESCALATED, Item
from wellposed.verifier.amr.obligations.instance import Instance, happens_at, tick
from wellposed.verifier.formula import TRUE, Formula, Term, all_of, any_of, negate


def _sent_before(item: Item, send: Term, event: Event, at: Term) -> Formula:
    """A send is made before an escalation; one of the same tick is not, as its record was written by who had seen it."""
    return item.space.le(send, at) if item.answers.same_tick_is_before else item.precedes(send, event, at)


def _then(item: Item, at: Term) -> str:
    return tick(item, at) if at.var == 0 else "then"


def _not_sent_from(item: Item, event: Event, at: Term) -> Formula:
    return all_of(any_of((_sent_before(item, send, event, at), item.absent(send))) for send in item.sends)


def _resolved_as_escalated(item: Item) -> Formula:
    return all_of((item.happens(item.resolved), item.ends(ESCALATED)))


def met(item: Item, event: Event, at: Term) -> Formula:
    """The cause of L4.resolve: an escalation of an admitted item that is neither sent nor resolved before it."""
    unsent = all_of((negate(_sent_before(item, item.send, event, at)), item.space.le(at, item.resolved)))
    unfinished = TRUE if item.answers.condemns_finished else unsent
    return all_of((item.happens(at), item.happens(item.admitted), unfinished))


def revoked(item: Item, event: Event, at: Term) -> Formula:
    """The cause of L6.stop: an escalation meets an approval in force, and nothing has been sent or resolved."""
    unsent = all_of((negate(_sent_before(item, item.send, event, at)), item.space.le(at, item.resolved)))
    return all_of((item.happens(at), item.standing_before(event, at), unsent))


def stop(item: Item) -> Iterator[Instance]:
    """L4.stop: nothing is sent at or after an escalation."""
    for event, at in item.escalations:
        formula = any_of((item.absent(at), _not_sent_from(item, event, at)))
        text = f"escalated at {happens_at(item, event)}, so nothing may be sent from {_then(item, at)} on"
        yield Instance(event.pointer, formula, text)


def resolve(item: Item) -> Iterator[Instance]:
    """L4.resolve: a live item that is escalated is abandoned with reason operator_escalation by the horizon."""
    for event, at in item.escalations:
        in_time = all_of((_resolved_as_escalated(item), item.space.le(at, item.resolved)))
        ending = "abandoned with reason operator_escalation"
        text = f"escalated at {happens_at(item, event)}, so {item.message.id}, unless sent or resolved before, is {ending}"
        yield Instance(event.pointer, any_of((negate(met(item, event, at)), in_time)), text)


def stop_approved(item: Item) -> Iterator[Instance]:
    """L6.stop: an escalation stops the send of an approval that was already in force."""
    for event, at in item.escalations:
        stopped = all_of((_not_sent_from(item, event, at), _resolved_as_escalated(item)))
        when = f"{happens_at(item, event)} while an approval is in force"
        text = f"escalated at {when}, so nothing may be sent from {_then(item, at)} on"
        yield Instance(event.pointer, any_of((negate(revoked(item, event, at)), stopped)), text)
