"""What is asked of a component beside its expectations: what exercises a level, and what keeps a stimulus from being dead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellposed.verifier.amr.environment import Event, Trigger
from wellposed.verifier.amr.obligations import escalation
from wellposed.verifier.formula import FALSE, TRUE, Formula, all_of, constant

if TYPE_CHECKING:
    from wellposed.verifier.amr.components import Builder


def questions(builder: Builder) -> tuple[dict[str, list[Formula]], dict[str, list[Formula]]]:
    """What exercises each level, and what keeps each stimulus from being dead."""
    space, level = builder.space, builder.environment.level
    causes: dict[str, list[Formula]] = {f"L{number}": [] for number in range(level + 1)}
    stimuli: dict[str, list[Formula]] = {}

    def cause(number: int, formula: Formula) -> None:
        if number <= level and formula is not FALSE:
            causes[f"L{number}"].append(formula)

    def stimulus(event: Event, formula: Formula) -> None:
        stimuli.setdefault(event.pointer, []).append(formula)

    by_name = {death.event.seq for death in builder.environment.deaths if death.message is None}
    dangling = [forgery.event for forgery in builder.schedule.forgeries.get(None, ())]
    for item in builder.items.values():
        admitted = item.happens(item.admitted)
        cause(0, TRUE if item.owed else admitted)
        if item.claimed is not None:
            cause(3, admitted)
        for fire in item.fires:
            stimulus(fire.decision.event, item.happens(fire.tick))
        for event, tick in item.forged:
            stimulus(event, item.happens(tick))
        for event, tick in item.escalations:
            stimulus(event, all_of((item.happens(tick), admitted)))
            cause(4, escalation.met(item, event, tick))
            cause(6, escalation.revoked(item, event, tick))
        for event, tick in item.crashes:
            cause(1, item.pending(event, tick))
        for touch in item.touches:
            cause(3, all_of((item.happens(touch.tick), touch.touched)))
            if touch.event.seq in by_name:
                stimulus(touch.event, all_of((item.happens(touch.tick), touch.touched)))
        for death in builder.environment.deaths:
            death_tick = builder.death_tick(death)
            if death_tick is not None and death.message == item.message.id:
                stimulus(death.event, all_of((item.happens(death_tick), item.live_at(death.event, death_tick))))
        for event in (*builder.environment.crashes, *dangling):
            if not isinstance(event.when, Trigger) or event.when.message in builder.items:
                tick = builder.at(event)
                delivered = space.le(constant(item.message.at), tick)
                stimulus(event, all_of((item.happens(tick), delivered, admitted, item.unfinished_at(event, tick))))
    return causes, stimuli
