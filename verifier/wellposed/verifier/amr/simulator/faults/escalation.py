"""Faulty systems that do not stop for an operator."""

from __future__ import annotations

from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.ticket import Ticket


class SendsAfterEscalation(Faulty):
    """Never hears of an escalation, and does what would be due without it."""

    def handle(self, ticket: Ticket) -> None:
        ticket.escalations.clear()
        super().handle(ticket)

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
