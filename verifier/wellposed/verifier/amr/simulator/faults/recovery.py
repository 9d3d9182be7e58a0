"""Faulty systems that lose their work, or redo it: in a crash, or with an agent."""

from __future__ import annotations

from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.ticket import Ticket


class ForgetsOnCrash(Faulty):
    """Loses in a crash what it had not finished, but for who contends for it."""

    def handle(self, ticket: Ticket) -> None:
        if any(ticket.live(crash) for crash in self.memory.crashes):
            self.settle_claims(ticket)
        else:
            super().handle(ticket)


class RestartsStepOnCrash(Faulty):
    """Drafts anew after a crash and sends that draft, whatever was approved."""

    def _moved(self, ticket: Ticket) -> list[int]:
        """The crashes whose work is still to be done again."""
        if not ticket.open or ticket.sends or ticket.escalations:
            return []
        within, budget = self.calendar.within, self.budgets.crash
        return [crash for crash in self.memory.crashes if within(crash, budget) and self.pending(ticket, crash)]

    def _due(self, ticket: Ticket) -> bool:
        return any(self.calendar.due(crash, self.budgets.crash) for crash in self._moved(ticket))

    def handle(self, ticket: Ticket) -> None:
        self.renew(ticket, self._moved(ticket), self.must_send(ticket))
        super().handle(ticket)

    def must_send(self, ticket: Ticket) -> bool:
        return self._due(ticket) or super().must_send(ticket)

    def sendable(self, ticket: Ticket) -> list[str]:
        moved = self._moved(ticket)
        if not moved:
            return super().sendable(ticket)
        return self.fresh(ticket, moved) if self.calendar.open else []

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        return [] if self._moved(ticket) else super().endings(ticket)

    def regrets(self, ticket: Ticket) -> bool:
        return self.unauthorised(ticket) and not any(
            self.pending(ticket, crash)
            and crash <= ticket.drafts[ticket.sends[0][1]]
            and self.calendar.opened_between(crash, ticket.sends[0][0]) <= self.budgets.crash
            and not self.escalated_within(ticket, crash, self.budgets.crash)
            for crash in self.memory.crashes
            if crash <= ticket.sends[0][0]
        )


class DropsDeadAgentsWork(Faulty):
    """Loses what a dying agent held; no two agents ever want the same, which could bring it back."""

    def may_contend(self, ticket: Ticket) -> bool:
        return False

    def handle(self, ticket: Ticket) -> None:
        if not ticket.deaths:
            super().handle(ticket)
