"""The decisions on one work item: when they fire, which draft they bind, and which of them stands.

An approve or reject binds the latest draft declared before it fires, and waits for the first draft where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.environment import DEFERRED, TIMED, Decision, Environment, Event, Message
from wellposed.verifier.formula import FALSE, TRUE, Formula, Space, Term, all_of, any_of, constant, negate


@dataclass(frozen=True, slots=True)
class Fire:
    """A decision as it fires in the run: the term of its fire tick, and whether it had to be deferred."""

    decision: Decision
    tick: Term
    deferred: Formula


class Decided:
    """The drafts of an item and the decisions that bind them.

    `sent_draft` is the tick of the draft that is sent (the first one unless the item has rejects or decisions on its oldest
    draft), `next_draft` that of the draft declared after it. More drafts than first, sent and next cannot be told apart:
    authority looks only at the decisions that bind the sent draft, and those lie between it and the next, or are on the first.
    `sent_as` has both for each send; those of a second send may be others.
    """

    def __init__(
        self,
        space: Space,
        environment: Environment,
        message: Message,
        decisions: Sequence[Decision],
        all_drafts: bool,
        answers: Answers,
        deferred: dict[int, Formula],
    ) -> None:
        self.space = space
        self.answers = answers
        self.harness: list[Formula] = []
        self._next: dict[Term, Term] = {}
        self._ends: dict[tuple[Term, int], Term] = {}
        self._deferred = deferred
        self._early: dict[tuple[Term, int], tuple[Event, Term, Term]] = {}
        self.environment = environment
        self.message = message
        self.decisions = tuple(decisions)
        self.never = constant(environment.clock.never)
        self.draft = self.record("draft")
        if all_drafts or any(decision.oldest or not decision.approve for decision in decisions):
            self.sent_draft = self.record("sent-draft")
            self.next_draft = self.record("next-draft", self.never.offset + 1)
        else:
            self.sent_draft = self.draft
            self.next_draft = self.never
        self.sent_as: dict[Term, tuple[Term, Term]] = {}
        self.fires: tuple[Fire, ...] = ()
        self.forged: tuple[tuple[Event, Term], ...] = ()
        self._standing: dict[Term, Formula] = {}
        self._not_standing: dict[Term, Formula] = {}

    def record(self, name: str, last: int | None = None) -> Term:
        """A new term for a record of this item: at a visible tick from the delivery on, or never (until `last`)."""
        last = self.never.offset if last is None else last
        term = self.space.variable(f"{self.message.id}.{name}", self.message.at, last, self.message.id)
        self._never_in(term, self.environment.clock.unused)
        return term

    def sending(self, name: str) -> Term:
        """A new term for a send: a record at an open tick."""
        term = self.record(name)
        self._never_in(term, self.environment.outbox.held)
        return term

    def _never_in(self, term: Term, stretches: Iterable[tuple[int, int]]) -> None:
        for first, last in stretches:
            self.harness.append(any_of((self.space.lt(term, constant(first)), self.space.lt(constant(last), term))))

    def send_by(self, start: Term, budget: int) -> Term:
        """The end of a window of sends: so many open ticks behind its start."""
        outbox, space = self.environment.outbox, self.space
        if not outbox.held:
            return start.plus(budget)
        if start.var == 0:
            return constant(outbox.end(start.offset, budget))
        if (start, budget) not in self._ends:
            low, high = (bounds[start.var] + start.offset for bounds in (space.lows, space.highs))
            name = f"{space.names[start.var]}+{start.offset}.{budget}.open"
            end = space.variable(name, outbox.end(low, budget), outbox.end(high, budget), self.message.id)
            for piece in outbox.pieces(low, high, budget):
                outside = (space.lt(start, constant(piece.first)), space.lt(constant(piece.last), start))
                there = start.plus(piece.behind) if piece.behind is not None else constant(piece.at or 0)
                self.harness.append(any_of((*outside, space.eq(end, there))))
            self._ends[start, budget] = end
        return self._ends[start, budget]

    def after(self, record: Term) -> Term:
        """The first visible tick after a record."""
        if not self.environment.clock.jumped:
            return record.plus(1)
        if record not in self._next:
            space = self.space
            name = f"after.{space.names[record.var]}"
            term = space.variable(name, self.message.at + 1, self.never.offset + 1, self.message.id)
            outside = []
            for first, last in self.environment.clock.jumped:
                before = constant(first - 1)
                self.harness.append(any_of((negate(space.eq(record, before)), space.eq(term, constant(last + 1)))))
                outside.append(negate(space.eq(record, before)))
            self.harness.append(any_of((negate(all_of(outside)), space.eq(term, record.plus(1)))))
            self._next[record] = term
        return self._next[record]

    @property
    def gated(self) -> bool:
        """Whether a send waits for an approval: from level 2, or when a decision on the item is scheduled."""
        return self.answers.always_gated or self.environment.level >= 2 or bool(self.decisions)

    def happens(self, term: Term) -> Formula:
        return self.space.le(term, constant(self.environment.clock.horizon))

    def absent(self, term: Term) -> Formula:
        return self.space.lt(constant(self.environment.clock.horizon), term)

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
        after_draft = self.draft if self.answers.deferred_at_draft else self.after(self.draft)
        return self._waits(event, written, self.draft, after_draft)

    def _waits(self, event: Event, written: Term, record: Term, after: Term) -> tuple[Term, Formula, Formula]:
        """The tick of an event that waits for a record, whether it has to, and the rule that ties them."""
        space = self.space
        deferred = self._deferred[event.seq] = space.le(written, record)
        if deferred is TRUE:
            return after, deferred, TRUE
        if written.var == 0 and deferred is FALSE:
            return written, deferred, TRUE
        low = max(space.lows[term.var] + term.offset for term in (written, after))
        tick = space.variable(f"{self.message.id}.{event.id}", low, self.never.offset + 1, self.message.id)
        on_time = all_of((negate(deferred), space.eq(tick, written)))
        return tick, deferred, any_of((on_time, all_of((deferred, space.eq(tick, after)))))

    def approves(self) -> Iterable[Fire]:
        return (fire for fire in self.fires if fire.decision.approve)

    def rejects(self) -> Iterable[Fire]:
        return (fire for fire in self.fires if not fire.decision.approve)

    def before(self, first: Fire, second: Fire) -> Formula:
        """`first` fires earlier in the environment's order than `second`."""
        one, other = first.decision.event, second.decision.event
        timed = one.rank == other.rank == TIMED  # what waits for a record stands behind everything timed in the schedule
        if timed and isinstance(one.when, int) and isinstance(other.when, int):
            # In the order written, unless the first draft comes just before the later one, which then does not wait.
            just_before = self.space.eq(self.draft, constant(self.environment.clock.before(max(one.when, other.when))))
            overtaken = FALSE if one.when == other.when or self.answers.deferred_at_draft else just_before
            return negate(overtaken) if (one.when, one.seq) < (other.when, other.seq) else overtaken
        return self.before_event(first, other, second.tick)

    def _overruled(self, reject: Fire, approve: Fire) -> Formula:
        """A later approve takes the place of the reject."""
        return FALSE if self.answers.reject_is_final else self.before(reject, approve)

    def before_event(self, fire: Fire, event: Event, tick: Term) -> Formula:
        """`fire` is earlier in the environment's order than an event at `tick`."""
        in_tick = self._in_order(fire.decision.event, event)
        return any_of((self.space.lt(fire.tick, tick), all_of((self.space.le(fire.tick, tick), in_tick))))

    def _in_order(self, first: Event, second: Event) -> Formula:
        """Of two events of one tick, the first is the earlier."""
        return any_of(
            all_of((when_first, when_second))
            for rank_first, when_first in self._ranks(first)
            for rank_second, when_second in self._ranks(second)
            if (rank_first, first.seq) < (rank_second, second.seq)
        )

    def _ranks(self, event: Event) -> tuple[tuple[int, Formula], ...]:
        """The classes in which an event can stand within its tick, each with its condition."""
        deferred = self._deferred.get(event.seq, FALSE)
        return ((event.rank, negate(deferred)), (DEFERRED, deferred))

    def precedes(self, send: Term, event: Event, tick: Term) -> Formula:
        """A send is made before an event of the environment at `tick`."""
        earlier = self.space.lt(send, tick)
        if not self.answers.interleaved or self.space.eq(send, tick) is FALSE:
            return earlier
        if (send, event.seq) not in self._early:
            name = f"{self.space.names[send.var]}.before.{event.id}"
            self._early[send, event.seq] = event, tick, self.space.variable(name, 0, 1, self.message.id)
        return any_of((earlier, self.space.le(constant(1), self._early[send, event.seq][2])))

    def early(self, send: Term) -> list[Term]:
        """The variables that say which events of its tick a send lies before."""
        return [chosen for (one, _), (_, _, chosen) in self._early.items() if one == send]

    def places(self) -> Iterator[Formula]:
        """Where a send may lie among the events of its tick, of those that were asked about."""
        space = self.space
        early = {key: (event, tick, space.le(constant(1), chosen)) for key, (event, tick, chosen) in self._early.items()}
        for (send, _), (event, tick, is_early) in early.items():
            here = (space.eq(send, tick), self.happens(send), space.lt(self.sent_as[send][0], send))
            yield any_of((negate(is_early), all_of(here)))
            for (other_send, _), (other, other_tick, also) in early.items():
                if other_send == send and other is not event:
                    apart = negate(all_of((space.eq(tick, other_tick), self._in_order(event, other))))
                    yield any_of((negate(is_early), apart, also))

    def standing(self, tick: Term) -> Formula:
        """The last genuine decision fired at or before `tick` is an approve."""
        if tick not in self._standing:
            self._standing[tick] = any_of(
                all_of(
                    (
                        self.space.le(approve.tick, tick),
                        self.happens(approve.tick),
                        *(
                            any_of((self.space.lt(tick, reject.tick), self._overruled(reject, approve)))
                            for reject in self.rejects()
                        ),
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
                        any_of((negate(self.before_event(reject, event, tick)), self._overruled(reject, approve)))
                        for reject in self.rejects()
                    ),
                )
            )
            for approve in self.approves()
        )

    def binds_sent_draft(self, fire: Fire, send: Term) -> Formula:
        """The decision binds the draft that is sent: the latest declared before it fires."""
        sent, following = self.sent_as[send]
        if sent is self.draft:
            return TRUE
        space = self.space
        if fire.decision.oldest:
            return space.le(sent, self.draft)
        deferred = all_of((fire.deferred, space.le(sent, self.draft)))
        timely = all_of(
            (
                negate(fire.deferred),
                space.lt(sent, fire.tick),
                any_of((space.le(fire.tick, following), self.absent(following))),
            )
        )
        return any_of((deferred, timely))

    def authorised(self, send: Term) -> Formula:
        """The last decision bound to the sent draft and fired by `send` is an approve."""
        return any_of(
            all_of(
                (
                    negate(self.precedes(send, approve.decision.event, approve.tick)),
                    self.binds_sent_draft(approve, send),
                    *(
                        any_of(
                            (
                                self.precedes(send, reject.decision.event, reject.tick),
                                negate(self.binds_sent_draft(reject, send)),
                                self._overruled(reject, approve),
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
