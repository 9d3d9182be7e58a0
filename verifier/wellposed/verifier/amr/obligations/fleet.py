"""Level 3: contested claims are settled, a dead agent's work is taken up, decided work ends (seed section 4, L3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.items import Contended, Item, Touch
from wellposed.verifier.amr.obligations.instance import Instance, deadline, fired, may_wait, tick
from wellposed.verifier.formula import FALSE, Formula, Term, all_of, any_of, constant


def claims(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L3.claims: one winner, the others stand down, within the budget of the first claim; a death in the window restarts it."""
    if item.contended is None:
        return
    first = item.contended.claimed
    formula = _settled_from(item, item.contended, first, item.touches, budgets)
    text = f"claims on {item.message.id} are settled within {budgets.claims} ticks of the first"
    yield Instance(item.message.pointer, formula, text)


def _settled_from(
    item: Item, contended: Contended, start: Term, touches: Sequence[Touch], budgets: Budgets
) -> Formula:
    """Settled within the budget of `start`, or a death in that window starts another one."""
    space, end = item.space, start.plus(budgets.claims)
    restarted = []
    for touch in touches:
        others = [other for other in touches if other is not touch]
        inside = space.between(start, touch.tick, end)
        if inside is not FALSE:
            again = _settled_from(item, contended, touch.tick, others, budgets)
            restarted.append(all_of((touch.touched, inside, again)))
    return any_of((space.le(contended.settled, end), *restarted))


def death(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L3.death: a reassignment or a resolution within the budget of the death of the item's holder."""
    space = item.space
    for touch in item.touches:
        end = touch.tick.plus(budgets.death)
        taken = any_of(space.between(touch.tick, other.won, end) for other in item.touches)
        formula = any_of((touch.untouched, taken, space.le(item.resolved, end)))
        by = deadline(item, touch.tick, budgets.death, "the death")
        text = f"agent dies at {tick(item, touch.tick)}: if it holds {item.message.id}, a reassignment or an end is due {by}"
        yield Instance(touch.event.pointer, formula, text)


def terminal(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L3.terminal: an admitted item with a decision well before the horizon is resolved by it."""
    space = item.space
    horizon = constant(item.environment.clock.horizon)
    running = any_of(
        all_of((item.pending(crash), space.lt(horizon, crash.plus(budgets.crash)))) for _, crash in item.crashes
    )
    for fire in item.fires:
        formula = any_of(
            (
                item.absent(item.admitted),
                space.lt(horizon, fire.tick.plus(budgets.terminal)),
                item.happens(item.resolved),
                running,
            )
        )
        last = item.environment.clock.tick(item.environment.clock.horizon)
        text = f"{fired(item, fire, budgets)}, so {item.message.id} is resolved by the horizon, {last}"
        if may_wait(item, fire, budgets):
            text += f", if that leaves {budgets.terminal} ticks"
        yield Instance(fire.decision.event.pointer, formula, text)
