"""Several scenarios as one problem: runs of all of them that agree as long as their stories do.

For each scenario the variables of its components are appended to one space; what ties two scenarios is stated by the
model. Only components that are tied are solved together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from wellposed.verifier.formula import FALSE, TRUE, Formula, Space, Term, constant, holds, moved
from wellposed.verifier.prover import Values
from wellposed.verifier.satisfiable import Key, key_of
from wellposed.verifier.solver import Budget, Conflict, solve
from wellposed.verifier.suite.story import Story, parting
from wellposed.verifier.theory import Case, Claim, Component, Constraint

WORK = 10
"""Units of work for one formula that is made part of a joint problem."""

SuiteKey = tuple[int, Key]
"""A constraint of one scenario of several: the number of the scenario, and the key of the constraint."""


class Side(Protocol):
    """A component as a joint space has it."""

    def term(self, term: Term) -> Term:
        """A term of the component in the joint space."""
        ...

    def formula(self, formula: Formula) -> Formula:
        """A formula of the component in the joint space."""
        ...


class Free:
    """A component whose run is sought: its variables are appended to the joint space."""

    def __init__(self, space: Space, own: Space) -> None:
        self._by = len(space.lows) - 1
        space.lows += own.lows[1:]
        space.highs += own.highs[1:]
        space.names += own.names[1:]

    def term(self, term: Term) -> Term:
        return Term(term.var + self._by, term.offset) if term.var else term

    def formula(self, formula: Formula) -> Formula:
        return moved(formula, self._by)

    def values(self, found: Sequence[int], own: Space) -> Values:
        """The part of a joint solution that belongs to the component."""
        return [0, *found[self._by + 1 : self._by + len(own.lows)]]


class Fixed:
    """A component whose run is given."""

    def __init__(self, values: Sequence[int]) -> None:
        self._values = values

    def term(self, term: Term) -> Term:
        return constant(self._values[term.var] + term.offset)

    def formula(self, formula: Formula) -> Formula:
        return TRUE if holds(formula, self._values) else FALSE


@dataclass(frozen=True, slots=True)
class Part:
    """A component in its scenario, on one side of an agreement."""

    story: Story
    case: Case
    component: Component
    side: Side


class Agreeing(Protocol):
    """What a joint problem needs of a level model."""

    def agreement(self, space: Space, one: Part, other: Part, until: int) -> Iterator[Formula]:
        """What makes two parts the same before a tick of their stories, as far as they have items in common."""
        ...


@dataclass(frozen=True, slots=True)
class Role:
    """One scenario of a joint problem: its number, its story, one of its cases; its run if that is given."""

    number: int
    story: Story
    case: Case
    run: tuple[Values, ...] | None = None


@dataclass(slots=True)
class _Block:
    """Components that are solved together: each with its role, its number in the case and its side."""

    space: Space
    members: list[tuple[int, int, Side]]
    physics: list[Formula]
    constraints: list[tuple[SuiteKey, Formula]]


class Joint:
    """A joint problem of scenarios in the order of their stories; neighbours agree as long as their stories do.

    Hence all of them agree pairwise as long as *their* stories do (`parting`).
    """

    def __init__(self, model: Agreeing, roles: Sequence[Role], budget: Budget) -> None:
        """Raises OutOfBudget."""
        self._roles = roles
        self._blocks = []
        for members in self._tied():
            block = self._block(model, members)
            budget.spend(WORK * (len(block.physics) + len(block.constraints)))
            self._blocks.append(block)

    def solve(self, budget: Budget, bits: Mapping[SuiteKey, int] | None = None) -> list[tuple[Values, ...]] | Conflict:
        """A run for each scenario without a given one, or why there is none.

        With `bits` only these constraints count, each as the bit given; else all do. Raises OutOfBudget.
        """
        found: dict[tuple[int, int], Values] = {}
        for block in self._blocks:
            constraints = [(0, formula) for formula in block.physics]
            if bits is None:
                constraints += [(0, formula) for _, formula in block.constraints]
            else:
                constraints += [(1 << bits[key], formula) for key, formula in block.constraints if key in bits]
            values = solve(block.space, constraints, budget)
            if isinstance(values, Conflict):
                return values
            for place, number, side in block.members:
                if isinstance(side, Free):
                    found[place, number] = side.values(values, self._roles[place].case.components[number].space)
        return [
            tuple(found[place, number] for number in range(len(role.case.components)))
            for place, role in enumerate(self._roles)
            if role.run is None
        ]

    @property
    def keys(self) -> list[SuiteKey]:
        """The keys of all constraints, each once."""
        return list(dict.fromkeys(key for block in self._blocks for key, _ in block.constraints))

    def _tied(self) -> list[list[tuple[int, int]]]:
        """The components by role and number, grouped by the items that neighbours have in common."""
        group: dict[tuple[int, int], list[tuple[int, int]]] = {}
        before: dict[str, tuple[int, int]] = {}
        for place, role in enumerate(self._roles):
            here: dict[str, tuple[int, int]] = {}
            for number, component in enumerate(role.case.components):
                member = place, number
                group[member] = [member]
                for item in component.items:
                    name = role.story.items[item]
                    here[name] = member
                    if name in before:
                        _merge(group, before[name], member)
            before = here
        return list({id(members): members for members in group.values()}.values())

    def _block(self, model: Agreeing, members: Sequence[tuple[int, int]]) -> _Block:
        block = _Block(Space(), [], [], [])
        parts: dict[int, list[Part]] = {}
        for place, number in sorted(members):
            role = self._roles[place]
            component = role.case.components[number]
            side: Side
            if role.run is None:
                side = Free(block.space, component.space)
                block.physics += map(side.formula, component.physics)
                constraints: list[Constraint | Claim] = [*component.standing, *component.claims]
                block.constraints += [((role.number, key_of(one)), side.formula(one.formula)) for one in constraints]
            else:
                side = Fixed(role.run[number])
            block.members.append((place, number, side))
            parts.setdefault(place, []).append(Part(role.story, role.case, component, side))
        for place, later in parts.items():
            for one, other in product(parts.get(place - 1, ()), later):
                block.physics += model.agreement(block.space, one, other, parting(one.story, other.story))
        return block


def _merge(group: dict[tuple[int, int], list[tuple[int, int]]], one: tuple[int, int], other: tuple[int, int]) -> None:
    larger, smaller = sorted((group[one], group[other]), key=len, reverse=True)
    if larger is not smaller:
        larger += smaller
        group.update(dict.fromkeys(smaller, larger))
