"""Every run that the engine's constraints admit, by plain enumeration: the formulas themselves, without the solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.components import Members
from wellposed.verifier.amr.environment import Environment
from wellposed.verifier.amr.model import theory
from wellposed.verifier.amr.run import ItemRun, Run
from wellposed.verifier.amr.witness import run_of
from wellposed.verifier.formula import All, Formula, Literal
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Component

PLENTY = 50_000_000


class TooMany(Exception):
    """More solutions than are worth comparing."""


def variables(formula: Formula) -> set[int]:
    """The variables that a formula mentions."""
    if isinstance(formula, Literal):
        return {formula.x, formula.y}
    return {variable for part in formula.parts for variable in variables(part)}


def source(formula: Formula) -> str:
    """A formula as a Python expression over `v`, so that enumeration is quick enough to be complete."""
    if isinstance(formula, Literal):
        return f"v[{formula.x}]-v[{formula.y}]<={formula.c}"
    joined = (" and " if isinstance(formula, All) else " or ").join(f"({source(part)})" for part in formula.parts)
    return joined or str(isinstance(formula, All))


def solutions(component: Component, limit: int) -> Iterator[list[int]]:
    """Every assignment that satisfies the physics and the standing obligations. Raises TooMany."""
    space = component.space
    due: dict[int, list[str]] = {}
    for formula in (*component.physics, *(member.formula for member in component.standing)):
        due.setdefault(max(variables(formula), default=0), []).append(f"({source(formula)})")
    checks = [eval(f"lambda v: {' and '.join(due.get(variable, ['True']))}") for variable in range(len(space.lows))]
    values = [0] * len(space.lows)
    count = 0

    def assign(variable: int) -> Iterator[list[int]]:
        nonlocal count
        if variable == len(values):
            count += 1
            if count > limit:
                raise TooMany
            yield list(values)
            return
        check = checks[variable]
        for value in range(space.lows[variable], space.highs[variable] + 1):
            values[variable] = value
            if check(values):
                yield from assign(variable + 1)

    if checks[0](values):
        yield from assign(1)


def flat(order: Sequence[str], run: Run) -> tuple[Any, ...]:
    """A run in the shape of the oracle's traces."""
    return tuple(_flat(name, run.items[name], run) for name in order)


def _flat(name: str, item: ItemRun, run: Run) -> tuple[Any, ...]:
    held = tuple(sorted(death for death, messages in run.held.items() if name in messages))
    drafts = tuple(draft.tick for draft in item.drafts)
    send = item.sends[0] if item.sends else None
    return (item.admitted, item.rules, drafts, send, item.resolution, item.won, held)


def engine_traces(
    document: Mapping[str, Any], budgets: Answers, limit: int = 50_000
) -> tuple[list[str], set[tuple[Any, ...]]]:
    """The messages in order of delivery, and every conforming run of an expectation-free scenario. Raises TooMany."""
    found = set()
    order: list[str] = []
    for case in theory({**document, "expect": []}, Budget(PLENTY), budgets, all_drafts=True).cases:
        environment = case.payload
        assert isinstance(environment, Environment)
        order = list(environment.messages)
        parts = []
        for component in case.components:
            members = component.payload
            assert isinstance(members, Members)
            parts.append([(members, values) for values in solutions(component, limit)])
        total = 1
        for part in parts:
            total *= len(part)
        if total > limit:
            raise TooMany
        for choice in product(*parts):
            found.update(_versions(environment, choice, order))
    return order, found


def _versions(
    environment: Environment, choice: Sequence[tuple[Members, Sequence[int]]], order: Sequence[str]
) -> Iterator[tuple[Any, ...]]:
    """The run once per rules version that its admissions may cite: the constraints leave the version open."""
    run = run_of(environment, choice)
    items = {name: item for members, _ in choice for name, item in members.items.items()}
    level = environment.level
    options = []
    for name in order:
        admitted = run.items[name].admitted
        if admitted is None:
            options.append([None])
            continue
        index = environment.clock.index(admitted)
        windows = items[name].rules.windows if level >= 2 else items[name].rules.versions
        options.append(sorted({version for first, last, version in windows if first <= index <= last}))
    base = flat(order, run)
    for versions in product(*options):
        yield tuple((one[0], version, *one[2:]) for one, version in zip(base, versions, strict=True))
