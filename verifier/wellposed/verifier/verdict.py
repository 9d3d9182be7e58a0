"""The verdicts over a theory: satisfiable or a minimal core, unambiguous or two runs, not vacuous or the reason.

Definitions: `docs/model.md`, Verdicts. Nothing here knows what the items are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from wellposed.verifier.cores import minimise
from wellposed.verifier.formula import Formula, all_of, holds, negate
from wellposed.verifier.prover import Prover, Values, violation
from wellposed.verifier.report import Outcome
from wellposed.verifier.solver import Budget, Conflict, OutOfBudget, solve
from wellposed.verifier.theory import Case, Claim, Constraint, Theory


@dataclass(frozen=True, slots=True)
class Solution:
    """One whole run: a case and the values of each of its components. `focus` is the component that it was sought for."""

    case: Case
    values: tuple[Values, ...]
    focus: int


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """An expectation that one conforming run passes and another fails."""

    index: int
    passing: Solution
    failing: Solution


@dataclass(frozen=True, slots=True)
class Omission:
    """A run that owes a response, gives none, breaks no prohibition and passes all expectations."""

    omitted: Constraint
    solution: Solution


@dataclass(slots=True)
class Judgement:
    """What was found out. `unexplored` says which questions the work budget did not reach."""

    satisfiable: bool | None = None
    core: tuple[Constraint | Claim, ...] = ()
    claims: list[str] = field(default_factory=list)
    ambiguities: list[Ambiguity] = field(default_factory=list)
    hollow: list[int] = field(default_factory=list)
    idle_passes: bool = False
    omission: Omission | None = None
    levels: dict[str, str] = field(default_factory=dict)
    top_untested: bool = False
    dead: list[str] = field(default_factory=list)
    outcomes: dict[str, tuple[Outcome, ...]] = field(default_factory=dict)
    unexplored: list[str] = field(default_factory=list)
    example: Solution | None = None
    """A conforming run that passes everything."""

    @property
    def verdict(self) -> str:
        """The first that holds, in the precedence of the model."""
        if self.satisfiable is False:
            return "unsatisfiable"
        if self.ambiguities:
            return "ambiguous"
        if self.hollow or self.idle_passes or self.omission is not None or self.top_untested or self.dead:
            return "vacuous"
        return "undecided" if self.unexplored else "well-posed"


def judge(theory: Theory, budget: Budget) -> Judgement:
    """Answer every question about a theory that the budget allows."""
    return _Judge(theory, budget).run()


class _Judge:
    def __init__(self, theory: Theory, budget: Budget) -> None:
        self._theory = theory
        self._budget = budget
        self._result = Judgement(claims=["undecided"] * len(theory.claims), idle_passes=theory.idle_passes)
        self._provers = [[Prover(component, budget) for component in case.components] for case in theory.cases]
        self._conforming: list[int] = []
        """The cases in which every component has a conforming run."""

    def run(self) -> Judgement:
        phases: tuple[tuple[str, Callable[[], None]], ...] = (
            ("whether a conforming run passes", self._satisfiability),
            ("whether every conforming run passes", self._ambiguity),
            ("whether an expectation can fail", self._hollow),
            ("which levels are exercised", self._levels),
            ("whether every stimulus finds its target", self._stimuli),
            ("whether a run that omits something due passes", self._omissions),
            ("the possible outcomes", self._outcomes),
        )
        for number, (name, phase) in enumerate(phases):
            try:
                phase()
            except OutOfBudget:
                self._result.unexplored = [question for question, _ in phases[number:]]
                break
        return self._result

    # Satisfiable

    def _satisfiability(self) -> None:
        self._conforming = [
            number
            for number, provers in enumerate(self._provers)
            if all(prover.conforming() is not None for prover in provers)
        ]
        if not self._conforming:
            self._result.satisfiable = False
            self._result.core = self._core(with_claims=False)
            return
        self._result.example = next(self._passing(), None)
        passing = self._result.example is not None
        if not passing:
            self._result.core = self._core(with_claims=True)
            for member in self._result.core:
                if isinstance(member, Claim):
                    self._result.claims[member.index] = "unsatisfiable"
        self._result.satisfiable = passing

    def _core(self, with_claims: bool) -> tuple[Constraint | Claim, ...]:
        """A minimal core over all cases. A constraint is one element of the bundle, whatever the case."""
        members: dict[tuple[str, str, str], Constraint | Claim] = {}
        for provers in self._provers:
            for prover in provers:
                conflict = self._conflict(prover, None, with_claims)
                if conflict is not None:
                    for key, member in _numbered(prover):
                        if conflict.constraints >> key & 1:
                            members.setdefault(_key(member), member)
                    break
        order = sorted(members, key=_deletion_order)

        def admits_none(chosen: Sequence[int]) -> bool:
            keys = {order[number] for number in chosen}
            return all(
                any(self._conflict(prover, keys, with_claims) is not None for prover in provers)
                for provers in self._provers
            )

        kept = minimise(range(len(order)), admits_none)
        return tuple(sorted((members[order[number]] for number in kept), key=_reading_order))

    def _conflict(self, prover: Prover, keys: set[tuple[str, str, str]] | None, with_claims: bool) -> Conflict | None:
        component = prover.component
        standing = [
            number for number, member in enumerate(component.standing) if keys is None or _key(member) in keys
        ]
        claims = [
            number
            for number, member in enumerate(component.claims)
            if with_claims and (keys is None or _key(member) in keys)
        ]
        if keys is not None and not standing and not claims:
            return None
        return prover.refuted_by(standing, claims)

    # Ambiguous

    def _ambiguity(self) -> None:
        for index in range(len(self._theory.claims)):
            if self._result.claims[index] == "unsatisfiable":
                continue
            self._result.claims[index] = self._claim(index)

    def _claim(self, index: int) -> str:
        """The verdict of one expectation: it is a theorem, or it is refuted by a conforming run."""
        holds = failing = None
        for number in self._conforming:
            focus, prover, claim = self._find(number, index)
            if holds is None:
                holds = prover.conforming_with(claim.formula)
            refuted = prover.conforming_with(negate(claim.formula))
            if refuted is not None and failing is None:
                failing = self._solution(number, focus, refuted)
        if not self._conforming or holds is None:
            return "unsatisfiable"
        if failing is None:
            return "proved"
        if self._result.satisfiable:
            self._result.ambiguities.append(Ambiguity(index, self._passing_near(failing), failing))
        return "ambiguous"

    def _find(self, case: int, index: int) -> tuple[int, Prover, Claim]:
        for focus, prover in enumerate(self._provers[case]):
            for claim in prover.component.claims:
                if claim.index == index:
                    return focus, prover, claim
        raise AssertionError("every expectation belongs to a component")

    def _passing_near(self, failing: Solution) -> Solution:
        """A run that passes everything and differs from `failing` in few records; of the same case where there is one."""
        solutions = list(self._passing())
        for solution in solutions:
            if solution.case is failing.case:
                prover = self._provers[self._theory.cases.index(failing.case)][failing.focus]
                near = prover.nearest(prover.claims_hold, failing.values[failing.focus])
                assert near is not None
                values = [*solution.values]
                values[failing.focus] = near
                return Solution(solution.case, tuple(values), failing.focus)
        return solutions[0]

    def _passing(self) -> Iterator[Solution]:
        """One run per case in which every expectation holds."""
        for number in self._conforming:
            found = [prover.passing() for prover in self._provers[number]]
            values = [value for value in found if value is not None]
            if len(values) == len(found):
                yield Solution(self._theory.cases[number], tuple(values), 0)

    def _solution(self, case: int, focus: int, values: Values) -> Solution:
        """A whole run with the given values in one component and any conforming ones elsewhere."""
        whole = []
        for number, prover in enumerate(self._provers[case]):
            chosen = values if number == focus else prover.conforming()
            assert chosen is not None
            whole.append(chosen)
        return Solution(self._theory.cases[case], tuple(whole), focus)

    # Vacuous

    def _hollow(self) -> None:
        violable = set()
        for free in self._theory.free:
            if free.index not in violable:
                constraints = [(0, formula) for formula in (*free.harness, negate(free.formula))]
                if not isinstance(solve(free.space, constraints, self._budget), Conflict):
                    violable.add(free.index)
        for index in range(len(self._theory.claims)):
            if index not in violable:
                self._result.hollow.append(index)
                if self._result.claims[index] == "proved":
                    self._result.claims[index] = "vacuous"

    def _levels(self) -> None:
        for level in self._theory.levels:
            exercised = any(self._exercised(number, level) for number in self._conforming)
            self._result.levels[level] = "exercised" if exercised else "untested"
        self._result.top_untested = self._result.levels[self._theory.top] == "untested" and bool(self._conforming)

    def _exercised(self, case: int, level: str) -> bool:
        if level in self._theory.cases[case].exercised:
            return True
        for prover in self._provers[case]:
            if self._possible(prover, prover.component.causes.get(level, ())):
                return True
        return any(self._paired(case, members) for members in self._pairings(case, level))

    def _pairings(self, case: int, level: str) -> Iterator[tuple[tuple[int, str, Formula], ...]]:
        return (pairing.members for pairing in self._theory.cases[case].pairings if pairing.level == level)

    def _paired(self, case: int, members: tuple[tuple[int, str, Formula], ...]) -> bool:
        """Whether two members of different kinds are possible in one run."""
        provers = self._provers[case]
        possible = [member for member in members if provers[member[0]].conforming_with(member[2]) is not None]
        for place, (component, kind, formula) in enumerate(possible):
            for other_component, other_kind, other in possible[place + 1 :]:
                if kind == other_kind:
                    continue
                if component != other_component or self._possible_together(provers[component], formula, other):
                    return True
        return False

    def _possible_together(self, prover: Prover, first: Formula, second: Formula) -> bool:
        return prover.conforming_with(all_of((first, second))) is not None

    def _stimuli(self) -> None:
        if not self._conforming:
            return
        for pointer in self._theory.stimuli:
            alive = any(
                self._possible(prover, prover.component.stimuli.get(pointer, ()))
                for number in self._conforming
                for prover in self._provers[number]
            )
            if not alive:
                self._result.dead.append(pointer)

    def _possible(self, prover: Prover, formulas: Sequence[Formula]) -> bool:
        return any(prover.conforming_with(formula) is not None for formula in formulas)

    def _omissions(self) -> None:
        """With `invariants only expect`: a log that breaks no prohibition, omits something due, and passes."""
        if not self._theory.only_expect:
            return
        for number, provers in enumerate(self._provers):
            if any(prover.passing() is None for prover in provers):
                continue
            for focus, prover in enumerate(provers):
                omission = self._omission(number, focus, prover)
                if omission is not None:
                    self._result.omission = omission
                    return
        self._result.unexplored.append("whether a faulty system passes")

    def _omission(self, case: int, focus: int, prover: Prover) -> Omission | None:
        component = prover.component
        due = [member for member in component.standing if member.due]
        prohibitions = [member.formula for member in component.standing if not member.due]
        formulas = [*prohibitions, prover.claims_hold, violation(member.formula for member in due)]
        values = prover.logs_with(formulas)
        if values is None:
            return None
        omitted = next(member for member in due if not holds(member.formula, values))
        whole = tuple(
            values if place == focus else passing
            for place, other in enumerate(self._provers[case])
            if (passing := other.passing()) is not None
        )
        return Omission(omitted, Solution(self._theory.cases[case], whole, focus))

    # Outcomes

    def _outcomes(self) -> None:
        found: dict[str, dict[tuple[str, str | None], tuple[int, int] | None]] = {}
        for number in self._conforming:
            real = self._theory.cases[number].real
            for prover in self._provers[number]:
                for form in prover.component.outcomes:
                    item = found.setdefault(form.item, {})
                    if form.tick is None:
                        if prover.conforming_with(form.formula) is not None:
                            item[form.outcome, form.reason] = None
                        continue
                    extremes = prover.extremes(form.formula, form.tick)
                    if extremes is not None:
                        extremes = (real(extremes[0]), real(extremes[1]))
                        known = item.get((form.outcome, form.reason)) or extremes
                        item[form.outcome, form.reason] = (min(known[0], extremes[0]), max(known[1], extremes[1]))
        for name, outcomes in found.items():
            self._result.outcomes[name] = tuple(
                Outcome(outcome, reason, *(ticks if ticks is not None else (None, None)))
                for (outcome, reason), ticks in outcomes.items()
            )


def _numbered(prover: Prover) -> Iterator[tuple[int, Constraint | Claim]]:
    yield from enumerate((*prover.component.standing, *prover.component.claims))


def _key(member: Constraint | Claim) -> tuple[str, str, str]:
    if isinstance(member, Claim):
        return "expectation", f"/expect/{member.index}", ""
    return member.obligation, member.pointer, member.item


def _deletion_order(key: tuple[str, str, str]) -> tuple[bool, list[int], str, str]:
    """Higher levels go first, expectations last, so that a core speaks of the simplest reasons."""
    obligation, pointer, item = key
    return obligation == "expectation", [-ord(letter) for letter in obligation], pointer, item


def _reading_order(member: Constraint | Claim) -> tuple[bool, str, str]:
    obligation, pointer, _ = _key(member)
    return obligation != "expectation", obligation, pointer
