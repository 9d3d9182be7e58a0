"""References inside a bundle: ids and what they name, messages, conversations, anchors and the starts of windows.

Source: the bundle format; the symbolic work ids of the specification's section 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from wellposed.compiler.shape import quoted
from wellposed.compiler.shapes import WORK_PREFIX
from wellposed.dsl.vocabulary import GHOST_PREFIX, MAX_IFS

DUPLICATE_ID = "WP730"
UNKNOWN_MESSAGE = "WP731"
UNKNOWN_CONVERSATION = "WP732"
UNKNOWN_LABEL = "WP735"
GHOST = "WP741"
STUB = "WP743"
TOO_NESTED = UNORDERED = "WP724"

_OWN_ID = {"approvals": "approval_id", "signals": "signal_id", "faults": "fault_id"}

Document = Mapping[str, Any]
Report = Callable[[str, str, str], None]
"""Called with code, message and JSON pointer."""


def check_references(document: Document, report: Report) -> None:
    """Report every name in a document of the right shape that stands for nothing, or for two things."""
    for one in (_stub, _identities, _references, _ghosts, _claims):
        one(document, report)


def record_id(entry: Document) -> tuple[str, str]:
    """The member that holds the id of an entry's record, and the id."""
    member = _OWN_ID.get(entry["channel"], "id")
    return member, entry["record"][member]


def unique(named: Iterable[tuple[str, str]], what: str, report: Report) -> None:
    """Report each of the (pointer, name) pairs whose name, case apart, an earlier one has."""
    seen: dict[str, str] = {}
    for pointer, name in named:
        if seen.setdefault(name.casefold(), pointer) != pointer:
            report(
                DUPLICATE_ID,
                f"the {what} {quoted(name)} stands here a second time; upper and lower case are one",
                pointer,
            )


def _conversations(document: Document) -> set[str]:
    return {reply["conversation_id"] for reply in document["stub"]["replies"]}


def _anchored(document: Document) -> set[str]:
    return {anchor["conversation_id"] for anchor in document["stub"]["anchors"]}


def _delivered(document: Document) -> set[str]:
    return {entry["record"]["id"] for entry in document["schedule"] if entry["channel"] == "inbox" and "at" in entry}


def _stub(document: Document, report: Report) -> None:
    stub = document["stub"]
    for part in ("anchors", "replies"):
        ids = (
            (f"/stub/{part}/{index}/conversation_id", one["conversation_id"]) for index, one in enumerate(stub[part])
        )
        unique(ids, "conversation", report)
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


def _identities(document: Document, report: Report) -> None:
    first: dict[str, str] = {}
    ids: dict[str, str] = {}
    conversations: list[tuple[str, str]] = []
    for index, entry in enumerate(document["schedule"]):
        member, name = record_id(entry)
        pointer = f"/schedule/{index}/record/{member}"
        if name not in first:
            first[name] = entry["channel"]
            ids[pointer] = name
        elif first[name] != entry["channel"] or entry["channel"] == "faults":
            report(DUPLICATE_ID, f"the id {quoted(name)} stands for two records", pointer)
        if entry["channel"] == "inbox":
            conversations.append((f"/schedule/{index}/record/conversation_id", entry["record"]["conversation_id"]))
    unique(ids.items(), "record", report)
    known = _conversations(document)
    for pointer, name in conversations:
        if name not in known:
            _no_conversation(name, pointer, report)


def _no_conversation(name: str, pointer: str, report: Report) -> None:
    report(UNKNOWN_CONVERSATION, f"there is no conversation {quoted(name)}: the stub has no reply for it", pointer)


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
        member, name = record_id(entry)
        if name.startswith(GHOST_PREFIX) and "forged" not in record:
            _real_ghost(name, f"/schedule/{index}/record/{member}", report)
        for member in ("conversation_id", "target"):
            named = record.get(member)
            if isinstance(named, str) and named.startswith(GHOST_PREFIX):
                _real_ghost(named, f"/schedule/{index}/record/{member}", report)


def _real_ghost(name: str, pointer: str, report: Report) -> None:
    report(
        GHOST,
        f"{quoted(name)} is real; ids that start with `{GHOST_PREFIX}` are kept for drafts that never exist",
        pointer,
    )


def _claims(document: Document, report: Report) -> None:
    delivered = _delivered(document)
    labels = {record_id(entry)[1] for entry in document["schedule"]}
    known, anchored = _conversations(document), _anchored(document)
    for number, claim in enumerate(document["expect"]):
        if _ifs(claim) > MAX_IFS:
            report(TOO_NESTED, f"`if` is nested more than {MAX_IFS} deep here, as no source can", f"/expect/{number}")
    for pointer, claim in _atoms(document["expect"], "/expect"):
        of = claim.get("of", [])
        places = (
            [(f"{pointer}/of", of)] if isinstance(of, str) else [(f"{pointer}/of/{n}", one) for n, one in enumerate(of)]
        )
        for place, name in places:
            if name not in delivered:
                _no_message(name, place, report)
        if claim["claim"] == "only-sent":
            unique(places, "message", report)
            if claim["ordered"] and len(of) == 1:
                report(UNORDERED, "one message alone is in no order: `ordered` is false here", f"{pointer}/ordered")
        for member in ("from", "after"):
            if member in claim and claim[member] not in labels:
                report(UNKNOWN_LABEL, f"nothing that happens is called {quoted(claim[member])}", f"{pointer}/{member}")
        if "conversation" in claim:
            name, place = claim["conversation"], f"{pointer}/conversation"
            if name not in known:
                _no_conversation(name, place, report)
            elif claim["claim"] == "reply-anchor" and name not in anchored:
                report(STUB, f"the conversation {quoted(name)} has no anchor that a reply could carry", place)


def _ifs(claim: Document) -> int:
    """How deep `if` is nested in a claim."""
    if claim["claim"] == "any":
        return max((_ifs(part) for alternative in claim["of"] for part in alternative), default=0)
    if claim["claim"] == "if":
        return 1 + max(_ifs(claim[member]) for member in ("if", "then", "else"))
    return 0


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
