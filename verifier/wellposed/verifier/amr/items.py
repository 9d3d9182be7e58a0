"""The variables of one work item, the physics that bind them, and the facts that obligations are written in.

Every record is a term over visible indexes whose value `never` means that it does not exist, so a deadline beyond the
horizon needs no special case: `send <= deadline` is then true of `never` too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from wellposed.verifier.amr.admission import Admission
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.environment import DEFERRED, Decision, Environment, Event, Message
from wellposed.verifier.formula import FALSE, TRUE, Formula, Space, Term, all_of, any_of, constant, negate

COMPLETED, ESCALATED, REJECTED, AGENT_DIED, CRASHED = range(5)
"""How a resolution ends: completed, or abandoned with the reason of that place in `vocabulary.REASONS` (from 1)."""


@dataclass(frozen=True, slots=True)
class Fire:
    """A decision as it fires in the run: the term of its fire tick, and whether it had to be deferred."""

    decision: Decision
    tick: Term
    deferred: Formula


@dataclass(frozen=True, slots=True)
class Touch:
    """A death that may touch the item: its tick, when it does, and the reassignment that may follow."""

    event: Event
    tick: Term
    touched: Formula
    won: Term

    @property
    def untouched(self) -> Formula:
        return negate(self.touched)


@dataclass(frozen=True, slots=True)
class Contended:
    """Two agents claim the item at `claimed`; one has won and the other stood down at `settled`."""

    claimed: Term
    settled: Term


class Item:
    """The work item of one message: terms for its records, and formulas over them.

    `sent_draft` is the tick of the draft that is sent (the first one unless the item has rejects), `next_draft` that of the
    draft declared after it. More drafts than first, sent and next cannot be told apart: authority looks only at the
    decisions that bind the sent draft, and those lie between it and the next.
    """

    def __init__(
        self,
        space: Space,
        environment: Environment,
        message: Message,
        admission: Admission,
        decisions: Sequence[Decision],
        sends: int,
        all_drafts: bool,
    ) -> None:
        self.space = space
        self.environment = environment
        self.message = message
        self.rules = admission
        self.never = constant(environment.clock.never)
        low, high = message.at, environment.clock.never

        def variable(name: str, top: int = high) -> Term:
            return space.variable(f"{message.id}.{name}", low, top, message.id)

        self.admitted = variable("admitted")
        self.draft = variable("draft")
        self.sends = tuple(variable(f"send.{number}") for number in range(sends))
        self.send = self.sends[0]
        self.resolved = variable("resolved")
        self.ending = space.variable(f"{message.id}.ending", COMPLETED, CRASHED, message.id)
        if all_drafts or any(not decision.approve for decision in decisions):
            self.sent_draft = variable("sent-draft")
            self.next_draft = variable("next-draft", high + 1)
        else:
            self.sent_draft = self.draft
            self.next_draft = self.never
        self.decisions = tuple(decisions)
        self.fires: tuple[Fire, ...] = ()
        self.forged: tuple[tuple[Event, Term], ...] = ()
        self.escalations: tuple[tuple[Event, Term], ...] = ()
        self.crashes: tuple[tuple[Event, Term], ...] = ()
        self.touches: tuple[Touch, ...] = ()
        self.contended: Contended | None = None
        self.carries: dict[str, Term] = {}
        self.lies_in: dict[str, Term] = {}
        self._standing: dict[Term, Formula] = {}
        self._not_standing: dict[Term, Formula] = {}
        self._pending: dict[Term, Formula] = {}
        self._lawful: Formula | None = None

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

    def trigger(self, record: str) -> Term:
        """The first tick after a record of this item: admitted, drafted or sent."""
        return {"admitted": self.admitted, "drafted": self.draft, "sent": self.send}[record].plus(1)

    def physics(self) -> Iterator[Formula]:
        """K: what every log of a real system satisfies (`docs/model.md`, rows K.*), and one name per run."""
        space = self.space
        le = space.le
        yield le(self.admitted, self.draft)
        yield le(self.admitted, self.resolved)
        yield le(self.sent_draft, self.send)
        for draft in dict.fromkeys((self.draft, self.sent_draft, self.next_draft)):
            yield any_of((le(draft, self.resolved), self.absent(draft)))
        for earlier, later in zip(self.sends, self.sends[1:], strict=False):
            yield le(earlier, later)
        for send in self.sends:
            yield any_of((le(send, self.resolved), self.absent(send)))
        completed = le(self.ending, constant(COMPLETED))
        yield any_of((negate(completed), le(self.send, self.resolved)))
        yield any_of((self.absent(self.send), self.absent(self.resolved), le(self.ending, constant(ESCALATED))))
        yield any_of((self.happens(self.resolved), completed))
        yield any_of((completed, *self._reasons()))
        if self.sent_draft is not self.draft:
            yield le(self.draft, self.sent_draft)
            yield any_of((self.happens(self.send), le(self.sent_draft, self.draft)))
            yield any_of((self.happens(self.send), self.absent(self.next_draft)))
            yield space.lt(self.sent_draft, self.next_draft)

    def _reasons(self) -> Iterator[Formula]:
        """K.reason: the named cause has happened."""
        happened = {
            ESCALATED: [tick for _, tick in self.escalations],
            REJECTED: [fire.tick for fire in self.fires if not fire.decision.approve],
            CRASHED: [tick for _, tick in self.crashes],
        }
        for reason, ticks in happened.items():
            causes = [all_of((self.happens(tick), self.space.le(tick, self.resolved))) for tick in ticks]
            yield all_of((self.ends(reason), any_of(causes)))
        deaths = [all_of((touch.touched, self.space.le(touch.tick, self.resolved))) for touch in self.touches]
        yield all_of((self.ends(AGENT_DIED), any_of(deaths)))

    def death_physics(self) -> Iterator[Formula]:
        """Where reassignments may stand: after their death, before the next one that touches the item."""
        space = self.space
        for touch in self.touches:
            absent = self.absent(touch.won)
            yield any_of((touch.touched, absent))
            yield any_of((space.le(touch.tick, touch.won), absent))
            yield any_of((space.le(touch.won, self.resolved), absent))
            for other in self.touches:
                if other is not touch:
                    earlier = negate(self._dies_before(touch, other))
                    yield any_of((space.lt(touch.won, other.tick), earlier, other.untouched, absent))

    def _dies_before(self, first: Touch, second: Touch) -> Formula:
        """The first death is earlier in the environment's order than the second."""
        if (first.event.rank, first.event.seq) < (second.event.rank, second.event.seq):
            return self.space.le(first.tick, second.tick)
        return self.space.lt(first.tick, second.tick)

    def ends(self, ending: int) -> Formula:
        return self.space.eq(self.ending, constant(ending))

    def abandoned(self) -> Formula:
        """A resolution with outcome abandoned exists."""
        return all_of((self.happens(self.resolved), self.space.lt(constant(COMPLETED), self.ending)))

    def escalated_by(self, tick: Term) -> Formula:
        return any_of(
            all_of((self.happens(escalation), self.space.le(escalation, tick))) for _, escalation in self.escalations
        )

    def live_at(self, tick: Term) -> Formula:
        """Admitted before `tick`, and neither sent nor resolved before it: the item has a holder there."""
        return all_of((self.space.lt(self.admitted, tick), self.unfinished_at(tick)))

    def unfinished_at(self, tick: Term) -> Formula:
        return all_of((self.space.le(tick, self.send), self.space.le(tick, self.resolved)))

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

    def pending(self, crash: Term) -> Formula:
        """A crash at this tick finds the item drafted, unsent, unresolved, not escalated, and ungated or standing."""
        if crash not in self._pending:
            self._pending[crash] = all_of(
                (
                    self.happens(crash),
                    self.space.lt(self.draft, crash),
                    self.unfinished_at(crash),
                    negate(self.escalated_by(crash)),
                    self.standing(crash) if self.gated else TRUE,
                )
            )
        return self._pending[crash]

    def lawfully_abandoned(self, budgets: Budgets) -> Formula:
        """The resolution, if it is an abandonment, has a cause that L0.abandon accepts."""
        if self._lawful is None:
            self._lawful = any_of((self.escalated_by(self.resolved), self._abandoned_unsent(budgets)))
        return self._lawful

    def _abandoned_unsent(self, budgets: Budgets) -> Formula:
        space = self.space
        at = self.resolved
        causes = [all_of((any_of(space.le(reject.tick, at) for reject in self.rejects()), self.not_standing(at)))]
        for touch in self.touches:
            reassigned = any_of(all_of((space.le(touch.tick, other.won), space.le(other.won, at))) for other in self.touches)
            in_time = space.between(touch.tick, at, touch.tick.plus(budgets.death))
            causes.append(all_of((touch.touched, in_time, negate(reassigned))))
        for _, crash in self.crashes:
            causes.append(all_of((space.between(crash, at, crash.plus(budgets.crash)), self.pending(crash))))
        return all_of((space.lt(at, self.send), any_of(causes)))

    def abandoned_by(self, deadline: Term, budgets: Budgets) -> Formula:
        """Lawfully abandoned at or before `deadline`."""
        return all_of((self.abandoned(), self.space.le(self.resolved, deadline), self.lawfully_abandoned(budgets)))

    def rejected_between(self, cause: Fire | Term, deadline: Term) -> Formula:
        """A later reject: fired after the cause in order, by the deadline, and the item no longer stands at its tick."""
        found = []
        for reject in self.rejects():
            after = self.before(cause, reject) if isinstance(cause, Fire) else self.space.lt(cause, reject.tick)
            found.append(all_of((after, self.space.le(reject.tick, deadline), self.not_standing(reject.tick))))
        return any_of(found)

    def crashed_between(self, first: Term, last: Term, but: Event | None = None) -> Formula:
        """A crash in first..last that finds the item pending."""
        return any_of(
            all_of((self.space.between(first, crash, last), self.pending(crash)))
            for event, crash in self.crashes
            if event is not but
        )
