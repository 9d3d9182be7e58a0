"""From the values of a solution to a run in the terms of the benchmark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from wellposed.dsl.vocabulary import REASONS
from wellposed.verifier.amr.components import Members
from wellposed.verifier.amr.environment import Environment
from wellposed.verifier.amr.items import COMPLETED, Item
from wellposed.verifier.amr.run import Contention, Draft, ItemRun, Run
from wellposed.verifier.formula import Term, holds


def run_of(environment: Environment, parts: Iterable[tuple[Members, Sequence[int]]]) -> Run:
    """The run that the values of every component describe, in real ticks."""
    items: dict[str, ItemRun] = {}
    held: dict[str, set[str]] = {}
    agrees = True
    for members, values in parts:
        reader = _Reader(environment, values)
        for identity, item in members.items.items():
            items[identity] = reader.item(item)
            if identity in members.forked and reader.value(members.forked[identity]) == 1:
                items[identity] = replace(items[identity], forked=True)
            for touch in item.touches:
                if holds(touch.touched, values):
                    held.setdefault(touch.event.id, set()).add(identity)
        if members.snapshots is not None:
            agrees = agrees and reader.value(members.snapshots) == 1
    return Run(items, {death: frozenset(messages) for death, messages in held.items()}, agrees)


def redrafted(run: Run, other: Run) -> Run:
    """A run with the redrafts of another one for items that it does not send: nothing rests on them, it could have them."""
    items = {identity: _redrafted(item, other.items[identity]) for identity, item in run.items.items()}
    return replace(run, items=items)


def _redrafted(item: ItemRun, other: ItemRun) -> ItemRun:
    if item.sends or item.drafts != other.drafts[:1]:
        return item
    closed = item.resolution
    further = (draft for draft in other.drafts[1:] if closed is None or draft.tick <= closed[0])
    return replace(item, drafts=(*item.drafts, *further))


class _Reader:
    def __init__(self, environment: Environment, values: Sequence[int]) -> None:
        self._environment = environment
        self._values = values

    def value(self, term: Term) -> int:
        return self._values[term.var] + term.offset

    def tick(self, term: Term) -> int | None:
        """The real tick of a record, or None where it does not exist."""
        index = self.value(term)
        return None if index >= self._environment.clock.never else self._environment.clock.tick(index)

    def item(self, item: Item) -> ItemRun:
        admitted = self.tick(item.admitted)
        indexes = sorted({self.value(draft) for draft in (item.draft, item.sent_draft, item.next_draft)})
        declared = [index for index in indexes if index < self._environment.clock.never]
        drafts = tuple(self._draft(item, index) for index in declared)
        sends = []
        for send in item.sends:
            at = self.tick(send)
            if at is not None:
                sends.append((at, declared.index(self.value(item.sent_draft))))
        won = sorted({at for touch in item.touches if (at := self.tick(touch.won)) is not None})
        return ItemRun(
            admitted,
            None if admitted is None else self._version(item),
            drafts,
            tuple(sends),
            self._resolution(item),
            tuple(won),
            self._contention(item),
            None if item.claimed is None else self.tick(item.claimed),
        )

    def _draft(self, item: Item, index: int) -> Draft:
        return Draft(self._environment.clock.tick(index), self._conversation(item), frozenset(self._carried(item)))

    def _conversation(self, item: Item) -> str:
        """The conversation that the claims ask for, else the message's own, else any other."""
        chosen = self._asked(item.lies_in)
        others = [name for name in (item.message.conversation, *self._environment.conversations) if name not in chosen]
        return next((name for name, lies in chosen.items() if lies), others[0] if others else item.message.conversation)

    def _carried(self, item: Item) -> Iterable[str]:
        """The anchors that the claims ask for; the message's own unless they deny it."""
        chosen = self._asked(item.carries)
        yield from (name for name, carried in chosen.items() if carried)
        own = item.message.conversation
        if own in self._environment.anchored and own not in chosen:
            yield own

    def _asked(self, of: Mapping[str, Term]) -> dict[str, bool]:
        return {name: self.value(term) == 1 for name, term in of.items()}

    def _version(self, item: Item) -> str:
        """A rules version that the admission may cite, a lawful one where there is one."""
        index = self.value(item.admitted)
        for first, last, version in (*item.rules.windows, *item.rules.versions):
            if first <= index <= last:
                return version
        raise AssertionError("some rules version is in force at every tick")

    def _resolution(self, item: Item) -> tuple[int, str, str | None] | None:
        at = self.tick(item.resolved)
        if at is None:
            return None
        ending = self.value(item.ending)
        return (at, "completed", None) if ending == COMPLETED else (at, "abandoned", REASONS[ending - 1])

    def _contention(self, item: Item) -> Contention | None:
        if item.contended is None:
            return None
        claimed = self.tick(item.contended.claimed)
        return None if claimed is None else Contention(claimed, self.tick(item.contended.settled))
