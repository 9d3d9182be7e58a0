"""Small bundle documents written out by hand, and systems that do what a script says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wellposed.verifier.amr.simulator.harness import Harness, Logs
from wellposed.verifier.amr.simulator.sandbox import Sandbox

OPEN = [{"effect": "admit", "id": "all", "when": []}]
NORMAL = [{"effect": "admit", "id": "normal", "when": [{"field": "posture", "op": "is", "value": "normal"}]}]
Event = dict[str, Any]


def message(at: int, name: str = "m1", conversation: str = "order") -> Event:
    record = {"at": at, "body": "Where is ORD-1001?", "conversation_id": conversation, "from": "ada@example.test", "id": name}
    return {"at": at, "channel": "inbox", "record": {**record, "subject": "Order"}}


def decision(at: int, name: str = "go", verdict: str = "approve", of: str = "m1", **match: str) -> Event:
    record = {"approval_id": name, "decision": verdict, "match": {"work_id": f"work:{of}", **match}}
    return {"at": at, "channel": "approvals", "record": record}


def escalation(at: int, name: str = "stop", of: str = "m1", **more: Any) -> Event:
    record = {"at": at, "signal_id": name, "signal_type": "OPERATOR_ESCALATION", "target": f"work:{of}", **more}
    return {"at": at, "channel": "signals", "record": record}


def death(at: int, name: str = "kill", target: Any = None, **more: Any) -> Event:
    target = {"holder_of": "work:m1"} if target is None else target
    record = {"at": at, "signal_id": name, "signal_type": "AGENT_DEATH", "target": target, **more}
    return {"at": at, "channel": "signals", "record": record}


def fault(at: int, kind: str, **more: Any) -> Event:
    return {"at": at, "channel": "faults", "record": {"fault_id": f"{kind}.{at}", "fault": kind, **more}}


def when(event: str, entry: Event, of: str = "m1") -> Event:
    """The same, triggered."""
    record = {key: value for key, value in entry["record"].items() if key != "at" or entry["channel"] == "inbox"}
    return {"channel": entry["channel"], "record": record, "when": {"event": event, "work_id": f"work:{of}"}}


def scene(
    *schedule: Event, horizon: int = 12, level: int = 2, rules: Mapping[str, Any] | None = None, posture: str = "normal"
) -> dict[str, Any]:
    """A bundle document with two conversations and this schedule, in the order given."""
    versions = rules or {"open": OPEN}
    return {
        "format": "wellposed-bundle/1",
        "spec": "amr/0.14",
        "id": "scene",
        "title": "scene",
        "level": level,
        "skin": "support-desk",
        "horizon": horizon,
        "mode": {"changed_at": 0, "posture": posture},
        "rules": [{"name": name, "rules": conditions} for name, conditions in versions.items()],
        "stub": {
            "anchors": [
                {"anchor": "ORD-1001", "conversation_id": "order"},
                {"anchor": "REF-2002", "conversation_id": "refund"},
            ],
            "replies": [
                {"conversation_id": "order", "parts": ["Order ", {"anchor": True}, "."]},
                {"conversation_id": "refund", "parts": ["Refund ", {"anchor": True}, "."]},
            ],
        },
        "schedule": [{"seq": seq, **entry} for seq, entry in enumerate(schedule)],
        "invariants": [],
        "expect": [],
        "catches": [],
        "readings": "amr/0.14-base.1",
    }


Acts = Mapping[int, Callable[["Scripted"], None]]


class Scripted:
    """Does at each tick what a script says, and remembers what it saw there."""

    def __init__(self, box: Sandbox, acts: Acts, seen: dict[int, tuple[int, ...]]) -> None:
        self.box = box
        self._acts = acts
        self._seen = seen

    def act(self) -> None:
        box = self.box
        self._seen[box.tick] = tuple(len(log) for log in (box.inbox, box.approvals, box.signals))
        if box.tick in self._acts:
            self._acts[box.tick](self)

    def admit(self, work: str = "w1", of: str = "m1", agent: str = "ann") -> None:
        box = self.box
        line = {"at": box.tick, "event": "admission", "message_id": of, "rules_hash": box.rules_hash, "work_id": work}
        box.audit.append(line)
        box.state = {
            "agents": [{"alive": True, "id": agent}],
            "assignments": [{"agent_id": agent, "work_id": work}],
            "work_items": [{"assigned_agent": agent, "status": "admitted", "work_id": work}],
        }

    def draft(self, name: str, work: str = "w1") -> None:
        record = {"body": name, "content_hash": f"hash of {name}", "conversation_id": "order", "declared_at": self.box.tick}
        self.box.drafts.append({**record, "draft_id": name, "origin": "model-free", "work_id": work})

    def send(self, draft: str) -> bool:
        number = len(self.box.outbox) + 1
        return self.box.send({"draft_id": draft, "effect_id": f"e{number}", "sent_at": self.box.tick})


def play(document: Mapping[str, Any], acts: Acts) -> tuple[Logs, dict[int, tuple[int, ...]]]:
    """The logs of a scripted run, and per tick how many messages, decisions and signals the system saw."""
    seen: dict[int, tuple[int, ...]] = {}
    return Harness(document, lambda box: Scripted(box, acts, seen)).run(), seen


def events(logs: Logs, *kinds: str) -> list[tuple[Any, ...]]:
    """Tick, kind, and the number of the schedule entry, of the harness's events of these kinds."""
    lines = logs.files["run.jsonl"]
    return [(line["tick"], line["event"], line.get("seq")) for line in lines if line["event"] in kinds]
