"""Is every expectation a theorem; if not, two conforming runs, one of which fails it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wellposed.verifier.formula import Formula, negate
from wellposed.verifier.judgement import Ambiguity, Inquiry, Solution
from wellposed.verifier.pairs import closest
from wellposed.verifier.prover import Values

APART = 16
"""Up to how many components every refuted expectation has runs of its own."""


@dataclass(frozen=True, slots=True)
class _Refutation:
    """A conforming run of one component (of one case) in which an expectation fails."""

    index: int
    case: int
    focus: int
    fails: Formula
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
        provers, places = inquiry.provers[number], inquiry.places[number][index]
        possible = possible or all(provers[focus].conforming_with(claimed) is not None for focus, claimed in places)
        if refutation is None:
            refutation = next(_refutations(inquiry, index, number), None)
    if not possible:
        return "unsatisfiable"
    if refutation is None:
        return "proved"
    found.append(refutation)
    return "ambiguous"


def _refutations(inquiry: Inquiry, index: int, case: int) -> Iterator[_Refutation]:
    """The runs of single components that refute an expectation."""
    for focus, claimed in inquiry.places[case][index]:
        prover, fails = inquiry.provers[case][focus], negate(claimed)
        values = prover.conforming_with(fails)
        if values is not None:
            yield _Refutation(index, case, focus, fails, prover.quietest(fails, values))


def _pairs(inquiry: Inquiry, found: Sequence[_Refutation]) -> Iterator[Ambiguity]:
    """Two runs per refuted expectation, which differ in its component alone.

    Of scenarios with many components, one whole run serves the first refutation of every component, and so on: each run is
    judged again as a whole.
    """
    passing = dict(inquiry.passing())
    rounds: dict[tuple[int, int], list[_Refutation]] = {}
    seen: Counter[tuple[int, int]] = Counter()
    for refutation in found:
        many = len(inquiry.provers[refutation.case]) > APART
        place = refutation.case, refutation.focus if many else 0
        rounds.setdefault((refutation.case, seen[place]), []).append(refutation)
        seen[place] += 1
    for (number, _), together in rounds.items():
        near = list(passing[number].values) if number in passing else None
        failing: list[Values | None] = [prover.conforming() for prover in inquiry.provers[number]]
        if near is not None:
            failing = list(near)
        for refutation in together:
            failing[refutation.focus] = refutation.values
            if near is not None:
                failing[refutation.focus], near[refutation.focus] = _closest(inquiry, refutation)
        case = inquiry.theory.cases[number]
        fails = Solution(case, tuple(values for values in failing if values is not None))
        passes = Solution(case, tuple(near)) if near is not None else next(iter(passing.values()))
        for refutation in together:
            yield Ambiguity(refutation.index, refutation.focus, passes, fails)


def _closest(inquiry: Inquiry, refutation: _Refutation) -> tuple[Values, Values]:
    """A failing run and one that passes all claims of the component, as close to each other as can be."""
    prover = inquiry.provers[refutation.case][refutation.focus]
    passing = prover.nearest(prover.claims_hold, refutation.values)
    assert passing is not None, "some run of this case passes"
    return closest(prover.component, refutation.fails, prover.claims_hold, (refutation.values, passing))
