"""The schedule of a bundle as the harness runs it: what is due at a tick, and what waits for a record.

Source: bundle format, `schedule`; `docs/model.md`, "Time and order" and "Binding".
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr.simulator.sandbox import Brief, Record

WORK = "work:"
IDS = {"inbox": "id", "approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the schedule.

    `message` is the one whose item the record is about, or None; `again` says that it repeats an earlier decision or signal.
    """

    seq: int
    channel: str
    record: Record
    message: str | None
    again: bool

    @property
    def id(self) -> str:
        return str(self.record[IDS[self.channel]])

    @property
    def name(self) -> tuple[str, str]:
        """The id among those of its channel."""
        return self.channel, self.id

    @property
    def waits(self) -> bool:
        """Whether it is a decision on an item, or a signal that waits for one."""
        if self.channel == "approvals":
            return "match" in self.record
        return self.channel == "signals" and bool(self.record.get("deferred"))


class Schedule:
    """The entries that have not come up yet, by tick or by what triggers them."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._timed: list[tuple[int, int, Entry]] = []
        self._triggered: dict[tuple[str, str], list[Entry]] = defaultdict(list)
        self._called: list[tuple[int, Entry]] = []
        known: set[tuple[str, str]] = set()
        for written in document["schedule"]:
            channel, record = written["channel"], written["record"]
            named = channel, record[IDS[channel]]
            entry = Entry(written["seq"], channel, record, _message_of(written), named in known)
            known.add(named)
            if "at" in written:
                self._timed.append((written["at"], entry.seq, entry))
            else:
                when = written["when"]
                self._triggered[when["work_id"].removeprefix(WORK), when["event"]].append(entry)
        heapq.heapify(self._timed)

    def timed(self, tick: int) -> list[Entry]:
        """What is written for this tick, or for one that was jumped over, in order."""
        due = []
        while self._timed and self._timed[0][0] <= tick:
            due.append(heapq.heappop(self._timed)[2])
        return sorted(due, key=_seq)

    def trigger(self, message: str, event: str) -> None:
        """The first admission, draft or send of a message's item has been seen: what waits for it comes up next tick."""
        for entry in self._triggered.pop((message, event), ()):
            self._called.append((entry.seq, entry))

    def called(self) -> list[Entry]:
        """What was triggered in an earlier tick, in order."""
        due, self._called = [entry for _, entry in sorted(self._called, key=_first)], []
        return due


def brief_of(document: Mapping[str, Any]) -> Brief:
    """What a simulated system is told before the run."""
    stub = document["stub"]
    return Brief(
        document["level"],
        document["horizon"],
        frozenset(_decided(document)),
        {row["conversation_id"]: row["anchor"] for row in stub["anchors"]},
        tuple(row["conversation_id"] for row in stub["replies"]),
        tuple(dict.fromkeys(_named(document))),
    )


def _decided(document: Mapping[str, Any]) -> Iterator[str]:
    for entry in document["schedule"]:
        if entry["channel"] == "approvals" and "forged" not in entry["record"]:
            yield entry["record"]["match"]["work_id"].removeprefix(WORK)


def _named(document: Mapping[str, Any]) -> Iterator[str]:
    for entry in document["schedule"]:
        record = entry["record"]
        if entry["channel"] == "signals" and record["signal_type"] == "AGENT_DEATH" and isinstance(record["target"], str):
            yield record["target"]


def _message_of(entry: Record) -> str | None:
    record, channel = entry["record"], entry["channel"]
    if channel == "inbox":
        return str(record["id"])
    if channel == "approvals":
        aim = record["match"]["work_id"] if "match" in record else None
    elif channel == "signals":
        target = record["target"]
        aim = target["holder_of"] if isinstance(target, Mapping) else target
    else:
        return None
    return aim.removeprefix(WORK) if isinstance(aim, str) and aim.startswith(WORK) else None


def _seq(entry: Entry) -> int:
    return entry.seq


def _first(pair: tuple[int, Entry]) -> int:
    return pair[0]
