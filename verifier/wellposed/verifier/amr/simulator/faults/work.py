"""Faulty systems that do not do the work, or not to its end."""

from __future__ import annotations

from wellposed.dsl.vocabulary import REASONS
from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.sandbox import Record
from wellposed.verifier.amr.simulator.ticket import Ticket


class Idle(Faulty):
    """Does nothing at all."""

    def takes(self, ticket: Ticket) -> bool:
        return False


class NeverDrafts(Faulty):
    """Admits its work and never drafts a reply."""

    def may_draft(self, ticket: Ticket) -> bool:
        return False

    def must_draft(self, ticket: Ticket) -> bool:
        return False

    def must_send(self, ticket: Ticket) -> bool:
        return False


class _NeverSends(Faulty):
    """Once it is admitted, nothing of an item is sent."""

    def sendable(self, ticket: Ticket) -> list[str]:
        return []

    def must_send(self, ticket: Ticket) -> bool:
        return ticket.admitted is None and super().must_send(ticket)

    def must_settle(self, ticket: Ticket) -> bool:
        return False


class AbandonsEverything(_NeverSends):
    """Abandons every item, whatever has happened."""

    def must_draft(self, ticket: Ticket) -> bool:
        return ticket.admitted is None and super().must_draft(ticket)

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        return [("abandoned", reason) for reason in REASONS] if ticket.open else []

    def must_end(self, ticket: Ticket) -> bool:
        return self.at_horizon


class CompletesUnsent(_NeverSends):
    """Reports every item as completed and sends nothing; not before the draft, if it owes one."""

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        ready = ticket.open and (ticket.drafts or ticket.escalations or self.at_horizon)
        return [("completed", None)] if ready else []

    def must_end(self, ticket: Ticket) -> bool:
        return self.at_horizon


class SilentAbandon(_NeverSends):
    """Drafts, and then neither sends nor says that it gave up."""

    def must_send(self, ticket: Ticket) -> bool:
        return False

    def must_reassign(self, ticket: Ticket) -> bool:
        return False

    def endings(self, ticket: Ticket) -> list[tuple[str, str | None]]:
        return []


class StateLies(Faulty):
    """Shows an item that its logs do not know, where anybody looks: in the last tick, and at other times."""

    def shown(self) -> Record:
        state = super().shown()
        if self.brief.level < 3 or not (self.at_horizon or self.chance.random() < 0.2):
            return state
        ghost = {"assigned_agent": None, "status": "completed", "work_id": "item-0"}
        return {**state, "work_items": [*state["work_items"], ghost]}
