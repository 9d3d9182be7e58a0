"""What the reference knows: its work items, folded from the logs, and the calendar and policies of its own notebook.

The same fold serves the running system, record by record, and the one that starts after a crash with nothing but its
sandbox. So a restart forgets nothing that was written down, and remembers nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from wellposed.verifier.amr.simulator.calendar import Calendar
from wellposed.verifier.amr.simulator.sandbox import Record, Sandbox
from wellposed.verifier.amr.simulator.ticket import Contest, Decision, Ticket

WORK = "work:"
READ = ("inbox", "approvals", "signals")
WRITTEN = (("audit", "at"), ("drafts", "declared_at"), ("outbox", "sent_at"))
PHASES = {name: phase for phase, name in enumerate((*READ, "admission", "held", "claim", "drafts", "outbox", "resolution"))}
"""The order of the records of one tick."""


@dataclass(slots=True)
class Notebook:
    """The file that the reference keeps beside its logs: when it read each line, what changed when, and who has what.

    `last` is the last tick that it has seen, `jumps` pairs of ticks between which there was none. `policies` are a tick,
    the posture and the rules in force since; `openings` say since when the outbox is open or closed.
    """

    last: int = -1
    jumps: list[tuple[int, int]] = field(default_factory=list)
    policies: list[tuple[int, str, str]] = field(default_factory=list)
    openings: dict[int, bool] = field(default_factory=dict)
    restarts: list[int] = field(default_factory=list)
    holders: list[tuple[int, str, str]] = field(default_factory=list)
    read: dict[str, list[int]] = field(default_factory=lambda: {log: [] for log in READ})


class Memory:
    """Reads the sandbox. `tickets` are by message id, in the order of delivery; `agents` says of each whether it lives.

    `dangling` are the ticks of forged approvals of drafts that nobody declared.
    """

    def __init__(self, box: Sandbox) -> None:
        self.box = box
        self.calendar = Calendar()
        self.tickets: dict[str, Ticket] = {}
        self.agents: dict[str, bool] = {}
        self.dangling: list[int] = []
        self._works: dict[str, Ticket] = {}
        self._drafts: dict[str, tuple[Ticket, str]] = {}
        self._decisions: set[str] = set()
        self._signals: set[str] = set()
        self._early: dict[str, list[int]] = defaultdict(list)
        if isinstance(box.kept, Notebook):
            self.notes = box.kept
            self._recall()
            self.notes.restarts.append(box.tick)
        else:
            self.notes = box.kept = Notebook()

    @property
    def crashes(self) -> list[int]:
        """The ticks of all crashes so far: a restart takes no time."""
        return self.notes.restarts

    @property
    def admitted(self) -> int:
        """How many messages are items."""
        return len(self._works)

    def look(self) -> None:
        """Take in the tick: the clock, what is in force, and what the harness has written."""
        box, notes = self.box, self.notes
        if box.tick > notes.last + 1:
            notes.jumps.append((notes.last, box.tick))
        if box.outbox_open is not self.calendar.open:
            notes.openings[box.tick] = box.outbox_open
        if not notes.policies or notes.policies[-1][1:] != (box.posture, box.rules_hash):
            notes.policies.append((box.tick, box.posture, box.rules_hash))
        notes.last = box.tick
        self.calendar.advance(box.tick, box.outbox_open)
        for log in READ:
            records: list[Record] = getattr(box, log)
            read = notes.read[log]
            for record in records[len(read) :]:
                read.append(box.tick)
                self._apply(log, record, box.tick)

    def policy(self, tick: int) -> tuple[str, str]:
        """The posture and the hash of the rules in force at a tick that has been seen."""
        return next((posture, rules) for since, posture, rules in reversed(self.notes.policies) if since <= tick)

    def of_draft(self, draft: str) -> Ticket:
        """The item of a draft of the system's own."""
        return self._drafts[draft][0]

    def hold(self, ticket: Ticket, agent: str) -> None:
        """An agent takes the item over, and the notebook says so."""
        self.notes.holders.append((self.box.tick, ticket.work_id, agent))
        self._held(ticket.work_id, agent)

    def wrote(self, log: str, record: Record) -> None:
        """Take in a record of the system's own."""
        self._apply(record["event"] if log == "audit" else log, record, self.box.tick)

    def _held(self, work_id: str, agent: str) -> None:
        self._works[work_id].holder = agent
        self.agents.setdefault(agent, True)

    def _apply(self, kind: str, record: Record, tick: int) -> None:
        match kind:
            case "inbox":
                self._delivered(record, tick)
            case "approvals":
                self._decided(record, tick)
            case "signals":
                self._signalled(record)
            case "admission":
                self._admitted(record)
            case "claim":
                self._claimed(record)
            case "drafts":
                ticket = self._works[record["work_id"]]
                ticket.drafts[record["draft_id"]] = record["declared_at"]
                self._drafts[record["draft_id"]] = ticket, record["content_hash"]
            case "outbox":
                self.of_draft(record["draft_id"]).sends.append((record["sent_at"], record["draft_id"]))
            case "resolution":
                resolution = record["at"], record["outcome"], record["reason"]
                self._works[record["work_id"]].resolution = resolution

    def _delivered(self, record: Record, tick: int) -> None:
        known = self.tickets.get(record["id"])
        if known is not None:
            known.redelivered.append(tick)
            return
        before = [ticket.message for ticket in self.tickets.values() if ticket.arrived < tick]
        senders = [one for one in before if one["from"] == record["from"]]
        history = {
            "thread.length": sum(one["conversation_id"] == record["conversation_id"] for one in before),
            "sender.messages": len(senders),
            "sender.conversations": len({one["conversation_id"] for one in senders}),
        }
        ticket = self.tickets[record["id"]] = Ticket(record, tick, history)
        ticket.escalations += self._early.pop(record["id"], [])

    def _decided(self, record: Record, tick: int) -> None:
        """A decision is genuine if it binds a draft by its id and its hash, and counts once."""
        ticket, content = self._drafts.get(record["draft_id"], (None, ""))
        approve, again = record["decision"] == "approve", record["approval_id"] in self._decisions
        self._decisions.add(record["approval_id"])
        if ticket is None:
            if approve and not again:
                self.dangling.append(tick)
        elif content != record["content_hash"]:
            if approve and not again:
                ticket.forged.append(tick)
        elif not again:
            ticket.decisions.append(Decision(tick, approve, record["draft_id"]))
        elif approve:
            ticket.repeated.append(tick)

    def _signalled(self, record: Record) -> None:
        """A signal counts once. A death touches what its agent holds and is live."""
        if record["signal_id"] in self._signals:
            return
        self._signals.add(record["signal_id"])
        target, tick = record["target"], record["at"]
        if record["signal_type"] == "AGENT_DEATH":
            self.agents[target] = False
            for ticket in self.tickets.values():
                if ticket.holder == target and ticket.live(tick):
                    ticket.deaths.append(tick)
                    ticket.owned = False
            return
        message = target.removeprefix(WORK)
        escalated = self._works.get(target) or self.tickets.get(message)
        (self._early[message] if escalated is None else escalated.escalations).append(tick)

    def _admitted(self, record: Record) -> None:
        ticket = self.tickets[record["message_id"]]
        if ticket.admitted is None:
            ticket.work_id, ticket.admitted = record["work_id"], record["at"]
            self._works[ticket.work_id] = ticket
        else:
            ticket.fork = record["work_id"]

    def _claimed(self, record: Record) -> None:
        """A claim; a `won` behind a death that touched the item is the reassignment that it calls for."""
        ticket, agent = self._works[record["work_id"]], record["agent_id"]
        self.agents.setdefault(agent, True)
        if record["outcome"] == "won":
            if ticket.orphaned:
                ticket.won.append(record["at"])
            ticket.owned = True
        elif record["outcome"] == "claimed":
            ticket.contest = ticket.contest or Contest(record["at"], [])
            ticket.contest.agents.append(agent)
        elif ticket.contest is not None:
            ticket.contest.settled = record["at"]

    def _recall(self) -> None:
        """Fold everything that was written before the crash, in the order in which it happened."""
        jumped = {tick for first, last in self.notes.jumps for tick in range(first + 1, last)}
        is_open = True
        for tick in range(self.notes.last + 1):
            is_open = self.notes.openings.get(tick, is_open)
            if tick not in jumped:
                self.calendar.advance(tick, is_open)
        for tick, _, kind, record in sorted(self._remembered(), key=lambda one: one[:2]):
            if kind == "held":
                self._held(record["work_id"], record["agent_id"])
            else:
                self._apply(kind, record, tick)

    def _remembered(self) -> Iterator[tuple[int, int, str, Record]]:
        """Every record with its tick, its place in the tick and its kind; of the harness's, those that were read."""
        for log in READ:
            for tick, record in zip(self.notes.read[log], getattr(self.box, log), strict=False):
                yield tick, PHASES[log], log, record
        for log, stamp in WRITTEN:
            for record in getattr(self.box, log):
                kind = record["event"] if log == "audit" else log
                yield record[stamp], PHASES[kind], kind, record
        for tick, work_id, agent in self.notes.holders:
            yield tick, PHASES["held"], "held", {"work_id": work_id, "agent_id": agent}
