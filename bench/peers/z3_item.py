"""One item for z3, as a user of its Python interface would write it: a frame of integers and formulas over them.

Written from `docs/model.md` alone. Records are integer variables in delivery..horizon+1, the last meaning "never"; a
decision fires at `If(drafted before it, its tick, the tick after the draft)`. Constants are folded in Python wherever the
schedule decides them, which is kind to z3: most of its time goes into building terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import z3
from bench.peers.answers import Ending, Run
from bench.peers.facts import Death, Event, Facts, Item, Json

COMPLETED, ESCALATED, REJECTED, AGENT_DIED, CRASHED = range(5)
REASONS = {"operator_escalation": ESCALATED, "rejected": REJECTED, "agent_death": AGENT_DIED, "crash": CRASHED}
Expr = Any


def either(parts: Iterable[Expr]) -> Expr:
    """The disjunction, with what Python already knows left out."""
    kept = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    return False if not kept else kept[0] if len(kept) == 1 else z3.Or(kept)


def both(parts: Iterable[Expr]) -> Expr:
    """The conjunction, likewise."""
    kept = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    return True if not kept else kept[0] if len(kept) == 1 else z3.And(kept)


def no(part: Expr) -> Expr:
    return not part if isinstance(part, bool) else z3.Not(part)


class Encoding:
    """The variables and formulas of one item. Formulas that several rows share are built once."""

    def __init__(self, facts: Facts, item: Item, sends: int = 1) -> None:
        self.facts, self.item = facts, item
        self.never = facts.horizon + 1
        name = item.message
        self.admitted = z3.Int(f"{name}.admitted")
        self.draft = z3.Int(f"{name}.draft")
        self.sends = [z3.Int(f"{name}.send.{number}") for number in range(sends)]
        self.send = self.sends[0]
        self.resolved = z3.Int(f"{name}.resolved")
        self.ending = z3.Int(f"{name}.ending")
        self.records = [self.admitted, self.draft, *self.sends, self.resolved]
        self.sent_draft = self.next_draft = None
        if item.rejects:
            self.sent_draft, self.next_draft = z3.Int(f"{name}.sent-draft"), z3.Int(f"{name}.next-draft")
            self.records += [self.sent_draft, self.next_draft]
        self.fires = [(event, z3.If(self.draft < event.tick, z3.IntVal(event.tick), self.draft + 1)) for event in item.decisions]
        self.approves = [fire for fire in self.fires if fire[0].approve]
        self.rejects = [fire for fire in self.fires if not fire[0].approve]
        self.touches: list[tuple[Death, Expr, Expr]] = []
        for number, death in enumerate(facts.deaths):
            if item.at < death.tick:
                won = z3.Int(f"{name}.won.{number}")
                held = self.live(death.tick)
                if death.target != name:
                    held = z3.Bool(f"{name}.held.{number}")
                self.touches.append((death, held, won))
                self.records.append(won)

    # -- facts about a run -------------------------------------------------------------------------------------------

    def domains(self) -> Iterator[Expr]:
        for record in self.records:
            yield record >= self.item.at
            yield record <= self.never
        yield self.ending >= COMPLETED
        yield self.ending <= CRASHED
        for death, held, _ in self.touches:
            if death.target != self.item.message:
                yield z3.Implies(held, self.live(death.tick))

    @cached_property
    def abandoned(self) -> Expr:
        return z3.And(self.happens(self.resolved), self.ending != COMPLETED)

    def happens(self, record: Expr) -> Expr:
        return record < self.never

    def unfinished(self, tick: int) -> Expr:
        return z3.And(self.send >= tick, self.resolved >= tick)

    def live(self, tick: int) -> Expr:
        return z3.And(self.admitted < tick, self.send >= tick, self.resolved >= tick)

    def escalated_by(self, tick: Expr) -> Expr:
        return either(event.tick <= tick for event in self.item.escalations)

    def before(self, first: Event, second: Event) -> Expr:
        """In the environment's order: as written, unless the first one waits for a draft of the tick before the second."""
        if first.tick == second.tick:
            return first.seq < second.seq
        just_before = self.draft == max(first.tick, second.tick) - 1
        return z3.Not(just_before) if first.tick < second.tick else just_before

    def standing(self, tick: Expr) -> Expr:
        return either(
            both(
                [
                    fired <= tick,
                    fired < self.never,
                    *(either([other > tick, self.before(reject, approve)]) for reject, other in self.rejects),
                ]
            )
            for approve, fired in self.approves
        )

    def before_escalation(self, event: Event, fired: Expr, escalation: Event) -> Expr:
        in_tick = event.tick == escalation.tick and event.seq < escalation.seq
        return either([fired < escalation.tick, self.draft < event.tick if in_tick else False])

    @cached_property
    def revoked(self) -> dict[int, Expr]:
        """The cause of L6.stop, per escalation."""
        return {escalation.seq: self._revoked(escalation) for escalation in self.item.escalations}

    def _revoked(self, escalation: Event) -> Expr:
        standing = either(
            both(
                [
                    self.before_escalation(approve, fired, escalation),
                    *(
                        either([no(self.before_escalation(reject, other, escalation)), self.before(reject, approve)])
                        for reject, other in self.rejects
                    ),
                ]
            )
            for approve, fired in self.approves
        )
        return both([standing, self.unfinished(escalation.tick)])

    @cached_property
    def pending(self) -> dict[int, Expr]:
        """What a crash finds pending, per tick of a crash."""
        return {crash.tick: self._pending(crash.tick) for crash in self.facts.crashes}

    def _pending(self, crash: int) -> Expr:
        return both(
            [
                self.draft < crash if crash > self.item.at else False,
                self.unfinished(crash),
                no(self.escalated_by(crash)),
                self.standing(crash) if self.facts.gated(self.item) else True,
            ]
        )

    def crashed_between(self, first: Expr, last: Expr) -> Expr:
        return either(
            both([first <= crash.tick, crash.tick <= last, self.pending[crash.tick]]) for crash in self.facts.crashes
        )

    @cached_property
    def lawful(self) -> Expr:
        """What L0.abandon asks of an abandonment."""
        at = self.resolved
        causes = [both([either(fired <= at for _, fired in self.rejects), no(self.standing(at))])]
        for death, held, _ in self.touches:
            taken = either(z3.And(won >= death.tick, won <= at) for _, _, won in self.touches)
            causes.append(z3.And(held, at >= death.tick, at <= death.tick + 5, z3.Not(taken)))
        for crash in self.facts.crashes:
            causes.append(both([at >= crash.tick, at <= crash.tick + 20, self.pending[crash.tick]]))
        return either([self.escalated_by(at), both([at < self.send, either(causes)])])

    def abandoned_by(self, deadline: Expr) -> Expr:
        return both([self.abandoned, self.resolved <= deadline, self.lawful])

    @cached_property
    def _not_standing(self) -> dict[int, Expr]:
        return {reject.seq: no(self.standing(fired)) for reject, fired in self.rejects}

    def later_reject(self, cause: Event | int, deadline: Expr) -> Expr:
        return either(
            both(
                [
                    self.before(cause, reject) if isinstance(cause, Event) else fired > cause,
                    fired <= deadline,
                    self._not_standing[reject.seq],
                ]
            )
            for reject, fired in self.rejects
        )

    def authorised(self) -> Expr:
        return either(
            both(
                [
                    fired <= self.send,
                    self.binds(approve),
                    *(
                        either([other > self.send, no(self.binds(reject)), self.before(reject, approve)])
                        for reject, other in self.rejects
                    ),
                ]
            )
            for approve, fired in self.approves
        )

    def binds(self, event: Event) -> Expr:
        """The decision binds the sent draft."""
        if self.sent_draft is None:
            return True
        return z3.If(
            self.draft < event.tick,
            z3.And(self.sent_draft < event.tick, self.next_draft >= event.tick),
            self.sent_draft == self.draft,
        )

    # -- the rows of the model ---------------------------------------------------------------------------------------

    def physics(self) -> Iterator[Expr]:
        drafts = [self.draft] if self.sent_draft is None else [self.draft, self.sent_draft, self.next_draft]
        yield self.admitted <= self.draft
        yield self.admitted <= self.resolved
        yield (self.draft if self.sent_draft is None else self.sent_draft) <= self.send
        for record in (*drafts, self.send):
            yield z3.Or(record <= self.resolved, record == self.never)
        yield z3.Or(self.ending != COMPLETED, self.send <= self.resolved)
        yield z3.Or(self.send == self.never, self.resolved == self.never, self.ending <= ESCALATED)
        yield z3.Or(self.resolved < self.never, self.ending == COMPLETED)
        yield either([self.ending != ESCALATED, *(event.tick <= self.resolved for event in self.item.escalations)])
        yield either([self.ending != REJECTED, *(fired <= self.resolved for _, fired in self.rejects)])
        yield either([self.ending != CRASHED, *(crash.tick <= self.resolved for crash in self.facts.crashes)])
        touched = [z3.And(held, self.resolved >= death.tick) for death, held, _ in self.touches]
        yield either([self.ending != AGENT_DIED, *touched])
        if self.sent_draft is not None:
            yield self.draft <= self.sent_draft
            yield z3.Or(self.sent_draft < self.next_draft, self.next_draft == self.never)
            yield z3.Implies(self.send == self.never, z3.And(self.sent_draft == self.draft, self.next_draft == self.never))
        for death, held, won in self.touches:
            absent = won == self.never
            yield z3.Or(absent, z3.And(held, won >= death.tick, won <= self.resolved))
            for other, other_held, _ in self.touches:
                if (death.tick, death.seq) < (other.tick, other.seq):
                    yield z3.Or(absent, won < other.tick, z3.Not(other_held))

    def send_due(self, cause: Event | int, start: Expr, budget: int) -> Expr:
        end = start + budget
        return either(
            [
                self.send <= end,
                self.resolved < start,
                self.escalated_by(end),
                self.later_reject(cause, end),
                self.abandoned_by(end),
                self.crashed_between(start, end),
            ]
        )

    def obligations(self) -> Iterator[Expr]:
        facts, item, at = self.facts, self.item, self.item.at
        yield either([self.draft <= at + 10, self.escalated_by(at + 10), self.abandoned_by(at + 10)])
        if facts.gated(item):
            for approve, fired in self.approves:
                yield self.send_due(approve, fired, 10)
        else:
            yield self.send_due(at, at, 10)
        yield either([no(self.abandoned), self.lawful])
        if facts.level >= 1:
            for crash in facts.crashes:
                yield from self.settled(crash.tick)
        if facts.level >= 2:
            yield self.admitted <= at + 5
            yield either([self.send == self.never, self.authorised()])
            for approve, fired in self.approves:
                yield self.send_due(approve, fired, 5)
        if facts.level >= 3:
            yield from self.fleet()
        if facts.level >= 4:
            for escalation in item.escalations:
                yield from self.escalated(escalation)

    def settled(self, crash: int) -> Iterator[Expr]:
        """L1.crash."""
        end = crash + 20
        ended = z3.And(self.abandoned, self.resolved <= end)
        excuses = [self.escalated_by(end), self.later_reject(crash, end), self.crashed_between(crash + 1, end)]
        yield either([no(self.pending[crash]), self.send <= end, ended, *excuses])

    def fleet(self) -> Iterator[Expr]:
        """L3.death and L3.terminal."""
        for death, held, _ in self.touches:
            end = death.tick + 5
            taken = [z3.And(won >= death.tick, won <= end) for _, _, won in self.touches]
            yield z3.Or(z3.Not(held), *taken, self.resolved <= end)
        for _, fired in self.fires:
            running = [self.pending[crash.tick] for crash in self.facts.crashes if crash.tick + 20 > self.facts.horizon]
            late = fired + 10 > self.facts.horizon
            yield either([self.admitted == self.never, late, self.happens(self.resolved), *running])

    def escalated(self, escalation: Event) -> Iterator[Expr]:
        """L4.stop, L4.resolve and L6.stop."""
        at = escalation.tick
        unsent = z3.Or(self.send < at, self.send == self.never)
        given_up = z3.And(self.happens(self.resolved), self.ending == ESCALATED)
        yield unsent
        yield z3.Or(self.admitted == self.never, z3.Not(self.unfinished(at)), given_up)
        if self.facts.level >= 6:
            yield either([no(self.revoked[escalation.seq]), z3.And(unsent, given_up)])

    # -- expectations and questions ----------------------------------------------------------------------------------

    def claim(self, claim: Json) -> Expr:
        kind = claim["claim"]
        if kind == "any":
            return either(both(self.claim(inner) for inner in alternative) for alternative in claim["of"])
        if kind == "never-sent":
            return self.send == self.never
        if kind == "completed":
            return z3.And(self.happens(self.resolved), self.ending == COMPLETED)
        if kind == "abandoned":
            reason = claim["reason"]
            return self.abandoned if reason is None else z3.And(self.happens(self.resolved), self.ending == REASONS[reason])
        start = self.label(claim["from"])
        if claim["within"] is None:
            windows = [self.happens(send) for send in self.sends]
        else:
            happened = [] if isinstance(start, int) else [self.happens(start)]
            windows = [
                both([*happened, send >= start, send <= start + claim["within"], self.happens(send)]) for send in self.sends
            ]
        if not claim["once"]:
            return either(windows)
        return both([windows[0], *(extra == self.never for extra in self.sends[1:])])

    def label(self, name: str | None) -> Expr:
        """The tick of a name that an expectation mentions."""
        if name is None or name == self.item.message:
            return self.item.at
        for event, fired in self.fires:
            if event.id == name:
                return fired
        events = (*self.item.escalations, *self.facts.crashes)
        return next(event.tick for event in events if event.id == name)

    def causes(self) -> Iterator[tuple[int, Expr]]:
        """What exercises a level."""
        yield 0, True
        yield 2, True
        for crash in self.facts.crashes:
            yield 1, self.pending[crash.tick]
        for _, held, _ in self.touches:
            yield 3, held
        for escalation in self.item.escalations:
            yield 4, z3.And(self.happens(self.admitted), self.unfinished(escalation.tick))
            yield 6, self.revoked[escalation.seq]

    def stimuli(self) -> Iterator[tuple[int, Expr]]:
        """What keeps an event from being dead."""
        for event, fired in self.fires:
            yield event.seq, self.happens(fired)
        for escalation in self.item.escalations:
            yield escalation.seq, self.happens(self.admitted)
        for death, held, _ in self.touches:
            if death.target == self.item.message:
                yield death.seq, held
        for crash in self.facts.crashes:
            if self.item.at <= crash.tick:
                yield crash.seq, z3.And(self.happens(self.admitted), self.unfinished(crash.tick))

    def endings(self) -> Iterator[tuple[Ending, Expr, Expr | None]]:
        """The ways in which the item can end: what holds then, and the record whose first and last tick is asked for."""
        unsent, unresolved = self.send == self.never, self.resolved == self.never
        yield ("sent", None), self.happens(self.send), self.send
        for reason, ending in REASONS.items():
            yield ("abandoned", reason), z3.And(unsent, self.resolved < self.never, self.ending == ending), self.resolved
        yield ("open", None), z3.And(self.happens(self.admitted), unsent, unresolved), None
        yield ("not-admitted", None), self.admitted == self.never, None

    def run(self, model: z3.ModelRef) -> Run:
        """The records of a model as ticks."""
        ticks = {str(record): model.eval(record, model_completion=True).as_long() for record in self.records}
        run = {name: tick for name, tick in ticks.items() if tick < self.never}
        run["ending"] = model.eval(self.ending, model_completion=True).as_long()
        return run
