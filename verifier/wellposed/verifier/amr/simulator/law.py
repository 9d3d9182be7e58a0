"""What a system may do with an item at this tick, and what it must do at this very tick, as the obligations have it.

Everything is asked of what has happened so far: no obligation needs foresight, and what is due is due at a deadline and
not before. The ids in the docstrings are those of the table in `docs/model.md`, from which this is written; it shares
nothing with the engine and the log checker but the budgets. The methods are the decision points that a faulty system overrides.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.operators import HOLDS
from wellposed.dsl.vocabulary import REASONS
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator.memory import Memory
from wellposed.verifier.amr.simulator.sandbox import Brief, Record
from wellposed.verifier.amr.simulator.ticket import Ticket

BUDGET_OF = {
    "L0.draft": "draft",
    "L0.reply": "reply",
    "L1.crash": "crash",
    "L2.admit": "admit",
    "L2.send": "send",
    "L3.claims": "claims",
    "L3.death": "death",
}
"""The rows that make something due within a budget."""


class Law:
    """The obligations over what a system remembers, in the tick that its calendar shows."""

    def __init__(self, brief: Brief, memory: Memory, budgets: Budgets) -> None:
        self.brief = brief
        self.memory = memory
        self.calendar = memory.calendar
        self.budgets = budgets

    @property
    def now(self) -> int:
        return self.calendar.now

    @property
    def at_horizon(self) -> bool:
        return self.now == self.brief.horizon

    def gated(self, ticket: Ticket) -> bool:
        """Whether the item waits for a decision."""
        return self.brief.level >= 2 or ticket.id in self.brief.decided

    def allowed(self, row: str) -> int:
        """The budget of a row that makes something due, in ticks."""
        return int(getattr(self.budgets, BUDGET_OF[row]))

    # Admission

    def policy(self, tick: int) -> tuple[str, str]:
        """The posture and the hash of the rules by which a message is judged at a tick."""
        return self.memory.policy(tick)

    def admits(self, ticket: Ticket, posture: str, rules: str) -> bool:
        """Whether the first rule that applies to a message admits it."""
        for rule in self.memory.box.versions[rules]:
            if all(_holds(condition, ticket, posture) for condition in rule["when"]):
                return bool(rule["effect"] == "admit")
        return False

    def matches(self, ticket: Ticket, tick: int) -> bool:
        return self.admits(ticket, *self.policy(tick))

    def required(self, ticket: Ticket) -> bool:
        """Whether the message matches at its delivery, and at every tick around it that has come: final after `admit`."""
        first = self.calendar.index(ticket.arrived)
        start, end = max(0, first - self.budgets.lag), first + self.budgets.admit
        around = self.calendar.span(start, end)
        return self.matches(ticket, ticket.arrived) and all(self.matches(ticket, tick) for tick in around)

    def citable(self, ticket: Ticket) -> list[str]:
        """The rules versions that an admission now may cite (L2.only); below level 2 any that was in force lately."""
        pairs = dict.fromkeys(self.policy(tick) for tick in self.calendar.back(self.budgets.lag))
        return [rules for posture, rules in pairs if self.brief.level < 2 or self.admits(ticket, posture, rules)]

    def must_admit(self, ticket: Ticket) -> bool:
        """L2.admit; and work that is owed a draft or a reply now has to be an item for that."""
        if self.brief.level >= 2:
            return self.calendar.since(ticket.arrived) == self.allowed("L2.admit") and self.required(ticket)
        return self.must_draft(ticket) or self.must_send(ticket)

    # Drafts and sends

    def start(self, ticket: Ticket) -> int | None:
        """Where the clock of owed work starts: the delivery if the message is required, else the admission."""
        return ticket.arrived if self.required(ticket) else ticket.admitted

    def must_draft(self, ticket: Ticket) -> bool:
        """L0.draft."""
        if ticket.drafts or ticket.escalations or ticket.resolution:
            return False
        start = self.start(ticket)
        return start is not None and self.calendar.since(start) == self.allowed("L0.draft")

    def sendable(self, ticket: Ticket) -> list[str]:
        """The drafts that may be sent now (L1.once, L2.authority, L4.stop)."""
        if not ticket.open or ticket.sends or not self.calendar.open or self.stopped(ticket):
            return []
        return [draft for draft in ticket.drafts if self.brief.level < 2 or ticket.authorised(draft, self.now)]

    def stopped(self, ticket: Ticket) -> bool:
        """L4.stop, and L6.stop with it."""
        return self.brief.level >= 4 and bool(ticket.escalations)

    def must_send(self, ticket: Ticket) -> bool:
        """L0.reply and L2.send."""
        if ticket.sends or ticket.resolution or ticket.escalations:
            return False
        return any(
            self.calendar.due(cause, budget) and not self.excused(ticket, cause, place)
            for cause, place, budget in self.causes(ticket)
        )

    def causes(self, ticket: Ticket) -> Iterator[tuple[int, int, int]]:
        """What a send is due for: the tick, how many decisions it comes behind, and the budget."""
        if self.gated(ticket):
            for place, decision in enumerate(ticket.decisions):
                if decision.approve and not ticket.over_before(decision.tick):
                    yield decision.tick, place + 1, self.allowed("L0.reply")
                    if self.brief.level >= 2:
                        yield decision.tick, place + 1, self.allowed("L2.send")
            return
        start = self.start(ticket)
        if start is not None:
            yield start, 0, self.allowed("L0.reply")

    def excused(self, ticket: Ticket, cause: int, place: int) -> bool:
        """A later reject, or a crash since the cause that found the item pending."""
        if any(not one.approve and not ticket.standing(one.tick) for one in ticket.decisions[place:]):
            return True
        return any(crash >= cause and self.pending(ticket, crash) for crash in self.memory.crashes)

    # Crashes and deaths

    def pending(self, ticket: Ticket, crash: int) -> bool:
        """Whether a crash found the item pending."""
        ready = not self.gated(ticket) or ticket.standing(crash)
        escalated = any(escalation <= crash for escalation in ticket.escalations)
        return ready and not escalated and ticket.drafted_before(crash) and not ticket.over_before(crash)

    def must_settle(self, ticket: Ticket) -> bool:
        """L1.crash: a send, or an abandonment."""
        if ticket.sends or ticket.resolution or ticket.escalations or self.brief.level < 1:
            return False
        return any(
            self.calendar.due(crash, self.allowed("L1.crash"))
            and self.pending(ticket, crash)
            and not any(one.tick > crash and not ticket.standing(one.tick) for one in ticket.rejects)
            and not any(other > crash and self.pending(ticket, other) for other in self.memory.crashes)
            for crash in self.memory.crashes
        )

    def may_reassign(self, ticket: Ticket) -> bool:
        return ticket.orphaned and ticket.resolution is None

    def must_reassign(self, ticket: Ticket) -> bool:
        """L3.death: a reassignment, or a resolution."""
        if self.brief.level < 3 or not self.may_reassign(ticket):
            return False
        taken = ticket.won[-1] if ticket.won else -1
        budget = self.allowed("L3.death")
        return any(self.calendar.since(death) == budget and death > taken for death in ticket.deaths)

    # Ends

    def met(self, ticket: Ticket) -> bool:
        """The cause of L4.resolve: an escalation that finds the item neither sent nor resolved."""
        return any(not ticket.over_before(escalation) for escalation in ticket.escalations)

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        """The resolutions that are lawful now (K.completed, K.reason, K.closed, L0.abandon, L4.resolve, L6.stop)."""
        if not ticket.open:
            return []
        reasons = self.reasons(ticket) if self.may_abandon(ticket) else []
        if (self.brief.level >= 4 and self.met(ticket)) or ticket.sends:
            reasons = [reason for reason in reasons if reason == "operator_escalation"]
        found: list[tuple[str, str | None]] = [("abandoned", reason) for reason in reasons]
        if ticket.sends and not (self.brief.level >= 4 and self.met(ticket)):
            found.append(("completed", None))
        return found

    def reasons(self, ticket: Ticket) -> list[str]:
        """The reasons for an abandonment that have happened (K.reason)."""
        happened = {
            "operator_escalation": ticket.escalations,
            "rejected": ticket.rejects,
            "agent_death": ticket.deaths,
            "crash": self.memory.crashes,
        }
        return [reason for reason in REASONS if happened[reason]]

    def may_abandon(self, ticket: Ticket) -> bool:
        """L0.abandon."""
        if ticket.escalations:
            return True
        if ticket.sends:
            return False
        if ticket.rejects and not ticket.standing(self.now):
            return True
        if ticket.orphaned and self.calendar.since(ticket.deaths[-1]) <= self.budgets.death:
            return True
        return any(
            self.calendar.within(crash, self.budgets.crash) and self.pending(ticket, crash)
            for crash in self.memory.crashes
        )

    def must_end(self, ticket: Ticket) -> bool:
        """L3.terminal and L4.resolve: at the horizon."""
        if not self.at_horizon or not ticket.open:
            return False
        if self.brief.level >= 4 and self.met(ticket):
            return True
        if self.brief.level < 3 or not ticket.decisions:
            return False
        running = any(
            self.pending(ticket, crash) and self.calendar.opened_since(crash) < self.budgets.crash
            for crash in self.memory.crashes
        )
        return self.calendar.opened_since(ticket.decisions[0].tick) >= self.budgets.terminal and not running

    # Claims

    def must_stand_down(self, ticket: Ticket) -> bool:
        """L3.claims: the claims are settled; each death in the window starts it anew."""
        if self.brief.level < 3 or ticket.contest is None or not ticket.contended:
            return False
        start = ticket.contest.claimed
        for death in ticket.deaths:
            if start <= death and self.calendar.between(start, death) <= self.budgets.claims:
                start = death
        return self.calendar.since(start) == self.allowed("L3.claims")


def _holds(condition: Record, ticket: Ticket, posture: str) -> bool:
    """Whether a condition of a rule holds of a message."""
    field = condition["field"]
    if field == "posture":
        value: str | int = posture
    elif field in ticket.history:
        value = ticket.history[field]
    else:
        value = ticket.message[field.removeprefix("message.")]
    return HOLDS[condition["op"]](value, condition["value"])
