"""Changes of a bundle document whose effect on its verification is known, and what is compared.

Why each leaves the runs alone is said where it is made; the terms are those of `docs/model.md`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from pytest import MonkeyPatch
from tests.oracle import core_is_minimal
from tests.oracle.basics import Budgets
from tests.verifier.agreement import _instance, engine_answers

from wellposed.compiler.bundle import bundle_of
from wellposed.dsl.findings import Pointer
from wellposed.verifier import models, pairs
from wellposed.verifier.amr.entry import AsyncMessageResponder
from wellposed.verifier.amr.model import theory
from wellposed.verifier.report import Verification
from wellposed.verifier.solver import Budget
from wellposed.verifier.verdict import judge
from wellposed.verifier.verify import verify

Document = dict[str, Any]
Json = dict[str, Any]
IDENTITIES = ("id", "approval_id", "signal_id", "fault_id", "draft_id")
WHOLE_OPERATORS = ("is", "is-not", "in", "not-in")
PLENTY = 50_000_000


Ways = frozenset[tuple[str, str | None, int | None, int | None]]
"""How one item can end: outcome and reason with the first and last tick."""


class Told(NamedTuple):
    """What a verification says, without the words: findings as (code, what they are about)."""

    verdict: str
    expectations: tuple[str, ...]
    levels: Mapping[str, str]
    outcomes: Mapping[str, Ways]
    core: tuple[str, ...]
    findings: tuple[tuple[str, str], ...]


def told(document: Document, budgets: Budgets) -> Told:
    """Verify a document with these budgets."""
    with MonkeyPatch.context() as patch:
        patch.setattr(pairs, "SEARCH", 0)  # how close the two runs of an ambiguity are is not compared
        patch.setitem(models.MODELS, document["spec"], AsyncMessageResponder(engine_answers(budgets)))
        seen = verify(bundle_of(document, None, "changed.json"), PLENTY)
    outcomes = {
        item: frozenset(dataclasses.astuple(way) for way in ways) for item, ways in seen.outcomes.items()
    }
    return Told(
        seen.verdict,
        tuple(expectation.verdict for expectation in seen.expectations),
        dict(seen.levels),
        outcomes,
        tuple(sorted(member.obligation for member in seen.core)),
        tuple(sorted(_subjects(document, seen))),
    )


def names_another_core(document: Document, changed: Document, budgets: Budgets) -> bool:
    """Whether the core that is named of the changed document is one of the document itself, by the oracle.

    Of several minimal cores one is named, as it happens: "minimal means that no member can go". Which one may depend on the
    order in which the constraints stand, but not whether it is one.
    """
    answers, work = engine_answers(budgets), Budget(PLENTY)
    members = [_instance(changed, member) for member in judge(theory(changed, work, answers), work).core]
    refuted, to_spare = core_is_minimal(document, budgets, members, max_drafts=3)
    return refuted and not to_spare


def without_the_core(told: Told) -> Told:
    """What does not depend on the core that is named."""
    return told._replace(expectations=(), core=(), findings=())


def _subjects(document: Document, seen: Verification) -> Iterator[tuple[str, str]]:
    """What the findings are about; the one about guarded stimuli is told at the first of them."""
    for pointer, finds in seen.stimuli.items():
        yield f"finds {finds}", identity(document["schedule"][int(pointer.rpartition("/")[2])])
    for finding in seen.findings:
        assert isinstance(finding.place, Pointer)
        pointer = finding.place.pointer
        if finding.code == "WP613":
            continue
        event = pointer.removeprefix("/schedule/")
        yield finding.code, pointer if event == pointer else identity(document["schedule"][int(event)])


# -- reading ----------------------------------------------------------------------------------------------------------


def identity(entry: Json) -> str:
    """The id of the record of a schedule entry."""
    return next(str(entry["record"][key]) for key in IDENTITIES if key in entry["record"])


def subject(entry: Json) -> str | None:
    """The message whose item an entry concerns alone; None where others may be concerned: deaths, faults, dangling forgeries."""
    record = entry["record"]
    if entry["channel"] == "inbox":
        return str(record["id"])
    target = record["match"]["work_id"] if "match" in record else record.get("target")
    if record.get("signal_type") == "AGENT_DEATH" or target is None:
        return None
    return str(target).removeprefix("work:")


def deliveries(document: Document) -> dict[str, int]:
    """The messages with the ticks of their first deliveries."""
    found: dict[str, int] = {}
    for entry in document["schedule"]:
        if entry["channel"] == "inbox" and "at" in entry:
            message = entry["record"]["id"]
            found[message] = min(entry["at"], found.get(message, entry["at"]))
    return found


def copies_follow(document: Document) -> bool:
    """Whether no message can be delivered again before it is delivered, which a scenario may not ask for.

    A generated one does, now and then: the trigger of a redelivery waits for a record of an earlier message.
    """
    at = deliveries(document)
    waiting = [entry for entry in document["schedule"] if entry["channel"] == "inbox" and "when" in entry]
    return all(at[entry["when"]["work_id"].removeprefix("work:")] >= at[entry["record"]["id"]] for entry in waiting)


def atoms(claims: Sequence[Json]) -> Iterator[Json]:
    """The claims without parts, of expectations of any form."""
    for claim in claims:
        if claim["claim"] == "any":
            for alternative in claim["of"]:
                yield from atoms(alternative)
        elif claim["claim"] == "if":
            yield from atoms([claim["if"], claim["then"], claim["else"]])
        else:
            yield claim


# -- renaming ---------------------------------------------------------------------------------------------------------


class Renaming(NamedTuple):
    """New names for messages, decisions, signals, faults and agents (one mapping), conversations, and senders."""

    names: Mapping[str, str]
    conversations: Mapping[str, str]
    senders: Mapping[str, str]

    def result(self, told: Told) -> Told:
        """What is told of the renamed document, if the renaming changes nothing."""
        outcomes = {self.names[item]: ways for item, ways in told.outcomes.items()}
        findings = tuple(sorted((code, self.names.get(about, about)) for code, about in told.findings))
        return told._replace(outcomes=outcomes, findings=findings)


def renaming(document: Document, backwards: bool) -> Renaming:
    """Fresh names in the order of the old ones, or in the opposite order."""
    names, conversations, senders = set(), {reply["conversation_id"] for reply in document["stub"]["replies"]}, set()
    for entry in document["schedule"]:
        record = entry["record"]
        names.add(identity(entry))
        if isinstance(record.get("target"), str):
            names.add(record["target"].removeprefix("work:"))
        if "draft_id" in record:
            names.add(record["draft_id"])
        if entry["channel"] == "inbox":
            conversations.add(record["conversation_id"])
            senders.add(record["from"])

    def fresh(old: set[str], stem: str) -> dict[str, str]:
        ordered = sorted(old, reverse=backwards)
        return {name: f"{stem}{number:03}" for number, name in enumerate(ordered)}

    return Renaming(fresh(names, "n"), fresh(conversations, "c"), fresh(senders, "s"))


def compares_whole_names(document: Document) -> bool:
    """Whether the rules look at senders and conversations as wholes only: a part of a name means something in a rule."""
    return all(
        condition["op"] in WHOLE_OPERATORS
        for version in document["rules"]
        for rule in version["rules"]
        for condition in rule["when"]
        if condition["field"] in ("message.from", "message.conversation_id")
    )


def renamed(document: Document, new: Renaming) -> Document:
    """The document with other names. Nothing in the model asks what a name is, only whether two are the same."""

    def work(reference: str) -> str:
        message = reference.removeprefix("work:")
        return reference.replace(message, new.names[message])

    def record(old: Json) -> Json:
        made = {key: new.names[value] if key in IDENTITIES else value for key, value in old.items()}
        if "match" in old:
            made["match"] = old["match"] | {"work_id": work(old["match"]["work_id"])}
        if "target" in old:
            target = old["target"]
            made["target"] = work(target) if isinstance(target, str) else {"holder_of": work(target["holder_of"])}
        if "conversation_id" in old:
            made["conversation_id"] = new.conversations[old["conversation_id"]]
            made["from"] = new.senders[old["from"]]
        return made

    def entry(old: Json) -> Json:
        made = old | {"record": record(old["record"])}
        if "when" in old:
            made["when"] = old["when"] | {"work_id": work(old["when"]["work_id"])}
        return made

    def condition(old: Json) -> Json:
        meant = {"message.from": new.senders, "message.conversation_id": new.conversations}.get(old["field"])
        if meant is None:
            return old
        value = old["value"]
        return old | {"value": meant.get(value, value) if isinstance(value, str) else [meant.get(v, v) for v in value]}

    def claim(old: Json) -> Json:
        made = dict(old)
        for key in ("from", "after"):
            if old.get(key) is not None:
                made[key] = new.names[old[key]]
        if "conversation" in old:
            made["conversation"] = new.conversations[old["conversation"]]
        if old["claim"] == "any":
            made["of"] = [[claim(part) for part in alternative] for alternative in old["of"]]
        elif old["claim"] == "if":
            made |= {key: claim(old[key]) for key in ("if", "then", "else")}
        elif isinstance(old.get("of"), list):
            made["of"] = [new.names[message] for message in old["of"]]
        elif "of" in old:
            made["of"] = new.names[old["of"]]
        return made

    def in_conversation(old: Json) -> Json:
        return old | {"conversation_id": new.conversations[old["conversation_id"]]}

    return document | {
        "schedule": [entry(old) for old in document["schedule"]],
        "expect": [claim(old) for old in document["expect"]],
        "rules": [
            version
            | {"rules": [rule | {"when": [condition(old) for old in rule["when"]]} for rule in version["rules"]]}
            for version in document["rules"]
        ],
        "stub": {key: [in_conversation(old) for old in document["stub"][key]] for key in ("anchors", "replies")},
    }


# -- time -------------------------------------------------------------------------------------------------------------


def keeps_what_is_in_force_at_0(document: Document) -> bool:
    """Whether no posture or rules version replaces the first one at tick 0.

    Where one does, the first is never in force; later it would be for a while, and L2.only looks back at it.
    """
    return not any(
        entry.get("at") == 0 and entry["record"].get("fault") in ("posture", "rules") for entry in document["schedule"]
    )


def shifted(document: Document, ticks: int) -> Document:
    """Everything later by some ticks, before which nothing happens.

    All windows are relative, and no record can stand before the first delivery.
    """

    def record(old: Json) -> Json:
        return {key: value + ticks if key in ("at", "to") else value for key, value in old.items()}

    def entry(old: Json) -> Json:
        made = old | {"record": record(old["record"])}
        return made | {"at": old["at"] + ticks} if "at" in old else made

    return document | {
        "horizon": document["horizon"] + ticks,
        "schedule": [entry(old) for old in document["schedule"]],
    }


def told_later(told: Told, ticks: int) -> Told:
    """What is told of the shifted document."""
    outcomes = {
        item: frozenset(
            (outcome, reason, None if first is None else first + ticks, None if last is None else last + ticks)
            for outcome, reason, first, last in ways
        )
        for item, ways in told.outcomes.items()
    }
    return told._replace(outcomes=outcomes)


def settled(document: Document, budgets: Budgets) -> int:
    """A horizon from which on nothing new can happen: a later one cuts no window that this one does not cut as well.

    Every obligation and every claim looks at most this far from its cause; a cause can itself be a record that was late,
    of this item or, over a trigger, of another one. So behind the last event there is time for the longest chain of
    windows of every item, one after the other, and for a chain that starts only there: in any run some tick then lies in
    no window that is open, and as many idle ticks as one likes can be put in or taken out there.
    """
    written: list[int] = [0, document["horizon"]]
    for entry in document["schedule"]:
        written += [entry.get("at", 0), entry["record"].get("to", 0)]
    chain: int = sum(dataclasses.astuple(budgets))
    asked: int = sum(atom.get("within") or 0 for atom in atoms(document["expect"]))
    return max(written) + (chain + 2) * (len(deliveries(document)) + 1) + asked


def told_at_rest(told: Told, horizon: int) -> Told:
    """What is told of a settled document, without its horizon: what can still happen then can happen at any later tick."""
    outcomes = {
        item: frozenset((outcome, reason, first, -1 if last == horizon else last) for outcome, reason, first, last in ways)
        for item, ways in told.outcomes.items()
    }
    return told._replace(outcomes=outcomes)


# -- order ------------------------------------------------------------------------------------------------------------


def independent(one: Json, other: Json) -> bool:
    """Whether two entries of one tick concern different items, and only these.

    Order within a tick matters to an item through its own records and events alone. A death, a crash, a jump, a change of
    posture or rules and a dangling forgery concern every item.
    """
    subjects = subject(one), subject(other)
    together = one["at"] == other["at"] if "at" in one and "at" in other else "at" not in one and "at" not in other
    return together and None not in subjects and subjects[0] != subjects[1]


def permuted(document: Document) -> Document:
    """The document with all neighbours exchanged that do not depend on each other, as often as there are any left."""
    entries = list(document["schedule"])
    changed = True
    while changed:
        changed = False
        for place, (one, other) in enumerate(pairwise(entries)):
            if one["seq"] < other["seq"] and independent(one, other):
                entries[place : place + 2] = other, one
                changed = True
                break
    return numbered(document, entries)


def numbered(document: Document, entries: Sequence[Json]) -> Document:
    """The document with these entries of the schedule."""
    return document | {"schedule": [entry | {"seq": seq} for seq, entry in enumerate(entries)]}


def names_exact_sends(document: Document) -> bool:
    """Whether an expectation speaks of every message there is, one more included."""
    return any(atom["claim"] == "only-sent" for atom in atoms(document["expect"]))


# -- one message more -------------------------------------------------------------------------------------------------

STRANGER = "stranger"


def knows_every_conversation(document: Document) -> bool:
    """Whether an expectation asks where a reply lies while it may lie anywhere: below level 5, in any conversation declared."""
    return document["level"] < 5 and any(atom["claim"] == "reply-in" for atom in atoms(document["expect"]))


def with_a_stranger(document: Document, rng: Random) -> Document:
    """The document with one message more: of a sender, a subject and a conversation of its own, and approved.

    No history that a rule asks for counts it, no expectation and no trigger speaks of it. A dying agent may hold it as well
    as not. So the runs are those of before, each with any conforming behaviour of the new item beside it.
    """
    horizon = document["horizon"]
    at = rng.randrange(horizon)
    record = {
        "id": STRANGER,
        "conversation_id": f"of-a-{STRANGER}",
        "from": f"{STRANGER}@example.test",
        "subject": STRANGER,
        "body": "Hello?",
        "at": at,
    }
    approval = {"approval_id": f"{STRANGER}.approve", "match": {"work_id": f"work:{STRANGER}"}, "decision": "approve"}
    entries = [
        *document["schedule"],
        {"at": at, "channel": "inbox", "record": record},
        {"at": min(horizon, at + rng.randrange(1, 15)), "channel": "approvals", "record": approval},
    ]
    timed = sorted((entry for entry in entries if "at" in entry), key=lambda entry: int(entry["at"]))
    reply = {"conversation_id": record["conversation_id"], "parts": ["Noted."]}
    stub = document["stub"] | {"replies": [*document["stub"]["replies"], reply]}
    return numbered(document, [*timed, *(entry for entry in entries if "at" not in entry)]) | {"stub": stub}
