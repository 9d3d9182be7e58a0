"""The events of a fixture in one order: the separate files have none between them, a schedule has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wellposed.compiler.adopt.ids import Ids
from wellposed.compiler.adopt.report import AdoptReport, Item

Record = dict[str, Any]

ORDER = ("inbox", "faults", "signals", "approvals")
"""In which order what the files have for one tick is taken to happen, where the fixture does not say."""
_OWN_ID = {"approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}


@dataclass(slots=True)
class Event:
    """An entry of the schedule to be. A record without an id is to be called after `stem`.

    `file` is the channel whose file it stands in, which for redeliveries and forgeries among the faults is another one.
    """

    file: str
    channel: str
    record: Record
    item: Item
    at: int | None
    when: Record | None
    seq: int | None
    stem: str = ""


def stamp(event: Event) -> Record:
    """The tick of an event as its record has it."""
    return {} if event.at is None else {"at": event.at}


def scheduled(events: list[Event], ids: Ids, report: AdoptReport) -> list[Event]:
    """The events in the order of the schedule, with ids for those that have none."""
    numbered = [event.seq for event in events if event.seq is not None]
    trusted = len(numbered) == len(events) and len(set(numbered)) == len(events)
    if numbered and not trusted:
        report.drop("`seq`, which orders nothing unless every record has one of its own")
    place = {id(event): index for index, event in enumerate(events)}

    def key(event: Event) -> tuple[int, int, int, int]:
        rank = (event.seq or 0, 0) if trusted else (ORDER.index(event.file), place[id(event)])
        return (0, event.at, *rank) if event.at is not None else (1, 0, *rank)

    ordered = sorted(events, key=key)
    files: dict[int | None, set[str]] = {}
    for event in ordered:
        files.setdefault(event.at, set()).add(event.file)
        member = _OWN_ID.get(event.channel)
        if member is not None and member not in event.record:
            event.record[member] = ids.derived(event.stem)
    shared = [at for at, some in files.items() if len(some) > 1]
    if shared and not trusted:
        first = "what waits for a record" if shared[0] is None else f"tick {shared[0]}"
        message = f"what several files have for one tick happens in the order {', '.join(ORDER)} (first: {first})"
        report.guess(message)
    return ordered
