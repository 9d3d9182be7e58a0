"""How each item can end, and the first and last tick at which it can; the same for its other records."""

from __future__ import annotations

from collections.abc import Callable

from wellposed.verifier.judgement import Inquiry
from wellposed.verifier.prover import Prover
from wellposed.verifier.report import Outcome, Window
from wellposed.verifier.theory import OutcomeForm

Ticks = tuple[int, int] | None


def ask(inquiry: Inquiry) -> None:
    """Sets `outcomes`, over all cases together."""
    found: dict[str, dict[tuple[str, str | None], Ticks]] = {}
    forms: dict[tuple[str, str | None], None] = {}
    for number in inquiry.conforming:
        real = inquiry.theory.cases[number].real
        for prover in inquiry.provers[number]:
            for form in prover.component.outcomes:
                forms.setdefault((form.outcome, form.reason))
                _add(found.setdefault(form.item, {}), form, prover, real)
    for item, outcomes in found.items():
        ways = [(way, outcomes[way] or (None, None)) for way in forms if way in outcomes]
        inquiry.answers.outcomes[item] = tuple(Outcome(*way, *ticks) for way, ticks in ways)


def ask_windows(inquiry: Inquiry) -> None:
    """Sets `windows`, over all cases together, in the order of the components."""
    found: dict[tuple[str | None, str], tuple[int, int]] = {}
    for number in inquiry.conforming:
        real = inquiry.theory.cases[number].real
        for prover in inquiry.provers[number]:
            for form in prover.component.windows:
                extremes = prover.extremes(form.formula, form.tick, form.item)
                if extremes is not None:
                    first, last = real(extremes[0]), real(extremes[1])
                    before = found.get((form.item, form.record), (first, last))
                    found[form.item, form.record] = min(before[0], first), max(before[1], last)
    inquiry.answers.windows = [Window(*what, *ticks) for what, ticks in found.items()]


def _add(
    known: dict[tuple[str, str | None], Ticks], form: OutcomeForm, prover: Prover, real: Callable[[int], int]
) -> None:
    way = form.outcome, form.reason
    if form.tick is None:
        if prover.conforming_with(form.formula) is not None:
            known[way] = None
        return
    extremes = prover.extremes(form.formula, form.tick, form.item)
    if extremes is not None:
        first, last = real(extremes[0]), real(extremes[1])
        before = known.get(way) or (first, last)
        known[way] = min(before[0], first), max(before[1], last)
