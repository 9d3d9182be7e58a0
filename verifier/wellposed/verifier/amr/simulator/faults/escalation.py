"""Faulty systems that do not stop for an operator."""

from __future__ import annotations

from collections import defaultdict

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator.faults.faulty import Faulty, Trial
from wellposed.verifier.amr.simulator.sandbox import Brief, Sandbox
from wellposed.verifier.amr.simulator.ticket import Ticket


class SendsAfterEscalation(Faulty):
    """Heeds no escalation, and does what would be due without it. A crash finds nothing pending behind one, as ever."""

    def __init__(self, brief: Brief, box: Sandbox, seed: str, budgets: Budgets, trial: Trial) -> None:
        super().__init__(brief, box, seed, budgets, trial)
        self._unheeded: defaultdict[str, list[int]] = defaultdict(list)

    def handle(self, ticket: Ticket) -> None:
        self._unheeded[ticket.id] += ticket.escalations
        ticket.escalations.clear()
        super().handle(ticket)

    def pending(self, ticket: Ticket, crash: int) -> bool:
        return super().pending(ticket, crash) and not any(tick <= crash for tick in self._unheeded[ticket.id])

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        waiting = not ticket.sends and any(
            self.calendar.within(cause, budget) and not self.excused(ticket, cause, place)
            for cause, place, budget in self.causes(ticket)
        )
        return [] if waiting else super().endings(ticket)


class CompletesAfterEscalation(Faulty):
    """Reports as completed what an operator has taken away."""

    def stopped(self, ticket: Ticket) -> bool:
        return self.met(ticket)

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        if not self.met(ticket):
            return super().endings(ticket)
        return [("completed", None)] if ticket.open else []

    def must_end(self, ticket: Ticket) -> bool:
        return super().must_end(ticket) or (self.at_horizon and ticket.open and self.met(ticket))


class DropsEscalated(Faulty):
    """Stops for an operator and never says that it gave up."""

    def stopped(self, ticket: Ticket) -> bool:
        return self.met(ticket)

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        return [] if self.met(ticket) else super().endings(ticket)

    def must_reassign(self, ticket: Ticket) -> bool:
        return not self.met(ticket) and super().must_reassign(ticket)
