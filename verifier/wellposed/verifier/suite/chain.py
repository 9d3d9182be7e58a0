"""Can one system pass a whole chain of scenarios; if not, a few of them that no system can pass together.

The scenarios are taken in the order of their stories, where agreement of neighbours is agreement of all. Each new one is
first held against the run chosen for its neighbour; where that fails, more and more of the chain is opened again, twice as
much each time, until there are runs for all of it or the opened scenarios alone, without the rest, have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from wellposed.verifier.cores import minimise
from wellposed.verifier.models import Model
from wellposed.verifier.prover import Values
from wellposed.verifier.satisfiable import deletion_order, key_of
from wellposed.verifier.solver import Budget, Conflict, OutOfBudget
from wellposed.verifier.suite.joint import Joint, Role, SuiteKey
from wellposed.verifier.suite.story import Story
from wellposed.verifier.theory import Claim, Constraint, Theory

REMEMBERED = 4
"""How many theories are kept: mostly the latest are asked for again, and all of a large suite would not fit."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Scenarios, by number, that no system can pass together, and a minimal core: constraints with their scenario.

    `left` scenarios of the chain were not added any more.
    """

    scenarios: tuple[int, ...]
    core: tuple[tuple[int, Constraint | Claim], ...]
    left: int = 0


@dataclass(frozen=True, slots=True)
class Unsettled:
    """The work budget ran out on a scenario."""

    scenario: int


@dataclass(frozen=True, slots=True)
class _Placed:
    """A scenario with the run chosen for it: the number of the case and the values of each component."""

    number: int
    case: int
    run: tuple[Values, ...]


class Chain:
    """Scenarios, by number, whose stories share a beginning. Each is known to have a conforming run that passes.

    Every scenario has the same number of work units for being added to the chain.
    """

    def __init__(
        self, model: Model, documents: Mapping[int, Mapping[str, Any]], stories: Mapping[int, Story], units: int
    ) -> None:
        self._model = model
        self._stories = stories
        self._units = units
        self._budget = Budget(units)
        self._documents = documents
        self._theory = lru_cache(REMEMBERED)(lambda number: model.theory(documents[number], self._budget))
        self._placed: list[_Placed] = []

    def add(self, number: int) -> Clash | Unsettled | None:
        """Add the next scenario in the order of stories. Of a clash none stays in the chain, so each is in one at most."""
        self._budget = Budget(self._units)
        try:
            clash = self._add(number)
        except OutOfBudget:
            return Unsettled(number)
        if clash is not None:
            self._placed = [one for one in self._placed if one.number not in clash.scenarios]
        return clash

    def _add(self, number: int) -> Clash | None:
        width = 0
        while True:
            closed = len(self._placed) - width
            opened = [*(one.number for one in self._placed[closed:]), number]
            runs = self._runs(opened, self._placed[closed - 1] if closed else None)
            if runs is not None:
                self._placed[closed:] = runs
                return None
            if not closed or (width and self._runs(opened) is None):
                return self._clash(opened)
            width = min(2 * width or 1, len(self._placed))

    def _runs(self, numbers: Sequence[int], neighbour: _Placed | None = None) -> list[_Placed] | None:
        """Runs of these scenarios that pass and agree, among them and with the neighbour before them."""
        for cases, joint in self._joints(numbers, neighbour):
            found = joint.solve(self._budget)
            if not isinstance(found, Conflict):
                return [_Placed(*one) for one in zip(numbers, cases, found, strict=True)]
        return None

    def _joints(
        self, numbers: Sequence[int], neighbour: _Placed | None = None, theories: Sequence[Theory] | None = None
    ) -> Iterator[tuple[tuple[int, ...], Joint]]:
        """The joint problem for every choice of cases, of the scenarios' own theories unless others are given."""
        before = []
        if neighbour is not None:
            case = self._theory(neighbour.number).cases[neighbour.case]
            before = [Role(neighbour.number, self._stories[neighbour.number], case, neighbour.run)]
        theories = [self._theory(number) for number in numbers] if theories is None else theories
        for cases in product(*(range(len(theory.cases)) for theory in theories)):
            roles = [
                Role(number, self._stories[number], theory.cases[case])
                for number, theory, case in zip(numbers, theories, cases, strict=True)
            ]
            yield cases, Joint(self._model, [*before, *roles], self._budget)

    def _clash(self, opened: Sequence[int]) -> Clash:
        """Opened scenarios that clash, and constraints of theirs, none of which can go; with work units of its own."""
        self._budget = Budget(self._units)
        involved = {number for number, _ in self._seed(self._joints(opened))}
        some = [number for number in opened if number in involved]
        if self._runs(some) is not None:  # something that is no constraint of theirs ties them by way of others
            some = list(opened)
        scenarios = minimise(some, lambda kept: self._runs(kept) is None)
        theories = self._with_copies(scenarios)
        joints = [joint for _, joint in self._joints(scenarios, theories=theories)]
        seed = self._seed(enumerate(joints))
        order = sorted(seed, key=lambda key: (deletion_order(key[1]), key[0]))

        def admits_none(chosen: Sequence[int]) -> bool:
            bits = {order[number]: number for number in chosen}
            return all(isinstance(joint.solve(self._budget, bits), Conflict) for joint in joints)

        kept = {order[number] for number in minimise(range(len(order)), admits_none)}
        return Clash(scenarios, tuple(_members(scenarios, theories, kept)))

    def _with_copies(self, scenarios: Sequence[int]) -> list[Theory]:
        """Theories whose logs hold what may be there only once as often as the claims of all scenarios ask."""
        copies = 1 + sum(self._theory(number).copies - 1 for number in scenarios)
        return [self._model.theory(self._documents[number], self._budget, copies) for number in scenarios]

    def _seed(self, joints: Iterable[tuple[object, Joint]]) -> list[SuiteKey]:
        """The constraints in the conflicts of joint problems that have no solution."""
        seed: dict[SuiteKey, None] = {}
        for _, joint in joints:
            keys = joint.keys
            conflict = joint.solve(self._budget, {key: bit for bit, key in enumerate(keys)})
            assert isinstance(conflict, Conflict)
            seed |= dict.fromkeys(key for bit, key in enumerate(keys) if conflict.constraints >> bit & 1)
        return list(seed)


def _members(
    scenarios: Sequence[int], theories: Sequence[Theory], keys: set[SuiteKey]
) -> Iterator[tuple[int, Constraint | Claim]]:
    """The constraints with these keys, each once, scenario by scenario."""
    for number, theory in zip(scenarios, theories, strict=True):
        seen = set()
        for component in (component for case in theory.cases for component in case.components):
            members: list[Constraint | Claim] = [*component.claims, *component.standing]
            for member in members:
                key = number, key_of(member)
                if key in keys and key not in seen:
                    seen.add(key)
                    yield number, member
