"""Short-hand for writing small bundle documents in tests."""

from typing import Any

from tests.oracle.basics import Document
from tests.oracle.regime import FIRST_LEVEL

Entry = dict[str, Any]
Claim = dict[str, Any]

OPEN: list[dict[str, Any]] = [{"name": "all", "rules": [{"id": "all", "effect": "admit", "when": []}]}]
ONLY_NORMAL: list[dict[str, Any]] = [
    {
        "name": "desk",
        "rules": [
            {"id": "open", "effect": "admit", "when": [{"field": "posture", "op": "is", "value": "normal"}]},
        ],
    }
]


def deliver(message: str, at: int, conversation: str = "order", sender: str = "ada", subject: str = "order") -> Entry:
    """A first delivery."""
    record = {"id": message, "conversation_id": conversation, "from": sender, "subject": subject, "body": "?", "at": at}
    return {"at": at, "channel": "inbox", "record": record}


def decide(message: str, at: int, name: str, decision: str = "approve", oldest: bool = False) -> Entry:
    """A decision with a name; the same name again is a repeat."""
    match = {"work_id": f"work:{message}"} | ({"draft": "oldest"} if oldest else {})
    return {"at": at, "channel": "approvals", "record": {"approval_id": name, "match": match, "decision": decision}}


def escalate(message: str, at: int, name: str = "esc") -> Entry:
    """An operator's escalation."""
    record = {"signal_id": name, "signal_type": "OPERATOR_ESCALATION", "target": f"work:{message}", "at": at}
    return {"at": at, "channel": "signals", "record": record}


def kill(message: str, at: int, name: str = "death") -> Entry:
    """The death of the holder of a message."""
    target = {"holder_of": f"work:{message}"}
    record = {"signal_id": name, "signal_type": "AGENT_DEATH", "target": target, "at": at}
    return {"at": at, "channel": "signals", "record": record}


def deferred(signal: Entry) -> Entry:
    """The same signal, waiting for its item."""
    return signal | {"record": signal["record"] | {"deferred": True}}


def fault(kind: str, at: int, name: str = "", **values: Any) -> Entry:
    """A crash, jump, posture, rules, hold or release fault."""
    return {"at": at, "channel": "faults", "record": {"fault_id": name or f"{kind}.1", "fault": kind} | values}


def when(event: str, message: str, entry: Entry) -> Entry:
    """The same statement, waiting for the first record of a kind."""
    record = {key: value for key, value in entry["record"].items() if key != "at"}
    return {"when": {"event": event, "work_id": f"work:{message}"}, "channel": entry["channel"], "record": record}


def sent(of: str, within: int | None = None, start: str | None = None, once: bool = False) -> Claim:
    """A ``sent`` claim."""
    return {
        "claim": "sent",
        "of": of,
        "once": once,
        "within": within,
        "from": (start or of) if within is not None else None,
    }


def claim(kind: str, of: Any, **parts: Any) -> Claim:
    """A claim about a message (or messages)."""
    return {"claim": kind, "of": of} | parts


def only(*names: str, ordered: bool = False) -> Claim:
    """An ``only`` claim."""
    return {"claim": "only-sent", "of": list(names), "ordered": ordered}


def any_of(*groups: list[Claim]) -> Claim:
    """An ``any`` claim."""
    return {"claim": "any", "of": list(groups)}


def scene(
    level: int,
    horizon: int,
    schedule: list[Entry],
    expect: list[Claim],
    rules: list[dict[str, Any]] = OPEN,
    posture: str = "normal",
    anchors: dict[str, str] | None = None,
    only_expect: bool = False,
) -> Document:
    """A whole bundle document; ``seq`` follows the order written."""
    in_force = sorted(row for row, first in FIRST_LEVEL.items() if first <= level)
    return {
        "format": "wellposed-bundle/1",
        "spec": "amr/0.14",
        "id": "scene",
        "title": "scene",
        "level": level,
        "skin": "support-desk",
        "horizon": horizon,
        "mode": {"changed_at": 0, "posture": posture},
        "rules": rules,
        "stub": {
            "anchors": [{"anchor": a, "conversation_id": c} for c, a in (anchors or {}).items()],
            "replies": [{"conversation_id": c, "parts": ["Noted."]} for c in (anchors or {})],
        },
        "schedule": [{"seq": seq} | entry for seq, entry in enumerate(schedule)],
        "invariants": [] if only_expect else in_force,
        "expect": expect,
        "catches": [],
        "readings": "amr/0.14-base.1",
    }
