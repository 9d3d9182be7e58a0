"""The schedule as it is written in the language: statements with the names they need, grouped by tick or trigger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from wellposed.compiler.decompile.claims import nested
from wellposed.compiler.decompile.names import Names
from wellposed.compiler.references import record_id
from wellposed.compiler.shapes import WORK_PREFIX
from wellposed.compiler.spelling import lines, name, pieces, string

Document = Mapping[str, Any]
Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation as it is declared; `sender` and `subject` are those of most of its messages, None without any."""

    anchor: str | None
    sender: str | None
    subject: str | None


def threads_of(document: Document) -> dict[str, Thread]:
    """The conversations by id, in the order of the stub's replies."""
    anchors = {one["conversation_id"]: one["anchor"] for one in document["stub"]["anchors"]}
    senders: dict[str, Counter[str]] = {one["conversation_id"]: Counter() for one in document["stub"]["replies"]}
    subjects: dict[str, Counter[str]] = {one: Counter() for one in senders}
    for _, entry in _firsts(document["schedule"]):
        if entry["channel"] == "inbox":
            record = entry["record"]
            senders[record["conversation_id"]][record["from"]] += 1
            subjects[record["conversation_id"]][record["subject"]] += 1
    return {one: Thread(anchors.get(one), _most(senders[one]), _most(subjects[one])) for one in senders}


def _most(counts: Counter[str]) -> str | None:
    """The most frequent text, of several the first; None where there are none."""
    return counts.most_common(1)[0][0] if counts else None


def _firsts(schedule: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """The entries that bring a record for the first time, each with its place in the schedule."""
    seen = set()
    for index, entry in enumerate(schedule):
        one = record_id(entry)[1]
        if one not in seen:
            seen.add(one)
            yield index, entry


@dataclass(frozen=True, slots=True)
class Block:
    """What stands under one `at` or `when`: the head without its brace, and the statements by their place."""

    head: str
    at: int | None
    statements: tuple[tuple[int, list[str]], ...]


def blocks_of(document: Document, threads: Mapping[str, Thread], names: Names) -> list[Block]:
    """The schedule in `seq` order; entries of one tick, or that wait for one record, stand in one block."""
    statements = _statements(document, threads, names)
    blocks = []
    for (at, event, work), group in groupby(enumerate(document["schedule"]), key=lambda pair: _time(pair[1])):
        own = tuple((index, statements[index]) for index, _ in group)
        head = f"when {names.record(work.removeprefix(WORK_PREFIX))} {event}" if at is None else f"at {at}"
        blocks.append(Block(head, at, own))
    return blocks


def _time(entry: Entry) -> tuple[int | None, str, str]:
    when = entry.get("when")
    return (entry["at"], "", "") if when is None else (None, when["event"], when["work_id"])


def _statements(document: Document, threads: Mapping[str, Thread], names: Names) -> list[list[str]]:
    """The lines of each entry's statement, with a name where it needs one."""
    schedule = document["schedule"]
    labels = _labels(document)
    first = {index for index, _ in _firsts(schedule)}
    statements = []
    for index, entry in enumerate(schedule):
        if index not in first:
            word = "redeliver" if entry["channel"] == "inbox" else "repeat"
            statements.append([f"{word} {names.record(record_id(entry)[1])}"])
            continue
        *before, last = _statement(entry, threads, names)
        statements.append([*before, last + (f" as {names.record(labels[index])}" if index in labels else "")])
    return statements


def _labels(document: Document) -> dict[int, str]:
    """The ids that have to be written, by the place of their entry: those that something refers to or that are their own.

    A record without a written name is called after what it is about, with the number that it has among those.
    """
    schedule = document["schedule"]
    needed = _referred(document)
    counts: Counter[str] = Counter()
    labels = {}
    for index, entry in _firsts(schedule):
        stem = _stem(entry)
        if stem is None:
            continue
        id = record_id(entry)[1]
        if id in needed or id != f"{stem}.{counts[stem] + 1}":
            labels[index] = id
        else:
            counts[stem] += 1
    return labels


def _referred(document: Document) -> set[str]:
    """The ids that a repeated record or a claim refers to."""
    schedule = document["schedule"]
    first = {index for index, _ in _firsts(schedule)}
    ids = {record_id(entry)[1] for index, entry in enumerate(schedule) if index not in first}
    for _, claim in nested(document["expect"], ""):
        ids |= {claim[member] for member in ("from", "after") if member in claim}
    return ids


def _stem(entry: Entry) -> str | None:
    """What the derived id of a record starts with; None for one that always carries an id of its own."""
    record = entry["record"]
    match entry["channel"]:
        case "faults":
            return str(record["fault"])
        case "signals" if record["signal_type"] == "OPERATOR_ESCALATION":
            return f"{_message(record['target'])}.escalate"
        case "signals":
            target = record["target"]
            return f"{target if isinstance(target, str) else _message(target['holder_of'])}.death"
        case "approvals" if "forged" not in record:
            return f"{_message(record['match']['work_id'])}.{record['decision']}"
    return None


def _message(work_id: str) -> str:
    return work_id.removeprefix(WORK_PREFIX)


def statement_of(entry: Entry, document: Document) -> list[str]:
    """The lines of an entry's statement, as that of a record that comes for the first time and needs no name."""
    return _statement(entry, threads_of(document), Names(document))


def _statement(entry: Entry, threads: Mapping[str, Thread], names: Names) -> list[str]:
    record = entry["record"]
    match entry["channel"]:
        case "inbox":
            return _delivery(record, threads[record["conversation_id"]], names)
        case "approvals":
            return [_decision(record, names)]
        case "signals":
            return [_signal(record, names)]
    return [_fault(record)]


def _delivery(record: Mapping[str, Any], thread: Thread, names: Names) -> list[str]:
    head = f"deliver {names.record(record['id'])} in {names.conversation(record['conversation_id'])} "
    first, *inner = lines(pieces(record["body"], thread.anchor))
    own = []
    if record["from"] != thread.sender:
        own.append(f"from {string([record['from']])}")
    if record["subject"] != thread.subject:
        own.append(f"subject {string(pieces(record['subject'], thread.anchor))}")
    written = [head + first, *(f"  {line}" if line else "" for line in inner)]
    if own:
        written[-1] += f" with {{ {' '.join(own)} }}"
    return written


def _decision(record: Mapping[str, Any], names: Names) -> str:
    if "forged" not in record:
        which = f"{record['match']['draft']} draft of " if "draft" in record["match"] else ""
        return f"{record['decision']} {which}{names.record(_message(record['match']['work_id']))}"
    what = "approval" if record["decision"] == "approve" else "rejection"
    head = f"forge {what} {string([record['approval_id']])} for "
    if record["forged"] == "dangling":
        return f"{head}draft {string([record['draft_id']])}"
    return f"{head}{names.record(_message(record['match']['work_id']))} with wrong hash"


def _signal(record: Mapping[str, Any], names: Names) -> str:
    target = record["target"]
    deferred = " deferred" if "deferred" in record else ""
    if record["signal_type"] == "OPERATOR_ESCALATION":
        return f"escalate {names.record(_message(target))}{deferred}"
    if isinstance(target, str):
        return f"kill agent {string([target])}"
    return f"kill agent of {names.record(_message(target['holder_of']))}{deferred}"


def _fault(record: Mapping[str, Any]) -> str:
    match record["fault"]:
        case "jump":
            return f"jump by {record['by']}" if "by" in record else f"jump to {record['to']}"
        case "posture":
            return f"posture {record['posture']}"
        case "rules":
            return f"rules {name(record['rules'])}"
        case "hold" | "release":
            return f"{record['fault']} effects"
    return "crash"
