"""Faulty systems whose agents contend for every item, and do not come to terms."""

from __future__ import annotations

from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.ticket import Ticket


class Contending(Faulty):
    """Lets two agents contend for every item, at the latest where it ends."""

    def announce(self, ticket: Ticket) -> None:
        """Nobody owns an item from the start."""

    def may_contend(self, ticket: Ticket) -> bool:
        return False

    def claims(self, ticket: Ticket) -> None:
        free = ticket.contest is None
        if self.pace.ready(ticket.id, "contend", free) or (free and self.at_horizon):
            self.contend(ticket)
        super().claims(ticket)

    def close_claims(self, ticket: Ticket) -> None:
        """Before an item ends, so that it is known how it may end: whoever wins what a dead agent left takes it up."""
        if ticket.contest is None:
            self.contend(ticket)
        if self.closes(ticket):
            super().close_claims(ticket)

    def closes(self, ticket: Ticket) -> bool:
        """Whether claims are settled before their item ends."""
        return True


class _NeverSettles(Contending):
    def may_settle(self, ticket: Ticket) -> bool:
        return False


class NoStandDown(_NeverSettles):
    """Never lets the agent stand down that has lost a claim."""

    winners = 1

    def contend(self, ticket: Ticket) -> None:
        super().contend(ticket)
        assert ticket.contest is not None
        if not ticket.orphaned:  # else it would be a reassignment
            for agent in ticket.contest.agents[: self.winners]:
                self.win(ticket, agent, "claimed it")


class DoubleOwner(NoStandDown):
    """Lets two agents win one item."""

    winners = 2
