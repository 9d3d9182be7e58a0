"""Faulty systems that mix up messages, conversations and their anchors."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.simulator.faults.faulty import Faulty, Trial
from wellposed.verifier.amr.simulator.sandbox import Brief, Record, Sandbox
from wellposed.verifier.amr.simulator.ticket import Ticket


class _Swallows(Faulty):
    """Takes a message for a part of one that came before it, if that can become work."""

    field = ""

    def __init__(self, brief: Brief, box: Sandbox, seed: str, budgets: Budgets, trial: Trial) -> None:
        super().__init__(brief, box, seed, budgets, trial)
        self._seed = seed

    def takes(self, ticket: Ticket) -> bool:
        return ticket.admitted is not None or not (self._swallowed(ticket) or self._expects(ticket))

    def regrets(self, ticket: Ticket) -> bool:
        if ticket.admitted is not None:
            return self._swallowed(ticket)
        return self._expects(ticket) and not self._swallowed(ticket)

    def _swallowed(self, ticket: Ticket) -> bool:
        return any(self._admissible(other) for other in self._before(ticket))

    def _expects(self, ticket: Ticket) -> bool:
        """Whether it waits for an earlier message to become work: a guess, the same after every restart."""
        return any(self._before(ticket)) and Random(f"{self._seed}/{ticket.id}").random() < 0.3

    def _before(self, ticket: Ticket) -> Iterator[Ticket]:
        for other in self.memory.tickets.values():
            if other is ticket:
                return
            if other.message[self.field] == ticket.message[self.field]:
                yield other

    def _admissible(self, ticket: Ticket) -> bool:
        """Whether some system could have made an item of it by now."""
        first = max(0, self.calendar.index(ticket.arrived) - self.budgets.lag)
        ticks = self.calendar.span(first, self.calendar.index(self.now))
        return self.brief.level < 2 or any(self.matches(ticket, tick) for tick in ticks)


class MergesBySubject(_Swallows):
    """Takes two messages with one subject for one item."""

    field = "subject"


class IgnoresFollowUps(_Swallows):
    """Takes no notice of a second message in a conversation."""

    field = "conversation_id"


class RepliesInWrongConversation(Faulty):
    """Replies in another conversation than the message's, where there is one."""

    def conversation(self, ticket: Ticket) -> str:
        others = [name for name in self.brief.conversations if name != ticket.conversation]
        return self.chance.choice(others) if others else ticket.conversation


class StuffsContext(Faulty):
    """Shows the model every thread, and so puts the first one's anchor into every reply."""

    def anchors(self, ticket: Ticket) -> frozenset[str]:
        return frozenset(list(self.brief.anchors.values())[:1])

    def context(self, ticket: Ticket) -> list[Record]:
        return [one.message for one in self.memory.tickets.values()]
