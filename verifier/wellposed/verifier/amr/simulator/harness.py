"""The virtual harness: drives one system through one scenario in process, tick by tick, and records the run.

Each tick is the events written for it, then what was waiting, then what is triggered, then the system; a crash throws
the system away and starts a new one on the same sandbox before it acts. What is written: `docs/runs.md`.
Source: seed section 2; `docs/model.md`, "Time and order" and "Binding".
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.canonical import file_bytes, lines, sha256
from wellposed.verifier.amr.simulator.observer import Observer
from wellposed.verifier.amr.simulator.sandbox import Record, Sandbox, System
from wellposed.verifier.amr.simulator.schedule import Entry, Schedule
from wellposed.verifier.amr.simulator.stub import Stub

_PIECE = 10_000


@dataclass(frozen=True, slots=True)
class Logs:
    """What a run left: the records of every file, by its name."""

    files: Mapping[str, list[Record]]

    @property
    def ticks(self) -> int:
        """How many ticks were visible."""
        return sum(record["event"] == "advance" for record in self.files["run.jsonl"])

    @property
    def sends(self) -> int:
        """How many replies were sent."""
        return len(self.files["outbox.jsonl"])

    def written(self) -> dict[str, bytes]:
        """The bytes of every file, by its name."""
        return {name: b"".join(map(lines, _pieces(records))) for name, records in self.files.items()}


def _pieces(records: list[Record]) -> Iterator[list[Record]]:
    """The records in order: how much is encoded at once is bounded, how long a run is, is not."""
    return (records[start : start + _PIECE] for start in range(0, len(records), _PIECE))


class Harness:
    """One run in progress."""

    def __init__(self, document: Mapping[str, Any], start: Callable[[Sandbox], System]) -> None:
        self._horizon: int = document["horizon"]
        self._versions = {version["name"]: version["rules"] for version in document["rules"]}
        self._hashes = {name: rules_hash(rules) for name, rules in self._versions.items()}
        self._start = start
        self._schedule = Schedule(document)
        self._box = Sandbox(Stub.of(document), document["mode"]["posture"])
        self._run: list[Record] = []
        self._seen = Observer(self._box, self._schedule, self._run)
        self._written: dict[tuple[str, str], Record | None] = {}
        self._open: list[Entry] = []
        self._behind: dict[tuple[str, str], list[Entry]] = {}
        self._landing = 0
        self._crashes = 0
        self._put_in_force(document["rules"][0]["name"])
        self.system = start(self._box)

    def run(self) -> Logs:
        """Play every tick of the scenario."""
        tick = 0
        while tick <= self._horizon:
            self._box.tick = tick
            self._landing = tick + 1
            self._log("advance")
            events = len(self._run)
            for entry in self._schedule.timed(tick):
                self._come_up(entry)
            for entry in self._released():
                self._happen(entry)
            for entry in self._schedule.called():
                self._come_up(entry)
            for _ in range(self._crashes):
                self.system = self._start(self._box)
            self._crashes = 0
            self.system.act()
            self._seen.look()
            self._seen.snapshot(len(self._run) > events or tick in (0, self._horizon))
            tick = self._landing
        box = self._box
        logs = {name: getattr(box, name) for name in ("inbox", "drafts", "outbox", "audit", "approvals", "signals")}
        logs |= {"model-calls": box.calls, "state": self._seen.states, "run": self._run}
        return Logs({f"{name}.jsonl": records for name, records in logs.items()})

    def _log(self, event: str, entry: Entry | None = None, **members: Any) -> None:
        seq = {} if entry is None else {"seq": entry.seq}
        self._run.append({"event": event, "tick": self._box.tick, **seq, **members})

    def _come_up(self, entry: Entry) -> None:
        """An entry whose time has come: it happens, or waits; a repeat stands behind its original."""
        if entry.channel not in ("approvals", "signals"):
            self._happen(entry)
        elif entry.again and entry.name in self._written:
            self._write(entry, self._written[entry.name])
        elif entry.again:
            self._behind.setdefault(entry.name, []).append(entry)
        elif entry.waits and not self._found(entry):
            self._open.append(entry)
        else:
            self._happen(entry)

    def _released(self) -> list[Entry]:
        """What was waiting and has found its draft or its item, in order."""
        ready: list[Entry] = []
        waiting: list[Entry] = []
        for entry in self._open:
            (ready if self._found(entry) else waiting).append(entry)
        self._open = waiting
        return sorted(ready, key=lambda entry: entry.seq)

    def _found(self, entry: Entry) -> bool:
        """Whether there is what an entry waits for: a draft for decisions, an item for signals, seen at an earlier tick."""
        item = self._seen.items.get(entry.message or "")
        return item is not None and (entry.channel == "signals" or bool(item.drafts))

    def _happen(self, entry: Entry) -> None:
        if entry.channel == "inbox":
            self._deliver(entry)
        elif entry.channel == "approvals":
            self._first(entry, self._decision(entry))
        elif entry.channel == "signals":
            self._first(entry, self._signal(entry))
        else:
            self._fault(entry)

    def _first(self, entry: Entry, record: Record | None) -> None:
        """Write a decision or signal, and what repeats it and has waited for it."""
        self._written[entry.name] = record
        self._write(entry, record)
        for repeat in self._behind.pop(entry.name, ()):
            self._write(repeat, record)

    def _write(self, entry: Entry, record: Record | None) -> None:
        event = "decision" if entry.channel == "approvals" else "signal"
        if record is None:
            self._log(event, entry)
            return
        lines: list[Record] = getattr(self._box, entry.channel)
        lines.append(record)
        self._log(event, entry, file=f"{entry.channel}.jsonl", line=len(lines))

    def _deliver(self, entry: Entry) -> None:
        record = self._written.setdefault(entry.name, {**entry.record, "at": self._box.tick})
        assert record is not None
        self._box.inbox.append(record)
        self._log("deliver", entry, file="inbox.jsonl", line=len(self._box.inbox))

    def _decision(self, entry: Entry) -> Record:
        record = entry.record
        if "match" in record:
            drafts = self._seen.items[entry.message or ""].drafts
            draft = drafts[0] if record["match"].get("draft") == "oldest" else drafts[-1]
            bound, content = draft["draft_id"], draft["content_hash"]
        else:
            bound = content = record["draft_id"]
        if "forged" in record:
            content = sha256(f"{content}, forged by {entry.id}".encode())
        return {
            "approval_id": entry.id,
            "content_hash": content,
            "decided_at": self._box.tick,
            "decision": record["decision"],
            "draft_id": bound,
        }

    def _signal(self, entry: Entry) -> Record | None:
        """The signal with its target resolved; None for the holder of an item that nobody holds."""
        target = entry.record["target"]
        item = self._seen.items.get(entry.message or "")
        if isinstance(target, Mapping):
            target = None if item is None else self._seen.holder(item)
        elif item is not None:
            target = item.work_id
        if target is None:
            return None
        kind = entry.record["signal_type"]
        return {"at": self._box.tick, "signal_id": entry.id, "signal_type": kind, "target": target}

    def _fault(self, entry: Entry) -> None:
        record, kind = entry.record, entry.record["fault"]
        if kind == "crash":
            self._crashes += 1
            self._log("crash", entry)
            self._log("restart")
        elif kind == "jump":
            landing = record["to"] if "to" in record else self._box.tick + record["by"]
            self._landing = max(self._landing, landing)
            self._log("jump", entry, to=landing)
        elif kind == "posture":
            self._box.posture = record["posture"]
            self._log("posture", entry, posture=record["posture"])
        elif kind == "rules":
            self._put_in_force(record["rules"])
            self._log("rules", entry, rules=record["rules"], rules_hash=self._box.rules_hash)
        else:
            self._box.outbox_open = kind == "release"
            self._log(kind, entry)

    def _put_in_force(self, name: str) -> None:
        self._box.rules_hash = self._hashes[name]
        self._box.versions[self._hashes[name]] = self._versions[name]


def rules_hash(rules: object) -> str:
    """What an admission cites of a rules version: the hex digest of its file."""
    return hashlib.sha256(file_bytes(rules)).hexdigest()
