"""What was found out about a theory, and the state that the questions to it share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from wellposed.verifier.formula import Formula, all_of
from wellposed.verifier.prover import Prover, Values
from wellposed.verifier.report import Outcome, Window
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Case, Claim, Constraint, FreeClaims, Mutants, Theory


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """One whole run: a case and the values of each of its components."""

    case: Case
    values: tuple[Values, ...]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """An expectation that one conforming run passes and another fails; both are of interest in component `focus`.

    Expectations of different components share their runs, so that a run per component is judged again only once.
    """

    index: int
    focus: int
    passing: Solution
    failing: Solution


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the kill matrix: what becomes of a faulty system in a scenario (`mutants.py` has the values).

    `survivor` is a run that is not caught, one that shows the fault where there is one (`shown`); `attacked` are the ids
    of the obligations through which the fault can be caught here.
    """

    system: str
    value: str
    attacked: tuple[str, ...] = ()
    survivor: Solution | None = None
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Guarded:
    """An event, by its pointer, that finds what it aims at in some conforming runs, and one in which it does not."""

    pointer: str
    without: Solution


@dataclass(frozen=True, slots=True)
class Omission:
    """A run that owes a response, gives none, breaks no prohibition and passes all expectations."""

    omitted: Constraint
    focus: int
    solution: Solution


@dataclass(slots=True)
class Judgement:
    """The answers. `unexplored` says which questions the work budget did not reach, `more_helps` whether a
    larger one might; `example` is a run that passes all.

    `cells` are those of the kill matrix that some question needed, by faulty system. `finds` says of every stimulus, by
    pointer, whether it finds what it aims at: always, sometimes or never; `guarded` is the first that does sometimes.
    """

    satisfiable: bool | None = None
    core: tuple[Constraint | Claim, ...] = ()
    claims: list[str] = field(default_factory=list)
    ambiguities: list[Ambiguity] = field(default_factory=list)
    hollow: list[int] = field(default_factory=list)
    redundant: list[int] = field(default_factory=list)
    idle_passes: bool = False
    omission: Omission | None = None
    uncaught: list[Cell] = field(default_factory=list)
    accepted: list[Cell] = field(default_factory=list)
    cells: dict[str, str] = field(default_factory=dict)
    levels: dict[str, str] = field(default_factory=dict)
    top_untested: bool = False
    dead: list[str] = field(default_factory=list)
    finds: dict[str, str] = field(default_factory=dict)
    guarded: Guarded | None = None
    outcomes: dict[str, tuple[Outcome, ...]] = field(default_factory=dict)
    windows: list[Window] = field(default_factory=list)
    unexplored: list[str] = field(default_factory=list)
    more_helps: bool = True
    example: Solution | None = None

    @property
    def verdict(self) -> str:
        """The first that holds, in the precedence of the model."""
        if self.satisfiable is False:
            return "unsatisfiable"
        if self.ambiguities:
            return "ambiguous"
        wrong = self.hollow or self.idle_passes or self.omission is not None or self.top_untested or self.dead
        if wrong or self.uncaught or self.accepted:
            return "vacuous"
        return "undecided" if self.unexplored else "well-posed"


class Inquiry:
    """A theory under question: its provers by case and component, and the answers so far.

    Every question may raise OutOfBudget.
    """

    def __init__(self, theory: Theory, budget: Budget) -> None:
        self.theory = theory
        self.budget = budget
        self.answers = Judgement(
            claims=["undecided"] * len(theory.claims), idle_passes=theory.idle_passes, cells=dict(theory.idle)
        )
        self.provers = [[Prover(component, budget) for component in case.components] for case in theory.cases]

    @cached_property
    def conforming(self) -> list[int]:
        """The cases in which every component has a conforming run."""
        return [
            number
            for number, provers in enumerate(self.provers)
            if all(prover.conforming() is not None for prover in provers)
        ]

    @cached_property
    def free(self) -> list[FreeClaims]:
        """The expectations over all well-formed logs."""
        return list(self.theory.free())

    @cached_property
    def mutants(self) -> Mutants:
        """The scenario with the faulty systems let loose in it."""
        return self.theory.mutants()

    @cached_property
    def places(self) -> list[dict[int, list[tuple[int, Formula]]]]:
        """Per case, where each expectation is: the components that it speaks of, with what it claims there."""
        places: list[dict[int, list[tuple[int, Formula]]]] = []
        for provers in self.provers:
            of: dict[int, list[tuple[int, Formula]]] = {}
            for focus, prover in enumerate(provers):
                claimed: dict[int, list[Formula]] = {}
                for claim in prover.component.claims:
                    claimed.setdefault(claim.index, []).append(claim.formula)
                for index, formulas in claimed.items():
                    of.setdefault(index, []).append((focus, all_of(formulas)))
            places.append(of)
        return places

    def passing(self) -> Iterator[tuple[int, Solution]]:
        """One run per case in which every expectation holds."""
        for number in self.conforming:
            found = [prover.passing() for prover in self.provers[number]]
            values = [value for value in found if value is not None]
            if len(values) == len(found):
                yield number, Solution(self.theory.cases[number], tuple(values))
