"""Runs of a small honest system under a scenario with one message and no decision, written by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.reserve.forge import canon

FILES = (
    "approvals.jsonl", "audit.jsonl", "drafts.jsonl", "inbox.jsonl", "model-calls.jsonl",
    "outbox.jsonl", "run.jsonl", "signals.jsonl", "state.jsonl",
)  # fmt: skip


def write_run(document: Mapping[str, Any], folder: Path, send: int | None = 4) -> None:
    """Admitted one tick after the delivery, drafted at two, sent `send` after it, or never."""
    (entry,) = [one for one in document["schedule"] if one["channel"] == "inbox"]
    message, start = entry["record"], entry["at"]
    rules = hashlib.sha256(canon(document["rules"][0]["rules"]) + b"\n").hexdigest()
    body = "Noted."
    digest = "sha256:" + hashlib.sha256(body.encode()).hexdigest()
    at = {"admission": start + 1, "draft": start + 2, "send": None if send is None else start + send}
    files: dict[str, list[Any]] = {name: [] for name in FILES}
    files["inbox.jsonl"] = [message]
    files["audit.jsonl"] = [
        {"at": at["admission"], "event": "admission", "message_id": message["id"], "rules_hash": rules, "work_id": "w1"}
    ]
    files["drafts.jsonl"] = [
        {
            "body": body, "content_hash": digest, "conversation_id": message["conversation_id"], "declared_at": at["draft"],
            "draft_id": "d1", "origin": "model-free", "work_id": "w1",
        }
    ]  # fmt: skip
    seen = {at["admission"]: [("audit.jsonl", 1)], at["draft"]: [("drafts.jsonl", 1)]}
    if at["send"] is not None:
        files["outbox.jsonl"] = [{"draft_id": "d1", "effect_id": "e1", "sent_at": at["send"]}]
        files["audit.jsonl"].append(
            {"at": at["send"], "event": "resolution", "outcome": "completed", "reason": None, "work_id": "w1"}
        )
        seen[at["send"]] = [("outbox.jsonl", 1), ("audit.jsonl", 2)]
    horizon = document["horizon"]
    for tick in range(horizon + 1):
        files["run.jsonl"].append({"event": "advance", "tick": tick})
        if tick == start:
            files["run.jsonl"].append({"event": "deliver", "file": "inbox.jsonl", "line": 1, "seq": 0, "tick": tick})
        files["run.jsonl"] += [
            {"event": "first-seen", "file": file, "line": line, "tick": tick} for file, line in seen.get(tick, [])
        ]
        if tick in (0, start, *seen, horizon):
            files["state.jsonl"].append({"state": _state(tick, at), "tick": tick})
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in files.items():
        (folder / name).write_bytes(b"".join(canon(record) + b"\n" for record in records))


def _state(tick: int, at: Mapping[str, int | None]) -> dict[str, Any]:
    def past(name: str) -> bool:
        moment = at[name]
        return moment is not None and moment <= tick

    status = "completed" if past("send") else "drafted" if past("draft") else "admitted"
    live = past("admission") and not past("send")
    items = [{"assigned_agent": "a1" if live else None, "status": status, "work_id": "w1"}] if past("admission") else []
    held = [{"agent_id": "a1", "work_id": "w1"}] if live else []
    return {"agents": [{"alive": True, "id": "a1"}], "assignments": held, "work_items": items}
