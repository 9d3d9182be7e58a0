"""One run in the checker's terms: the items of a scenario, and what is known of the run as a whole.

All numbers in here are indexes of the clock (`Clock`), but for orders and places (`places`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.effects import Effects
from wellposed.verifier.amr.checker.environment import Happening, entry_id, subject_of
from wellposed.verifier.amr.checker.item import Item, Moment
from wellposed.verifier.amr.checker.places import Places, behind, with_holdings
from wellposed.verifier.amr.checker.rules import Arrival, Policy, arrivals
from wellposed.verifier.amr.run import ItemRun, Run


@dataclass(frozen=True, slots=True)
class Case:
    """A bundle document, a run of it, the answers and places under which it is judged, and what follows from these.

    `effects` says when effects were held. `anchored` are the conversations that declare an anchor; `named` maps the messages that were delivered and the named
    statements that fired to when that was; `last` is the index of the horizon.
    """

    document: Mapping[str, Any]
    run: Run
    answers: Answers
    clock: Clock
    effects: Effects
    happenings: tuple[Happening, ...]
    places: Places
    items: Mapping[str, Item]
    policy: Policy
    anchored: frozenset[str]
    named: Mapping[str, Moment]
    last: int

    @property
    def level(self) -> int:
        """The scenario's declared level."""
        return int(self.document["level"])

    def tick(self, index: int) -> int:
        """The real tick of an index."""
        return self.clock.tick(index)

    def place(self, index: int) -> int:
        """The place behind all events of this index's tick."""
        return behind(self.happenings, self.tick(index))

    def deciding(self, arrival: Arrival, admitted: int) -> range:
        """The indexes at which what was in force may justify an admission at `admitted`."""
        if self.answers.arrival_decides:
            return range(arrival.index, arrival.index + 1)
        return range(max(0, admitted - self.answers.lag), admitted + 1)

    def span(self, window: range) -> str:
        """ "in 24..29", or "at 28": the ticks of a window that is not empty."""
        first, last = self.tick(window[0]), self.tick(window[-1])
        return f"at {first}" if first == last else f"in {first}..{last}"


def anchored(document: Mapping[str, Any]) -> frozenset[str]:
    """The conversations that declare an anchor."""
    return frozenset(row["conversation_id"] for row in document["stub"]["anchors"])


def open_case(
    document: Mapping[str, Any],
    run: Run,
    answers: Answers,
    clock: Clock,
    happenings: tuple[Happening, ...],
    places: Places,
) -> Case:
    """Gathers the items of a run and its replayed environment. Every tick of the run must be visible (`form.shape`)."""
    happenings = with_holdings(run, happenings, places)
    policy, arrived = Policy.of(document, clock, happenings), arrivals(clock, happenings, answers)
    gated, pointers = _scheduled(document)
    moments = [
        Moment(clock.index(event.tick), event.order, event.pointer, event.kind, event.draft) for event in happenings
    ]
    named = {event.name: moment for event, moment in zip(happenings, moments, strict=True) if not event.again}
    events = _events(happenings, moments)
    last = clock.last
    effects = Effects.of(clock, happenings)
    items = {}
    for message, pointer in pointers.items():
        item, arrival = run.items.get(message, ItemRun()), arrived.get(message)
        items[message] = Item(
            message=message,
            run=item,
            answers=answers,
            effects=effects,
            arrival=arrival,
            pointer=pointer,
            gated=answers.always_gated or document["level"] >= 2 or message in gated,
            matched=arrival is not None and policy.matches(arrival, arrival.index),
            altered=arrival is not None and _altered(policy, arrival, answers, last),
            admitted=None if item.admitted is None else clock.index(item.admitted),
            drafts=_indexes(clock, (draft.tick for draft in item.drafts)),
            sends=_indexes(clock, (tick for tick, _ in item.sends)),
            places=places.get(message, ()),
            resolved=clock.index(item.resolution[0]) if item.resolution else None,
            won=_indexes(clock, item.won),
            claimed=None if item.claimed is None else clock.index(item.claimed),
            decisions=tuple(events["decision", message]),
            escalations=tuple(events["escalation", message]),
            deaths=tuple(events["death", message]),
            crashes=tuple(events["crash", ""]),
        )
    known = anchored(document)
    return Case(document, run, answers, clock, effects, happenings, places, items, policy, known, named, last)


def _events(happenings: Iterable[Happening], moments: Iterable[Moment]) -> defaultdict[tuple[str, str], list[Moment]]:
    """What happens to items, by kind and message; crashes happen to all of them."""
    events: defaultdict[tuple[str, str], list[Moment]] = defaultdict(list)
    for event, moment in zip(happenings, moments, strict=True):
        if event.kind in ("approve", "reject") and not event.again:
            events["decision", event.message or ""].append(moment)
        elif event.kind == "escalation" and not event.again:
            events["escalation", event.message or ""].append(moment)
        elif event.kind == "death":
            for message in event.touched:
                events["death", message].append(moment)
        elif event.kind == "crash":
            events["crash", ""].append(moment)
    return events


def _scheduled(document: Mapping[str, Any]) -> tuple[set[str], dict[str, str]]:
    """The messages with a genuine decision in the schedule, and the pointer of every message's delivery."""
    gated: set[str] = set()
    pointers: dict[str, str] = {}
    for position, entry in enumerate(document["schedule"]):
        channel, record = entry["channel"], entry["record"]
        if channel == "inbox":
            pointers.setdefault(entry_id(channel, record), f"/schedule/{position}")
        elif channel == "approvals" and "forged" not in record:
            gated.add(subject_of(channel, record) or "")
    return gated, pointers


def _altered(policy: Policy, arrival: Arrival, answers: Answers, last: int) -> bool:
    if answers.arrival_decides:
        return False
    first = max(1, arrival.index - (answers.lag - 1))
    window = range(first, min(last, arrival.index + answers.admit) + 1)
    return any(policy.matches(arrival, index) != policy.matches(arrival, index - 1) for index in window)


def _indexes(clock: Clock, ticks: Iterable[int]) -> tuple[int, ...]:
    return tuple(clock.index(tick) for tick in ticks)
