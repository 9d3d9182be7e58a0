"""The signals of a fixture: escalations, deaths, and their records once more."""

from __future__ import annotations

from dataclasses import dataclass, field

from wellposed.compiler.adopt import words
from wellposed.compiler.adopt.ids import Ids, WorkItems
from wellposed.compiler.adopt.report import MISSING, WRONG_VALUE, AdoptReport, Item, member, required, text, word
from wellposed.compiler.adopt.schedule import Event, Record, stamp
from wellposed.compiler.shapes import WORK_PREFIX


@dataclass(slots=True)
class Signals:
    """Reads signals in the order of their file. `known` has what was read under each id of the fixture."""

    report: AdoptReport
    ids: Ids
    agents: Ids
    work: WorkItems
    known: dict[str, Record] = field(default_factory=dict)

    def read(self, item: Item, event: Event) -> bool:
        """Whether the record is a signal; an event is made of it."""
        names, report = words.SIGNALS, self.report
        kind = word(required(item, names["signal_type"], "a signal", report), words.SIGNAL_TYPES, report)
        target = self._target(item, kind) if kind is not None else None
        if kind is None or target is None:
            return False
        if kind == "OPERATOR_ESCALATION":
            event.stem = f"{str(target).removeprefix(WORK_PREFIX)}.escalate"
        else:
            about = target if isinstance(target, str) else target["holder_of"].removeprefix(WORK_PREFIX)
            event.stem = f"{about}.death"
        content = {"signal_type": kind, "target": target} | self._deferred(item)
        event.record = self._identified(item, content, event) | stamp(event)
        return True

    def _identified(self, item: Item, content: Record, event: Event) -> Record:
        """The content with its id: a known one where it is the same record again. One id may stand for several."""
        id_item = member(item, words.SIGNALS["signal_id"], self.report)
        id = text(id_item, self.report)
        first = None if id is None else self.known.get(id)
        if first is not None and first == content | {"signal_id": first["signal_id"]}:
            return first
        if "deferred" in content and (event.at is None or not _is_about_an_item(content)):
            message = "what is deferred is a signal on a work item, written for a tick"
            self.report.refuse(WRONG_VALUE, message, item)
        if id is None or id_item is None:
            return content
        named = content | {"signal_id": self.ids.own("signal", id, id_item)}
        self.known.setdefault(id, named)
        return named

    def _deferred(self, item: Item) -> Record:
        said = member(item, words.SIGNALS["deferred"], self.report)
        if said is not None and type(said.value) is not bool:
            self.report.refuse(WRONG_VALUE, "`deferred` is true or false", said)
        return {"deferred": True} if said is not None and said.value is True else {}

    def _target(self, item: Item, kind: str) -> str | Record | None:
        """The target of a signal as a bundle has it; None after reporting what is wrong with it."""
        names, report = words.SIGNALS, self.report
        target = member(item, names["target"], report)
        inside = target if target is not None and isinstance(target.value, dict) else item
        held = [one for part in ("holder_of", "work_id") if (one := member(inside, names[part], report)) is not None]
        mail = member(inside, names["message_id"], report)
        agent = member(inside, names["agent_id"], report)
        message: str | None = None
        if held or mail is not None:
            message = self.work.work(held[0]) if held else self.work.message(mail or item)
            if message is None:
                return None
        elif target is not None and inside is item:
            if text(target, report) is None:
                return None
            if kind == "OPERATOR_ESCALATION":
                message = self.work.work(target)
                if message is None:
                    return None
            else:
                # An agent may be called as any work item, but for the colon.
                message = self.work.guess(target) if target.value.startswith(WORK_PREFIX) else None
                agent = target
        if kind == "OPERATOR_ESCALATION" and message is not None:
            return WORK_PREFIX + message
        if kind == "AGENT_DEATH" and message is not None:
            return {"holder_of": WORK_PREFIX + message}
        if kind == "AGENT_DEATH" and agent is not None:
            id = text(agent, report)
            return None if id is None else self.agents.name("agent", id, agent)
        report.refuse(MISSING, "a signal has a `target`", item)
        return None


def _is_about_an_item(content: Record) -> bool:
    return content["signal_type"] == "OPERATOR_ESCALATION" or isinstance(content["target"], dict)
