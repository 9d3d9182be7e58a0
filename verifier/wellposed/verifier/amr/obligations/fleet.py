"""Level 3: contested claims are settled, a dead agent's work is taken up, decided work ends (seed section 4, L3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.verifier.amr.items import Contended, Item, Touch
from wellposed.verifier.amr.obligations.instance import Instance, deadline, fired, happens_at, may_wait, ticks
from wellposed.verifier.formula import FALSE, Formula, Term, all_of, any_of, constant


def claims(item: Item) -> Iterator[Instance]:
    """L3.claims: one winner, the others stand down, within the budget of the first claim; a death in the window restarts it."""
    budget, identity = item.answers.claims, item.message.id
    if item.contended is not None:
        formula = _settled_from(item, item.contended, item.contended.claimed, item.touches)
        text = f"claims on {identity} are settled within {budget} ticks of the first"
        yield Instance(item.message.pointer, formula, text, forced=False)
    if item.claimed is not None:
        end = item.admitted.plus(budget)
        answered = (item.space.le(record, end) for record in (item.claimed, item.resolved))
        text = f"{identity} admitted, so an agent wins it within {budget} ticks"
        yield Instance(item.message.pointer, any_of((item.absent(item.admitted), *answered)), text)


def _settled_from(item: Item, contended: Contended, start: Term, touches: Sequence[Touch]) -> Formula:
    """Settled within the budget of `start`, or a death in that window starts another one."""
    space, end = item.space, start.plus(item.answers.claims)
    restarted = []
    for touch in touches:
        others = [other for other in touches if other is not touch]
        inside = space.between(start, touch.tick, end)
        if inside is not FALSE:
            again = _settled_from(item, contended, touch.tick, others)
            restarted.append(all_of((touch.touched, inside, again)))
    return any_of((space.le(contended.settled, end), *restarted))


def death(item: Item) -> Iterator[Instance]:
    """L3.death: a reassignment or a resolution within the budget of the death of the item's holder."""
    space = item.space
    for touch in item.touches:
        end = touch.tick.plus(item.answers.death)
        taken = any_of(space.between(touch.tick, other.won, end) for other in item.touches)
        formula = any_of((touch.untouched, taken, space.le(item.resolved, end)))
        by = deadline(item, end, ticks(item.answers.death), "the death")
        text = f"agent dies at {happens_at(item, touch.event)}: if it holds {item.message.id}, a reassignment or an end is due {by}"
        yield Instance(touch.event.pointer, formula, text)


def terminal(item: Item) -> Iterator[Instance]:
    """L3.terminal: an admitted item with a decision well before the horizon is resolved by it."""
    space = item.space
    horizon = constant(item.environment.clock.horizon)
    last = f"{item.message.id} is resolved by the horizon, {item.environment.clock.tick(horizon.offset)}"
    running = any_of(
        all_of((item.pending(event, tick), space.lt(horizon, item.send_by(tick, item.answers.crash))))
        for event, tick in item.crashes
    )
    resolved = any_of((item.absent(item.admitted), item.happens(item.resolved), running))
    if item.answers.all_resolved:
        yield Instance(item.message.pointer, resolved, f"{item.message.id} admitted, so {last}")
        return
    for fire in item.fires:
        late = space.lt(horizon, item.send_by(fire.tick, item.answers.terminal))
        text = f"{fired(item, fire)}, so {last}"
        if may_wait(item, fire):
            text += f", if that leaves {item.answers.terminal} ticks"
        yield Instance(fire.decision.event.pointer, any_of((late, resolved)), text)
