"""A bundle document read into plain dataclasses: who sent what, and every statement of the schedule."""

from dataclasses import dataclass, field
from typing import Any

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Document

Trigger = tuple[str, str]
"""(event, message id): the record a ``when`` statement waits for; event is admitted, drafted or sent."""


@dataclass(frozen=True)
class Message:
    """A message as first delivered; ``first`` is the seq of that delivery."""

    id: str
    conversation: str
    sender: str
    subject: str
    body: str
    first: int


@dataclass(frozen=True)
class Statement:
    """One original entry of the schedule. ``kind`` is what it does, ``target`` the message or agent it names.

    ``oldest`` is said of a decision on the first draft, ``deferred`` of a signal that waits for its item.
    """

    seq: int
    kind: str  # deliver approve reject dangling wrong-hash escalate kill kill-literal crash jump posture rules hold release
    id: str
    at: int | None
    trigger: Trigger | None
    target: str | None = None
    value: Any = None
    oldest: bool = False
    deferred: bool = False


@dataclass(frozen=True)
class Scenario:
    """Everything of a bundle document that the oracle looks at, and the answers under which it is read.

    ``duplicates`` counts redeliveries and repeats.
    """

    level: int
    horizon: int
    posture: str
    rules: dict[str, list[dict[str, Any]]]
    first_rules: str
    messages: tuple[Message, ...]
    statements: tuple[Statement, ...]
    duplicates: int
    conversations: tuple[str, ...]
    anchors: dict[str, str]
    expect: tuple[dict[str, Any], ...]
    only_expect: bool
    by_id: dict[str, Statement] = field(repr=False)
    answers: Answers = BASE

    def decisions_on(self, message: str) -> list[Statement]:
        """The genuine decisions and wrong-hash forgeries on a message: what binds to its drafts, in seq order."""
        return [s for s in self.statements if s.target == message and s.kind in ("approve", "reject", "wrong-hash")]

    def gated(self, message: str) -> bool:
        """Whether replies to the message wait for a decision (C19)."""
        if self.answers.always_gated:
            return True
        return self.level >= 2 or any(s.kind in ("approve", "reject") for s in self.decisions_on(message))


def work_message(work_id: str) -> str:
    """The message id behind a symbolic work id."""
    prefix, _, message = work_id.partition(":")
    if prefix != "work":
        raise ValueError(f"not a work id: {work_id}")
    return message


def _statement(entry: dict[str, Any]) -> Statement:
    record = entry["record"]
    when = entry.get("when")
    trigger = (when["event"], work_message(when["work_id"])) if when else None
    seq, at, channel = entry["seq"], entry.get("at"), entry["channel"]
    if channel == "inbox":
        return Statement(seq, "deliver", record["id"], at, trigger, record["id"])
    if channel == "approvals":
        forged = record.get("forged")
        match = record.get("match", {})
        target = work_message(match["work_id"]) if match else None
        oldest = match.get("draft") == "oldest"
        return Statement(seq, forged or record["decision"], record["approval_id"], at, trigger, target, oldest=oldest)
    if channel == "signals":
        target, deferred = record["target"], record.get("deferred", False)
        if record["signal_type"] == "OPERATOR_ESCALATION":
            item = work_message(target)
            return Statement(seq, "escalate", record["signal_id"], at, trigger, item, deferred=deferred)
        if isinstance(target, dict):
            item = work_message(target["holder_of"])
            return Statement(seq, "kill", record["signal_id"], at, trigger, item, deferred=deferred)
        return Statement(seq, "kill-literal", record["signal_id"], at, trigger, None, target)
    if channel == "faults":
        fault = record["fault"]
        return Statement(seq, fault, record["fault_id"], at, trigger, None, record.get(fault, record.get("to")))
    raise ValueError(f"unknown channel: {channel}")


def read_document(document: Document, answers: Answers = BASE) -> Scenario:
    """Read a bundle document; entries that repeat an earlier record are counted and otherwise dropped."""
    statements: dict[str, Statement] = {}
    messages: list[tuple[int, Message]] = []
    duplicates = 0
    for entry in sorted(document["schedule"], key=lambda e: e["seq"]):
        statement = _statement(entry)
        if statement.id in statements:
            duplicates += 1
            continue
        statements[statement.id] = statement
        if statement.kind == "deliver":
            r = entry["record"]
            message = Message(r["id"], r["conversation_id"], r["from"], r["subject"], r["body"], statement.seq)
            messages.append((entry["at"], message))
    messages.sort(key=lambda pair: (pair[0], pair[1].first))
    ordered = tuple(message for _, message in messages)
    stub = document.get("stub") or {}
    anchors = {a["conversation_id"]: a["anchor"] for a in stub.get("anchors", [])}
    conversations = [m.conversation for m in ordered] + list(anchors)
    conversations += [r["conversation_id"] for r in stub.get("replies", [])]
    return Scenario(
        level=document["level"],
        horizon=document["horizon"],
        posture=document["mode"]["posture"],
        rules={version["name"]: version["rules"] for version in document["rules"]},
        first_rules=document["rules"][0]["name"],
        messages=ordered,
        statements=tuple(statements.values()),
        duplicates=duplicates,
        conversations=tuple(dict.fromkeys(conversations)),
        anchors=anchors,
        expect=tuple(document["expect"]),
        only_expect=not document["invariants"],
        by_id=statements,
        answers=answers,
    )
