"""Where the records of a run stand in the order of events, and what depends on that: what a dying agent holds.

The events of a run are numbered in order (`Happening.order`); *place* k lies behind the events 0..k-1 and before all
others. The records of a tick stand behind all events of their tick. Only a send may lie before some of them, and only
under `Answers.interleaved`; a run does not say where, so there it has several choices of places.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker.environment import Happening
from wellposed.verifier.amr.run import ItemRun, Run

Places = Mapping[str, tuple[int, ...]]
"""Per message the places of its item's sends, in the order of `ItemRun.sends`."""

MOST_CHOICES = 4_096
"""How many choices of places are looked at; a run that leaves more is not judged."""


def behind(happenings: Sequence[Happening], tick: int) -> int:
    """The place of the records of a (real) tick: behind all events that have fired by then."""
    return bisect_right(happenings, tick, key=_tick)


def choices(run: Run, happenings: Sequence[Happening], answers: Answers) -> Iterator[Places]:
    """Every choice of places for the sends of a run; first the one with each send behind all events of its tick.

    Raises ValueError for a run that leaves more than `MOST_CHOICES`.
    """
    sends = [
        (message, _places_of(item, send, happenings, answers))
        for message, item in run.items.items()
        for send in item.sends
    ]
    count = prod(len(places) for _, places in sends)
    if count > MOST_CHOICES:
        raise ValueError(
            f"the sends of the run can lie among the events of their ticks in {count} ways, and at most {MOST_CHOICES} "
            "are looked at; judge a run with fewer sends in ticks that have events"
        )
    for chosen in product(*(places for _, places in sends)):
        placed: dict[str, tuple[int, ...]] = {message: () for message in run.items}
        for (message, _), place in zip(sends, chosen, strict=True):
            placed[message] += (place,)
        yield placed


def _places_of(
    item: ItemRun, send: tuple[int, int], happenings: Sequence[Happening], answers: Answers
) -> tuple[int, ...]:
    """The places that a send may have. Only with a draft of an earlier tick it may lie before events of its tick."""
    tick, draft = send
    last = behind(happenings, tick)
    if not answers.interleaved or item.drafts[draft].tick >= tick:
        return (last,)
    return (last, *range(behind(happenings, tick - 1), last))


def live(item: ItemRun, places: tuple[int, ...], event: Happening) -> bool:
    """Whether an event finds the item live: admitted at a tick before, and neither sent nor resolved before."""
    if item.admitted is None or item.admitted >= event.tick:
        return False
    resolved = item.resolution is not None and item.resolution[0] < event.tick
    return not resolved and all(place > event.order for place in places)


def with_holdings(run: Run, happenings: Sequence[Happening], places: Places) -> tuple[Happening, ...]:
    """The events of a run, the deaths among them with what the dying agents held."""
    return tuple(_with_holding(run, event, places) if event.kind == "death" else event for event in happenings)


def _with_holding(run: Run, death: Happening, places: Places) -> Happening:
    if death.again:  # the agent is dead already
        return replace(death, found=False)
    held = run.held.get(death.name, frozenset())
    if death.message is None:
        return replace(death, found=bool(held), touched=held)
    item = run.items.get(death.message, ItemRun())
    if not live(item, places.get(death.message, ()), death):
        return replace(death, found=False)
    return replace(death, found=True, touched=held | {death.message})


def _tick(event: Happening) -> int:
    return event.tick
