"""Level 3: contested claims are settled, a dead agent's work is taken up, decided work ends (seed section 4, L3)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations.instance import Instance, deadline, fired, tick
from wellposed.verifier.formula import all_of, any_of, constant


def claims(item: Item, budgets: Budgets) -> Iterator[Instance]:
    """L3.claims: one winner, the others stand down, within the budget of the first claim; a death restarts it."""
    if item.contended is None:
        return
    space, first, settled = item.space, item.contended.claimed, item.contended.settled
    restarted = (
        all_of(
            (
                touch.touched,
                space.between(first, touch.tick, first.plus(budgets.claims)),
                space.le(settled, touch.tick.plus(budgets.claims)),
            )
        )
        for touch in item.touches
    )
    formula = any_of((space.le(settled, first.plus(budgets.claims)), *restarted))
    text = f"claims on {item.message.id} are settled within {budgets.claims} ticks of the first"
    yield Instance(item.message.pointer, formula, text)


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
        text = f"{fired(item, fire)}, so {item.message.id} is resolved by the horizon, {last}"
        yield Instance(fire.decision.event.pointer, formula, text)
