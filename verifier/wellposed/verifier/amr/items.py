"""The variables of one work item, the physics that bind them, and the facts that obligations are written in.

Every record is a term over visible indexes whose value `never` means that it does not exist, so a deadline beyond the
horizon needs no special case: `send <= deadline` is then true of `never` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wellposed.verifier.amr.admission import Admission
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.decisions import Decided
from wellposed.verifier.amr.environment import Decision, Environment, Event, Message, Trigger
from wellposed.verifier.formula import TRUE, Formula, Space, Term, all_of, any_of, constant, negate

COMPLETED, ESCALATED, REJECTED, AGENT_DIED, CRASHED = range(5)
"""How a resolution ends: completed, or abandoned with the reason of that place in `vocabulary.REASONS` (from 1)."""


@dataclass(frozen=True, slots=True)
class Touch:
    """A death that may touch the item: its tick, when it does, and the reassignment that may follow.

    `choice` has the variable by which the run decides who is held, if that is up to it.
    """

    event: Event
    tick: Term
    touched: Formula
    choice: tuple[Term, ...]
    won: Term

    @property
    def untouched(self) -> Formula:
        return negate(self.touched)


@dataclass(frozen=True, slots=True)
class Contended:
    """Two agents claim the item at `claimed`; one has won and the other stood down at `settled`."""

    claimed: Term
    settled: Term


class Item(Decided):
    """The work item of one message: terms for its records, and formulas over them."""

    def __init__(
        self,
        space: Space,
        environment: Environment,
        message: Message,
        admission: Admission,
        decisions: Sequence[Decision],
        sends: int,
        all_drafts: bool,
        answers: Answers,
        deferred: dict[int, Formula],
        drafts_apart: bool,
    ) -> None:
        super().__init__(space, environment, message, decisions, all_drafts, answers, deferred)
        self.rules = admission
        self.admitted = self.record("admitted")
        self.sends = tuple(self.sending(f"send.{number}") for number in range(sends))
        self.send = self.sends[0]
        self.sent_as = {send: (self.sent_draft, self.next_draft) for send in self.sends}
        if drafts_apart and self.sent_draft is not self.draft:
            for number, send in enumerate(self.sends[1:], start=1):
                following = self.record(f"next-draft.{number}", self.never.offset + 1)
                self.sent_as[send] = self.record(f"sent-draft.{number}"), following
        self.resolved = self.record("resolved")
        self.ending = space.variable(f"{message.id}.ending", COMPLETED, CRASHED, message.id)
        self.escalations: tuple[tuple[Event, Term], ...] = ()
        self.crashes: tuple[tuple[Event, Term], ...] = ()
        self.touches: tuple[Touch, ...] = ()
        self.contended: Contended | None = None
        self.carries: dict[str, Term] = {}
        self.lies_in: dict[str, Term] = {}
        self.claimed = self.record("claimed-first") if answers.claims_always and environment.level >= 3 else None
        self._pending: dict[int, Formula] = {}
        self._lawful: Formula | None = None

    @property
    def owed(self) -> bool:
        """Whether the message is owed work from its delivery on, admitted or not."""
        return self.rules.required or self.answers.all_answered

    def trigger(self, record: str) -> Term:
        """The first tick after a record of this item: admitted, drafted or sent."""
        return self.after({"admitted": self.admitted, "drafted": self.draft, "sent": self.send}[record])

    def signalled(self, event: Event) -> Term:
        """The tick of a signal that waits for the item: written for a tick, or later, right behind the admission."""
        assert isinstance(event.when, Trigger)
        tick, _, rule = self._waits(event, constant(event.when.since), self.admitted, self.after(self.admitted))
        self.harness.append(rule)
        return tick

    def physics(self) -> Iterator[Formula]:
        """K: what every log of a real system satisfies (`docs/model.md`, rows K.*), and one name per run."""
        space = self.space
        le = space.le
        yield le(self.admitted, self.draft)
        yield le(self.admitted, self.resolved)
        yield le(self.sent_draft, self.send)
        if self.claimed is not None:
            yield le(self.admitted, self.claimed)
            yield any_of((le(self.claimed, self.resolved), self.absent(self.claimed)))
        for draft in dict.fromkeys((self.draft, self.sent_draft, self.next_draft)):
            yield any_of((le(draft, self.resolved), self.absent(draft)))
        yield from self.sends_in_order()
        for send in self.sends:
            yield any_of((le(send, self.resolved), self.absent(send)))
        yield any_of((self.absent(self.send), self.absent(self.resolved), le(self.ending, constant(ESCALATED))))
        yield any_of((self.happens(self.resolved), le(self.ending, constant(COMPLETED))))
        if self.sent_draft is not self.draft:
            yield le(self.draft, self.sent_draft)
            yield any_of((self.happens(self.send), le(self.sent_draft, self.draft)))
            yield any_of((self.happens(self.send), self.absent(self.next_draft)))
            yield space.lt(self.sent_draft, self.next_draft)
            yield from self._further_drafts()

    def _further_drafts(self) -> Iterator[Formula]:
        """What is sent a second time may be another draft: each is followed by the one that is declared next."""
        space = self.space
        declared = dict.fromkeys(draft for pair in self.sent_as.values() for draft in pair)
        for send, (sent, following) in self.sent_as.items():
            if sent is self.sent_draft:
                continue
            yield space.le(self.draft, sent)
            yield space.le(sent, send)
            yield space.lt(sent, following)
            yield any_of((self.happens(send), all_of((space.le(sent, self.draft), self.absent(following)))))
            yield any_of((self.happens(following), space.lt(self.never, following)))
            for draft in (sent, following):
                yield any_of((space.le(draft, self.resolved), self.absent(draft)))
        for send, (sent, following) in self.sent_as.items() if len(declared) > 2 else ():
            for draft in declared:
                if draft not in (sent, following):
                    between = (self.absent(draft), space.le(draft, sent), space.le(following, draft))
                    yield any_of((self.absent(send), *between))

    def sends_in_order(self) -> Iterator[Formula]:
        """The sends by their ticks, so that a log has one name."""
        return (self.space.le(earlier, later) for earlier, later in pairwise(self.sends))

    def ended_truly(self) -> Mapping[str, Formula]:
        """The rows of K that a log can break about how an item ends, by id."""
        completed = self.space.le(self.ending, constant(COMPLETED))
        return {
            "K.completed": any_of((negate(completed), self.space.le(self.send, self.resolved))),
            "K.reason": any_of((completed, *self._reasons())),
        }

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
        in_tick = all_of((self.space.le(first.tick, second.tick), self._in_order(first.event, second.event)))
        return any_of((self.space.lt(first.tick, second.tick), in_tick))

    def ends(self, ending: int) -> Formula:
        return self.space.eq(self.ending, constant(ending))

    def abandoned(self) -> Formula:
        """A resolution with outcome abandoned exists."""
        return all_of((self.happens(self.resolved), self.space.lt(constant(COMPLETED), self.ending)))

    def escalated_by(self, tick: Term) -> Formula:
        return any_of(
            all_of((self.happens(escalation), self.space.le(escalation, tick))) for _, escalation in self.escalations
        )

    def live_at(self, event: Event, tick: Term) -> Formula:
        """Admitted before `tick`, and neither sent nor resolved before the event there: the item has a holder."""
        return all_of((self.space.lt(self.admitted, tick), self.unfinished_at(event, tick)))

    def unfinished_at(self, event: Event, tick: Term) -> Formula:
        """Neither sent nor resolved before the event at `tick`."""
        return all_of((negate(self.precedes(self.send, event, tick)), self.space.le(tick, self.resolved)))

    def pending(self, crash: Event, tick: Term) -> Formula:
        """A crash at this tick finds the item drafted, unsent, unresolved, not escalated, and ungated or standing."""
        if crash.seq not in self._pending:
            waits = self.answers.waiting_is_pending or not self.gated
            self._pending[crash.seq] = all_of(
                (
                    self.happens(tick),
                    self.space.lt(self.draft, tick),
                    self.unfinished_at(crash, tick),
                    negate(self.escalated_by(tick)),
                    TRUE if waits else self.standing(tick),
                )
            )
        return self._pending[crash.seq]

    def lawfully_abandoned(self) -> Formula:
        """The resolution, if it is an abandonment, has a cause that L0.abandon accepts."""
        if self._lawful is None:
            self._lawful = any_of((self.escalated_by(self.resolved), self._abandoned_unsent()))
        return self._lawful

    def _abandoned_unsent(self) -> Formula:
        space = self.space
        at = self.resolved
        causes = [all_of((any_of(space.le(reject.tick, at) for reject in self.rejects()), self.not_standing(at)))]
        for touch in self.touches:
            reassigned = any_of(all_of((space.le(touch.tick, other.won), space.le(other.won, at))) for other in self.touches)
            in_time = space.between(touch.tick, at, touch.tick.plus(self.answers.death))
            causes.append(all_of((touch.touched, in_time, negate(reassigned))))
        for event, tick in self.crashes:
            in_time = space.between(tick, at, self.send_by(tick, self.answers.crash))
            causes.append(all_of((in_time, self.pending(event, tick))))
        return all_of((space.lt(at, self.send), any_of(causes)))

    def abandoned_by(self, deadline: Term) -> Formula:
        """Lawfully abandoned at or before `deadline`."""
        return all_of((self.abandoned(), self.space.le(self.resolved, deadline), self.lawfully_abandoned()))

    def crashed_between(self, first: Term, last: Term, but: Event | None = None) -> Formula:
        """A crash in first..last that finds the item pending."""
        return any_of(
            all_of((self.space.between(first, tick, last), self.pending(event, tick)))
            for event, tick in self.crashes
            if event is not but
        )
