"""The model of the Async Message Responder as the kernel sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wellposed.verifier.amr import advice
from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.catching.expectations import expectations
from wellposed.verifier.amr.catching.schedule import schedules
from wellposed.verifier.amr.causes import causes
from wellposed.verifier.amr.checker import EXPECT, check_run
from wellposed.verifier.amr.components import Members
from wellposed.verifier.amr.environment import Environment
from wellposed.verifier.amr.faulty import FAULTS, SYSTEMS
from wellposed.verifier.amr.faulty.violators import VIOLATORS
from wellposed.verifier.amr.model import mutants, theory
from wellposed.verifier.amr.narrate import trace
from wellposed.verifier.amr.observed import EFFECTS, rests_on
from wellposed.verifier.amr.readings import ALTERNATIVES
from wellposed.verifier.amr.repairs import repairs
from wellposed.verifier.amr.repairs.case import Case as RepairCase
from wellposed.verifier.amr.retold import retold
from wellposed.verifier.amr.run import Run
from wellposed.verifier.amr.suite import agreement, telling
from wellposed.verifier.amr.witness import redrafted, run_of
from wellposed.verifier.formula import Formula, Space
from wellposed.verifier.judgement import Solution
from wellposed.verifier.repair import Repair
from wellposed.verifier.replay import Events
from wellposed.verifier.report import Outcome, Trace, Verification
from wellposed.verifier.solver import Budget
from wellposed.verifier.suite.joint import Part
from wellposed.verifier.suite.story import Story
from wellposed.verifier.theory import Case, Mutants, Theory


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """A run with its trace, and what the log checker says of it."""

    run: Run
    trace: Trace
    broken: frozenset[str]
    failed: frozenset[int]


def _run(solution: Solution) -> Run:
    environment = solution.case.payload
    assert isinstance(environment, Environment)
    parts = []
    for component, values in zip(solution.case.components, solution.values, strict=True):
        assert isinstance(component.payload, Members)
        parts.append((component.payload, values))
    return run_of(environment, parts)


@dataclass(frozen=True, slots=True)
class AsyncMessageResponder:
    """Spec `amr/0.14`, read with the answers given."""

    answers: Answers = BASE

    def theory(self, document: Mapping[str, Any], budget: Budget, copies: int = 1) -> Theory:
        """Raises OutOfBudget."""
        return theory(document, budget, self.answers, copies=copies)

    def alternatives(self) -> Iterator[tuple[str, str, AsyncMessageResponder]]:
        """Every alternative of the table of readings."""
        for alternative in ALTERNATIVES.values():
            yield alternative.id, alternative.text, AsyncMessageResponder(alternative.change(self.answers))

    def witness(
        self,
        document: Mapping[str, Any],
        solution: Solution,
        failing: int | None = None,
        beside: Solution | None = None,
    ) -> CheckedRun:
        """The solution as a run, replayed and judged by the log checker."""
        run = _run(solution) if beside is None else redrafted(_run(solution), _run(beside))
        violations = check_run(document, run, self.answers, failing=failing)
        failed = {int(violation.pointer.rpartition("/")[2]) for violation in violations if violation.obligation == EXPECT}
        broken = {violation.obligation for violation in violations if violation.obligation != EXPECT}
        return CheckedRun(run, trace(document, run, self.answers), frozenset(broken), frozenset(failed))

    def replayed(self, document: Mapping[str, Any], events: Events) -> CheckedRun:
        """A run that somebody tells, judged by the log checker. Raises NotThisRun."""
        run, told, violations = retold(document, events, self.answers)
        failed = {int(violation.pointer.rpartition("/")[2]) for violation in violations if violation.obligation == EXPECT}
        broken = {violation.obligation for violation in violations if violation.obligation != EXPECT}
        return CheckedRun(run, told, frozenset(broken), frozenset(failed))

    def rests_on(self, claim: Mapping[str, Any]) -> tuple[str, ...]:
        return rests_on(claim)

    def self_reported(self, claim: Mapping[str, Any]) -> bool:
        return not any(log in EFFECTS for log in rests_on(claim))

    def lawful(self, document: Mapping[str, Any], index: int, outcomes: Mapping[str, Sequence[Outcome]]) -> str:
        return advice.lawful(document, document["expect"][index], outcomes)

    def exercising(self, level: str) -> str:
        return advice.EXERCISING[level]

    def fault(self, system: str) -> str:
        return next(row.text for row in FAULTS if row.id == system)

    def mutants(self, document: Mapping[str, Any], budget: Budget, system: str | None = None) -> Mutants:
        """Raises OutOfBudget."""
        return mutants(document, budget, self.answers, [row for row in SYSTEMS if system in (None, row.id)])

    def expectations(self, document: Mapping[str, Any], verification: Verification) -> Iterator[Any]:
        return expectations(RepairCase(document, verification))

    def schedules(
        self, document: Mapping[str, Any], verification: Verification, system: str
    ) -> Iterator[tuple[str, Any]]:
        return schedules(RepairCase(document, verification), system)

    def violators(self, document: Mapping[str, Any], budget: Budget) -> Mutants:
        """Raises OutOfBudget."""
        return mutants(document, budget, self.answers, VIOLATORS)

    def causes(self, case: Case) -> Iterator[tuple[int, str, Formula]]:
        for place, component in enumerate(case.components):
            assert isinstance(component.payload, Members)
            for item in component.payload.items.values():
                yield from ((place, obligation, formula) for obligation, formula in causes(item))

    def aim(self, document: Mapping[str, Any], pointer: str) -> str:
        entry = document["schedule"][int(pointer.rpartition("/")[2])]
        return advice.aim(entry["channel"], entry["record"])

    def repairs(self, document: Mapping[str, Any], verification: Verification) -> Iterator[Repair]:
        return repairs(document, verification)

    def story(self, document: Mapping[str, Any], renamed: bool) -> Story:
        return telling.story(document, renamed)

    def expected(self, document: Mapping[str, Any], told: Story) -> str:
        return telling.expected(document, told)

    def agreement(self, space: Space, one: Part, other: Part, until: int) -> Iterator[Formula]:
        return agreement.agreement(space, one, other, until)
