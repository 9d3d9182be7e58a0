"""Whether the harness did what the schedule says: what it wrote and recorded, against the schedule replayed.

What happens when follows from the bundle and the system's records alone. Where the harness's own files say otherwise,
this was a run of another scenario: it is annulled, and no system fails for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from wellposed.compiler.folder import rules_hash
from wellposed.verifier.amr.checker import Happening
from wellposed.verifier.amr.checker.case import Case
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.judge.folder import APPROVALS, INBOX, OUTBOX, RUN, SIGNALS, SYSTEM_FILES, RunFiles
from wellposed.verifier.amr.judge.lines import Record
from wellposed.verifier.amr.judge.logs import DraftLine, Logs
from wellposed.verifier.amr.judge.stream import records
from wellposed.verifier.amr.judge.timeline import WITHOUT_SEQ, Event, Timeline
from wellposed.verifier.amr.judge.told import Told

_RECORDED = {
    "approve": "decision",
    "reject": "decision",
    "forged": "decision",
    "escalation": "signal",
    "death": "signal",
}
_CHANNEL_OF = {"deliver": "inbox", "decision": "approvals", "signal": "signals"}
_CHANNEL_FILES = {"inbox": INBOX, "approvals": APPROVALS, "signals": SIGNALS}


class HarnessReader:
    """Compares the harness's files of one run with what happened in it.

    What is wrong with their lines is told to `told`, what differs to `blamed`.
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        happenings: Sequence[Happening],
        logs: Logs,
        timeline: Timeline | None,
        told: Told,
        blamed: Told,
    ) -> None:
        self._document = document
        self._happenings = happenings
        self._logs = logs
        self._timeline = timeline
        self._told = told
        self._blamed = blamed
        self.targets: dict[int, str] = {}
        """By the order of its happening, the agent that each death which was written names."""
        self._written: dict[str, Record] = {}

    def read(self, folder: RunFiles) -> None:
        """Each file up to its first difference: what comes behind one need mean nothing."""
        self._inbox(folder)
        self._approvals(folder)
        self._signals(folder)

    def _of(self, channel: str) -> list[Happening]:
        return [event for event in self._happenings if event.channel == channel]

    def _follow(self, folder: RunFiles, channel: str, due: Sequence[tuple[Happening, Record]]) -> None:
        """Compares a file with the lines that are due, one by one."""
        file = _CHANNEL_FILES[channel]
        for wanted, found in zip_longest(due, records(folder, file, self._told)):
            if found is None:
                event = wanted[0]
                self._blamed.blame_harness(f"{file} has no line for {_named(event)}", file)
                return
            line, record = found
            if wanted is None:
                self._blamed.blame_harness("a line that the schedule does not lead to", file, line)
                return
            event, expected = wanted
            wrong = [member for member in expected if record.get(member, _ABSENT) != expected[member]]
            wrong += [member for member in record if member not in expected]
            if wrong:
                text = f"`{wrong[0]}` is not what the schedule leads to for {_named(event)}"
                self._blamed.blame_harness(text, file, line)
                return

    def _inbox(self, folder: RunFiles) -> None:
        first: dict[str, int] = {}
        due = []
        for event in self._of("inbox"):
            at = first.setdefault(event.name, event.tick)
            due.append((event, {**event.record, "at": at}))
        self._follow(folder, "inbox", due)

    def _approvals(self, folder: RunFiles) -> None:
        due: list[tuple[Happening, Record]] = []
        written: dict[str, Record] = {}
        for event in self._of("approvals"):
            if event.name not in written:
                written[event.name] = self._approval(event)
            due.append((event, written[event.name]))
        self._follow(folder, "approvals", due)

    def _approval(self, event: Happening) -> Record:
        decision = {"approval_id": event.name, "decision": event.record["decision"], "decided_at": event.tick}
        draft = self._bound(event)
        if event.record.get("forged") == "dangling":
            return {**decision, "draft_id": event.record["draft_id"], "content_hash": _Any()}
        if draft is None:
            return {**decision, "draft_id": _Any(), "content_hash": _Any()}
        identity, line = draft
        if "forged" in event.record:
            return {**decision, "draft_id": identity, "content_hash": _Other(line.hash)}
        return {**decision, "draft_id": identity, "content_hash": line.hash}

    def _bound(self, event: Happening) -> tuple[str, DraftLine] | None:
        item = self._logs.items.get(event.message or "")
        if item is None or event.draft is None or event.draft >= len(item.drafts):
            return None
        identity = item.drafts[event.draft]
        return identity, self._logs.drafts[identity]

    def _signals(self, folder: RunFiles) -> None:
        """A death that finds nobody leaves no line, so lines are matched by their ids, in order."""
        due = self._of("signals")
        place = 0
        for line, record in records(folder, SIGNALS, self._told):
            while place < len(due) and due[place].name != record.get("signal_id") and _may_be_silent(due[place]):
                place += 1
            if place == len(due) or due[place].name != record.get("signal_id"):
                self._blamed.blame_harness("a line that the schedule does not lead to", SIGNALS, line)
                return
            self._signal(line, record, due[place])
            place += 1
        silent = [event for event in due[place:] if not _may_be_silent(event)]
        if silent:
            self._blamed.blame_harness(f"{SIGNALS} has no line for {_named(silent[0])}", SIGNALS)

    def _signal(self, line: int, record: Record, event: Happening) -> None:
        target = record.get("target")
        if event.again:
            if record != self._written.get(event.name):
                self._blamed.blame_harness(f"not the line of {_named(event)} once more", SIGNALS, line)
            return
        self._written[event.name] = record
        if type(target) is not str or record.get("signal_type") != event.record["signal_type"]:
            self._blamed.blame_harness(f"not the line of {_named(event)}", SIGNALS, line)
            return
        if event.kind == "death":
            self.targets[event.order] = target
        due = self._target(event)
        if due is not None and target != due:
            self._blamed.blame_harness(f"`target` is not {due}, which {_named(event)} is about", SIGNALS, line)
        elif record.get("at") != event.tick:
            text = f"`at` is not the tick of {_named(event)}, {event.tick}"
            self._blamed.blame_harness(text, SIGNALS, line)

    def _target(self, event: Happening) -> str | None:
        """What a signal names: an agent, the system's own id of an item, or the item that a message will become.

        None for the agent that holds an item, which the snapshots say.
        """
        written = event.record["target"]
        if not isinstance(written, str):
            return None
        item = self._logs.items.get(event.message or "")
        return written if item is None or item.tick >= event.tick else item.work

    def compare_timeline(self, clock: Clock, counts: Mapping[str, int]) -> None:
        """The recorded timeline: the clock, the events in order, and that every line it saw is there."""
        if self._timeline is None:
            return
        self._clock(clock)
        self._events()
        for file in SYSTEM_FILES:
            seen = self._timeline.seen[file].count
            if seen > counts[file]:
                text = f"{file} has {counts[file]} lines, and {seen} of it were seen in the run"
                self._blamed.blame_harness(text, RUN)

    def _clock(self, clock: Clock) -> None:
        assert self._timeline is not None
        jumps = [(start, min(landing, clock.horizon + 1)) for start, landing in clock.jumps]
        steps = [step for step in self._timeline.steps if step[0] >= 0]
        wanted = [jump for jump in jumps if jump[1] <= clock.horizon and jump[1] > jump[0] + 1]
        end = next((start for start, landing in jumps if landing > clock.horizon), clock.horizon)
        if steps != wanted:
            odd = min(set(steps) ^ set(wanted))
            self._blamed.blame_harness(
                f"the clock goes from {odd[0]} to {odd[1]} or does not, unlike the schedule", RUN
            )
        elif self._timeline.last != end:
            text = f"the clock ends at {self._timeline.last}, and the run at {end}"
            self._blamed.blame_harness(text, RUN)
        elif any(step[0] < 0 for step in self._timeline.steps):
            self._blamed.blame_harness("the clock does not begin at tick 0", RUN)

    def _events(self) -> None:
        assert self._timeline is not None
        for event, after in zip_longest(self._timeline.events, self._timeline.events[1:]):
            if event.kind == "crash" and (after is None or (after.kind, after.tick) != ("restart", event.tick)):
                self._blamed.blame_harness("no restart stands behind this crash", RUN, event.at_line)
                return
        found = [event for event in self._timeline.events if event.kind not in WITHOUT_SEQ]
        for event, due in zip_longest(found, self._happenings):
            if event is None:
                self._blamed.blame_harness(f"the run log has no line for {_named(due)}", RUN)
                return
            wrong = "what the schedule does not lead to here" if due is None else self._differs(event, due)
            if wrong is not None:
                self._blamed.blame_harness(f"`{event.kind}` is {wrong}", RUN, event.at_line)
                return

    def _differs(self, event: Event, due: Happening) -> str | None:
        if event.kind != _RECORDED.get(due.kind, due.kind) or event.seq != due.seq:
            return f"written where {_named(due)} is due at {due.tick}"
        if event.tick != due.tick:
            return f"written at {event.tick}, and {_named(due)} is due at {due.tick}"
        if due.kind == "posture" and event.more.get("posture") != due.record["posture"]:
            return "of another posture than the schedule's"
        if due.kind == "rules":
            name = due.record["rules"]
            version = next(one["rules"] for one in self._document["rules"] if one["name"] == name)
            if event.more.get("rules") != name or event.more.get("rules_hash") != rules_hash(version):
                return "of another rules version than the schedule's"
        return None


def blame_for_held(case: Case, logs: Logs, blamed: Told) -> None:
    """A line of the outbox that was first seen while effects are held: whoever holds them has let it through."""
    for message, item in case.items.items():
        for sent, line in zip(item.sends, logs.items[message].sends if message in logs.items else (), strict=True):
            if case.effects.at(sent):
                text = f"effects are held at {line.tick}, and the outbox took this line"
                blamed.blame_harness(text, OUTBOX, line.line)


class _Any:
    """Equal to every text."""

    def __eq__(self, other: object) -> bool:
        return type(other) is str

    __hash__ = None  # type: ignore[assignment]


class _Other:
    """Equal to every text but one."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __eq__(self, other: object) -> bool:
        return type(other) is str and other != self._text

    __hash__ = None  # type: ignore[assignment]


_ABSENT = object()


def _named(event: Happening) -> str:
    return f"{event.kind} {event.name} (seq {event.seq})"


def _may_be_silent(event: Happening) -> bool:
    """A death of whoever holds an item writes nothing where nobody does."""
    return event.kind == "death" and event.message is not None
