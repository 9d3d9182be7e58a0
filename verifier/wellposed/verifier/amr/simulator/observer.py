"""The eyes of the harness: which lines a system has written, to which item they belong, and what its snapshot says."""

from __future__ import annotations

from dataclasses import dataclass, field

from wellposed.verifier.amr.simulator.sandbox import Record, Sandbox
from wellposed.verifier.amr.simulator.schedule import Schedule

WATCHED = (("audit", "audit"), ("drafts", "drafts"), ("outbox", "outbox"), ("calls", "model-calls"))
"""The logs of a system, in the order in which they are looked at, each with the name of its file."""


@dataclass(slots=True)
class Item:
    """The work item of a message, as its first admission names it. `over`: sent, or resolved."""

    work_id: str
    drafts: list[Record] = field(default_factory=list)
    over: bool = False


class Observer:
    """Looks at the logs at the end of each tick. `items` are by message; `states` are the snapshots read."""

    def __init__(self, box: Sandbox, schedule: Schedule, run: list[Record]) -> None:
        self._box = box
        self._schedule = schedule
        self._run = run
        self._counts = dict.fromkeys((log for log, _ in WATCHED), 0)
        self._messages: dict[str, str] = {}
        self._of_draft: dict[str, str] = {}
        self.items: dict[str, Item] = {}
        self.states: list[Record] = []

    def look(self) -> None:
        """Take down what is new, and call up what waits for it."""
        for log, name in WATCHED:
            records: list[Record] = getattr(self._box, log)
            for line in range(self._counts[log], len(records)):
                self._see(log, records[line])
                self._run.append(
                    {"event": "first-seen", "file": f"{name}.jsonl", "line": line + 1, "tick": self._box.tick}
                )
            self._counts[log] = len(records)

    def snapshot(self, eventful: bool) -> None:
        """Read the state, where anything was written or it was made anew."""
        if eventful or self._box.state is not self.states[-1]["state"]:
            self.states.append({"state": self._box.state, "tick": self._box.tick})

    def holder(self, item: Item) -> str | None:
        """The agent that the latest snapshot assigns to an item, unless the item is over."""
        if item.over or not self.states:
            return None
        assignments = self.states[-1]["state"]["assignments"]
        return next((str(one["agent_id"]) for one in assignments if one["work_id"] == item.work_id), None)

    def _see(self, log: str, record: Record) -> None:
        if log == "audit" and record["event"] == "admission":
            message, work = record["message_id"], record["work_id"]
            if message not in self.items:
                self.items[message] = Item(work)
                self._messages[work] = message
                self._schedule.trigger(message, "admitted")
            return
        work = self._of_draft[record["draft_id"]] if log == "outbox" else record.get("work_id")
        if log == "drafts":
            self._of_draft[record["draft_id"]] = record["work_id"]
        message = self._messages.get(work or "")
        if message is None:  # a call, or a second item of a message that has one: nothing in a schedule means that
            return
        item = self.items[message]
        if log == "drafts":
            item.drafts.append(record)
            self._schedule.trigger(message, "drafted")
        elif log == "outbox":
            item.over = True
            self._schedule.trigger(message, "sent")
        elif record["event"] == "resolution":
            item.over = True
