"""The work item of one message in one run: what happened to it, on the clock's indexes, and the model's predicates.

Predicates carry the names of the model page: standing, pending, gated, required, lawful abandonment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker.effects import Effects
from wellposed.verifier.amr.checker.rules import Arrival
from wellposed.verifier.amr.run import ItemRun


@dataclass(frozen=True, slots=True)
class Moment:
    """An event of the environment that an obligation or expectation looks at: when, where in the order, and what.

    `kind` is that of the `Happening`, `draft` (an index into `ItemRun.drafts`) the draft that a decision bound.
    """

    index: int
    order: int
    pointer: str
    kind: str
    draft: int | None

    @property
    def approve(self) -> bool:
        """Whether it is an approve."""
        return self.kind == "approve"


@dataclass(frozen=True, slots=True)
class Item:
    """The work item of one message in one run. `arrival` is None if the message is never delivered.

    `decisions` are the genuine ones, each once, in order; `escalations`, `deaths` (those that touched the item) and
    `crashes` likewise. `places` are those of the `sends`. `matched` says that the rules in force at the delivery admit
    the message, `altered` that a change near it alters this (L2.admit's excuse).
    """

    message: str
    run: ItemRun
    answers: Answers
    effects: Effects
    arrival: Arrival | None
    pointer: str
    gated: bool
    matched: bool
    altered: bool
    admitted: int | None
    drafts: tuple[int, ...]
    sends: tuple[int, ...]
    places: tuple[int, ...]
    resolved: int | None
    won: tuple[int, ...]
    claimed: int | None
    decisions: tuple[Moment, ...]
    escalations: tuple[Moment, ...]
    deaths: tuple[Moment, ...]
    crashes: tuple[Moment, ...]

    @property
    def required(self) -> bool:
        """Whether the message must be admitted: it matches at its delivery, and nothing alters that nearby."""
        return self.matched and not self.altered

    @property
    def outcome(self) -> str | None:
        """`completed`, `abandoned` or None."""
        return self.run.resolution[1] if self.run.resolution else None

    @property
    def reason(self) -> str | None:
        """The reason that the resolution names."""
        return self.run.resolution[2] if self.run.resolution else None

    @property
    def approves(self) -> tuple[Moment, ...]:
        """The genuine approves, in order."""
        return tuple(decision for decision in self.decisions if decision.approve)

    @property
    def rejects(self) -> tuple[Moment, ...]:
        """The genuine rejects, in order."""
        return tuple(decision for decision in self.decisions if not decision.approve)

    def sent_by(self, index: int) -> bool:
        """A send at this index or a smaller one."""
        return any(sent <= index for sent in self.sends)

    def made_before(self, send: int, event: Moment) -> bool:
        """Whether a send (by its number) was made before an event."""
        if event.kind == "escalation" and self.answers.same_tick_is_before:
            return self.sends[send] <= event.index
        return self.places[send] <= event.order

    def sends_behind(self, event: Moment) -> tuple[int, ...]:
        """The indexes of the sends that were not made before an event."""
        return tuple(sent for number, sent in enumerate(self.sends) if not self.made_before(number, event))

    def resolved_before(self, index: int) -> bool:
        """The resolution at a smaller index."""
        return self.resolved is not None and self.resolved < index

    def settled_before(self, event: Moment) -> bool:
        """Sent or resolved before an event: then an approve or an escalation is no cause."""
        sent = any(self.made_before(number, event) for number in range(len(self.sends)))
        return sent or self.resolved_before(event.index)

    def abandoned_in(self, first: int, last: int) -> bool:
        """A resolution `abandoned`, lawful or not, in [first, last]."""
        return self.outcome == "abandoned" and self.resolved is not None and first <= self.resolved <= last

    def escalated_by(self, index: int) -> bool:
        """An escalation of the item fired at or before this index, be the item there or not."""
        return any(escalation.index <= index for escalation in self.escalations)

    def approved_by(self, decisions: Sequence[Moment]) -> bool:
        """Whether genuine decisions, in order, amount to an approval: the last is one, or all if a reject is final."""
        deciding = decisions if self.answers.reject_is_final else decisions[-1:]
        return bool(deciding) and all(decision.approve for decision in deciding)

    def standing(self, index: int) -> bool:
        """The genuine decisions fired by this index, whatever draft they bound, amount to an approval."""
        return self.approved_by([decision for decision in self.decisions if decision.index <= index])

    def rejected_later(self, place: int, deadline: int) -> bool:
        """A later reject: one that fired behind this place in the order, by the deadline, and ends the standing."""
        return any(
            reject.order >= place and reject.index <= deadline and not self.standing(reject.index)
            for reject in self.rejects
        )

    def pending(self, crash: Moment) -> bool:
        """Whether a crash finds the item pending."""
        waiting = self.gated and not self.standing(crash.index)
        return (
            any(draft < crash.index for draft in self.drafts)
            and not self.settled_before(crash)
            and not self.escalated_by(crash.index)
            and (self.answers.waiting_is_pending or not waiting)
        )

    def pending_crash_in(self, first: int, last: int) -> bool:
        """A crash in [first, last] that finds the item pending."""
        return any(first <= crash.index <= last and self.pending(crash) for crash in self.crashes)

    def may_be_abandoned(self, at: int) -> bool:
        """Whether an abandonment at this index is lawful (L0.abandon). The word it gives is not looked at."""
        if self.escalated_by(at):
            return True
        if self.sent_by(at):
            return False
        if any(reject.index <= at for reject in self.rejects) and not self.standing(at):
            return True
        for death in self.deaths:
            if at - self.answers.death <= death.index <= at and not any(death.index <= won <= at for won in self.won):
                return True
        return any(
            crash.index <= at <= self.effects.until(crash.index, self.answers.crash) and self.pending(crash)
            for crash in self.crashes
        )

    def lawfully_abandoned_by(self, deadline: int) -> bool:
        """The excuse: the item is abandoned by the deadline, and lawfully."""
        if self.outcome != "abandoned" or self.resolved is None or self.resolved > deadline:
            return False
        return self.may_be_abandoned(self.resolved)
