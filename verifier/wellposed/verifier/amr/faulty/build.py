"""From a component of a scenario to what every faulty system may do in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.amr.components import Builder, Members
from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem
from wellposed.verifier.amr.obligations import ROWS, in_force, instances
from wellposed.verifier.amr.shown import quiet_of, records_of
from wellposed.verifier.formula import TRUE, Formula, all_of, any_of, constant, negate
from wellposed.verifier.theory import Component, Constraint, Suspects, Variant


def suspects(builder: Builder, messages: Sequence[str], table: Iterable[FaultySystem]) -> Suspects:
    """The items of these messages, for every faulty system of a table."""
    return _Build(builder, messages).suspects(table)


class _Build:
    def __init__(self, builder: Builder, messages: Sequence[str]) -> None:
        self._builder = builder
        self._level = builder.environment.level
        self._messages = tuple(messages)
        builder.add_items(messages, 2, everything=True)
        builder.add_deaths()
        self._reader = builder.reader()
        self._snapshots = self._reader.snapshots
        self._people = [
            Suspect(item, builder, builder.space.variable(f"{identity}.forked", 0, 1, identity), self._snapshots)
            for identity, item in builder.items.items()
        ]

    def suspects(self, table: Iterable[FaultySystem]) -> Suspects:
        builder = self._builder
        claims = builder.read_claims(self._reader)
        rows = {person.item.message.id: list(instances(person.item, self._level)) for person in self._people}
        systems: dict[str, list[Variant]] = {}
        for system in table:
            attacked = tuple(self._attacked(system, rows))
            runs = [formula for person in self._people for formula in _erring(system, person, rows[person.item.message.id])]
            runs += [] if "snapshots" in system.uses else [self._agree]
            variant = Variant(tuple(one for one in runs if one is not TRUE), attacked, system.late is not None)
            systems.setdefault(system.id, []).append(variant)
        # Asked for last, when the places of all sends that anything is said about exist.
        common = [*builder.rules_of_the_harness(), *(f for person in self._people for f in builder.physics(person.item))]
        common = [formula for formula in common if formula is not TRUE]
        component = Component(
            builder.space,
            self._messages,
            tuple(common),
            (),
            claims,
            {},
            {},
            (),
            tuple(record for person in self._people for record in records_of(person.item)),
            tuple(formula for person in self._people for formula in quiet_of(person.item)),
            Members(builder.items, self._snapshots, {p.item.message.id: p.forked for p in self._people}),
        )
        return Suspects(component, {identity: tuple(found) for identity, found in systems.items()})

    @property
    def _agree(self) -> Formula:
        return self._builder.space.le(constant(1), self._snapshots)

    def _taken_away(self, obligation: str) -> bool:
        """Whether the document leaves out a row of its level; no bundle does, only who asks what would be without it.

        The rows `K` are the physics of every log, which nobody can leave out.
        """
        standing = self._builder.environment.document["invariants"]
        left_out = bool(standing) and obligation not in standing and not obligation.startswith("K.")
        return left_out and OBLIGATION_BY_ID[obligation].level <= self._level

    def _attacked(self, system: FaultySystem, rows: Mapping[str, Sequence[Constraint]]) -> Iterator[Constraint]:
        """The instances of the attacked rows that are in force."""
        for obligation in system.attacks:
            if not in_force(obligation, self._level, self._builder.answers) or self._taken_away(obligation):
                continue
            if obligation == "L3.state":
                yield _constraint("L3.state", "", "/level", self._agree)
                continue
            for person in self._people:
                message = person.item.message
                yield from (row for row in rows[message.id] if row.obligation == obligation)
                formula = _beyond(obligation, person)
                if formula is not TRUE:
                    yield _constraint(obligation, message.id, message.pointer, formula)


def _constraint(obligation: str, item: str, pointer: str, formula: Formula) -> Constraint:
    row = OBLIGATION_BY_ID[obligation]
    return Constraint(obligation, item, pointer, formula, row.text, row.due)


def _beyond(obligation: str, person: Suspect) -> Formula:
    """A row that no conforming run can break by its construction, over the logs of a faulty system."""
    item = person.item
    if obligation in ("K.completed", "K.reason"):
        return item.ended_truly()[obligation]
    if obligation == "L1.fork":
        return negate(person.says(person.forked))
    if obligation == "L2.forged":
        forged = (*person.forged(), *person.dangling())
        return all_of(
            any_of((item.absent(send), item.precedes(send, event, tick), item.authorised(send)))
            for event, tick in forged
            for send in item.sends
        )
    return TRUE


def _erring(system: FaultySystem, person: Suspect, rows: Sequence[Constraint]) -> Iterator[Formula]:
    """What holds of one item in the hands of a faulty system."""
    policy = list(system.policy(person))
    erring = any_of(cause for cause, _ in policy)
    yield from (any_of((negate(cause), consequence)) for cause, consequence in policy)
    owed = [row.formula for row in rows if row.obligation in system.without]
    owed += [formula for row, formula in person.item.ended_truly().items() if row in system.relaxes]
    owed += [formula for use, formula in _as_ever(person) if use in system.uses]
    yield from (any_of((erring, formula)) for formula in owed)
    yield from (row.formula for row in rows if row.obligation not in system.without)
    yield from (formula for row, formula in person.item.ended_truly().items() if row not in system.relaxes)
    yield from (formula for use, formula in _as_ever(person) if use not in system.uses)
    if system.late is not None:
        budget, late = system.late
        slow = copy(person.item)
        slow.answers = replace(slow.answers, **{budget: getattr(slow.answers, budget) + 1})
        yield from (instance.formula for instance in ROWS[late](slow))


def _as_ever(person: Suspect) -> Iterator[tuple[str, Formula]]:
    """What is as in a conforming run, unless a policy says something about it."""
    item = person.item
    own = item.message.conversation
    yield "second send", item.absent(person.second)
    yield "fork", negate(person.says(person.forked))
    if item.contended is not None:
        yield "contention", item.absent(item.contended.claimed)
    for of, name, use in (
        (item.lies_in, own, "conversation"),
        (item.carries, own if own in item.environment.anchored else None, "anchors"),
    ):
        for one, choice in of.items():
            yield use, item.space.eq(choice, constant(int(one == name)))
