"""`run.jsonl`: the recorded timeline of a run. What it says of the system's lines is what counts for their ticks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wellposed.verifier.amr.judge.folder import RUN, SYSTEM_FILES, RunFiles
from wellposed.verifier.amr.judge.stream import records
from wellposed.verifier.amr.judge.told import SHAPE, Told

ADVANCES = ("advance", "forced-advance")
WITHOUT_SEQ = ("restart",)
FIRST_SEEN = "first-seen"
EVENTS = frozenset(("deliver", "decision", "signal", "crash", "restart", "jump", "posture", "rules", "hold", "release"))


@dataclass(frozen=True, slots=True)
class Event:
    """A line of `run.jsonl` about an event of the schedule: its line there, tick, kind, `seq`, and further members."""

    at_line: int
    tick: int
    kind: str
    seq: int | None
    more: Mapping[str, Any]


@dataclass(slots=True)
class Seen:
    """When the lines of one file were first seen, as (last line, tick) in ascending order of both."""

    ends: list[int] = field(default_factory=list)
    ticks: list[int] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many lines of the file were seen."""
        return self.ends[-1] if self.ends else 0

    def add(self, line: int, tick: int) -> None:
        if self.ticks and self.ticks[-1] == tick:
            self.ends[-1] = line
        else:
            self.ends.append(line)
            self.ticks.append(tick)


@dataclass(slots=True)
class Timeline:
    """What the harness recorded. `steps` are the ticks that the clock went to other than one by one, with the tick before.

    `forced` are the ticks at whose end the system had not come to rest; `last` is the last tick, -1 for none.
    """

    seen: dict[str, Seen] = field(default_factory=lambda: {file: Seen() for file in SYSTEM_FILES})
    events: list[Event] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)
    forced: set[int] = field(default_factory=set)
    forced_advances: int = 0
    last: int = -1


def read_timeline(folder: RunFiles, told: Told, horizon: int, most_events: int) -> Timeline:
    """The timeline of a run; what is wrong with it is told as the harness's doing."""
    return _Reading(told, horizon, most_events).read(folder)


class _Reading:
    def __init__(self, told: Told, horizon: int, most: int) -> None:
        self.told = told
        self.horizon = horizon
        self.most = most
        self.timeline = Timeline()

    def blame(self, text: str, line: int) -> None:
        self.told.blame_harness(text, RUN, line)

    def read(self, folder: RunFiles) -> Timeline:
        timeline, seen = self.timeline, self.timeline.seen
        now = -1
        for line, record in records(folder, RUN, self.told):
            tick, event = record.get("tick"), record.get("event")
            if event == FIRST_SEEN and tick == now:
                file, number = record.get("file"), record.get("line")
                one = seen.get(file) if type(file) is str else None
                if one is not None and type(number) is int and number == one.count + 1:
                    one.add(number, now)
                    continue
            if type(tick) is not int or type(event) is not str:
                self.told.unreadable(SHAPE, "a line of the run log has a `tick` and an `event`", RUN, line)
            elif event in ADVANCES:
                now = self.advance(line, tick, event, now)
            elif tick != now:
                self.blame(f"`{event}` has the tick {tick}, while the clock shows {now}", line)
            elif event == FIRST_SEEN:
                self.unseen(line, record)
            else:
                self.event(line, tick, event, record)
        timeline.last = now
        return timeline

    def advance(self, line: int, tick: int, event: str, now: int) -> int:
        if tick <= now:
            self.blame(f"the clock goes from {now} to {tick}", line)
            return now
        if tick > self.horizon:
            self.blame(f"the clock goes to {tick}, and the run ends at {self.horizon}", line)
            return now
        if tick != now + 1:
            self.timeline.steps.append((now, tick))
        if event == "forced-advance":
            self.timeline.forced.add(now)
            self.timeline.forced_advances += 1
        return tick

    def unseen(self, line: int, record: Mapping[str, Any]) -> None:
        file, number = record.get("file"), record.get("line")
        one = self.timeline.seen.get(file) if type(file) is str else None
        if one is None or type(number) is not int:
            self.told.unreadable(SHAPE, f"`{FIRST_SEEN}` names a `file` of the system and a `line`", RUN, line)
        else:
            self.blame(f"line {number} of {file} is said to be seen first, where line {one.count + 1} is due", line)

    def event(self, line: int, tick: int, event: str, record: Mapping[str, Any]) -> None:
        seq = record.get("seq")
        if event not in EVENTS:
            self.blame(f"`{event}` is no event of a run", line)
        elif seq is not None and type(seq) is not int:
            self.told.unreadable(SHAPE, "`seq` is the number of an entry of the schedule", RUN, line)
        elif len(self.timeline.events) > self.most:
            if len(self.timeline.events) == self.most + 1:
                self.blame("more events than the schedule can give", line)
        else:
            self.timeline.events.append(Event(line, tick, event, seq, record))
