"""Run directories as a faithful harness leaves them, for systems that are told in a few lines.

`write` replays a bundle's schedule against the records of a system and writes the nine files of `docs/runs.md`. A test
then breaks what it wants to see found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.folder import rules_hash
from wellposed.dsl.source import SourceFile
from wellposed.verifier.amr.answers import BASE
from wellposed.verifier.amr.checker.environment import Happening, replay
from wellposed.verifier.amr.run import Draft, ItemRun, Run

Act = tuple[int, str, dict[str, Any]]
"""A record of a system: tick, file, and the line without its stamp."""

STAMPS = {"audit.jsonl": "at", "drafts.jsonl": "declared_at", "outbox.jsonl": "sent_at", "model-calls.jsonl": "at"}
HARNESS = ("inbox.jsonl", "approvals.jsonl", "signals.jsonl", "state.jsonl", "run.jsonl")
RECORDED = {
    "approve": "decision",
    "reject": "decision",
    "forged": "decision",
    "escalation": "signal",
    "death": "signal",
}
CHANNELS = {"deliver": "inbox.jsonl", "decision": "approvals.jsonl", "signal": "signals.jsonl"}


def bundle_of(text: str) -> Bundle:
    """The bundle of a source with one scenario."""
    compilation = compile_source(SourceFile("test.scenario", text))
    (scenario,) = compilation.scenarios
    assert scenario.bundle is not None, scenario.findings
    return scenario.bundle


def admit(tick: int, message: str, work: str | None = None, rules: str = "", **more: Any) -> Act:
    line = {"event": "admission", "message_id": message, "work_id": work or f"work-{message}", "rules_hash": rules}
    return tick, "audit.jsonl", line | more


def draft(tick: int, message: str, body: str = "Noted.", number: int = 1, **more: Any) -> Act:
    line = {
        "draft_id": f"draft-{message}-{number}",
        "work_id": f"work-{message}",
        "conversation_id": "order",
        "body": body,
        "content_hash": "sha256:" + hashlib.sha256(body.encode()).hexdigest(),
        "origin": "model-free",
    }
    return tick, "drafts.jsonl", line | more


def send(tick: int, message: str, number: int = 1, effect: str | None = None, **more: Any) -> Act:
    line = {"effect_id": effect or f"effect-{message}-{number}", "draft_id": f"draft-{message}-{number}"}
    return tick, "outbox.jsonl", line | more


def resolve(tick: int, message: str, reason: str | None = None, **more: Any) -> Act:
    outcome = "completed" if reason is None else "abandoned"
    line = {"event": "resolution", "work_id": f"work-{message}", "outcome": outcome, "reason": reason}
    return tick, "audit.jsonl", line | more


def claim(tick: int, message: str, agent: str, outcome: str, **more: Any) -> Act:
    line = {"event": "claim", "work_id": f"work-{message}", "agent_id": agent, "outcome": outcome, "reason": "free"}
    return tick, "audit.jsonl", line | more


def note(tick: int, **more: Any) -> Act:
    return tick, "audit.jsonl", {"event": "note", **more}


def call(tick: int, identity: str) -> Act:
    return tick, "model-calls.jsonl", {"call_id": identity, "request": "?", "reply": "Noted."}


@dataclass
class Files:
    """The lines of a run by file. A test may change them before `write` or afterwards on the disk."""

    lines: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def put(self, folder: Path) -> Path:
        folder.mkdir(parents=True)
        for file, lines in self.lines.items():
            text = "".join(
                json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines
            )
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
        return folder


def files_of(
    bundle: Bundle,
    acts: Sequence[Act],
    agents: Sequence[str] = ("a1",),
    held: dict[str, list[tuple[int, str]]] | None = None,
    forced: Iterable[int] = (),
) -> Files:
    """The files of a run. `held` says from which tick on which agent has an item (else the first agent has them all).

    `forced` are ticks to which the clock was forced on.
    """
    document = bundle.document
    default = rules_hash(document["rules"][0]["rules"])
    acts = [
        (tick, file, {**line, "rules_hash": line["rules_hash"] or default} if "rules_hash" in line else line)
        for tick, file, line in acts
    ]
    run = _run(acts)
    clock, happenings = replay(document, run, BASE)
    harness = _Harness(bundle, acts, agents, held or {}, happenings)
    visible = [tick for tick in range(document["horizon"] + 1) if clock.visible(tick)]
    for tick in visible:
        harness.tick(tick, tick in set(forced))
    return harness.files


def _run(acts: Sequence[Act]) -> Run:
    drafts: dict[str, list[Draft]] = {}
    drafted: dict[str, int] = {}
    sends: dict[str, list[tuple[int, int]]] = {}
    for tick, file, line in acts:
        if file == "drafts.jsonl" and line["draft_id"] not in drafted:
            drafted[line["draft_id"]] = tick
            drafts.setdefault(line["work_id"], []).append(Draft(tick, line["conversation_id"], frozenset()))
    by_draft = {line["draft_id"]: line["work_id"] for _, file, line in acts if file == "drafts.jsonl"}
    for tick, file, line in acts:
        if file == "outbox.jsonl" and line["draft_id"] in by_draft:
            sends.setdefault(by_draft[line["draft_id"]], []).append((tick, 0))
    items = {}
    first = {
        line["message_id"]: (line["work_id"], tick)
        for tick, _, line in reversed(acts)
        if line.get("event") == "admission"
    }
    for message, (work, tick) in first.items():
        items[message] = ItemRun(admitted=tick, drafts=tuple(drafts.get(work, ())), sends=tuple(sends.get(work, ())))
    return Run(items)


class _Harness:
    def __init__(
        self,
        bundle: Bundle,
        acts: Sequence[Act],
        agents: Sequence[str],
        held: dict[str, list[tuple[int, str]]],
        happenings: Sequence[Happening],
    ) -> None:
        self.document = bundle.document
        self.files = Files({name: [] for name in (*HARNESS, *STAMPS)})
        self.acts = acts
        self.agents = agents
        self.held = held
        self.happenings = happenings
        self.dead: set[str] = set()
        self.decisions: dict[str, str] = {}
        self.first: dict[str, Any] = {}
        self.works = {
            line["message_id"]: line["work_id"] for _, _, line in reversed(acts) if line.get("event") == "admission"
        }

    def log(self, tick: int, event: str, **more: Any) -> None:
        self.files.lines["run.jsonl"].append({"tick": tick, "event": event, **more})

    def write(self, file: str, line: dict[str, Any]) -> dict[str, Any]:
        self.files.lines[file].append(line)
        return {"file": file, "line": len(self.files.lines[file])}

    def tick(self, tick: int, forced: bool) -> None:
        self.log(tick, "forced-advance" if forced else "advance")
        for event in self.happenings:
            if event.tick == tick:
                self.happen(event)
        for when, file, line in self.acts:
            if when == tick:
                self.log(tick, "first-seen", **self.write(file, {STAMPS[file]: tick, **line}))
        self.snapshot(tick)

    def happen(self, event: Happening) -> None:
        kind = RECORDED.get(event.kind, event.kind)
        more: dict[str, Any] = {"seq": event.seq}
        if event.again:
            more |= self.write(CHANNELS[kind], self.first[event.name])
        elif kind == "deliver":
            more |= self.remember(event, "inbox.jsonl", {**event.record, "at": event.tick})
        elif kind == "decision":
            more |= self.remember(event, "approvals.jsonl", self.decision(event))
        elif kind == "signal":
            target = self.target(event)
            if target is not None:
                line = {
                    "signal_id": event.name,
                    "signal_type": event.record["signal_type"],
                    "target": target,
                    "at": event.tick,
                }
                more |= self.remember(event, "signals.jsonl", line)
        elif event.kind == "jump":
            more["to"] = event.landing or event.tick
        elif event.kind == "posture":
            more["posture"] = event.record["posture"]
        elif event.kind == "rules":
            version = next(one for one in self.document["rules"] if one["name"] == event.record["rules"])
            more |= {"rules": version["name"], "rules_hash": rules_hash(version["rules"])}
        self.log(event.tick, kind, **more)
        if event.kind == "crash":
            self.log(event.tick, "restart")

    def remember(self, event: Happening, file: str, line: dict[str, Any]) -> dict[str, Any]:
        self.first[event.name] = line
        return self.write(file, line)

    def decision(self, event: Happening) -> dict[str, Any]:
        record = event.record
        line = {"approval_id": event.name, "decision": record["decision"], "decided_at": event.tick}
        if record.get("forged") == "dangling":
            return {**line, "draft_id": record["draft_id"], "content_hash": "sha256:" + "0" * 64}
        work = self.works[event.message or ""]
        known = [
            one
            for when, file, one in self.acts
            if file == "drafts.jsonl" and one["work_id"] == work and when < event.tick
        ]
        bound = known[-1]
        digest = bound["content_hash"]
        if "forged" in record:
            return {**line, "draft_id": bound["draft_id"], "content_hash": "sha256:" + "f" * 64}
        self.decisions[work] = record["decision"]
        return {**line, "draft_id": bound["draft_id"], "content_hash": digest}

    def holder(self, work: str, tick: int) -> str:
        return next((agent for since, agent in reversed(self.held.get(work, [])) if since <= tick), self.agents[0])

    def target(self, event: Happening) -> str | None:
        if event.kind == "escalation":
            return self.works.get(event.message or "", f"work:{event.message}")
        if isinstance(event.record["target"], str):
            agent = event.record["target"]
        else:
            work = self.works.get(event.message or "")
            if work is None or self.status(work, event.tick - 1) not in ("admitted", "drafted", "approved"):
                return None
            agent = self.holder(work, event.tick - 1)
        self.dead.add(agent)
        return agent

    def status(self, work: str, tick: int) -> str | None:
        status = None
        for when, file, line in self.acts:
            if when > tick or status in ("completed", "abandoned"):
                continue
            if line.get("event") == "admission" and line["work_id"] == work and status is None:
                status = "admitted"
            elif file == "drafts.jsonl" and line["work_id"] == work and status == "admitted":
                status = "drafted"
            elif file == "outbox.jsonl" and any(
                one["draft_id"] == line["draft_id"] and one["work_id"] == work
                for _, name, one in self.acts
                if name == "drafts.jsonl"
            ):
                status = "sent"
            elif line.get("event") == "resolution" and line["work_id"] == work:
                status = line["outcome"]
        if status == "drafted" and self.decisions.get(work) == "approve":
            return "approved"
        return status

    def snapshot(self, tick: int) -> None:
        statuses = {work: self.status(work, tick) for work in dict.fromkeys(self.works.values())}
        shown = {work: status for work, status in statuses.items() if status is not None}
        live = {
            work: self.holder(work, tick)
            for work, status in shown.items()
            if status not in ("sent", "completed", "abandoned")
        }
        state = {
            "work_items": [
                {"work_id": work, "status": status, "assigned_agent": live.get(work)} for work, status in shown.items()
            ],
            "agents": [{"id": agent, "alive": agent not in self.dead} for agent in self.agents],
            "assignments": [{"work_id": work, "agent_id": agent} for work, agent in live.items()],
        }
        self.files.lines["state.jsonl"].append({"tick": tick, "state": state})
