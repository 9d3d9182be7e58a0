"""What a system is shown of a scenario: the schedule as it unfolds, the rules, and the model's answers.

Names of approvals, signals and faults tell a system nothing; they are numbered as they come. A change of rules shows its
content, a message also what the model answers in its conversation. A triggered statement counts at the first tick at
which it can fire, a deferred one and one inside a jump at the tick for which it is written: they may be shown later, never
earlier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wellposed.compiler.canonical import encode, sha256
from wellposed.verifier.amr.environment import message_of
from wellposed.verifier.suite.story import END, Story

Json = Mapping[str, Any]

NAMES = ("approval_id", "signal_id", "fault_id")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a scenario's things as its story has them. `renamed` numbers all of them, else only those of events."""

    renamed: bool
    keeps_conversations: bool
    messages: dict[str, str] = field(default_factory=dict)
    conversations: dict[str, str] = field(default_factory=dict)
    agents: dict[str, str] = field(default_factory=dict)
    drafts: dict[str, str] = field(default_factory=dict)
    events: dict[str, str] = field(default_factory=dict)
    _count: Counter[str] = field(default_factory=Counter)

    def message(self, own: str) -> str:
        return _named(self.messages, "message", own, self.renamed)

    def work(self, reference: str) -> str:
        """The message behind a symbolic work id."""
        return self.message(message_of(reference))

    def conversation(self, own: str) -> str:
        return _named(self.conversations, "conversation", own, self.renamed and not self.keeps_conversations)

    def agent(self, own: str) -> str:
        return _named(self.agents, "agent", own, self.renamed)

    def draft(self, own: str) -> str:
        return _named(self.drafts, "draft", own, self.renamed)

    def event(self, own: str, how: str) -> str:
        """Numbered apart from those that fire in another way, so that what comes late changes no early name."""
        if own not in self.events:
            self._count[how] += 1
            self.events[own] = f"{how} event {self._count[how]}"
        return self.events[own]

    def label(self, own: str) -> str:
        """What an expectation counts from: a message or a named statement."""
        return self.messages.get(own) or self.events[own]


def _named(known: dict[str, str], kind: str, own: str, renamed: bool) -> str:
    if own not in known:
        known[own] = f"{kind} {len(known)}" if renamed else own
    return known[own]


def story(document: Json, renamed: bool) -> Story:
    """The story of a bundle document. `renamed`: up to the names of things and the tick at which it begins."""
    timed = [entry for entry in document["schedule"] if "at" in entry]
    triggered = [entry for entry in document["schedule"] if "when" in entry]
    start = timed[0]["at"] if renamed and timed else 0
    names = Names(renamed, any(_asks_for_conversations(version["rules"]) for version in document["rules"]))
    teller = _Teller(document, names, start)
    told: dict[int, list[object]] = {0: [teller.beginning()]}
    delivered: dict[str, int] = {}
    for entry in timed:
        told.setdefault(entry["at"] - start, []).append(teller.entry(entry, "timed"))
        if entry["channel"] == "inbox":
            delivered.setdefault(entry["record"]["id"], entry["at"] - start)
    for tick, waiting in _first_chances(triggered, delivered):
        told.setdefault(tick, []).append([teller.triggered(entry) for entry in waiting])
    end = document["horizon"] + 1 - start
    shown = [(tick, sha256(encode(told[tick]))) for tick in sorted(told) if tick < end]
    return Story(start, (*shown, (end, END)), min(delivered.values(), default=None), names.messages, names)


def expected(document: Json, told: Story) -> str:
    """A digest of what a scenario demands, its level and horizon included, in the names and ticks of its story."""
    assert isinstance(told.names, Names)
    names = told.names
    claims = sorted(encode(_claim(claim, names)).decode() for claim in document["expect"])
    rest = [document["level"], document["invariants"], sorted(document["catches"]), told.end]
    return sha256(encode([*rest, claims]))


def _asks_for_conversations(rules: Sequence[Json]) -> bool:
    return any(condition["field"] == "message.conversation_id" for rule in rules for condition in rule["when"])


def _first_chances(triggered: Sequence[Json], delivered: Mapping[str, int]) -> Iterator[tuple[int, list[Json]]]:
    """The ticks at which more triggered statements can fire than before, and all that can fire by then."""
    chances = [delivered[message_of(entry["when"]["work_id"])] + 1 for entry in triggered]
    for tick in sorted(set(chances)):
        yield tick, [entry for entry, chance in zip(triggered, chances, strict=True) if chance <= tick]


class _Teller:
    """Turns the entries of one schedule into what they show."""

    def __init__(self, document: Json, names: Names, start: int) -> None:
        self._document = document
        self._names = names
        self._start = start
        self._rules = {version["name"]: version["rules"] for version in document["rules"]}
        self._replies = {reply["conversation_id"]: reply["parts"] for reply in document["stub"]["replies"]}
        anchors = enumerate(document["stub"]["anchors"])
        self._anchors = {entry["conversation_id"]: [entry["anchor"], place] for place, entry in anchors}

    def beginning(self) -> object:
        """What is there from the first tick on. The skin is how people read it, and no system sees it."""
        document = self._document
        first = document["rules"][0]["rules"]
        return [document["spec"], document["mode"]["posture"], first]

    def triggered(self, entry: Json) -> object:
        when = entry["when"]
        return [when["event"], self._names.work(when["work_id"]), self.entry(entry, "triggered")]

    def entry(self, entry: Json, how: str) -> object:
        """What an entry shows when it fires: "timed" or "triggered"."""
        record = entry["record"]
        tellers = {"inbox": self._mail, "approvals": self._decision, "signals": self._signal, "faults": self._fault}
        own = next((record[name] for name in NAMES if name in record), None)
        name = None if own is None else self._names.event(own, how)
        return [name, tellers[entry["channel"]](record)]

    def _mail(self, record: Json) -> object:
        own = record["conversation_id"]
        model = [self._replies.get(own), self._anchors.get(own)]
        thread = self._names.conversation(own)
        return [self._names.message(record["id"]), thread, record["from"], record["subject"], record["body"], model]

    def _decision(self, record: Json) -> object:
        target = self._names.work(record["match"]["work_id"]) if "match" in record else None
        draft = self._names.draft(record["draft_id"]) if "draft_id" in record else record.get("match", {}).get("draft")
        return [record["decision"], record.get("forged"), target, draft]

    def _signal(self, record: Json) -> object:
        target, waits = record["target"], record.get("deferred", False)
        if record["signal_type"] == "OPERATOR_ESCALATION":
            return ["escalation", self._names.work(target), waits]
        if isinstance(target, Mapping):
            return ["death", self._names.work(target["holder_of"]), waits]
        return ["death", None, self._names.agent(target)]

    def _fault(self, record: Json) -> object:
        fault = record["fault"]
        if fault == "jump":
            return [fault, record.get("by"), record["to"] - self._start if "to" in record else None]
        if fault == "rules":
            return [fault, self._rules[record["rules"]]]
        return [fault, record.get("posture")]


def _claim(claim: Json, names: Names) -> dict[str, object]:
    """A claim in the names of a story."""
    told: dict[str, object] = {}
    for member, value in claim.items():
        if member in ("if", "then", "else"):
            told[member] = _claim(value, names)
        elif member == "of" and claim["claim"] == "any":
            told[member] = [[_claim(part, names) for part in parts] for parts in value]
        elif member == "of":
            told[member] = names.messages[value] if isinstance(value, str) else _several(claim, names)
        elif member in ("from", "after") and value is not None:
            told[member] = names.label(value)
        elif member == "conversation":
            told[member] = names.conversations.get(value, value)  # one without mail is no part of the story
        else:
            told[member] = value
    return told


def _several(claim: Json, names: Names) -> list[str]:
    """The messages of a claim about several, in the order in which they stand if that says anything."""
    messages = [names.messages[one] for one in claim["of"]]
    return messages if claim.get("ordered") else sorted(messages)
