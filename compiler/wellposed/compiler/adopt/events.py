"""The records of a fixture's channels as events: what is delivered, decided, signalled and broken, and when."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wellposed.compiler.adopt import words
from wellposed.compiler.adopt.files import Fixture
from wellposed.compiler.adopt.ids import Ids, WorkItems
from wellposed.compiler.adopt.report import (
    MISSING,
    WRONG_VALUE,
    AdoptReport,
    Item,
    count,
    drop_others,
    member,
    problems_of,
    required,
    text,
    word,
)
from wellposed.compiler.adopt.schedule import Event, Record, stamp
from wellposed.compiler.adopt.signals import Signals
from wellposed.compiler.shapes import TRIGGER, WORK_PREFIX
from wellposed.dsl.vocabulary import GHOST_PREFIX


@dataclass(slots=True)
class Events:
    """Reads the channels one after the other; the inbox is first, for the others speak of its messages."""

    report: AdoptReport
    ids: Ids
    conversations: Ids
    agents: Ids
    work: WorkItems
    events: list[Event] = field(default_factory=list)
    messages: dict[str, Record] = field(default_factory=dict)

    def read(self, fixture: Fixture) -> None:
        """Read all records; what cannot be taken is refused or dropped."""
        readers: dict[str, tuple[words.Names, Callable[[Item, Event], bool]]] = {
            "inbox": (words.INBOX, self._inbox),
            "approvals": (words.APPROVALS, self._approval),
            "signals": (words.SIGNALS, Signals(self.report, self.ids, self.agents, self.work).read),
            "faults": ({**words.APPROVALS, **words.FAULTS}, self._fault),
        }
        for file, (names, reader) in readers.items():
            for item in fixture.channels[file]:
                drop_others(item, [*names.values(), *words.OURS.values()], self.report)
                event = self._timed(file, item, names["at"])
                if event is not None and reader(item, event):
                    self.events.append(event)

    def _timed(self, file: str, item: Item, names: tuple[str, ...]) -> Event | None:
        seq = count(member(item, words.OURS["seq"], self.report), self.report)
        when = member(item, words.OURS["when"], self.report)
        if when is None:
            at = count(required(item, names, "this record", self.report), self.report)
            return None if at is None else Event(file, file, {}, item, at, None, seq)
        problems = problems_of(TRIGGER, when.value)
        for problem in problems:
            self.report.refuse(WRONG_VALUE, problem, when)
        message = None if problems else self.work.work(when.at("work_id"))
        if message is None:
            return None
        trigger = {"event": when.value["event"], "work_id": WORK_PREFIX + message}
        return Event(file, file, {}, item, None, trigger, seq)

    def _inbox(self, item: Item, event: Event) -> bool:
        names, report = words.INBOX, self.report
        id_item = required(item, names["id"], "a message", report)
        place = required(item, names["conversation_id"], "a message", report)
        sender = text(required(item, names["from"], "a message", report), report)
        body = text(required(item, names["body"], "a message", report), report)
        subject_item = member(item, names["subject"], report)
        subject = text(subject_item, report)
        if subject_item is None:
            report.guess("a message without a subject has an empty one", item)
            subject = ""
        id, conversation = text(id_item, report), text(place, report)
        if None in (id, conversation, sender, body, subject) or id is None or conversation is None or place is None:
            return False
        known = self.ids.find("message", id)
        name = known or self.ids.name("message", id, id_item or item)
        record = {
            "id": name,
            "conversation_id": self.conversations.name("conversation", conversation, place),
            "from": sender,
            "subject": subject,
            "body": body,
        }
        if known is None:
            self.messages[name] = record
            self.work.add(id, name, conversation)
        event.record = record | stamp(event)
        return True

    def _about(self, item: Item, names: words.Names) -> tuple[bool, str | None]:
        """Whether the record names a work item, and the message that it is of."""
        match = member(item, names["match"], self.report) if "match" in names else None
        inside = item if match is None else match
        if not isinstance(inside.value, dict):
            self.report.refuse(WRONG_VALUE, "`match` is an object with a `work_id`", inside)
            return True, None
        if match is not None:
            known = [names[one] for one in ("work_id", "message_id", "conversation_id")]
            drop_others(match, [*known, words.DRAFT], self.report)
        for which, find in (
            ("work_id", self.work.work),
            ("message_id", self.work.message),
            ("conversation_id", self.work.conversation),
        ):
            found = member(inside, names[which], self.report) if which in names else None
            if found is not None:
                return True, find(found)
        return match is not None, None

    def _approval(self, item: Item, event: Event, fault: bool = False) -> bool:
        """A decision; one among the faults is forged, and an approval unless it says something else."""
        names, report = words.APPROVALS, self.report
        event.channel = "approvals"
        given = member(item, names["decision"], report)
        if given is None and not fault:
            given = required(item, names["decision"], "a decision", report)
        decision = "approve" if given is None and fault else word(given, words.DECISIONS, report)
        named, message = self._about(item, names)
        forged = self._forged(item, named) if not (fault and named) else "wrong-hash"
        if decision is None or forged is None or (named and message is None):
            return False
        record: Record = {"decision": decision}
        if forged == "dangling":
            record |= {"forged": "dangling", "draft_id": self._ghost(item)}
        else:
            which = self._which(item)
            if which is None:
                return False
            if forged and which:
                report.refuse(WRONG_VALUE, "only a genuine decision says which draft it is about", item)
            record |= {"match": {"work_id": f"{WORK_PREFIX}{message}"} | which} | ({"forged": forged} if forged else {})
        id_item = member(item, names["approval_id"], report)
        id = text(id_item, report)
        event.stem = "forged" if forged else f"{message}.{decision}"
        if id is not None and id_item is not None:
            record["approval_id"] = self.ids.name("approval", id, id_item)
        event.record = record
        return True

    def _which(self, item: Item) -> Record | None:
        """What a `match` has for the draft that is meant; None after reporting a word that means nothing."""
        match = member(item, words.APPROVALS["match"], self.report)
        said = None if match is None else member(match, words.DRAFT, self.report)
        draft = "newest" if said is None else word(said, words.DRAFTS, self.report)
        if draft is None:
            return None
        return {} if draft == "newest" else {"draft": draft}

    def _forged(self, item: Item, named: bool) -> str | None:
        """`dangling`, `wrong-hash` or empty for a genuine decision; None after reporting what is neither."""
        report, names = self.report, words.APPROVALS
        said = member(item, names["forged"], report)
        draft = member(item, names["draft_id"], report)
        content = member(item, names["content_hash"], report)
        if said is not None and not isinstance(said.value, bool):
            kind = word(said, words.FORGERIES, report)
            if kind is None or named == (kind == "wrong-hash"):
                return kind
            report.refuse(WRONG_VALUE, "a dangling forgery names a draft, one with a wrong hash a work item", item)
            return None
        if said is not None and not said.value:
            if named:
                return ""
            report.refuse(MISSING, "a genuine decision has a `match` with a `work_id`", item)
            return None
        if named and said is None and content is None:
            return ""
        if named:
            if said is None:
                report.guess(
                    "a decision that names a work item and a content hash is a forgery with a wrong hash", item
                )
            return "wrong-hash"
        if draft is None:
            report.refuse(
                MISSING, "a decision has a `match` with a `work_id`, a forged one may have a `draft_id`", item
            )
            return None
        if said is None:
            report.guess("a decision on a draft id is a forgery: no fixture knows the drafts of a system", item)
        return "dangling"

    def _ghost(self, item: Item) -> str:
        draft = member(item, words.APPROVALS["draft_id"], self.report)
        id = text(draft, self.report) or "1"
        if id.startswith(GHOST_PREFIX) and id == self._plain(id):
            return id
        ghost = GHOST_PREFIX + self._plain(id.removeprefix(GHOST_PREFIX))
        self.report.guess(f"the draft {id[:64]!a} of a forgery is called `{ghost}`", draft or item)
        return ghost

    def _plain(self, id: str) -> str:
        return "".join(one if one.isascii() and (one.isalnum() or one in "_.-") else "-" for one in id)[:56]

    def _fault(self, item: Item, event: Event) -> bool:
        names, report = words.FAULTS, self.report
        kind = word(required(item, names["fault"], "a fault", report), words.FAULT_KINDS, report)
        if kind == "forgery":
            return self._approval(item, event, fault=True)
        if kind == "redelivery":
            mail = required(item, names["message_id"], "a duplicate delivery", report)
            message = None if mail is None else self.work.message(mail)
            event.channel = "inbox"
            event.record = self.messages[message] | stamp(event) if message is not None else {}
            return message is not None
        more = self._details(item, kind, event) if kind is not None else None
        if kind is None or more is None:
            return False
        event.stem, event.record = kind, {"fault": kind} | more
        self._named(item, names["fault_id"], "fault", event)
        return True

    def _details(self, item: Item, kind: str, event: Event) -> Record | None:
        names, report = words.FAULTS, self.report
        if kind in ("hold", "release") and event.at is None:
            report.refuse(WRONG_VALUE, "effects are held and released at a tick, whatever the system does", item)
        if kind in ("crash", "hold", "release"):
            return {}
        if kind == "jump":
            to = member(item, names["to"], report)
            length = count(to or required(item, names["by"], "a jump without `to`", report), report)
            if length is None or to is not None:
                return None if length is None else {"to": length}
            return {"by": length} if event.at is None else {"to": event.at + length}
        value = required(item, names[kind], f"a change of {kind}", report)
        if kind == "posture":
            posture = word(value, words.POSTURE_WORDS, report)
            return None if posture is None else {"posture": posture}
        version = text(value, report)
        return None if version is None else {"rules": version}

    def _named(self, item: Item, names: tuple[str, ...], kind: str, event: Event) -> None:
        """Give a signal or fault its id, which in one fixture may stand for several of them."""
        id_item = member(item, names, self.report)
        id = text(id_item, self.report)
        if id is not None and id_item is not None:
            event.record[f"{kind}_id"] = self.ids.own(kind, id, id_item)
