"""Small random theories for the kernel, and every question to them answered by going through all assignments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from random import Random

from wellposed.verifier.formula import Formula, Literal, Space, Term, all_of, any_of, holds, negate
from wellposed.verifier.theory import (
    Case,
    Claim,
    Component,
    Constraint,
    FreeClaims,
    Mutants,
    OutcomeForm,
    Pairing,
    Theory,
    WindowForm,
)

TOP = 3
LEVELS = ("L0", "L1", "L2")
STIMULI = ("/schedule/0", "/schedule/1", "/schedule/2")
Values = list[int]
Key = tuple[str, str, str]


# -- theories ---------------------------------------------------------------------------------------------------------


class Maker:
    """Draws one theory; its cases share claims, components and the keys of their constraints."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.variables = [rng.choice((2, 2, 3)) for _ in range(rng.choice((1, 1, 2)))]
        self.claimed = [rng.randrange(len(self.variables)) for _ in range(rng.choice((0, 1, 1, 2, 3)))]

    def theory(self) -> Theory:
        rng = self.rng
        cases = tuple(self._case(number) for number in range(rng.choice((1, 1, 2))))
        free = [group for group in self._groups() for _ in cases]
        only_expect = rng.random() < 0.3
        return Theory(
            cases=cases,
            claims=tuple(f"claim {number}" for number in range(len(self.claimed))),
            free=lambda: free,
            levels=LEVELS,
            stimuli=STIMULI,
            only_expect=only_expect,
            idle_passes=rng.random() < 0.2,
            top="L2",
            catches=(),
            mutants=lambda: Mutants((), (), only_expect),
        )

    def _case(self, number: int) -> Case:
        rng = self.rng
        components = tuple(self._component(place, size) for place, size in enumerate(self.variables))
        pairings = []
        for level in rng.sample(LEVELS, rng.choice((0, 1, 1))):
            places = [rng.randrange(len(components)) for _ in range(rng.choice((1, 2, 3)))]
            members = [(place, rng.choice("ab"), self._formula(self.variables[place])) for place in places]
            pairings.append(Pairing(level, tuple(members)))
        exercised = frozenset(level for level in LEVELS if rng.random() < 0.15)
        return Case(components, exercised, tuple(pairings), lambda value: 10 * value + number, None)

    def _component(self, place: int, size: int) -> Component:
        rng = self.rng
        space = Space()
        for number in range(size):
            space.variable(f"x{number}", 0, TOP, "a" if number else "b")
        standing = []
        for number in range(rng.choice((0, 1, 2, 3, 4))):
            obligation = rng.choice(("L0.row", "L1.row", "L1.other", "L2.row"))
            pointer = f"/schedule/{place}.{number}"
            standing.append(Constraint(obligation, "item", pointer, self._formula(size), "", rng.random() < 0.5))
        claims = tuple(
            Claim(index, self._formula(size), f"claim {index}") for index, where in enumerate(self.claimed) if where == place
        )
        terms = [Term(number, 0) for number in range(1, size + 1)]
        outcomes = tuple(
            OutcomeForm(f"item {place}", f"way {number % 2}", None, self._formula(size), None if number % 2 else rng.choice(terms))
            for number in range(rng.choice((0, 2, 3)))
        )
        windows = tuple(WindowForm(rng.choice(("a", "b", None)), f"record {place}", self._formula(size), term) for term in terms)
        physics = [formula for _ in range(rng.choice((0, 0, 1))) if solutions(space, [formula := self._formula(size)])]
        return Component(
            space=space,
            items=(f"item {place}",),
            physics=tuple(physics),
            standing=tuple(standing),
            claims=claims,
            causes={level: [self._formula(size)] for level in LEVELS if rng.random() < 0.4},
            stimuli={pointer: [self._formula(size)] for pointer in STIMULI if rng.random() < 0.5},
            outcomes=outcomes,
            records=tuple((number,) for number in range(1, size + 1)),
            quiet=tuple(space.le(Term(0, TOP), term) for term in terms),
            payload=None,
            windows=windows,
        )

    def _groups(self) -> Iterator[FreeClaims]:
        for place, size in enumerate(self.variables):
            claims = [index for index, where in enumerate(self.claimed) if where == place]
            space = Space()
            for number in range(size):
                space.variable(f"x{number}", 0, TOP)
            harness = tuple(self._formula(size) for _ in range(self.rng.choice((0, 1))))
            yield FreeClaims(space, harness, tuple(Claim(index, self._formula(size), "") for index in claims))

    def _formula(self, size: int, depth: int = 2) -> Formula:
        rng = self.rng
        draw = rng.random()
        if depth == 0 or draw < 0.3:
            x, y = rng.sample(range(size + 1), 2)
            return Literal(x, y, rng.randrange(-TOP, TOP + 1))
        parts = [self._formula(size, depth - 1) for _ in range(rng.choice((1, 2, 2, 3)))]
        if draw < 0.4:
            return negate(all_of(parts))
        return any_of(parts) if draw < 0.8 else all_of(parts)


def of_one_component(space: Space, standing: Sequence[Constraint], claims: Sequence[Claim]) -> Theory:
    """A theory of these constraints and claims alone."""
    component = Component(
        space=space,
        items=(),
        physics=(),
        standing=tuple(standing),
        claims=tuple(claims),
        causes={},
        stimuli={},
        outcomes=(),
        records=(),
        quiet=(),
        payload=None,
    )
    case = Case((component,), frozenset(), (), lambda value: value, None)
    words = tuple(claim.text for claim in claims)
    return Theory((case,), words, lambda: (), ("L0",), (), False, False, "L0", (), lambda: Mutants((), (), False))


def theory(seed: int) -> Theory:
    """The theory of a seed."""
    return Maker(Random(seed)).theory()


# -- answers ----------------------------------------------------------------------------------------------------------


@cache
def assignments(size: int) -> list[Values]:
    return [[0, *values] for values in product(range(TOP + 1), repeat=size - 1)]


def solutions(space: Space, formulas: Iterable[Formula]) -> list[Values]:
    """Every assignment that satisfies the formulas."""
    whole = all_of(formulas)
    return [values for values in assignments(len(space.lows)) if holds(whole, values)]


def key(member: Constraint | Claim) -> Key:
    if isinstance(member, Claim):
        return "expectation", f"/expect/{member.index}", ""
    return member.obligation, member.pointer, member.item


def members(component: Component) -> tuple[Constraint | Claim, ...]:
    """What can be part of a core."""
    return (*component.standing, *component.claims)


class Answers:
    """What holds of a theory, by definition (`docs/model.md`, Verdicts)."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.runs = [[self._conforming(component) for component in case.components] for case in theory.cases]
        self.conforming = [number for number, runs in enumerate(self.runs) if all(runs)]
        self.passes = [
            [[run for run in runs if self.passing(component, run)] for component, runs in zip(case.components, found, strict=True)]
            for case, found in zip(theory.cases, self.runs, strict=True)
        ]
        self.satisfiable = any(all(self.passes[number]) for number in self.conforming)

    @staticmethod
    def _conforming(component: Component) -> list[Values]:
        return solutions(component.space, [*component.physics, *(member.formula for member in component.standing)])

    @staticmethod
    def passing(component: Component, run: Values) -> bool:
        return all(holds(claim.formula, run) for claim in component.claims)

    def admits(self, keys: Sequence[Key]) -> bool:
        """Whether some log satisfies the constraints and claims with these keys, and the physics of its components."""
        for case in self.theory.cases:
            ways = [
                solutions(
                    component.space,
                    [
                        *component.physics,
                        *(member.formula for member in members(component) if key(member) in keys),
                    ],
                )
                for component in case.components
                if any(key(member) in keys for member in members(component))
            ]
            if all(ways):
                return True
        return False

    def possible(self, number: int, place: int, formula: Formula) -> bool:
        return any(holds(formula, run) for run in self.runs[number][place])

    def claim(self, index: int) -> str:
        """Whether a claim is proved, ambiguous or unsatisfiable."""
        held, failed = False, False
        for number in self.conforming:
            for place, component in enumerate(self.theory.cases[number].components):
                for claim in component.claims:
                    if claim.index == index:
                        held = held or self.possible(number, place, claim.formula)
                        failed = failed or self.possible(number, place, negate(claim.formula))
        return "unsatisfiable" if not held else "ambiguous" if failed else "proved"

    def hollow(self) -> list[int]:
        return [index for index in range(len(self.theory.claims)) if not any(self._violations(index, ()))]

    def _violations(self, index: int, others: Sequence[int]) -> Iterator[bool]:
        """Per group with a claim, whether a log violates it and satisfies the others there."""
        for group in self.theory.free():
            formulas = {claim.index: claim.formula for claim in group.claims}
            if index in formulas:
                kept = [formulas[other] for other in others if other in formulas]
                yield bool(solutions(group.space, [*group.harness, *kept, negate(formulas[index])]))

    def redundant(self, states: Sequence[str]) -> list[int]:
        """Of the proved claims, from the last on, those that the others imply in every group that holds several."""
        found: list[int] = []
        for index in reversed(range(len(states))):
            together = [group for group in self.theory.free() if index in [claim.index for claim in group.claims]]
            if states[index] != "proved" or not together or any(len(group.claims) < 2 for group in together):
                continue
            others = [other for other in range(len(states)) if other not in (index, *found)]
            if not any(self._violations(index, others)):
                found.append(index)
        return sorted(found)

    def levels(self) -> dict[str, str]:
        return {level: "exercised" if any(self._exercised(number, level) for number in self.conforming) else "untested" for level in LEVELS}

    def _exercised(self, number: int, level: str) -> bool:
        case = self.theory.cases[number]
        if level in case.exercised:
            return True
        for place, component in enumerate(case.components):
            if any(self.possible(number, place, formula) for formula in component.causes.get(level, ())):
                return True
        for pairing in case.pairings:
            for one in pairing.members if pairing.level == level else ():
                for other in pairing.members:
                    if one[1] != other[1] and self._both(number, one, other):
                        return True
        return False

    def _both(self, number: int, one: tuple[int, str, Formula], other: tuple[int, str, Formula]) -> bool:
        if one[0] == other[0]:
            return self.possible(number, one[0], all_of((one[2], other[2])))
        return self.possible(number, one[0], one[2]) and self.possible(number, other[0], other[2])

    def dead(self) -> list[str]:
        alive = {
            pointer
            for number in self.conforming
            for place, component in enumerate(self.theory.cases[number].components)
            for pointer, formulas in component.stimuli.items()
            if any(self.possible(number, place, formula) for formula in formulas)
        }
        return [pointer for pointer in STIMULI if pointer not in alive] if self.conforming else []

    def omission(self) -> bool:
        """Whether a log that breaks no prohibition passes and omits something due, beside a run that passes."""
        return self.theory.only_expect and any(
            any(map(self._omits, self.theory.cases[number].components))
            for number in self.conforming
            if all(self.passes[number])
        )

    @staticmethod
    def _omits(component: Component) -> bool:
        kept = [member.formula for member in component.standing if not member.due]
        due = all_of(member.formula for member in component.standing if member.due)
        return bool(solutions(component.space, [*component.physics, *kept, *(claim.formula for claim in component.claims), negate(due)]))

    def outcomes(self) -> dict[str, set[tuple[str, int | None, int | None]]]:
        ticks: dict[tuple[str, str], list[int]] = {}
        found: dict[str, set[tuple[str, int | None, int | None]]] = {}
        for number in self.conforming:
            case = self.theory.cases[number]
            for place, component in enumerate(case.components):
                for form in component.outcomes:
                    found.setdefault(form.item, set())
                    runs = [run for run in self.runs[number][place] if holds(form.formula, run)]
                    if runs:
                        known = ticks.setdefault((form.item, form.outcome), [])
                        known += [case.real(run[form.tick.var]) for run in runs] if form.tick is not None else []
        for (item, outcome), known in ticks.items():
            found[item].add((outcome, min(known, default=None), max(known, default=None)))
        return found

    def windows(self) -> dict[tuple[str | None, str], tuple[int, int]]:
        ticks: dict[tuple[str | None, str], list[int]] = {}
        for number in self.conforming:
            case = self.theory.cases[number]
            for place, component in enumerate(case.components):
                for form in component.windows:
                    for run in self.runs[number][place]:
                        if holds(form.formula, run):
                            ticks.setdefault((form.item, form.record), []).append(case.real(run[form.tick.var]))
        return {what: (min(known), max(known)) for what, known in ticks.items()}
