"""A work item in the hands of a faulty system: what its logs can hold besides, and the facts that policies are written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wellposed.verifier.amr.components import Builder
from wellposed.verifier.amr.decisions import Fire
from wellposed.verifier.amr.environment import Copy, Event
from wellposed.verifier.amr.items import Item
from wellposed.verifier.formula import Formula, Term, all_of, any_of, constant, negate


@dataclass(frozen=True, slots=True)
class Suspect:
    """An item with two sends, and what else a faulty system may do with it.

    `forked` is 1 if the message is admitted a second time; `snapshots` is 1 if every snapshot of the log agrees.
    """

    item: Item
    builder: Builder
    forked: Term
    snapshots: Term

    @property
    def first(self) -> Term:
        return self.item.sends[0]

    @property
    def second(self) -> Term:
        return self.item.sends[1]

    def says(self, choice: Term) -> Formula:
        """A choice is taken."""
        return self.item.space.le(constant(1), choice)

    def escalated(self) -> Formula:
        """Escalated at some tick."""
        return any_of(self.item.happens(tick) for _, tick in self.item.escalations)

    def closed_at(self, event: Event, tick: Term) -> Formula:
        """Sent or resolved before an event, or the event never happens."""
        return any_of((self.item.absent(tick), negate(self.item.unfinished_at(event, tick))))

    def sent_within(self, start: Term, budget: int) -> Formula:
        """The first send by the deadline; true of no send at all where that lies beyond the horizon."""
        return self.item.space.le(self.first, self.item.send_by(start, budget))

    def crashed_within(self, start: Term, budget: int) -> Formula:
        return self.item.crashed_between(start, self.item.send_by(start, budget))

    def rejected_within(self, cause: Fire, budget: int) -> Formula:
        return self.item.rejected_between(cause, self.item.send_by(cause.tick, budget))

    def undrafted_from(self, tick: Term) -> Formula:
        """No draft at this tick or later."""
        item = self.item
        drafts = dict.fromkeys((item.draft, item.next_draft))
        return all_of(any_of((item.space.lt(draft, tick), item.absent(draft))) for draft in drafts)

    def unsent_from(self, event: Event, tick: Term) -> Formula:
        """No send behind the event."""
        return all_of(any_of((self.item.precedes(send, event, tick), self.item.absent(send))) for send in self.item.sends)

    def unresolved(self) -> Formula:
        return self.item.absent(self.item.resolved)

    def unsent(self) -> Formula:
        return self.item.absent(self.first)

    def forged(self) -> Iterator[tuple[Event, Term]]:
        """The forged approvals that name this item's draft, at the ticks at which they fire."""
        forgeries = self.builder.environment.forgeries
        approvals = {forgery.event.seq for forgery in forgeries if forgery.approve}
        return ((event, tick) for event, tick in self.item.forged if event.seq in approvals)

    def dangling(self) -> Iterator[tuple[Event, Term]]:
        """The forged approvals of drafts that nobody declared."""
        for forgery in self.builder.environment.forgeries:
            if forgery.message is None and forgery.approve:
                yield forgery.event, self.builder.at(forgery.event)

    def redelivered(self) -> Iterator[tuple[Term, ...]]:
        """The ticks at which the message is delivered again."""
        return ((self.builder.at(copy.event),) for copy in self._copies("message"))

    def approved_again(self) -> Iterator[tuple[Term, ...]]:
        """When an approval of the item is repeated: not before it is written, nor before its original fires."""
        fires = {fire.decision.event.id: fire.tick for fire in self.item.approves()}
        return ((self.builder.at(copy.event), fires[copy.event.id]) for copy in self._copies("approve"))

    def _copies(self, of: str) -> Iterator[Copy]:
        own = self.item.message.id
        return (copy for copy in self.builder.environment.copies if copy.message == own and copy.of == of)
