"""The state that the reference shows: what its logs say, as `docs/runs.md` defines it."""

from __future__ import annotations

from wellposed.verifier.amr.simulator.memory import Memory
from wellposed.verifier.amr.simulator.sandbox import Record
from wellposed.verifier.amr.simulator.ticket import Ticket


def snapshot(memory: Memory) -> Record:
    """Every item with its status and agent, every agent, and who holds what is live."""
    tickets = [ticket for ticket in memory.tickets.values() if ticket.admitted is not None]
    live = [ticket for ticket in tickets if not ticket.sends and ticket.resolution is None]
    items = [_row(ticket.work_id, status(ticket, memory.calendar.now), ticket) for ticket in tickets]
    items += [_row(ticket.fork, "admitted", ticket) for ticket in tickets if ticket.fork is not None]
    return {
        "agents": [{"alive": alive, "id": agent} for agent, alive in memory.agents.items()],
        "assignments": [{"agent_id": ticket.holder, "work_id": ticket.work_id} for ticket in live],
        "work_items": items,
    }


def status(ticket: Ticket, tick: int) -> str:
    """What the logs say of an item at the end of a tick."""
    if ticket.resolution is not None:
        return ticket.resolution[1]
    if ticket.sends:
        return "sent"
    if ticket.standing(tick):
        return "approved"
    return "drafted" if ticket.drafts else "admitted"


def _row(work_id: str, status: str, ticket: Ticket) -> Record:
    return {"assigned_agent": ticket.holder, "status": status, "work_id": work_id}
