"""The reference: a small honest system, every lawful choice of which is drawn from its seed.

In each tick it looks at its sandbox and then takes its items in hand, one after the other: admission, claims,
reassignment, draft, send, resolution. `Law` says what may be and what must be done now, `Pace` how long it waits with
what may be. It acts on what it has been shown so far; only the terms by which it is judged were told it before (`Brief`).
Over all seeds every conforming run can occur (`docs/model.md`, "Traps": nothing lawful leads into a dead end).
"""

from __future__ import annotations

from random import Random

from wellposed.compiler.canonical import sha256
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator.law import Law
from wellposed.verifier.amr.simulator.memory import Memory
from wellposed.verifier.amr.simulator.pace import Pace
from wellposed.verifier.amr.simulator.sandbox import MODEL_FREE, Brief, Record, Sandbox, carried
from wellposed.verifier.amr.simulator.snapshot import snapshot
from wellposed.verifier.amr.simulator.ticket import Ticket

FLEET = ("a1", "a2", "a3")


class Reference(Law):
    """One process of the system, from its start to a crash or the end of the run."""

    lazy: frozenset[str] = frozenset()
    """The acts that are mostly left to the last moment."""
    liberty = 0.15
    """How often a freedom is used that no system needs: another conversation, another anchor."""

    def __init__(self, brief: Brief, box: Sandbox, seed: str, budgets: Budgets) -> None:
        super().__init__(brief, Memory(box), budgets)
        self.box = box
        self.chance = Random(f"{seed}/{box.tick}/{len(self.memory.crashes)}")
        self.pace = Pace(self.chance, brief.horizon, self.lazy)
        fleet = (*FLEET, *brief.agents)
        self._hands = self.chance.sample(fleet, self.chance.randint(1, len(fleet)))

    def act(self) -> None:
        """Do the work of a tick."""
        self.memory.look()
        for ticket in self.memory.tickets.values():
            if self.takes(ticket):
                self.handle(ticket)
        self.box.state = self.shown()

    def takes(self, ticket: Ticket) -> bool:
        """Whether the system has to do with a message at all."""
        return True

    def shown(self) -> Record:
        """The snapshot of this tick: the one before, if it says the same."""
        state = snapshot(self.memory)
        return self.box.state if state == self.box.state else state

    def handle(self, ticket: Ticket) -> None:
        """One item, in the order in which its records of one tick stand."""
        if ticket.admitted is None:
            self._consider(ticket)
        if ticket.admitted is None:
            return
        self.claims(ticket)
        if self.pace.ready(ticket.id, "reassign", self.may_reassign(ticket)):
            self.reassign(ticket)
        giving_up = self.wants_to_give_up(ticket)
        if ticket.open:
            if self.must_reassign(ticket) and not giving_up and not (self._done(ticket) and self.chance.random() < 0.5):
                self.reassign(ticket)
            self._draft(ticket, giving_up)
            self._send(ticket, giving_up)
            self._resolve(ticket, giving_up)

    # Admission

    def _consider(self, ticket: Ticket) -> None:
        rules = self.citable(ticket)
        if self.pace.ready(ticket.id, "admit", bool(rules)) or self.must_admit(ticket):
            self.admit(ticket, self.chance.choice(rules))

    def admit(self, ticket: Ticket, rules: str) -> None:
        """Make a message an item, and give it to an agent; some say so with a claim that nobody contests."""
        work = f"item-{self.memory.admitted + 1}"
        self.tell("admission", work_id=work, message_id=ticket.id, rules_hash=rules)
        self.memory.hold(ticket, self.hand())
        if self.chance.random() < 0.3:
            self.announce(ticket)

    def announce(self, ticket: Ticket) -> None:
        """Say whose item it is, though nobody asks for that where nobody contends."""
        self.claim(ticket, ticket.holder, "claimed", "first in line")
        self.claim(ticket, ticket.holder, "won", "nobody else wants it")

    def hand(self, other_than: str = "") -> str:
        """An agent that lives; a new one where there is none."""
        living = [agent for agent in self._hands if self.memory.agents.get(agent, True) and agent != other_than]
        if living:
            return self.chance.choice(living)
        number = 1
        while f"a{number}" in self.memory.agents or f"a{number}" == other_than:
            number += 1
        return f"a{number}"

    # Agents

    def claims(self, ticket: Ticket) -> None:
        """Let agents contend for an item that nobody has won, and settle it."""
        if self.pace.ready(ticket.id, "contest", self.may_contend(ticket)):
            self.contend(ticket)
        self.settle_claims(ticket)

    def settle_claims(self, ticket: Ticket) -> None:
        """One agent wins and the others stand down, sooner or later, where several contend."""
        may_settle = ticket.contended and self.may_settle(ticket)
        if self.pace.ready(ticket.id, "settle", may_settle) or (may_settle and self.must_stand_down(ticket)):
            self.settle(ticket)

    def may_contend(self, ticket: Ticket) -> bool:
        return ticket.open and ticket.contest is None and not ticket.owned

    def may_settle(self, ticket: Ticket) -> bool:
        return True

    def contend(self, ticket: Ticket) -> None:
        first = ticket.holder if self.memory.agents[ticket.holder] else self.hand()
        self.claim(ticket, first, "claimed", "at hand")
        self.claim(ticket, self.hand(first), "claimed", "at hand, too")

    def settle(self, ticket: Ticket) -> None:
        """One of the claimants that live wins, the others stand down; a new agent where all have died."""
        assert ticket.contest is not None
        agents = ticket.contest.agents
        living = [agent for agent in agents if self.memory.agents[agent]]
        winner = self.chance.choice(living) if living else self.hand()
        if winner not in agents:
            self.claim(ticket, winner, "claimed", "the others died")
        self.win(ticket, winner, "first of the claims")
        for agent in agents:
            if agent != winner:
                self.claim(ticket, agent, "stood_down", f"{winner} has it")

    def win(self, ticket: Ticket, agent: str, reason: str) -> None:
        self.claim(ticket, agent, "won", reason)
        self.memory.hold(ticket, agent)

    def claim(self, ticket: Ticket, agent: str, outcome: str, reason: str) -> None:
        self.tell("claim", work_id=ticket.work_id, agent_id=agent, outcome=outcome, reason=reason)

    def reassign(self, ticket: Ticket) -> None:
        """Another agent takes up what a dead one held; while agents contend for it, one of these."""
        if ticket.contended and self.may_settle(ticket):
            self.settle(ticket)
        else:
            self.win(ticket, self.hand(), "its agent died")

    # Drafts

    def _draft(self, ticket: Ticket, giving_up: bool) -> None:
        act = "redraft" if ticket.drafts else "draft"
        due = self.must_draft(ticket) or (self.must_send(ticket) and not ticket.drafts)
        if self.pace.ready(ticket.id, act, self.may_draft(ticket)) or (due and not giving_up):
            self.declare(ticket)

    def may_draft(self, ticket: Ticket) -> bool:
        return self.now not in ticket.drafts.values()

    def declare(self, ticket: Ticket) -> None:
        """Declare a draft of a reply."""
        body, origin = self.written(ticket)
        record = {
            "body": body,
            "content_hash": sha256(body.encode()),
            "conversation_id": self.conversation(ticket),
            "declared_at": self.now,
            "draft_id": f"draft-{len(self.box.drafts) + 1}",
            "origin": origin,
            "work_id": ticket.work_id,
        }
        self.box.drafts.append(record)
        self.memory.wrote("drafts", record)

    def conversation(self, ticket: Ticket) -> str:
        """Where the reply goes: to its own conversation; below level 5 that is nobody's business."""
        if self.brief.level < 5 and self.chance.random() < self.liberty:
            return self.chance.choice(self.brief.conversations)
        return ticket.conversation

    def anchors(self, ticket: Ticket) -> frozenset[str]:
        """The anchors that a reply is to carry: its own thread's; below level 1 any."""
        on_file = self.brief.anchors
        if self.brief.level < 1 and self.chance.random() < self.liberty:
            return frozenset(anchor for anchor in on_file.values() if self.chance.random() < 0.5)
        return frozenset(on_file[name] for name in (ticket.conversation,) if name in on_file)

    def written(self, ticket: Ticket) -> tuple[str, str | list[str]]:
        """The text of a reply, and its origin: the stub model, shown the thread, or where that is no help no model."""
        wanted = self.anchors(ticket)
        context = (f"{message['subject']}\n{message['body']}" for message in self.context(ticket))
        call, reply = self.box.ask("\n".join((*context, *sorted(wanted))))
        if reply and carried(reply, self.brief.anchors.values()) == wanted:
            return reply, [call]
        return "\n".join(("Thank you for your message.", *sorted(wanted))), MODEL_FREE

    def context(self, ticket: Ticket) -> list[Record]:
        """The messages that the model is shown: those of the thread."""
        return [one.message for one in self.memory.tickets.values() if one.conversation == ticket.conversation]

    # Ends

    def _send(self, ticket: Ticket, giving_up: bool) -> None:
        """What is given up is not sent first, but for an escalation it may be: what has left may be abandoned for that."""
        if giving_up and not ticket.escalations:
            return
        drafts = self.sendable(ticket)
        due = not giving_up and (self.must_send(ticket) or self.must_settle(ticket) or self.must_end(ticket))
        if self.pace.ready(ticket.id, "send", bool(drafts)) or (drafts and due):
            self.emit(ticket, self.chance.choice(drafts))

    def emit(self, ticket: Ticket, draft: str, at: int | None = None) -> None:
        """Send a draft; `at` is the tick that the record says, if not the present one."""
        effect = f"effect-{len(self.box.outbox) + 1}"
        record = {"draft_id": draft, "effect_id": effect, "sent_at": self.now if at is None else at}
        if self.box.send(record):
            self.memory.wrote("outbox", record)

    def wants_to_give_up(self, ticket: Ticket) -> bool:
        """Whether the item is abandoned in this tick: where it may be, and sometimes where the alternative is due now."""
        allowed = self._may_give_up(ticket)
        wish = self.pace.ready(ticket.id, "give up", allowed)
        duties = (self.must_draft, self.must_send, self.must_settle, self.must_reassign)
        due = any(must(ticket) for must in duties)
        if not (wish or (allowed and due and self.chance.random() < 0.3)):
            return False
        self.close_claims(ticket)
        return self._may_give_up(ticket)

    def _may_give_up(self, ticket: Ticket) -> bool:
        return any(outcome == "abandoned" for outcome, _ in self.endings(ticket))

    def close_claims(self, ticket: Ticket) -> None:
        """Nobody contends for what is over. Who wins what a dead agent left has taken it up."""
        if ticket.contended and self.may_settle(ticket):
            self.settle(ticket)

    def _resolve(self, ticket: Ticket, giving_up: bool) -> None:
        if self.must_end(ticket) or self.must_settle(ticket):
            self.close_claims(ticket)
        endings = self.endings(ticket)
        done = [ending for ending in endings if ending[0] == "completed"]
        if giving_up:
            endings = [ending for ending in endings if ending[0] == "abandoned"]
        elif self.pace.ready(ticket.id, "complete", bool(done)) or self.must_reassign(ticket):
            self.close_claims(ticket)
            endings = done or endings
        elif not (self.must_end(ticket) or (self.must_settle(ticket) and not ticket.sends)):
            return
        if endings:
            self.resolve(ticket, *self.chance.choice(endings))

    def _done(self, ticket: Ticket) -> bool:
        """Whether it was sent, and may be closed."""
        return bool(ticket.sends and self.endings(ticket))

    def resolve(self, ticket: Ticket, outcome: str, reason: str | None) -> None:
        self.tell("resolution", work_id=ticket.work_id, outcome=outcome, reason=reason)

    def tell(self, event: str, **members: str | None) -> None:
        """Write a line of the audit log."""
        record = {"at": self.now, "event": event, **members}
        self.box.audit.append(record)
        self.memory.wrote("audit", record)
