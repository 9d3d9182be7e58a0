"""Fixture lint: what has a meaning, but probably not the one that was meant. Findings here never stop a verification.

A check is one module with its `CODE`, a row of the table of codes, and a pure function `check`. To add one, write the
module and its row, and name it in one of the three parts of the table below: checks of a scenario, of a rules version,
or of all scenarios of an invocation together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from wellposed.compiler.lint import (
    almost,
    anchor_in_anchor,
    anchor_quoted,
    contradiction,
    crossed,
    cut,
    escalation,
    far_apart,
    grace,
    held,
    in_jump,
    same_tick,
    shadowed,
    unreached,
    unused_reply,
)
from wellposed.compiler.lint.fixture import Fixture
from wellposed.compiler.scenario import RuleSet, Scenario
from wellposed.dsl.findings import Finding


class ScenarioCheck(Protocol):
    """A check of one scenario; its findings are that scenario's."""

    CODE: str

    def check(self, fixture: Fixture) -> Iterator[Finding]: ...


class RulesCheck(Protocol):
    """A check of one rules version, wherever it is declared; scenarios do not matter to it."""

    CODE: str

    def check(self, rules: RuleSet) -> Iterator[Finding]: ...


class InvocationCheck(Protocol):
    """A check of all scenarios together that one invocation looks at."""

    CODE: str

    def check(self, fixtures: Sequence[Fixture]) -> Iterator[Finding]: ...


OF_A_SCENARIO: tuple[ScenarioCheck, ...] = (
    far_apart,
    in_jump,
    crossed,
    cut,
    anchor_in_anchor,
    anchor_quoted,
    almost,
    same_tick,
    grace,
    escalation,
    held,
)
OF_RULES: tuple[RulesCheck, ...] = (contradiction, shadowed)
OF_AN_INVOCATION: tuple[InvocationCheck, ...] = (unreached, unused_reply)


def lint(scenario: Scenario) -> tuple[Finding, ...]:
    """The findings about one scenario; where it has loops, those of every pass."""
    fixture = Fixture(scenario)
    found = (finding for check in OF_A_SCENARIO for finding in check.check(fixture))
    return tuple(replace(finding, scenario=scenario.id) for finding in found)


def lint_rules(rules: RuleSet) -> tuple[Finding, ...]:
    """The findings about one rules version."""
    return tuple(finding for check in OF_RULES for finding in check.check(rules))


def lint_together(scenarios: Iterable[Scenario]) -> tuple[Finding, ...]:
    """The findings about what the scenarios of an invocation share."""
    fixtures = tuple(Fixture(scenario) for scenario in scenarios)
    return tuple(finding for check in OF_AN_INVOCATION for finding in check.check(fixtures))
