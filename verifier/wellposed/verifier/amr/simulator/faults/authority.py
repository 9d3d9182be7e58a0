"""Faulty systems that send what nobody approved."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.ticket import Ticket

Ground = tuple[int, int]
"""What an item is sent for, without authority: a tick, and the budget of the send."""


class _Unfounded(Faulty):
    """Sends an item, within a budget, for something that is no approval."""

    def grounds(self, ticket: Ticket) -> Iterator[Ground]:
        raise NotImplementedError

    def _moved(self, ticket: Ticket) -> list[Ground]:
        """The grounds on which the item is to be sent now, or a little later."""
        if not ticket.open or ticket.sends or ticket.escalations:
            return []
        return [
            (cause, budget)
            for cause, budget in self.grounds(ticket)
            if self.calendar.within(cause, budget)
            and not any(crash >= cause and self.pending(ticket, crash) for crash in self.memory.crashes)
        ]

    def sendable(self, ticket: Ticket) -> list[str]:
        return list(ticket.drafts) if self._moved(ticket) and self.calendar.open else super().sendable(ticket)

    def must_send(self, ticket: Ticket) -> bool:
        return any(self.calendar.due(*ground) for ground in self._moved(ticket)) or super().must_send(ticket)

    def regrets(self, ticket: Ticket) -> bool:
        return self.unauthorised(ticket) and not any(
            cause <= ticket.sends[0][0]
            and self.calendar.opened_between(cause, ticket.sends[0][0]) <= budget
            and not self.escalated_within(ticket, cause, budget)
            for cause, budget in self.grounds(ticket)
        )


class SendsWithoutApproval(_Unfounded):
    """Sends owed work as if nobody had to approve it."""

    def grounds(self, ticket: Ticket) -> Iterator[Ground]:
        start = self.start(ticket)
        if self.brief.level >= 2 and start is not None:
            yield start, self.budgets.reply


class TrustsDangling(_Unfounded):
    """Takes an approval of a draft that nobody declared for one of whatever it has drafted."""

    def grounds(self, ticket: Ticket) -> Iterator[Ground]:
        for forged in self.memory.dangling:
            if ticket.drafted_before(forged) and not ticket.over_before(forged):
                yield forged, self.budgets.send


class TrustsWrongHash(_Unfounded):
    """Takes an approval of other content for one of its draft."""

    def grounds(self, ticket: Ticket) -> Iterator[Ground]:
        for forged in ticket.forged:
            if not ticket.over_before(forged):
                yield forged, self.budgets.send


class _OnApproval(Faulty):
    """Does something of its own for an approval that finds the item open, within the budget of the send."""

    def approvals(self, ticket: Ticket) -> Iterator[tuple[int, int]]:
        """The approvals, and how many decisions each comes behind, that the system errs with as far as it can tell."""
        raise NotImplementedError

    def moved(self, ticket: Ticket) -> list[int]:
        """The ticks of those for which the item is to be sent now, or a little later."""
        if not ticket.open or ticket.sends or ticket.escalations:
            return []
        within = self.calendar.within
        return [tick for tick, _ in self.approvals(ticket) if within(tick, self.budgets.send)]

    def due(self, ticket: Ticket) -> bool:
        return any(self.calendar.due(tick, self.budgets.send) for tick in self.moved(ticket))

    def must_send(self, ticket: Ticket) -> bool:
        return self.due(ticket) or super().must_send(ticket)

    def regrets(self, ticket: Ticket) -> bool:
        return self.unauthorised(ticket) and not any(
            self.founded(ticket, tick)
            and self.calendar.opened_between(tick, ticket.sends[0][0]) <= self.budgets.send
            and not self.escalated_within(ticket, tick, self.budgets.send)
            for tick, _ in self.approvals(ticket)
            if tick <= ticket.sends[0][0]
        )

    def founded(self, ticket: Ticket, tick: int) -> bool:
        """Whether what was sent is what the system sends for an approval of this tick."""
        return True

    def rejected_within(self, ticket: Ticket, tick: int, place: int) -> bool:
        """Whether a later reject came within the budget of the send."""
        return any(
            not one.approve
            and not ticket.standing(one.tick)
            and self.calendar.opened_between(tick, one.tick) <= self.budgets.send
            for one in ticket.decisions[place:]
        )

    def _open(self, ticket: Ticket) -> Iterator[tuple[int, int]]:
        """The approvals that found the item open, and no crash since has found it pending."""
        for place, decision in enumerate(ticket.decisions, 1):
            tick = decision.tick
            if decision.approve and not ticket.over_before(tick):
                budget = self.budgets.send
                crashed = any(
                    tick <= crash and self.calendar.opened_between(tick, crash) <= budget and self.pending(ticket, crash)
                    for crash in self.memory.crashes
                )
                if not crashed:
                    yield tick, place


class SendsUnapprovedRedraft(_OnApproval):
    """Drafts anew after the approval and sends the new draft."""

    def approvals(self, ticket: Ticket) -> Iterator[tuple[int, int]]:
        return (one for one in self._open(ticket) if not self.rejected_within(ticket, *one))

    def handle(self, ticket: Ticket) -> None:
        self.renew(ticket, self.moved(ticket), self.due(ticket) or self.must_end(ticket))
        super().handle(ticket)

    def sendable(self, ticket: Ticket) -> list[str]:
        moved = self.moved(ticket)
        if not moved:
            return super().sendable(ticket)
        return self.fresh(ticket, moved) if self.calendar.open else []

    def founded(self, ticket: Ticket, tick: int) -> bool:
        return ticket.drafts[ticket.sends[0][1]] >= tick


class IgnoresReject(_OnApproval):
    """Sends what was approved and then rejected, and gives nothing up for that."""

    def approvals(self, ticket: Ticket) -> Iterator[tuple[int, int]]:
        return (one for one in self._open(ticket) if self.rejected_within(ticket, *one))

    def sendable(self, ticket: Ticket) -> list[str]:
        return list(ticket.drafts) if self.moved(ticket) and self.calendar.open else super().sendable(ticket)

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        return [] if self.moved(ticket) else super().endings(ticket)
