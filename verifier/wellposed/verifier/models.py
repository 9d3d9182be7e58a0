"""The level models by specification: the one table through which the domain-neutral kernel reaches a domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from wellposed.verifier.amr.entry import AsyncMessageResponder
from wellposed.verifier.amr.faulty import FAULTS, Fault
from wellposed.verifier.amr.judge import Judge
from wellposed.verifier.amr.readings import READINGS, Reading
from wellposed.verifier.amr.simulator import Logs, Simulator
from wellposed.verifier.formula import Formula, Space
from wellposed.verifier.judgement import Solution
from wellposed.verifier.repair import Repair
from wellposed.verifier.replay import Events
from wellposed.verifier.report import Outcome, Trace, Verification
from wellposed.verifier.solver import Budget
from wellposed.verifier.suite.joint import Part
from wellposed.verifier.suite.story import Story
from wellposed.verifier.theory import Case, Mutants, Theory

__all__ = ["FAULT_TABLES", "JUDGES", "MODELS", "READING_TABLES", "SIMULATORS", "Fault", "Judge", "Logs", "Model", "Reading", "Simulator", "Witness"]


class Witness(Protocol):
    """A run found by the kernel, replayed and judged by a checker that shares nothing with it."""

    @property
    def trace(self) -> Trace: ...

    @property
    def broken(self) -> frozenset[str]:
        """The ids of the obligations that it breaks; expectations do not count."""
        ...

    @property
    def failed(self) -> frozenset[int]:
        """The indexes of the expectations that it fails."""
        ...


class Model(Protocol):
    """What the kernel needs of a level model."""

    def theory(self, document: Mapping[str, Any], budget: Budget, copies: int = 1) -> Theory:
        """A bundle's theory. Its logs hold what a conforming run holds once as often as its claims ask, and `copies` times.

        Raises OutOfBudget.
        """
        ...

    def witness(
        self,
        document: Mapping[str, Any],
        solution: Solution,
        failing: int | None = None,
        beside: Solution | None = None,
    ) -> Witness:
        """The run of a solution, judged; with `failing`, where a run leaves room, so that it fails that expectation.

        With `beside`, where a run leaves room, so that it is like that one.
        """
        ...

    def replayed(self, document: Mapping[str, Any], events: Events) -> Witness:
        """A run that somebody tells as reports do, judged. Raises NotThisRun."""
        ...

    def alternatives(self) -> Iterable[tuple[str, str, Model]]:
        """The other readings of the specification: the id of each, what is read instead, and the model so read."""
        ...

    def rests_on(self, claim: Mapping[str, Any]) -> tuple[str, ...]:
        """The logs that an expectation is about."""
        ...

    def self_reported(self, claim: Mapping[str, Any]) -> bool:
        """Whether an expectation is about nothing but what the system says of itself."""
        ...

    def lawful(self, document: Mapping[str, Any], index: int, outcomes: Mapping[str, Sequence[Outcome]]) -> str:
        """What holds in every conforming run of the items that an expectation speaks of, as an author would write it."""
        ...

    def exercising(self, level: str) -> str:
        """What a schedule needs for a level to be exercised, as an instruction."""
        ...

    def fault(self, system: str) -> str:
        """What a faulty system does wrong, in words that continue "a system that"."""
        ...

    def mutants(self, document: Mapping[str, Any], budget: Budget, system: str | None = None) -> Mutants:
        """A scenario in the hands of the faulty systems, or of one of them. Raises OutOfBudget."""
        ...

    def expectations(self, document: Mapping[str, Any], verification: Verification) -> Iterator[Any]:
        """Claims that a scenario may have, the most telling first; true or not. The verification is one with windows."""
        ...

    def schedules(
        self, document: Mapping[str, Any], verification: Verification, system: str
    ) -> Iterator[tuple[str, Any]]:
        """Documents with a schedule near the one given, that may make a faulty system err; with the change in words."""
        ...

    def violators(self, document: Mapping[str, Any], budget: Budget) -> Mutants:
        """A scenario in the hands of systems, one for each obligation, that keep nothing and break that one."""
        ...

    def causes(self, case: Case) -> Iterator[tuple[int, str, Formula]]:
        """When obligations in force have their cause: the component, the obligation, and what then holds there."""
        ...

    def aim(self, document: Mapping[str, Any], pointer: str) -> str:
        """What the event at `pointer` looks for, and why it can miss it."""
        ...

    def repairs(self, document: Mapping[str, Any], verification: Verification) -> Iterator[Repair]:
        """What may make a scenario well-posed, from the verification of its bundle without a map and with windows."""
        ...

    def story(self, document: Mapping[str, Any], renamed: bool) -> Story:
        """What a system is shown of a scenario; `renamed`: up to the names of things and the tick at which it begins."""
        ...

    def expected(self, document: Mapping[str, Any], told: Story) -> str:
        """A digest of what a scenario demands, in the names and ticks of its story."""
        ...

    def agreement(self, space: Space, one: Part, other: Part, until: int) -> Iterator[Formula]:
        """What makes the runs of two parts the same before a tick of their stories, over a space that holds both."""
        ...


MODELS: Mapping[str, Model] = {"amr/0.14": AsyncMessageResponder()}

READING_TABLES: Mapping[str, Sequence[Reading]] = {"amr/0.14-base.1": READINGS}
"""How a specification is read where it is silent, by the version that bundles name."""

FAULT_TABLES: Mapping[str, Sequence[Fault]] = {"amr/0.14": FAULTS}
"""The faulty systems that scenarios are measured with, by specification."""

JUDGES: Mapping[str, Judge] = {"amr/0.14": Judge()}
"""Who judges real logs, by specification."""

SIMULATORS: Mapping[str, Simulator] = {"amr/0.14": Simulator()}
"""The reference and the faulty systems in process, by specification."""
