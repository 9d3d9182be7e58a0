"""Level 2: admission by rules, and no effect without a decision that binds it (seed section 4, L2)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations.instance import Instance, deadline, due, fired, happens_at, tick, ticks
from wellposed.verifier.amr.obligations.reply import send_due
from wellposed.verifier.amr.refusal import refusal
from wellposed.verifier.formula import all_of, any_of, constant


def admit(item: Item) -> Iterator[Instance]:
    """L2.admit: a message that the rules admit is admitted within the budget, unless a change alters its match nearby."""
    if item.rules.required:
        start = constant(item.message.at)
        end = start.plus(item.answers.admit)
        by = deadline(item, end, ticks(item.answers.admit), "the delivery")
        text = f"{item.message.id} delivered at {tick(item, start)} and admitted by the rules, so its admission is due {by}"
        yield Instance(item.message.pointer, item.space.le(item.admitted, end), text)


def only(item: Item) -> Iterator[Instance]:
    """L2.only: an admission follows one posture-and-rules pair that was in force a short while ago."""
    windows = [item.space.between(constant(a), item.admitted, constant(b)) for a, b, _ in item.rules.windows]
    clock = item.environment.clock
    if item.rules.windows:
        spans = ", ".join(f"{clock.tick(a)}..{clock.tick(b)}" for a, b, _ in item.rules.windows)
        text = f"the rules allow an admission of {item.message.id} only in {spans}"
    else:
        text = f"the rules never admit {item.message.id}: {refusal(item.environment, item.message)}"
    yield Instance(item.message.pointer, any_of((item.absent(item.admitted), *windows)), text)


def authority(item: Item) -> Iterator[Instance]:
    """L2.authority: the last decision that binds the sent draft, fired by the send, is an approve."""
    formula = all_of(any_of((item.absent(send), item.authorised(send))) for send in item.sends)
    approves = list(item.approves())
    pointer = approves[0].decision.event.pointer if approves else item.message.pointer
    if approves:
        text = f"{fired(item, approves[0])}, so nothing may be sent before that, nor after a reject of the same draft"
    else:
        text = f"{_unapproved(item)}, so it may not be sent"
    yield Instance(pointer, formula, text)


def _unapproved(item: Item) -> str:
    """That an item is never approved, and what else is decided about it."""
    rejected, forged = list(item.rejects()), [event for event, _ in item.forged]
    if rejected:
        return f"{item.message.id} is never approved ({fired(item, rejected[0])})"
    if forged:
        return f"{item.message.id} is never approved (the decision at {happens_at(item, forged[0])} is forged: its hash is certain to be wrong, and it counts for nothing)"
    return f"{item.message.id} is never approved"


def send(item: Item) -> Iterator[Instance]:
    """L2.send: the send is due within the budget of each approve that finds the item neither sent nor resolved."""
    for fire in item.approves():
        formula = send_due(item, fire, fire.tick, item.answers.send, not item.answers.crash_keeps_send_due)
        text = f"{fired(item, fire)}, so the send is due {due(item, fire, item.answers.send)}"
        yield Instance(fire.decision.event.pointer, formula, text)
