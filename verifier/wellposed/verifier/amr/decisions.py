"""The decisions on one work item: when they fire, which draft they bind, and which of them stands.

An approve or reject binds the latest draft declared before it fires, and waits for the first draft where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from wellposed.verifier.amr.environment import DEFERRED, Decision, Environment, Event, Message
from wellposed.verifier.formula import FALSE, TRUE, Formula, Space, Term, all_of, any_of, constant, negate


@dataclass(frozen=True, slots=True)
class Fire:
    """A decision as it fires in the run: the term of its fire tick, and whether it had to be deferred."""

    decision: Decision
    tick: Term
    deferred: Formula


class Decided:
    """The drafts of an item and the decisions that bind them.

    `sent_draft` is the tick of the draft that is sent (the first one unless the item has rejects), `next_draft` that of the
    draft declared after it. More drafts than first, sent and next cannot be told apart: authority looks only at the
    decisions that bind the sent draft, and those lie between it and the next.
    """

    def __init__(
        self,
        space: Space,
        environment: Environment,
        message: Message,
        decisions: Sequence[Decision],
        all_drafts: bool,
    ) -> None:
        self.space = space
        self.environment = environment
        self.message = message
        self.decisions = tuple(decisions)
        self.never = constant(environment.clock.never)
        self.draft = self.record("draft")
        if all_drafts or any(not decision.approve for decision in decisions):
            self.sent_draft = self.record("sent-draft")
            name = f"{message.id}.next-draft"
            self.next_draft = space.variable(name, message.at, self.never.offset + 1, message.id)
        else:
            self.sent_draft = self.draft
            self.next_draft = self.never
        self.fires: tuple[Fire, ...] = ()
        self.forged: tuple[tuple[Event, Term], ...] = ()
        self._standing: dict[Term, Formula] = {}
        self._not_standing: dict[Term, Formula] = {}

    def record(self, name: str) -> Term:
        """A new term for a record of this item: from the delivery on, or never."""
        return self.space.variable(f"{self.message.id}.{name}", self.message.at, self.never.offset, self.message.id)

    @property
    def gated(self) -> bool:
        """Whether a send waits for an approval: from level 2, or when a decision on the item is scheduled."""
        return self.environment.level >= 2 or bool(self.decisions)

    def happens(self, term: Term) -> Formula:
        return self.space.lt(term, self.never)

    def absent(self, term: Term) -> Formula:
        return self.space.le(self.never, term)

    def add_fires(self, at: Callable[[Event], Term], forgeries: Iterable[Event]) -> Iterator[Formula]:
        """Create the fire ticks of decisions and wrong-hash forgeries; yields the harness's rule of deferral.

        `at` gives the tick of an event, which may hang on a record of another item of the same component.
        """
        fires = []
        for decision in self.decisions:
            tick, deferred, rule = self._fire(decision.event, at(decision.event))
            yield rule
            fires.append(Fire(decision, tick, deferred))
        self.fires = tuple(fires)
        forged = []
        for event in forgeries:
            tick, _, rule = self._fire(event, at(event))
            yield rule
            forged.append((event, tick))
        self.forged = tuple(forged)

    def _fire(self, event: Event, written: Term) -> tuple[Term, Formula, Formula]:
        """Fire tick of what binds the latest draft, whether it is deferred, and the rule that ties them to the first draft."""
        space = self.space
        deferred = space.le(written, self.draft)
        after_draft = self.draft.plus(1)
        if deferred is TRUE:
            return after_draft, deferred, TRUE
        if written.var == 0 and deferred is FALSE:
            return written, deferred, TRUE
        low = max(self.message.at + 1, space.lows[written.var] + written.offset)
        tick = space.variable(f"{self.message.id}.{event.id}", low, self.never.offset + 1, self.message.id)
        on_time = all_of((negate(deferred), space.eq(tick, written)))
        return tick, deferred, any_of((on_time, all_of((deferred, space.eq(tick, after_draft)))))

    def approves(self) -> Iterable[Fire]:
        return (fire for fire in self.fires if fire.decision.approve)

    def rejects(self) -> Iterable[Fire]:
        return (fire for fire in self.fires if not fire.decision.approve)

    def before(self, first: Fire, second: Fire) -> Formula:
        """`first` fires earlier in the environment's order than `second`."""
        one, other = first.decision.event, second.decision.event
        if isinstance(one.when, int) and isinstance(other.when, int):
            # In the order written, unless the first draft comes just before the later one, which then does not wait.
            just_before = self.space.eq(self.draft, constant(max(one.when, other.when) - 1))
            overtaken = just_before if one.when != other.when else FALSE
            return negate(overtaken) if (one.when, one.seq) < (other.when, other.seq) else overtaken
        return self._before_in_run(first, second)

    def _before_in_run(self, first: Fire, second: Fire) -> Formula:
        space = self.space
        earlier_in_tick = []
        for rank_first, when_first in self._ranks(first):
            for rank_second, when_second in self._ranks(second):
                if (rank_first, first.decision.event.seq) < (rank_second, second.decision.event.seq):
                    earlier_in_tick.append(all_of((when_first, when_second)))
        return any_of(
            (
                space.lt(first.tick, second.tick),
                all_of((space.le(first.tick, second.tick), any_of(earlier_in_tick))),
            )
        )

    def before_event(self, fire: Fire, event: Event, tick: Term) -> Formula:
        """`fire` is earlier in the environment's order than an event at `tick`."""
        in_tick = any_of(when for rank, when in self._ranks(fire) if (rank, fire.decision.event.seq) < (event.rank, event.seq))
        return any_of((self.space.lt(fire.tick, tick), all_of((self.space.le(fire.tick, tick), in_tick))))

    def _ranks(self, fire: Fire) -> tuple[tuple[int, Formula], ...]:
        """The classes in which a decision can fire within its tick, each with its condition."""
        return ((fire.decision.event.rank, negate(fire.deferred)), (DEFERRED, fire.deferred))

    def standing(self, tick: Term) -> Formula:
        """The last genuine decision fired at or before `tick` is an approve."""
        if tick not in self._standing:
            self._standing[tick] = any_of(
                all_of(
                    (
                        self.space.le(approve.tick, tick),
                        self.happens(approve.tick),
                        *(any_of((self.space.lt(tick, reject.tick), self.before(reject, approve))) for reject in self.rejects()),
                    )
                )
                for approve in self.approves()
            )
        return self._standing[tick]

    def not_standing(self, tick: Term) -> Formula:
        """The negation of `standing`, made once: it is asked for wherever a reject could excuse."""
        if tick not in self._not_standing:
            self._not_standing[tick] = negate(self.standing(tick))
        return self._not_standing[tick]

    def standing_before(self, event: Event, tick: Term) -> Formula:
        """An approve precedes the event in order, and no reject lies between."""
        return any_of(
            all_of(
                (
                    self.before_event(approve, event, tick),
                    self.happens(approve.tick),
                    *(
                        any_of((negate(self.before_event(reject, event, tick)), self.before(reject, approve)))
                        for reject in self.rejects()
                    ),
                )
            )
            for approve in self.approves()
        )

    def binds_sent_draft(self, fire: Fire) -> Formula:
        """The decision binds the draft that is sent: the latest declared before it fires."""
        if self.sent_draft is self.draft:
            return TRUE
        space = self.space
        deferred = all_of((fire.deferred, space.le(self.sent_draft, self.draft)))
        timely = all_of(
            (
                negate(fire.deferred),
                space.lt(self.sent_draft, fire.tick),
                any_of((space.le(fire.tick, self.next_draft), self.absent(self.next_draft))),
            )
        )
        return any_of((deferred, timely))

    def authorised(self, send: Term) -> Formula:
        """The last decision bound to the sent draft and fired by `send` is an approve."""
        return any_of(
            all_of(
                (
                    self.space.le(approve.tick, send),
                    self.binds_sent_draft(approve),
                    *(
                        any_of(
                            (
                                self.space.lt(send, reject.tick),
                                negate(self.binds_sent_draft(reject)),
                                self.before(reject, approve),
                            )
                        )
                        for reject in self.rejects()
                    ),
                )
            )
            for approve in self.approves()
        )

    def rejected_between(self, cause: Fire | Term, deadline: Term) -> Formula:
        """A later reject: fired after the cause in order, by the deadline, and the item no longer stands at its tick."""
        found = []
        for reject in self.rejects():
            after = self.before(cause, reject) if isinstance(cause, Fire) else self.space.lt(cause, reject.tick)
            found.append(all_of((after, self.space.le(reject.tick, deadline), self.not_standing(reject.tick))))
        return any_of(found)
