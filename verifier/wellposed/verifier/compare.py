"""Two scenarios side by side: what the second newly allows and newly forbids, one run each, judged again before it is shown.

Where everything that decides the runs is equal, both have the same conforming runs, and a run is newly allowed if it
passes the second's expectations and fails one of the first's; newly forbidden the other way round. Elsewhere the lawful
outcomes of each item are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.verifier.findings import WitnessRejected
from wellposed.verifier.formula import Formula, all_of, negate
from wellposed.verifier.judgement import Inquiry, Solution
from wellposed.verifier.models import MODELS
from wellposed.verifier.report import Outcome, Trace, Verification
from wellposed.verifier.solver import Budget, OutOfBudget

OF_THE_JUDGEMENT = frozenset(("id", "title", "expect", "catches", "invariants"))
"""The members of a bundle that say how runs are judged, or nothing at all; the others decide which runs there are."""


@dataclass(frozen=True, slots=True)
class Change:
    """A conforming run that one side passes and the other fails, and the indexes of the expectations that it fails there."""

    run: Trace
    failed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutcomeChange:
    """An outcome of an item as each side has it, None where it has not; with a run where only one side has it."""

    item: str
    before: Outcome | None
    after: Outcome | None
    run: Trace


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the second scenario changes. `changed` are the differing members of the bundles.

    `same_runs` says that `allowed` and `forbidden` were asked for; otherwise `outcomes` has what differs. `undecided`
    says that the budget did not reach all of it.
    """

    changed: tuple[str, ...]
    same_runs: bool
    allowed: Change | None = None
    forbidden: Change | None = None
    outcomes: tuple[OutcomeChange, ...] = ()
    undecided: bool = False


def compare(one: Bundle, other: Bundle, before: Verification, after: Verification, budget: int) -> Comparison:
    """What `other` newly allows and forbids against `one`; the verifications are theirs. Raises WitnessRejected."""
    members = [*one.document, *(member for member in other.document if member not in one.document)]
    changed = tuple(name for name in members if one.document.get(name) != other.document.get(name))
    same_runs = OF_THE_JUDGEMENT.issuperset(changed)
    try:
        if not same_runs:
            return Comparison(changed, False, outcomes=tuple(_outcomes(one, other, before, after, budget)))
        allowed, forbidden = _judged_otherwise(one, other, budget), _judged_otherwise(other, one, budget)
    except OutOfBudget:
        return Comparison(changed, same_runs, undecided=True)
    return Comparison(changed, True, allowed, forbidden)


def _judged_otherwise(failed: Bundle, passed: Bundle, budget: int) -> Change | None:
    """A conforming run that passes one's expectations and fails some of the other's. Raises OutOfBudget, WitnessRejected."""
    own = len(failed.document["expect"])
    document = {**failed.document, "expect": [*failed.document["expect"], *passed.document["expect"]]}
    found = _parting(_inquiry(document, budget), own)
    if found is None:
        return None
    index, solution = found
    witness = MODELS[document["spec"]].witness(document, solution, index)
    if witness.broken or index not in witness.failed or any(number >= own for number in witness.failed):
        raise WitnessRejected(f"broken {sorted(witness.broken)}, failed {sorted(witness.failed)}")
    return Change(witness.trace, tuple(sorted(witness.failed)))


def _parting(inquiry: Inquiry, own: int) -> tuple[int, Solution] | None:
    """A run that fails one of the first `own` expectations and passes those from there on. Raises OutOfBudget."""
    for number in inquiry.conforming:
        provers = inquiry.provers[number]
        passes = [
            all_of(claim.formula for claim in prover.component.claims if claim.index >= own) for prover in provers
        ]
        passing = [prover.conforming_with(formula) for prover, formula in zip(provers, passes, strict=True)]
        values = [run for run in passing if run is not None]
        if len(values) < len(provers):
            continue
        for index in range(own):
            for focus, claimed in inquiry.places[number].get(index, ()):
                wanted = all_of((passes[focus], negate(claimed)))
                run = provers[focus].conforming_with(wanted)
                if run is not None:
                    values[focus] = provers[focus].quietest(wanted, run)
                    return index, Solution(inquiry.theory.cases[number], tuple(values))
    return None


def _outcomes(
    one: Bundle, other: Bundle, before: Verification, after: Verification, budget: int
) -> Iterator[OutcomeChange]:
    """The outcomes and windows that differ, by item. Raises OutOfBudget, WitnessRejected."""
    for item in dict.fromkeys((*before.outcomes, *after.outcomes)):
        had = {(way.outcome, way.reason): way for way in before.outcomes.get(item, ())}
        has = {(way.outcome, way.reason): way for way in after.outcomes.get(item, ())}
        for way in dict.fromkeys((*had, *has)):
            if had.get(way) != has.get(way):
                run: Trace = ()
                if way not in had or way not in has:
                    run = _run_with(other if way in has else one, item, way, budget)
                yield OutcomeChange(item, had.get(way), has.get(way), run)


def _run_with(bundle: Bundle, item: str, way: tuple[str, str | None], budget: int) -> Trace:
    """A conforming run in which an item ends in a way that is lawful. Raises OutOfBudget, WitnessRejected."""
    inquiry = _inquiry(bundle.document, budget)
    for number in inquiry.conforming:
        provers = inquiry.provers[number]
        for focus, prover in enumerate(provers):
            for form in prover.component.outcomes:
                if (form.item, (form.outcome, form.reason)) != (item, way):
                    continue
                wanted = [form.formula if place == focus else None for place in range(len(provers))]
                values = [_conforming(inquiry, number, place, formula) for place, formula in enumerate(wanted)]
                runs = [run for run in values if run is not None]
                if len(runs) == len(provers):
                    witness = MODELS[bundle.document["spec"]].witness(
                        bundle.document, Solution(inquiry.theory.cases[number], tuple(runs))
                    )
                    if witness.broken:
                        raise WitnessRejected(f"broken {sorted(witness.broken)}")
                    return witness.trace
    raise WitnessRejected(f"no run in which {item} ends as {way[0]}, which is lawful")


def _conforming(inquiry: Inquiry, case: int, place: int, formula: Formula | None) -> list[int] | None:
    prover = inquiry.provers[case][place]
    if formula is None:
        return prover.conforming()
    run = prover.conforming_with(formula)
    return None if run is None else prover.quietest(formula, run)


def _inquiry(document: Mapping[str, Any], budget: int) -> Inquiry:
    work = Budget(budget)
    return Inquiry(MODELS[document["spec"]].theory(document, work), work)
