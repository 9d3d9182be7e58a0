"""What stands in a run at a tick of the run's own, besides the ways in which an item ends: admissions, drafts, and the
events of the environment that wait for one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from wellposed.verifier.amr.environment import Environment, Event, Trigger
from wellposed.verifier.amr.items import Item
from wellposed.verifier.formula import Term
from wellposed.verifier.theory import WindowForm


def window_forms(
    environment: Environment, items: Mapping[str, Item], at: Callable[[Event], Term]
) -> Iterator[WindowForm]:
    """The windows of a component, item by item, then those of events that concern every item.

    `at` gives the tick of an event, which may hang on a record of an item of the same component.
    """
    for identity, item in items.items():
        yield WindowForm(identity, "admitted", item.happens(item.admitted), item.admitted)
        yield WindowForm(identity, "drafted", item.happens(item.draft), item.draft)
        fires = [(fire.decision.event, fire.tick) for fire in item.fires]
        for event, tick in (*fires, *item.forged, *item.escalations):
            if tick.var != 0:
                yield WindowForm(identity, event.pointer, item.happens(tick), tick)
    for event in (*environment.crashes, *(death.event for death in environment.deaths)):
        if isinstance(event.when, Trigger) and event.when.message in items:
            tick = at(event)
            yield WindowForm(None, event.pointer, items[event.when.message].happens(tick), tick)
