"""The causes of the obligations, as formulas over one item: the column "cause" of the table in `docs/model.md`.

The rows `K` have none here: they are the physics of every log, which no scenario is needed for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations import escalation, in_force
from wellposed.verifier.formula import FALSE, TRUE, Formula, all_of, constant


def causes(item: Item) -> Iterator[tuple[str, Formula]]:
    """The obligations in force, each with what holds of the item when its cause is there; once for each such cause."""
    for obligation, cause in CAUSES.items():
        if in_force(obligation, item.environment.level, item.answers):
            for formula in cause(item):
                if formula is not FALSE:
                    yield obligation, formula


def _owed(item: Item) -> Iterator[Formula]:
    yield TRUE if item.owed else item.happens(item.admitted)


def _approved(item: Item) -> Iterator[Formula]:
    """An approval finds the item neither sent nor resolved."""
    for fire in item.approves():
        yield all_of((item.happens(fire.tick), item.unfinished_at(fire.decision.event, fire.tick)))


def _reply(item: Item) -> Iterator[Formula]:
    return _approved(item) if item.gated and not item.answers.reply_from_arrival else _owed(item)


def _abandoned(item: Item) -> Iterator[Formula]:
    yield item.abandoned()


def _admitted(item: Item) -> Iterator[Formula]:
    yield item.happens(item.admitted)


def _drafted_with_anchor(item: Item) -> Iterator[Formula]:
    if item.message.conversation in item.environment.anchored:
        yield item.happens(item.draft)


def _one_of_several(item: Item) -> Iterator[Formula]:
    if len(item.environment.messages) > 1:
        yield item.happens(item.draft)


def _sent(item: Item) -> Iterator[Formula]:
    yield item.happens(item.send)


def _crashed(item: Item) -> Iterator[Formula]:
    return (item.pending(event, tick) for event, tick in item.crashes)


def _required(item: Item) -> Iterator[Formula]:
    if item.rules.required:
        yield TRUE


def _forged(item: Item) -> Iterator[Formula]:
    """A forged decision on the item; one on a draft that nobody declared concerns every item that it finds drafted."""
    for _, tick in item.forged:
        yield item.happens(tick)
    environment = item.environment
    for forgery in environment.forgeries:
        when = forgery.event.when
        if forgery.message is None and isinstance(when, int):
            yield all_of((item.space.lt(item.draft, constant(when)), item.unfinished_at(forgery.event, constant(when))))


def _touched(item: Item) -> Iterator[Formula]:
    return (all_of((item.happens(touch.tick), touch.touched)) for touch in item.touches)


def _decided(item: Item) -> Iterator[Formula]:
    """A decision with enough ticks left, on an item that is admitted."""
    horizon = constant(item.environment.clock.horizon)
    for fire in item.fires:
        in_time = item.space.le(item.send_by(fire.tick, item.answers.terminal), horizon)
        yield all_of((item.happens(item.admitted), in_time))


def _escalated(item: Item) -> Iterator[Formula]:
    return (item.happens(tick) for _, tick in item.escalations)


def _met(item: Item) -> Iterator[Formula]:
    return (escalation.met(item, event, tick) for event, tick in item.escalations)


def _revoked(item: Item) -> Iterator[Formula]:
    return (escalation.revoked(item, event, tick) for event, tick in item.escalations)


def _always(item: Item) -> Iterator[Formula]:
    yield TRUE


CAUSES: Mapping[str, Callable[[Item], Iterator[Formula]]] = {
    "L0.draft": _owed,
    "L0.reply": _reply,
    "L0.abandon": _abandoned,
    "L1.once": _sent,
    "L1.fork": _admitted,
    "L1.anchor": _drafted_with_anchor,
    "L1.crash": _crashed,
    "L2.admit": _required,
    "L2.only": _admitted,
    "L2.authority": _sent,
    "L2.forged": _forged,
    "L2.send": _approved,
    "L3.claims": _admitted,
    "L3.death": _touched,
    "L3.terminal": _decided,
    "L3.state": _always,
    "L4.stop": _escalated,
    "L4.resolve": _met,
    "L5.identity": _one_of_several,
    "L6.stop": _revoked,
}
