"""The events of a bundle's schedule: which lane each belongs to, its tick, and a few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.cli.timeline.clock import Clock

Entry = Mapping[str, Any]

WORK = "work:"
IDS = {"inbox": "id", "approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the schedule, at place `seq` of it.

    `item` is the message whose lane it stands in, None for what concerns every item (`shared`) or none. `tick` is None
    where it waits for a record of a run: `trigger` then says which, as `m1 drafted`. `kind` is one word for what it is.
    """

    seq: int
    item: str | None
    tick: int | None
    id: str
    text: str
    shared: bool = False
    trigger: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The events in order, the messages with their conversations in order of delivery, and the clock.

    `held` has the first and the last tick of each stretch in which effects are held.
    """

    events: tuple[Event, ...]
    conversations: Mapping[str, str]
    clock: Clock
    held: tuple[tuple[int, int], ...] = ()

    def named(self, name: str) -> Event | None:
        """The first delivery of a message, or the event of this name."""
        return next((event for event in self.events if event.id == name), None)

    def later(self, tick: int, ticks: int, sends: bool) -> int:
        """The tick that is so many ticks after `tick`: seen ones, or for `sends` those of them that are not held."""
        end = self.clock.later(tick, ticks)
        for first, last in self.held if sends and ticks else ():
            first = max(first, tick + 1)
            if first <= min(last, end):
                end = self.clock.later(end, self.clock.seen(first, last))
        return end


def schedule_of(document: Mapping[str, Any]) -> Schedule:
    """Read a bundle document."""
    entries = document["schedule"]
    jumps = [(entry["at"], entry["record"]["to"]) for entry in entries if "at" in entry and "to" in entry["record"]]
    clock = Clock(jumps)
    seen: set[tuple[str, str]] = set()
    events = []
    conversations: dict[str, str] = {}
    for seq, entry in enumerate(entries):
        record = entry["record"]
        id = str(record[IDS[entry["channel"]]])
        again = (entry["channel"], id) in seen
        seen.add((entry["channel"], id))
        if entry["channel"] == "inbox":
            conversations.setdefault(id, record["conversation_id"])
        when = entry.get("when")
        tick = clock.lands(entry["at"]) if when is None else None
        text = _text(entry, id, again) + (
            f" (written for {entry['at']})" if tick not in (None, entry.get("at")) else ""
        )
        trigger = "" if when is None else f"{_message(when['work_id'])} {when['event']}"
        shared = entry["channel"] == "faults"
        events.append(Event(seq, _item(entry), tick, id, text, shared, trigger, _kind(entry, again)))
    return Schedule(tuple(events), conversations, clock, tuple(_held(entries, clock, document["horizon"])))


def _held(entries: Iterable[Entry], clock: Clock, horizon: int) -> Iterator[tuple[int, int]]:
    """The stretches of held ticks; what is not released is held to the horizon."""
    since: int | None = None
    for entry in entries:
        fault = entry["record"].get("fault")
        if fault == "hold":
            since = clock.lands(entry["at"])
        elif fault == "release" and since is not None:
            opened = clock.lands(entry["at"])
            if since < opened:
                yield since, clock.before(opened)
            since = None
    if since is not None:
        yield since, horizon


def _message(work_id: str) -> str:
    return work_id.removeprefix(WORK)


def _item(entry: Entry) -> str | None:
    record = entry["record"]
    match entry["channel"]:
        case "inbox":
            return str(record["id"])
        case "approvals" if "match" in record:
            return _message(record["match"]["work_id"])
        case "signals" if record["signal_type"] == "OPERATOR_ESCALATION":
            return _message(record["target"])
        case "signals" if not isinstance(record["target"], str):
            return _message(record["target"]["holder_of"])
    return None


def _kind(entry: Entry, again: bool) -> str:
    record = entry["record"]
    match entry["channel"]:
        case "inbox":
            return "redeliver" if again else "deliver"
        case "approvals":
            return "repeat" if again else "forged" if "forged" in record else str(record["decision"])
        case "signals":
            escalates = record["signal_type"] == "OPERATOR_ESCALATION"
            return "repeat" if again else "escalate" if escalates else "kill"
    return str(record["fault"])


def _text(entry: Entry, id: str, again: bool) -> str:
    """What happens, with the name that its author gave it; derived names have a dot."""
    record = entry["record"]
    name = "" if "." in id else f" {id}"
    match entry["channel"]:
        case "inbox":
            return "redeliver" if again else "deliver"
        case "approvals" if again:
            return f"repeat{name or ' ' + record['decision']}"
        case "approvals" if "forged" in record:
            what = "approval" if record["decision"] == "approve" else "rejection"
            return f"forged {what}{name}"
        case "approvals":
            which = f" {record['match']['draft']} draft" if "draft" in record["match"] else ""
            return f"{record['decision']}{which}{name}"
        case "signals":
            return _signal(record, name, again)
    match record["fault"]:
        case "jump":
            return f"jump to {record['to']}" if "to" in record else f"jump by {record['by']}"
        case "posture" | "rules" as what:
            return f"{what} {record[what]}"
        case "hold" | "release" as what:
            return f"{what} effects"
    return str(record["fault"])


def _signal(record: Mapping[str, Any], name: str, again: bool) -> str:
    target = record["target"]
    escalates = record["signal_type"] == "OPERATOR_ESCALATION"
    if again:
        return f"repeat{name or (' escalate' if escalates else ' kill agent')}"
    if not escalates and isinstance(target, str):
        return f"kill agent {target}"
    return f"{'escalate' if escalates else 'kill agent'}{' deferred' if 'deferred' in record else ''}{name}"
