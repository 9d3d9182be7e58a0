"""The environment of one run: the schedule of a bundle replayed against what the implementation did.

A tick is its timed entries in order, then the decisions and signals that have waited, then the triggered (`when`)
entries, each in order of `seq`; then the implementation's records. When decisions fire, what they bind and which ticks are visible follow from
the run, so there is nothing to search. What an agent that dies holds is `places`' business: it can depend on the place
of a send.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.run import ItemRun, Run


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of the environment as it took place in a run.

    - `tick`: the real tick at which it fired (for a decision this is its `decided_at`).
    - `order`: its place among all events of the run; an event is before another "in order" iff its `order` is smaller.
    - `position`: its place in the bundle's schedule, and `seq`, `channel`, `record` are those of that entry.
    - `kind`: deliver, approve, reject, forged, escalation, death, crash, jump, posture, rules, hold or release.
    - `message`: the id of the message, or of the message whose work item, the event is about; None for the rest.
    - `scheduled`: the tick at which it was written or triggered (the landing tick, if that was jumped over); `deferred`
      says that it had to wait for a draft, or an item, after that.
    - `again`: a redelivery or a repeat of an earlier record; it changes nothing.
    - `draft`: the index (in `ItemRun.drafts`) of the draft that a decision binds, or that a wrong-hash forgery names.
    - `found`: for a death, whether the agent held anything; None for everything else.
    - `touched`: for a death, the ids of the messages whose items the agent held.
    - `landing`: for a jump, the next visible tick; None for a jump that does nothing.
    """

    tick: int
    order: int
    position: int
    seq: int
    channel: str
    record: Mapping[str, Any]
    kind: str
    message: str | None
    scheduled: int
    deferred: bool = False
    again: bool = False
    draft: int | None = None
    found: bool | None = None
    touched: frozenset[str] = frozenset()
    landing: int | None = None

    @property
    def pointer(self) -> str:
        """The JSON pointer of the schedule entry."""
        return f"/schedule/{self.position}"

    @property
    def name(self) -> str:
        """The id that the record carries: of the message, decision, signal or fault."""
        return entry_id(self.channel, self.record)


REPEATED = ("approvals", "signals")
"""The channels whose records come again as repeats."""

ID_MEMBERS = {"inbox": "id", "approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}


def entry_id(channel: str, record: Mapping[str, Any]) -> str:
    """The id of a schedule record, which is also the name by which expectations mention it."""
    return str(record[ID_MEMBERS[channel]])


def message_of_work(work_id: object) -> str | None:
    """The message id of a symbolic work id (`work:m1`), or None for anything else."""
    return work_id.removeprefix("work:") if isinstance(work_id, str) and work_id.startswith("work:") else None


def subject_of(channel: str, record: Mapping[str, Any]) -> str | None:
    """The id of the message that a schedule record concerns, or None."""
    if channel == "inbox":
        return str(record["id"])
    if channel == "approvals":
        return message_of_work(record.get("match", {}).get("work_id"))
    if channel == "signals":
        target = record["target"]
        return message_of_work(target.get("holder_of") if isinstance(target, Mapping) else target)
    return None


def replay(document: Mapping[str, Any], run: Run, answers: Answers) -> tuple[Clock, tuple[Happening, ...]]:
    """Replays the schedule against a run: the visible ticks of that run, and its environment events in order.

    Of a death, `found` and `touched` are left open.
    """
    return _Replay(document, run, answers).play()


@dataclass(frozen=True, slots=True)
class _Entry:
    position: int
    seq: int
    channel: str
    record: Mapping[str, Any]
    at: int | None
    when: Mapping[str, Any] | None


class _Replay:
    """The replay in progress. Jumps its way from one tick on which something can fire to the next."""

    def __init__(self, document: Mapping[str, Any], run: Run, answers: Answers) -> None:
        self.horizon: int = document["horizon"]
        self.run = run
        self.answers = answers
        self.entries = [
            _Entry(position, entry["seq"], entry["channel"], entry["record"], entry.get("at"), entry.get("when"))
            for position, entry in enumerate(document["schedule"])
        ]
        self.happenings: list[Happening] = []
        self.jumps: list[tuple[int, int]] = []
        self.originals: dict[str, int] = {}
        self.fired: dict[int, Happening] = {}
        self.delivered: set[str] = set()
        self.waiting: defaultdict[tuple[str, str], list[tuple[_Entry, int]]] = defaultdict(list)
        self.behind: defaultdict[int, list[tuple[_Entry, int]]] = defaultdict(list)
        for entry in self.entries:
            if entry.channel in REPEATED:
                self.originals.setdefault(entry_id(entry.channel, entry.record), entry.position)

    def play(self) -> tuple[Clock, tuple[Happening, ...]]:
        timed = [(entry.at, entry.position) for entry in self.entries if entry.at is not None]
        triggered = [(wake, entry.position) for entry in self.entries if (wake := self.trigger(entry)) is not None]
        wait = 0 if self.answers.deferred_at_draft else 1
        items = self.run.items.items()
        there = [(item.drafts[0].tick + wait, ("approvals", message)) for message, item in items if item.drafts]
        there += [(item.admitted + 1, ("signals", message)) for message, item in items if item.admitted is not None]
        wakes = [wake for wake, _ in [*timed, *triggered]] + [wake for wake, _ in there]
        heapq.heapify(timed)
        heapq.heapify(triggered)
        heapq.heapify(there)
        heapq.heapify(wakes)
        now = -1
        while wakes and wakes[0] <= self.horizon:
            wake = heapq.heappop(wakes)
            if wake <= now:
                continue
            if self.jumps and self.jumps[-1][0] < wake < self.jumps[-1][1]:
                heapq.heappush(wakes, self.jumps[-1][1])
                continue
            now = wake
            for position in _until(timed, now):
                self.fire(self.entries[position], now)
            # A triggered decision that must wait does so before the release: its draft may be one of this tick.
            called = [self.entries[position] for position in _until(triggered, now)]
            called = [entry for entry in called if not self.postpone(entry, now)]
            ready = {awaited for wake, awaited in _pop(there, now)}
            released = [pair for awaited in ready for pair in self.waiting.pop(awaited, ())]
            for entry, scheduled in sorted(released, key=lambda pair: pair[0].position):
                self.bind(entry, now, scheduled, 0 if entry.channel == "approvals" else None)
            for entry in called:
                self.fire(entry, now)
        return Clock.of(self.horizon, self.jumps, cost_all=self.answers.jumps_cost_all), tuple(self.happenings)

    def trigger(self, entry: _Entry) -> int | None:
        """The tick after the record that a `when` entry waits for; None if it is timed or the record never comes."""
        if entry.when is None:
            return None
        item = self.item(message_of_work(entry.when["work_id"]))
        first = {
            "admitted": item.admitted,
            "drafted": item.drafts[0].tick if item.drafts else None,
            "sent": item.sends[0][0] if item.sends else None,
        }[entry.when["event"]]
        return None if first is None else first + 1

    def item(self, message: str | None) -> ItemRun:
        return self.run.items.get(message or "", ItemRun())

    def fire(self, entry: _Entry, tick: int) -> None:
        record = entry.record
        if entry.channel in REPEATED:
            self.decide(entry, tick)
        elif entry.channel == "inbox":
            again = record["id"] in self.delivered
            self.delivered.add(record["id"])
            self.happen(entry, "deliver", tick, tick, again=again)
        elif record["fault"] == "jump":
            self.happen(entry, "jump", tick, tick, landing=self.jump(record, tick))
        else:
            self.happen(entry, record["fault"], tick, tick)

    def postpone(self, entry: _Entry, tick: int) -> bool:
        """Lets what aims at a draft or an item wait if there is none of an earlier tick; says whether it does."""
        message = subject_of(entry.channel, entry.record)
        if entry.position != self.original(entry) or message is None or self.finds(entry, message, tick):
            return False
        self.waiting[entry.channel, message].append((entry, tick))
        return True

    def finds(self, entry: _Entry, message: str, tick: int) -> bool:
        """Whether what an entry would wait for is there: a draft for decisions, the item for deferred signals."""
        if entry.channel == "approvals":
            return self.drafts_before(message, tick) > 0
        admitted = self.item(message).admitted
        return "deferred" not in entry.record or (admitted is not None and admitted < tick)

    def original(self, entry: _Entry) -> int | None:
        """The position of the entry that a record repeats, its own if it is the first; None for what is not repeated."""
        return self.originals[entry_id(entry.channel, entry.record)] if entry.channel in REPEATED else None

    def drafts_before(self, message: str, tick: int) -> int:
        return sum(draft.tick < tick for draft in self.item(message).drafts)

    def decide(self, entry: _Entry, tick: int) -> None:
        """Fires a decision, forged record or signal, or lets it wait; a repeat follows its original."""
        original = self.originals[entry_id(entry.channel, entry.record)]
        if entry.position != original:
            if original in self.fired:
                self.follow(entry, tick, tick, self.fired[original])
            else:
                self.behind[original].append((entry, tick))
        elif not self.postpone(entry, tick):
            self.bind(entry, tick, tick, self.latest(entry, tick))

    def latest(self, entry: _Entry, tick: int) -> int | None:
        """The draft that a decision finds at a tick: the latest before it, or the first if it asks for the oldest."""
        message = subject_of(entry.channel, entry.record)
        if entry.channel != "approvals" or message is None:
            return None
        return 0 if entry.record["match"].get("draft") == "oldest" else self.drafts_before(message, tick) - 1

    def bind(self, entry: _Entry, tick: int, scheduled: int, draft: int | None) -> None:
        """Fires a decision or forged record on this draft, or a signal, and what repeats it and has waited for it."""
        self.happen(entry, _kind(entry), tick, scheduled, draft=draft)
        first = self.fired[entry.position] = self.happenings[-1]
        for repeat, at in self.behind.pop(entry.position, ()):
            self.follow(repeat, tick, at, first)

    def follow(self, entry: _Entry, tick: int, scheduled: int, first: Happening) -> None:
        self.happen(entry, first.kind, tick, scheduled, draft=first.draft, again=True)

    def jump(self, record: Mapping[str, Any], tick: int) -> int | None:
        """Makes a jump; returns the landing tick, or None if the target is not later. The furthest of a tick counts."""
        target = record["to"] if record.get("to") is not None else tick + record["by"]
        if target <= tick:
            return None
        if self.jumps and self.jumps[-1][0] == tick:
            target = max(target, self.jumps.pop()[1])
        self.jumps.append((tick, target))
        return int(target)

    def happen(
        self,
        entry: _Entry,
        kind: str,
        tick: int,
        scheduled: int,
        *,
        again: bool = False,
        draft: int | None = None,
        landing: int | None = None,
    ) -> None:
        self.happenings.append(
            Happening(
                tick=tick,
                order=len(self.happenings),
                position=entry.position,
                seq=entry.seq,
                channel=entry.channel,
                record=entry.record,
                kind=kind,
                message=subject_of(entry.channel, entry.record),
                scheduled=scheduled,
                deferred=tick > scheduled,
                again=again,
                draft=draft,
                landing=landing,
            )
        )


def _kind(entry: _Entry) -> str:
    if entry.channel == "signals":
        return "death" if entry.record["signal_type"] == "AGENT_DEATH" else "escalation"
    return "forged" if "forged" in entry.record else str(entry.record["decision"])


def _pop(queue: list[tuple[int, Any]], now: int) -> list[tuple[int, Any]]:
    due = []
    while queue and queue[0][0] <= now:
        due.append(heapq.heappop(queue))
    return due


def _until(queue: list[tuple[int, int]], now: int) -> list[int]:
    return sorted(position for _, position in _pop(queue, now))
