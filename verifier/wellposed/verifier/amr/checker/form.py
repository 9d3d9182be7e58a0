"""Well-formedness of a run: what must be so before any obligation can be asked about it.

`shape` finds what cannot be evaluated at all: unknown ids, ticks that do not exist, references into nothing.
`placement` finds records where no log can have them: an admission before the delivery or, where no obligation says so,
under rules that were not in force, a send while effects are held, a death that touches what its agent cannot hold, a reassignment that no death calls
for, a claim of an item that is not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from wellposed.verifier.amr.checker.case import Case, anchored
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.checker.environment import Happening
from wellposed.verifier.amr.checker.item import Item
from wellposed.verifier.amr.checker.places import live
from wellposed.verifier.amr.run import ItemRun, Run, Violation

WELL_FORMED = "well-formed"
"""The obligation id of the violations found here; the table of obligations has no row for them."""

OUTCOMES = ("completed", "abandoned")


@dataclass(frozen=True, slots=True)
class _Words:
    """What a run may refer to: conversations, those with an anchor, and rules versions."""

    conversations: frozenset[str]
    anchored: frozenset[str]
    versions: frozenset[str]

    @staticmethod
    def of(document: Mapping[str, Any]) -> _Words:
        return _Words(
            frozenset(_conversations(document)),
            anchored(document),
            frozenset(version["name"] for version in document["rules"]),
        )


def shape(document: Mapping[str, Any], run: Run, clock: Clock) -> tuple[Violation, ...]:
    """The faults that make a run unreadable. A run that has any is not judged further."""
    found: list[Violation] = []
    pointers, words = _deliveries(document), _Words.of(document)
    for message, item in run.items.items():
        if message not in pointers:
            found.append(_violation("/schedule", message, f"the schedule delivers no message {message}"))
            continue
        faults = (*_ticks(item, clock), *_order(item), *_references(words, item))
        found.extend(_violation(pointers[message], message, fault) for fault in faults)
    deaths = {
        entry["record"]["signal_id"]
        for entry in document["schedule"]
        if entry["channel"] == "signals" and entry["record"]["signal_type"] == "AGENT_DEATH"
    }
    for signal, held in run.held.items():
        if signal not in deaths:
            found.append(_violation("/schedule", None, f"the schedule has no death {signal}"))
        unknown = sorted(held - pointers.keys())
        if unknown:
            text = f"the agent of {signal} holds {', '.join(unknown)}, which the schedule never delivers"
            found.append(_violation("/schedule", None, text))
    return tuple(found)


def placement(case: Case) -> tuple[Violation, ...]:
    """The records of a readable run that stand where no log can have them."""
    found: list[Violation] = []
    for item in case.items.values():
        faults = (
            *(*_admission(case, item), *_held(case, item)),
            *(*_reassignments(case, item), *_contention(item), *_claim(item)),
        )
        found.extend(_violation(item.pointer, item.message, fault) for fault in faults)
    for event in case.happenings:
        if event.kind == "death" and not event.again:
            faults = tuple(_holdings(case, event))
            found.extend(_violation(event.pointer, event.message, fault) for fault in faults)
    fired = {event.name for event in case.happenings if event.kind == "death"}
    for signal, held in case.run.held.items():
        if held and signal not in fired:
            found.append(_violation("/schedule", None, f"death {signal} never fires, so its agent holds nothing"))
    return tuple(found)


def _violation(pointer: str, message: str | None, text: str) -> Violation:
    return Violation(WELL_FORMED, pointer, message, text)


def _deliveries(document: Mapping[str, Any]) -> dict[str, str]:
    pointers: dict[str, str] = {}
    for position, entry in enumerate(document["schedule"]):
        if entry["channel"] == "inbox":
            pointers.setdefault(entry["record"]["id"], f"/schedule/{position}")
    return pointers


def _ticks(item: ItemRun, clock: Clock) -> Iterator[str]:
    dated = [("admission", item.admitted)]
    dated += [("draft", draft.tick) for draft in item.drafts]
    dated += [("send", tick) for tick, _ in item.sends]
    dated += [("resolution", item.resolution[0] if item.resolution else None)]
    dated += [("reassignment", tick) for tick in item.won]
    dated += [("first claim", item.claimed)]
    if item.contention:
        dated += [("claim", item.contention.claimed), ("settlement", item.contention.settled)]
    for what, tick in dated:
        if tick is not None and not clock.visible(tick):
            yield f"{what} at {tick}, which is not a visible tick of 0..{clock.horizon}"


def _order(item: ItemRun) -> Iterator[str]:
    if any(later.tick <= earlier.tick for earlier, later in pairwise(item.drafts)):
        yield "drafts are not in order of their ticks, one per tick"
    if any(later[0] < earlier[0] for earlier, later in pairwise(item.sends)):
        yield "sends are not in order of their ticks"
    if any(later <= earlier for earlier, later in pairwise(item.won)):
        yield "reassignments are not in order of their ticks, one per tick"


def _references(words: _Words, item: ItemRun) -> Iterator[str]:
    for draft in item.drafts:
        if draft.conversation not in words.conversations:
            yield f"draft at {draft.tick} replies in the unknown conversation {draft.conversation}"
        for conversation in sorted(draft.carries - words.anchored):
            yield f"draft at {draft.tick} carries an anchor of {conversation}, which declares none"
    for tick, index in item.sends:
        if not 0 <= index < len(item.drafts):
            yield f"send at {tick} names draft {index} of {len(item.drafts)}"
    if item.rules is not None and item.rules not in words.versions:
        yield f"the admission cites the unknown rules version {item.rules}"
    if item.rules is not None and item.admitted is None:
        yield f"cites rules version {item.rules} without an admission"
    if item.resolution and item.resolution[1] not in OUTCOMES:
        yield f"resolved at {item.resolution[0]} as {item.resolution[1]}, which is not an outcome"


def _conversations(document: Mapping[str, Any]) -> set[str]:
    """Every conversation that the bundle mentions: it keeps no list of the declared ones."""
    found = {entry["record"]["conversation_id"] for entry in document["schedule"] if entry["channel"] == "inbox"}
    found |= {row["conversation_id"] for part in ("anchors", "replies") for row in document["stub"][part]}
    claims = list(document["expect"])
    while claims:
        claim = claims.pop()
        if "conversation" in claim:
            found.add(claim["conversation"])
        if claim["claim"] == "any":
            claims.extend(inner for branch in claim["of"] for inner in branch)
        elif claim["claim"] == "if":
            claims.extend((claim["if"], claim["then"], claim["else"]))
    return found


def _admission(case: Case, item: Item) -> Iterator[str]:
    if item.admitted is None:
        return
    if item.arrival is None:
        yield f"admitted at {item.run.admitted}, but the message is never delivered"
        return
    if item.admitted < item.arrival.index:
        yield f"admitted at {item.run.admitted}, before the delivery at {case.tick(item.arrival.index)}"
    # From level 2 on this is L2.only's business.
    if case.level < 2 and item.run.rules is not None:
        window = case.deciding(item.arrival, item.admitted)
        if all(case.policy.at(index)[1] != item.run.rules for index in window):
            span = case.span(window)
            yield f"admitted at {item.run.admitted} under {item.run.rules}, which is not in force {span}"


def _held(case: Case, item: Item) -> Iterator[str]:
    for sent in item.sends:
        if case.effects.at(sent):
            yield f"sent at {case.tick(sent)}, while effects are held"


def _reassignments(case: Case, item: Item) -> Iterator[str]:
    tenures = []
    for won in item.won:
        before = [death.index for death in item.deaths if death.index <= won]
        if not before:
            yield f"reassigned at {case.tick(won)}, but no death touched the item by then"
        elif before[-1] in tenures:
            yield f"reassigned again at {case.tick(won)} after one death at {case.tick(before[-1])}"
        else:
            tenures.append(before[-1])
        if item.resolved is not None and won > item.resolved:
            yield f"reassigned at {case.tick(won)}, after the resolution at {case.tick(item.resolved)}"


def _claim(item: Item) -> Iterator[str]:
    claimed = item.run.claimed
    if claimed is None:
        return
    if item.run.admitted is None or claimed < item.run.admitted:
        yield f"first claimed at {claimed}, before the admission"
    if item.run.resolution is not None and claimed > item.run.resolution[0]:
        yield f"first claimed at {claimed}, after the resolution at {item.run.resolution[0]}"


def _contention(item: Item) -> Iterator[str]:
    contention = item.run.contention
    if contention is None:
        return
    if item.run.admitted is None or contention.claimed < item.run.admitted:
        yield f"claimed at {contention.claimed}, before the admission"
    if contention.settled is not None and contention.settled < contention.claimed:
        yield f"claims settled at {contention.settled}, before the first claim at {contention.claimed}"


def _holdings(case: Case, event: Happening) -> Iterator[str]:
    held = case.run.held.get(event.name, frozenset())
    if event.message is not None and not event.found:
        if held:
            yield f"death at {event.tick} finds no holder of {event.message}, so it touches nothing"
        return
    if event.message is not None and held and event.message not in held:
        yield f"death at {event.tick} of the holder of {event.message} must touch that item"
    if case.answers.one_item_per_agent and len(event.touched) > 1:
        yield f"death at {event.tick} touches {', '.join(sorted(event.touched))}, but no two items share an agent"
    for message in sorted(held):
        if not live(case.run.items.get(message, ItemRun()), case.places.get(message, ()), event):
            yield f"death at {event.tick} touches {message}, which was not live and admitted before it"
