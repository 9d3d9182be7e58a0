"""Faulty systems that do again what they have done: for a copy of a record, or after a crash."""

from __future__ import annotations

from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.ticket import Ticket


class _SendsAgain(Faulty):
    """Sends an item once more when something has come again, unless an operator has it."""

    def copies(self, ticket: Ticket) -> list[int]:
        """The ticks at which something came that makes the system send what it has sent again."""
        raise NotImplementedError

    def _again(self, ticket: Ticket) -> bool:
        """Whether a second send is still to come."""
        return len(ticket.sends) == 1 and bool(self.copies(ticket)) and not ticket.escalations

    def handle(self, ticket: Ticket) -> None:
        super().handle(ticket)
        draft = ticket.sends[0][1] if ticket.sends else ""
        may = ticket.open and self._again(ticket) and (self.brief.level < 2 or ticket.authorised(draft, self.now))
        if self.pace.ready(ticket.id, "again", may) or (may and self.at_horizon):
            self.emit(ticket, draft)
            if self.at_horizon:
                self._resolve(ticket, giving_up=False)

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        return [] if self._again(ticket) else super().endings(ticket)

    def regrets(self, ticket: Ticket) -> bool:
        copies = self.copies(ticket)
        if not ticket.sends or not copies or ticket.escalations:
            return len(ticket.sends) > 1
        return len(ticket.sends) < 2 or ticket.sends[1][0] < max(copies)


class DuplicatesOnRedelivery(_SendsAgain):
    """Replies again to a message that is delivered again."""

    def copies(self, ticket: Ticket) -> list[int]:
        return ticket.redelivered


class ResendsOnRepeatedApproval(_SendsAgain):
    """Sends again when an approval is repeated."""

    def copies(self, ticket: Ticket) -> list[int]:
        return ticket.repeated


class ResendsOnCrash(_SendsAgain):
    """Sends again after a crash what it had sent before it."""

    def copies(self, ticket: Ticket) -> list[int]:
        return [crash for crash in self.memory.crashes if ticket.sent is not None and ticket.sent < crash]


class ForksOnRedelivery(Faulty):
    """Opens a second item for a message that is delivered again."""

    def handle(self, ticket: Ticket) -> None:
        super().handle(ticket)
        may = ticket.admitted is not None and bool(ticket.redelivered) and ticket.fork is None
        if self.pace.ready(ticket.id, "fork", may) or (may and self.at_horizon):
            rules = next(iter(self.citable(ticket)), self.box.rules_hash)
            self.tell("admission", work_id=f"{ticket.work_id}-again", message_id=ticket.id, rules_hash=rules)
