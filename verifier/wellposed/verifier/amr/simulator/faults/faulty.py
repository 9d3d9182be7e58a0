"""What the faulty systems have in common: they are the reference but for one decision, and some look back at the end.

A faulty system is a set of logs (`docs/mutants.md`): whether an item has a cause to be treated wrongly can depend on what
comes later, such as an escalation within the budget of a send. A system acts without knowing that. So a run in which it
turns out that it erred without a cause is none of its runs, and is drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator.reference import Reference
from wellposed.verifier.amr.simulator.sandbox import Brief, Sandbox
from wellposed.verifier.amr.simulator.ticket import Ticket


@dataclass(slots=True)
class Trial:
    """What is known of one run besides its logs: whether a system that has to be late somewhere has been."""

    showed: bool = False


class Faulty(Reference):
    """A system that errs. `shows`: a run of it has to show the fault, or it is none."""

    shows = False
    liberty = 0.0
    """It replies where it should, and with the anchor of its thread, unless its fault is that (`docs/mutants.md`)."""

    def __init__(self, brief: Brief, box: Sandbox, seed: str, budgets: Budgets, trial: Trial) -> None:
        super().__init__(brief, box, seed, budgets)
        self.trial = trial

    @classmethod
    def first_level(cls) -> int:
        """The level below which no run of it can show the fault, if one has to."""
        return 0

    def accepted(self) -> bool:
        """At the end of a run: whether it is one of this system."""
        if self.shows and not self.trial.showed:
            return False
        return not any(self.regrets(ticket) for ticket in self.memory.tickets.values())

    def regrets(self, ticket: Ticket) -> bool:
        """Whether it erred with an item that had no cause for it, seen from the end."""
        return False

    def escalated_within(self, ticket: Ticket, cause: int, budget: int) -> bool:
        """Whether an escalation came by the end of a window, before its cause or in it."""
        calendar = self.calendar
        return any(one <= cause or calendar.opened_between(cause, one) <= budget for one in ticket.escalations)

    def unauthorised(self, ticket: Ticket) -> bool:
        """Whether the item was sent, and nothing allowed that at its tick."""
        if self.brief.level < 2 or not ticket.sends:
            return False
        tick, draft = ticket.sends[0]
        return not ticket.authorised(draft, tick)

    def fresh(self, ticket: Ticket, causes: list[int]) -> list[str]:
        """The drafts that were declared when all of the causes had come."""
        return [draft for draft, tick in ticket.drafts.items() if tick >= max(causes)]

    def renew(self, ticket: Ticket, causes: list[int], due: bool) -> None:
        """Draft anew for what has come, at the latest where the send is due."""
        stale = bool(causes) and not self.fresh(ticket, causes) and self.may_draft(ticket)
        if self.pace.ready(ticket.id, "renew", stale) or (stale and due):
            self.declare(ticket)
