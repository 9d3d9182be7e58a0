"""What a bundle of the right shape must also satisfy: references, order, equality and the bounds of time.

Each check is one function over the whole document and reports everything it finds; none relies on another having passed.
Source: the bundle format, and the specification's section 2 for redelivery.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from wellposed.compiler.shape import quoted
from wellposed.compiler.shapes import WORK_PREFIX
from wellposed.dsl.vocabulary import GHOST_PREFIX, obligations_of_level

DUPLICATE_ID = "WP730"
UNKNOWN_MESSAGE = "WP731"
UNKNOWN_CONVERSATION = "WP732"
UNKNOWN_RULES = "WP733"
UNUSED_RULES = "WP734"
UNKNOWN_LABEL = "WP735"
CHANGED_COPY = "WP736"
SCHEDULE_ORDER = "WP737"
AFTER_HORIZON = "WP738"
TWO_TICKS = "WP739"
JUMP = "WP740"
GHOST = "WP741"
INVARIANTS = "WP742"
STUB = "WP743"
FILE_NAME = "WP744"

# Names that some systems keep for devices, with or without an ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_OWN_ID = {"approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}

Document = Mapping[str, Any]
Report = Callable[[str, str, str], None]
"""Called with code, message and JSON pointer."""


def check(document: Document, report: Report) -> None:
    """Report everything in which a document of the right shape makes no sense."""
    for one in (
        _file_names,
        _rules,
        _stub,
        _order,
        _ticks,
        _jumps,
        _identities,
        _copies,
        _references,
        _ghosts,
        _invariants,
        _claims,
        _catches,
    ):
        one(document, report)


def _file_names(document: Document, report: Report) -> None:
    named = [("/id", document["id"])]
    named += [(f"/rules/{index}/name", version["name"]) for index, version in enumerate(document["rules"])]
    for pointer, name in named:
        if name.endswith(".") or _DEVICE.fullmatch(name) is not None:
            report(FILE_NAME, f"{quoted(name)} cannot be the name of a file everywhere", pointer)


def _rules(document: Document, report: Report) -> None:
    versions = [version["name"] for version in document["rules"]]
    _unique(((f"/rules/{index}/name", name) for index, name in enumerate(versions)), "rules version", report)
    for index, version in enumerate(document["rules"]):
        ids = ((f"/rules/{index}/rules/{place}/id", rule["id"]) for place, rule in enumerate(version["rules"]))
        _unique(ids, "rule", report)
    known = set(versions)
    used = {versions[0]: None}  # in order of first use
    for index, entry in enumerate(document["schedule"]):
        if entry["channel"] != "faults" or entry["record"]["fault"] != "rules":
            continue
        name = entry["record"]["rules"]
        if name not in known:
            report(UNKNOWN_RULES, f"there is no rules version {quoted(name)}", f"/schedule/{index}/record/rules")
        else:
            used[name] = None
    for index, name in enumerate(versions):
        if name not in used:
            report(
                UNUSED_RULES, f"no entry of the schedule brings in the rules version {quoted(name)}", f"/rules/{index}"
            )
    if known == used.keys() and versions != list(used) and len(versions) == len(known):
        report(UNUSED_RULES, f"rules versions stand in the order of their first use: {', '.join(used)}", "/rules")


def _stub(document: Document, report: Report) -> None:
    stub = document["stub"]
    for part in ("anchors", "replies"):
        ids = (
            (f"/stub/{part}/{index}/conversation_id", one["conversation_id"]) for index, one in enumerate(stub[part])
        )
        _unique(ids, "conversation", report)
    known = _conversations(document)
    anchored = _anchored(document)
    for index, anchor in enumerate(stub["anchors"]):
        if anchor["conversation_id"] not in known:
            _no_conversation(anchor["conversation_id"], f"/stub/anchors/{index}/conversation_id", report)
    for index, reply in enumerate(stub["replies"]):
        pointer = f"/stub/replies/{index}/parts"
        kinds = [type(part) for part in reply["parts"]]
        if dict in kinds and reply["conversation_id"] not in anchored:
            report(STUB, f"the conversation {quoted(reply['conversation_id'])} has no anchor to reply with", pointer)
        if any(first is second is str for first, second in pairwise(kinds)):
            report(STUB, "two pieces of text that follow each other are written as one", pointer)


def _conversations(document: Document) -> set[str]:
    return {reply["conversation_id"] for reply in document["stub"]["replies"]}


def _anchored(document: Document) -> set[str]:
    return {anchor["conversation_id"] for anchor in document["stub"]["anchors"]}


def _no_conversation(name: str, pointer: str, report: Report) -> None:
    report(UNKNOWN_CONVERSATION, f"there is no conversation {quoted(name)}: the stub has no reply for it", pointer)


def _order(document: Document, report: Report) -> None:
    before = -1
    triggered = False
    for index, entry in enumerate(document["schedule"]):
        if entry["seq"] != index:
            report(
                SCHEDULE_ORDER, f"seq is {entry['seq']}; the place in the schedule is {index}", f"/schedule/{index}/seq"
            )
        at = entry.get("at")
        if at is None:
            triggered = True
        elif triggered:
            report(
                SCHEDULE_ORDER, "an entry with a tick stands after one that waits for a record", f"/schedule/{index}"
            )
        elif at < before:
            report(SCHEDULE_ORDER, f"tick {at} stands after tick {before}", f"/schedule/{index}/at")
        before = before if at is None else at


def _ticks(document: Document, report: Report) -> None:
    horizon = document["horizon"]
    for index, entry in enumerate(document["schedule"]):
        at, record, pointer = entry.get("at"), entry["record"], f"/schedule/{index}"
        if at is not None and at > horizon:
            report(AFTER_HORIZON, f"tick {at} is after the horizon, {horizon}", f"{pointer}/at")
        if at is not None and record.get("at", at) != at:
            report(TWO_TICKS, f"the record says tick {record['at']}, its entry tick {at}", f"{pointer}/record/at")


def _jumps(document: Document, report: Report) -> None:
    """A jump at t to u removes the ticks between them; what is written for one of those happens at u."""
    horizon = document["horizon"]
    starts: list[int] = []
    ends: list[int] = []
    for index, entry in enumerate(document["schedule"]):
        record, pointer = entry["record"], f"/schedule/{index}/record"
        if record.get("fault") != "jump":
            continue
        to = record.get("to")
        if to is None:
            # A triggered jump fires at tick 1 at the earliest.
            if record["by"] >= horizon:
                report(JUMP, f"a jump by {record['by']} leads beyond the horizon, {horizon}", f"{pointer}/by")
        elif to > horizon:
            report(JUMP, f"a jump to {to} leads beyond the horizon, {horizon}", f"{pointer}/to")
        elif "at" in entry:
            at = entry["at"]
            gap = bisect_right(ends, at)
            fires = ends[gap] if gap < len(ends) and starts[gap] < at else at
            if to <= fires:
                report(JUMP, f"at tick {fires} a jump to {to} does not lead forward", f"{pointer}/to")
            elif starts and starts[-1] == fires:
                ends[-1] = max(ends[-1], to)
            else:
                starts.append(fires)
                ends.append(to)


def _record_id(entry: Document) -> tuple[str, str]:
    """The member that holds the id of an entry's record, and the id."""
    member = _OWN_ID.get(entry["channel"], "id")
    return member, entry["record"][member]


def _identities(document: Document, report: Report) -> None:
    first: dict[str, str] = {}
    ids: dict[str, str] = {}
    conversations: list[tuple[str, str]] = []
    for index, entry in enumerate(document["schedule"]):
        member, name = _record_id(entry)
        pointer = f"/schedule/{index}/record/{member}"
        if name not in first:
            first[name] = entry["channel"]
            ids[pointer] = name
        elif first[name] != entry["channel"] or entry["channel"] in ("signals", "faults"):
            report(DUPLICATE_ID, f"the id {quoted(name)} stands for two records", pointer)
        if entry["channel"] == "inbox":
            conversations.append((f"/schedule/{index}/record/conversation_id", entry["record"]["conversation_id"]))
    _unique(ids.items(), "record", report)
    known = _conversations(document)
    for pointer, name in conversations:
        if name not in known:
            _no_conversation(name, pointer, report)


def _copies(document: Document, report: Report) -> None:
    """A redelivery is the first record but for its tick; a repeated decision is the very same record."""
    first: dict[tuple[str, str], Document] = {}
    for index, entry in enumerate(document["schedule"]):
        if entry["channel"] not in ("inbox", "approvals"):
            continue
        name = _record_id(entry)[1]
        content = {member: value for member, value in entry["record"].items() if member != "at"}
        original = first.setdefault((entry["channel"], name), content)
        for member in sorted(original.keys() | content.keys()):
            if original.get(member) != content.get(member):
                what = "message" if entry["channel"] == "inbox" else "decision"
                report(
                    CHANGED_COPY,
                    f"this is the {what} {quoted(name)} again, but its `{member}` is another",
                    f"/schedule/{index}/record",
                )


def _delivered(document: Document) -> set[str]:
    return {entry["record"]["id"] for entry in document["schedule"] if entry["channel"] == "inbox" and "at" in entry}


def _references(document: Document, report: Report) -> None:
    delivered = _delivered(document)
    for index, entry in enumerate(document["schedule"]):
        record = entry["record"]
        places: list[tuple[str, str | None]] = [("when/work_id", entry.get("when", {}).get("work_id"))]
        if entry["channel"] == "inbox":
            places.append(("record/id", WORK_PREFIX + record["id"]))
        elif entry["channel"] == "approvals":
            places.append(("record/match/work_id", record.get("match", {}).get("work_id")))
        elif entry["channel"] == "signals":
            target = record["target"]
            if isinstance(target, dict):
                places.append(("record/target/holder_of", target["holder_of"]))
            elif record["signal_type"] == "OPERATOR_ESCALATION":
                places.append(("record/target", target))
        for below, work_id in places:
            if work_id is not None and work_id.removeprefix(WORK_PREFIX) not in delivered:
                _no_message(work_id.removeprefix(WORK_PREFIX), f"/schedule/{index}/{below}", report)


def _no_message(name: str, pointer: str, report: Report) -> None:
    report(UNKNOWN_MESSAGE, f"no message {quoted(name)} is delivered at a tick", pointer)


def _ghosts(document: Document, report: Report) -> None:
    for index, entry in enumerate(document["schedule"]):
        record = entry["record"]
        member, name = _record_id(entry)
        if name.startswith(GHOST_PREFIX) and "forged" not in record:
            _real_ghost(name, f"/schedule/{index}/record/{member}", report)
        if record.get("conversation_id", "").startswith(GHOST_PREFIX):
            _real_ghost(record["conversation_id"], f"/schedule/{index}/record/conversation_id", report)


def _real_ghost(name: str, pointer: str, report: Report) -> None:
    report(
        GHOST,
        f"{quoted(name)} is real; ids that start with `{GHOST_PREFIX}` are kept for drafts that never exist",
        pointer,
    )


def _invariants(document: Document, report: Report) -> None:
    due = list(obligations_of_level(document["level"]))
    if document["invariants"] not in ([], due):
        report(
            INVARIANTS,
            f"these are not the {len(due)} standing obligations of level {document['level']} in their order, nor none",
            "/invariants",
        )


def _claims(document: Document, report: Report) -> None:
    delivered = _delivered(document)
    labels = {_record_id(entry)[1] for entry in document["schedule"]}
    known, anchored = _conversations(document), _anchored(document)
    for pointer, claim in _atoms(document["expect"], "/expect"):
        of = claim.get("of", [])
        places = (
            [(f"{pointer}/of", of)] if isinstance(of, str) else [(f"{pointer}/of/{n}", one) for n, one in enumerate(of)]
        )
        for place, name in places:
            if name not in delivered:
                _no_message(name, place, report)
        for member in ("from", "after"):
            if member in claim and claim[member] not in labels:
                report(UNKNOWN_LABEL, f"nothing that happens is called {quoted(claim[member])}", f"{pointer}/{member}")
        if "conversation" in claim:
            name, place = claim["conversation"], f"{pointer}/conversation"
            if name not in known:
                _no_conversation(name, place, report)
            elif claim["claim"] == "reply-anchor" and name not in anchored:
                report(STUB, f"the conversation {quoted(name)} has no anchor that a reply could carry", place)


def _atoms(claims: list[Document], pointer: str) -> Iterator[tuple[str, Document]]:
    """The claims that are about records, with their pointers, in the order of the text."""
    for index, claim in enumerate(claims):
        yield from _atoms_of(claim, f"{pointer}/{index}")


def _atoms_of(claim: Document, pointer: str) -> Iterator[tuple[str, Document]]:
    if claim["claim"] == "any":
        for index, alternative in enumerate(claim["of"]):
            yield from _atoms(alternative, f"{pointer}/of/{index}")
    elif claim["claim"] == "if":
        for member in ("if", "then", "else"):
            yield from _atoms_of(claim[member], f"{pointer}/{member}")
    else:
        yield pointer, claim


def _catches(document: Document, report: Report) -> None:
    _unique(((f"/catches/{index}", name) for index, name in enumerate(document["catches"])), "faulty system", report)


def _unique(named: Iterable[tuple[str, str]], what: str, report: Report) -> None:
    """Report each of the (pointer, name) pairs whose name, case apart, an earlier one has."""
    seen: dict[str, str] = {}
    for pointer, name in named:
        if seen.setdefault(name.casefold(), pointer) != pointer:
            report(
                DUPLICATE_ID,
                f"the {what} {quoted(name)} stands here a second time; upper and lower case are one",
                pointer,
            )
