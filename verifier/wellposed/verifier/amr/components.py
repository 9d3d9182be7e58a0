"""One component: the items of some messages that constrain each other, with everything the kernel asks about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TypeVar

from wellposed.verifier.amr.admission import Admissions
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.claims import ClaimReader, Json, Named, atoms, text
from wellposed.verifier.amr.environment import (
    TIMED,
    TRIGGERED,
    Death,
    Decision,
    Environment,
    Escalation,
    Event,
    Forgery,
    Message,
    Trigger,
)
from wellposed.verifier.amr.items import Contended, Item, Touch
from wellposed.verifier.amr.obligations import instances
from wellposed.verifier.amr.questions import questions
from wellposed.verifier.amr.sends import sends_told_apart, sends_wanted
from wellposed.verifier.amr.shown import loose_of, outcomes_of, quiet_of, records_of
from wellposed.verifier.amr.windows import window_forms
from wellposed.verifier.formula import FALSE, TRUE, Formula, Space, Term, all_of, any_of, constant, negate
from wellposed.verifier.theory import Claim, Component, Constraint, FreeClaims

Aimed = TypeVar("Aimed", Decision, Escalation, Forgery)

@dataclass(frozen=True, slots=True)
class Members:
    """What a component was built from, for whoever turns a solution into a run."""

    items: Mapping[str, Item]
    snapshots: Term | None
    forked: Mapping[str, Term] = field(default_factory=dict)


class Schedule:
    """The events of an environment, indexed by the message that they aim at, and the expectations as they are written."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.decisions = _grouped(environment.decisions)
        self.escalations = _grouped(environment.escalations)
        self.forgeries = _grouped(environment.forgeries)
        self.expected = tuple(map(text, environment.document["expect"]))


def _grouped(events: Iterable[Aimed]) -> dict[str | None, list[Aimed]]:
    grouped: dict[str | None, list[Aimed]] = {}
    for event in events:
        grouped.setdefault(event.message, []).append(event)
    return grouped


class Builder:
    """Builds the items of a component and, from them, the component itself.

    `certain` names the deaths known to find their target in every conforming run, so that they couple nothing. `found`
    says of others whether they do, as one case of several. `copies` is how many sends of each message a log may have at least.
    """

    def __init__(
        self,
        schedule: Schedule,
        admissions: Admissions,
        answers: Answers,
        claims: Sequence[tuple[int, Json]],
        certain: frozenset[str],
        all_drafts: bool,
        found: Mapping[str, bool],
        copies: int,
    ) -> None:
        self.schedule = schedule
        self.environment = schedule.environment
        self._admissions = admissions
        self.answers = answers
        self._claims = claims
        self._certain = certain | {death for death, is_found in found.items() if is_found}
        self._found = found
        self._all_drafts = all_drafts
        self._copies = copies
        self.space = Space()
        self.items: dict[str, Item] = {}
        self.harness: list[Formula] = []
        self._deferred: dict[int, Formula] = {}
        self._signalled: dict[int, Term] = {}
        self._atoms = [atom for _, claim in claims for atom in atoms(claim)]

    def component(self, messages: Sequence[str]) -> Component:
        """The component of these messages and of the claims given, in force under the scenario's level."""
        environment = self.environment
        self.add_items(messages, self._sends(messages, sends_wanted))
        self.add_deaths()
        physics: list[Formula] = []
        for item in self.items.values():
            physics.extend(self.physics(item))
            physics.extend(item.ended_truly().values())
        reader = self.reader()
        claims = self.read_claims(reader)
        standing = [
            constraint for item in self.items.values() for constraint in instances(item, environment.level)
        ]
        snapshots = reader.snapshots if any(atom["claim"] == "state-agrees" for atom in self._atoms) else None
        if snapshots is not None and environment.level >= 3:
            agreed = self.space.le(constant(1), snapshots)
            standing.append(Constraint("L3.state", "", "/level", agreed, "every snapshot agrees with the logs", False))
        causes, stimuli = questions(self)
        physics = [*self.rules_of_the_harness(), *physics]
        records = tuple(record for item in self.items.values() for record in records_of(item))
        if snapshots is not None:
            records = (*records, (snapshots.var,))
        return Component(
            self.space,
            tuple(messages),
            tuple(formula for formula in physics if formula is not TRUE),
            tuple(standing),
            claims,
            causes,
            stimuli,
            tuple(outcome for item in self.items.values() for outcome in outcomes_of(item)),
            records,
            tuple(formula for item in self.items.values() for formula in quiet_of(item)),
            Members(self.items, snapshots),
            tuple(window_forms(environment, self.items, self.at)),
            dict(loose for item in self.items.values() for loose in loose_of(item)),
        )

    def physics(self, item: Item) -> Iterator[Formula]:
        """What holds of an item in every log that a real system can write, but for how it ends."""
        yield from item.physics()
        yield from item.death_physics()
        yield from self._fixed(item)
        if item.lies_in and set(item.lies_in) >= set(self.environment.conversations):
            yield any_of(self.space.le(constant(1), lies) for lies in item.lies_in.values())

    def admissible(self, message: Message) -> bool:
        """Whether some system may admit a message."""
        return self.environment.level < 2 or bool(self._admissions.of(message).windows)

    def before_changes(self, item: Item, changing: str) -> Item:
        """The item as it would be had the posture, or the rules version, of the beginning never changed."""
        first = self.environment.segments[0]
        segments = (replace(one, **{changing: getattr(first, changing)}) for one in self.environment.segments)
        old = copy(item)
        old.rules = Admissions(replace(self.environment, segments=tuple(segments)), self.answers).of(item.message)
        return old

    def free_claims(self, messages: Sequence[str]) -> FreeClaims:
        """The claims over every well-formed log: no physics, sends enough, and any holder for any dying agent."""
        self.add_items(messages, self._sends(messages, sends_told_apart))
        for item in self.items.values():
            self.harness.extend(item.sends_in_order())
            self.harness.extend(self._fixed(item))
            touches = []
            for death in self.environment.deaths:
                tick = self.death_tick(death)
                if tick is not None:
                    chosen = self.space.variable(f"{item.message.id}.held.{death.event.id}", 0, 1, item.message.id)
                    won = item.record(f"won.{death.event.id}")
                    touches.append(Touch(death.event, tick, self.space.le(constant(1), chosen), (chosen,), won))
            item.touches = tuple(touches)
        claims = self.read_claims(self.reader())
        return FreeClaims(self.space, tuple(self.rules_of_the_harness()), claims)

    def read_claims(self, reader: ClaimReader) -> tuple[Claim, ...]:
        texts = self.schedule.expected
        return tuple(Claim(index, reader.formula(claim), texts[index]) for index, claim in self._claims)

    def rules_of_the_harness(self) -> Iterator[Formula]:
        """What holds in every log: asked for last, when all records and places exist."""
        yield from self.harness
        for item in self.items.values():
            yield from item.harness
            yield from item.places()

    def add_items(self, messages: Sequence[str], sends: Mapping[str, int] | int, everything: bool = False) -> None:
        """Create the items with their decisions, escalations, crashes and what the claims (or `everything`) ask of replies.

        `sends`: how many of each a log may have.
        """
        environment = self.environment
        for identity in messages:
            message = environment.messages[identity]
            self.items[identity] = Item(
                self.space,
                environment,
                message,
                self._admissions.of(message),
                self.schedule.decisions.get(identity, ()),
                sends if isinstance(sends, int) else sends[identity],
                self._all_drafts,
                self.answers,
                self._deferred,
                not everything,
            )
        for identity, item in self.items.items():
            forged = [forgery.event for forgery in self.schedule.forgeries.get(identity, ())]
            self.harness.extend(item.add_fires(self.at, forged))
            item.escalations = tuple(
                (entry.event, self.at(entry.event)) for entry in self.schedule.escalations.get(identity, ())
            )
            item.crashes = tuple((event, self.at(event)) for event in environment.crashes)
            self._add_replies(item, everything)

    def at(self, event: Event) -> Term:
        """The tick of an event: a constant, or the tick after the record that it waits for."""
        if isinstance(event.when, Trigger):
            item = self.items[event.when.message]
            if event.rank == TRIGGERED:
                return item.trigger(event.when.event)
            if event.seq not in self._signalled:
                self._signalled[event.seq] = item.signalled(event)
            return self._signalled[event.seq]
        return constant(self.environment.clock.never if event.when is None else event.when)

    def reader(self) -> ClaimReader:
        """A reader of claims over the items created so far."""
        return ClaimReader(self.space, self.items, self.environment, self._labels(), self.answers)

    def _sends(self, messages: Sequence[str], wanted: Callable[[Json, str], int]) -> dict[str, int]:
        """How many sends of each message are enough for what its claims ask for."""
        asked = {message: 1 + sum(wanted(claim, message) for _, claim in self._claims) for message in messages}
        return {message: max(number, self._copies) for message, number in asked.items()}

    def _labels(self) -> dict[str, Named]:
        """What every name that the claims mention stands for."""
        named: dict[str, Named] = {}
        for atom in self._atoms:
            for label in (atom.get("from"), atom.get("after")):
                if label is not None:
                    named[label] = self._label(label)
        return named

    def _label(self, label: str) -> Named:
        environment = self.environment
        if label in environment.messages:
            message = environment.messages[label]
            return Named(constant(message.at), Event(message.at, TIMED, message.seq, message.pointer, message.id))
        named = environment.named[label]
        if isinstance(named, str):
            fires = ((fire.decision.event, fire.tick) for fire in self.items[named].fires)
            return next(Named(tick, event) for event, tick in fires if event.id == label)
        for item in self.items.values():
            for event, tick in item.forged:
                if event.id == label:
                    return Named(tick, event)
        escalation = any(entry.event is named for entry in environment.escalations)
        return Named(self.at(named), named, escalation)

    def _fixed(self, item: Item) -> Iterator[Formula]:
        """The triggers on this item that this unfolding takes to fire at a given tick."""
        for trigger, tick in self.environment.fixed.items():
            if trigger.message == item.message.id:
                fires = item.trigger(trigger.event)
                if tick is None:
                    yield self.space.lt(constant(self.environment.clock.horizon), fires)
                else:
                    yield self.space.eq(fires, constant(tick))

    def _add_replies(self, item: Item, everything: bool) -> None:
        """What the claims ask of a reply: which anchors it carries, which conversation it lies in, contention.

        With `everything`, also whether it lies in its own conversation and carries its own or the first anchor.
        """
        own = item.message.conversation
        carried, inside = [], []
        for atom in self._atoms:
            if atom.get("of") == item.message.id:
                if atom["claim"] == "reply-anchor":
                    carried.append(atom["conversation"])
                elif atom["claim"] == "reply-in":
                    inside.append(atom["conversation"])
                elif atom["claim"] == "claims-settle":
                    self.contend(item)
        if everything:
            self.contend(item)
            inside.append(own)
            anchors = [entry["conversation_id"] for entry in self.environment.document["stub"]["anchors"]]
            carried += [*anchors[:1], *([own] if own in anchors else [])]
        for of, names, kind in ((item.carries, carried, "carries"), (item.lies_in, inside, "lies-in")):
            for name in dict.fromkeys(names):
                of[name] = self.space.variable(f"{item.message.id}.{kind}.{name}", 0, 1, item.message.id)
        lies = list(item.lies_in.values())
        for index, first in enumerate(lies):
            for second in lies[index + 1 :]:
                zero = constant(0)
                self.harness.append(any_of((self.space.le(first, zero), self.space.le(second, zero))))

    def contend(self, item: Item) -> None:
        """Two agents may claim the item."""
        if item.contended is None:
            claimed = item.record("claimed")
            item.contended = Contended(claimed, item.record("settled"))
            self.harness += [self.space.le(item.admitted, claimed), self.space.le(claimed, item.contended.settled)]

    def add_deaths(self) -> None:
        """Which deaths may touch which items, and the reassignments that may follow."""
        for item in self.items.values():
            self._add_touches(item)
        if self.answers.one_item_per_agent:
            self.harness.extend(self._one_item_each())

    def _add_touches(self, item: Item) -> None:
        touches = []
        for death in self.environment.deaths:
            tick = self.death_tick(death)
            if tick is None or self.space.lt(item.admitted, tick) is FALSE:
                continue
            won = item.record(f"won.{death.event.id}")
            touches.append(Touch(death.event, tick, *self._touched(item, death, tick), won))
        item.touches = tuple(touches)

    def death_tick(self, death: Death) -> Term | None:
        """The tick of a death, or None when it hangs on a record outside this component (it then aims elsewhere)."""
        if isinstance(death.event.when, Trigger) and death.event.when.message not in self.items:
            return None
        return self.at(death.event)

    def _touched(self, item: Item, death: Death, tick: Term) -> tuple[Formula, tuple[Term, ...]]:
        """When a death touches an item, and the choice that the run has in it."""
        found = all_of((item.happens(tick), item.live_at(death.event, tick)))
        if death.message == item.message.id:
            if death.event.id in self._found:
                self.harness.append(found if self._found[death.event.id] else negate(found))
            return found, ()
        if death.message is not None and self.answers.one_item_per_agent:
            return FALSE, ()
        chosen = self.space.variable(f"{item.message.id}.held.{death.event.id}", 0, 1, item.message.id)
        held = self.space.le(constant(1), chosen)
        conditions = [found]
        if death.message in self.items:
            target = self.items[death.message]
            conditions.append(target.live_at(death.event, tick))
        elif death.message is not None and death.event.id not in self._certain:
            return FALSE, ()
        self.harness.append(any_of((self.space.le(chosen, constant(0)), all_of(conditions))))
        return held, (chosen,)

    def _one_item_each(self) -> Iterator[Formula]:
        """No two items share a holder: a death touches at most one of them."""
        items = list(self.items.values())
        for place, first in enumerate(items):
            for second in items[place + 1 :]:
                for one in first.touches:
                    for other in second.touches:
                        if one.event is other.event:
                            yield any_of((one.untouched, other.untouched))
