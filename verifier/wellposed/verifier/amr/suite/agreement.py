"""What makes the runs of two scenarios the same before a tick: the records of the items that both have.

Compared are admissions, first drafts, sends and what is sent, resolutions with their reason, what a dying agent holds, and
reassignments. Contention and state snapshots are not: what is left free can only hide a conflict.

Of the drafts the first is enough. A further one can only take decisions from an earlier one, and with an approval it takes
the authority: where some draft could be sent, some draft still can. So a run may declare whatever another one declares.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.components import Members
from wellposed.verifier.amr.environment import Environment
from wellposed.verifier.amr.items import Item, Touch
from wellposed.verifier.amr.suite.telling import Names
from wellposed.verifier.formula import Formula, Space, Term, all_of, any_of, constant, negate
from wellposed.verifier.suite.joint import Part


def agreement(space: Space, one: Part, other: Part, until: int) -> Iterator[Formula]:
    """Formulas over the joint space. `until` counts from the start of both stories.

    A tick of the schedule is no earlier than the visible tick at which it happens, and before `until` both clocks are the
    same, so the lesser of the two indexes is safe.
    """
    views = _View(one), _View(other)
    end = min(view.index(until) for view in views)
    yield from _Agreement(space, *views, end).formulas()


class _View:
    """One side: its items by the names of the story, and its terms as indexes of visible ticks from the story's start."""

    def __init__(self, part: Part) -> None:
        environment, members, names = part.case.payload, part.component.payload, part.story.names
        assert isinstance(environment, Environment) and isinstance(members, Members) and isinstance(names, Names)
        self._clock = environment.clock
        self._start = part.story.start
        self._first = environment.clock.index(part.story.start)
        self._side = part.side
        self.names = names
        self.items = {names.messages[own]: item for own, item in members.items.items()}

    def index(self, tick: int) -> int:
        """The index of a tick of the story; nothing is known of a scenario after its horizon."""
        return min(self._clock.index(self._start + tick), self._clock.never) - self._first

    def at(self, term: Term) -> Term:
        """The tick of a record."""
        return self._side.term(term).plus(-self._first)

    def value(self, term: Term) -> Term:
        """A term that is no tick."""
        return self._side.term(term)

    def formula(self, formula: Formula) -> Formula:
        return self._side.formula(formula)


class _Agreement:
    def __init__(self, space: Space, one: _View, other: _View, end: int) -> None:
        self._space = space
        self._one = one
        self._other = other
        self._end = constant(end)

    def formulas(self) -> Iterator[Formula]:
        for name, item in self._one.items.items():
            twin = self._other.items.get(name)
            if twin is not None:
                yield from self._item(item, twin)

    def _item(self, item: Item, twin: Item) -> Iterator[Formula]:
        yield self._same(item.admitted, twin.admitted)
        yield self._same(item.draft, twin.draft)
        yield self._same(item.resolved, twin.resolved, self._equal(item.ending, twin.ending))
        for send, same_send in zip(item.sends, twin.sends, strict=False):
            yield self._same(send, same_send, *self._replies(item, twin))
        deaths = {self._other.names.events[touch.event.id]: touch for touch in twin.touches}
        for touch in item.touches:
            same = deaths.get(self._one.names.events[touch.event.id])
            if same is not None:
                yield from self._death(touch, same)

    def _late(self, tick: Term) -> Formula:
        return self._space.le(self._end, tick)

    def _equal(self, one: Term, other: Term) -> Formula:
        return self._space.eq(self._one.value(one), self._other.value(other))

    def _same(self, one: Term, other: Term, *says: Formula) -> Formula:
        """The record is written at the same tick and says the same, or in both runs not before the end."""
        first, second = self._one.at(one), self._other.at(other)
        together = all_of((self._space.eq(first, second), *says))
        return any_of((together, all_of((self._late(first), self._late(second)))))

    def _replies(self, item: Item, twin: Item) -> Iterator[Formula]:
        """What both scenarios ask about the reply, in conversations that both have seen."""
        for own, others in ((item.carries, twin.carries), (item.lies_in, twin.lies_in)):
            asked = {self._other.names.conversations.get(name): term for name, term in others.items()}
            for name, term in own.items():
                told = self._one.names.conversations.get(name)
                if told is not None and told in asked:
                    yield self._equal(term, asked[told])

    def _death(self, touch: Touch, same: Touch) -> Iterator[Formula]:
        """The dying agent held the same, and the item is reassigned alike."""
        held, holds = self._one.formula(touch.touched), self._other.formula(same.touched)
        alike = any_of((all_of((held, holds)), all_of((negate(held), negate(holds)))))
        yield any_of((self._late(self._one.at(touch.tick)), alike))
        yield self._same(touch.won, same.won)

