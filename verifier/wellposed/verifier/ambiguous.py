"""Is every expectation a theorem; if not, two conforming runs, one of which fails it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wellposed.verifier.formula import negate
from wellposed.verifier.judgement import Ambiguity, Inquiry, Solution
from wellposed.verifier.prover import Values


@dataclass(frozen=True, slots=True)
class _Refutation:
    """A conforming run of one component (of one case) in which an expectation fails."""

    index: int
    case: int
    focus: int
    values: Values


def ask(inquiry: Inquiry) -> None:
    """Sets the verdict of every expectation, and `ambiguities`."""
    answers = inquiry.answers
    found: list[_Refutation] = []
    for index, state in enumerate(answers.claims):
        if state != "unsatisfiable":
            answers.claims[index] = _expectation(inquiry, index, found)
    if answers.satisfiable:
        answers.ambiguities.extend(_pairs(inquiry, found))


def _expectation(inquiry: Inquiry, index: int, found: list[_Refutation]) -> str:
    """The verdict of one expectation; adds to `found` the run that refutes it."""
    possible = False
    refutation = None
    for number in inquiry.conforming:
        focus, claim = inquiry.places[number][index]
        prover = inquiry.provers[number][focus]
        possible = possible or prover.conforming_with(claim.formula) is not None
        if refutation is None:
            fails = negate(claim.formula)
            values = prover.conforming_with(fails)
            if values is not None:
                refutation = _Refutation(index, number, focus, prover.quietest(fails, values))
    if not possible:
        return "unsatisfiable"
    if refutation is None:
        return "proved"
    found.append(refutation)
    return "ambiguous"


def _pairs(inquiry: Inquiry, found: Sequence[_Refutation]) -> Iterator[Ambiguity]:
    """Two runs per refuted expectation: one whole run serves the first refutation of every component, and so on."""
    passing = dict(inquiry.passing())
    rounds: dict[tuple[int, int], list[_Refutation]] = {}
    seen: Counter[tuple[int, int]] = Counter()
    for refutation in found:
        place = refutation.case, refutation.focus
        rounds.setdefault((refutation.case, seen[place]), []).append(refutation)
        seen[place] += 1
    for (number, _), together in rounds.items():
        failing = _failing(inquiry, number, together)
        near = _near(inquiry, number, together, passing[number]) if number in passing else next(iter(passing.values()))
        for refutation in together:
            yield Ambiguity(refutation.index, refutation.focus, near, failing)


def _failing(inquiry: Inquiry, case: int, refutations: Sequence[_Refutation]) -> Solution:
    """Any conforming run, with the refuting values in the components concerned."""
    values = [prover.conforming() for prover in inquiry.provers[case]]
    for refutation in refutations:
        values[refutation.focus] = refutation.values
    return Solution(inquiry.theory.cases[case], tuple(value for value in values if value is not None))


def _near(inquiry: Inquiry, case: int, refutations: Sequence[_Refutation], passing: Solution) -> Solution:
    """A run that passes everything and differs little from the failing one in the components concerned."""
    values = list(passing.values)
    for refutation in refutations:
        prover = inquiry.provers[case][refutation.focus]
        values[refutation.focus] = prover.nearest(prover.claims_hold, refutation.values) or values[refutation.focus]
    return Solution(passing.case, tuple(values))
