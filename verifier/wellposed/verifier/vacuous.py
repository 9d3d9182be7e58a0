"""Can a wrong system fail: expectations over all logs, exercised levels, dead stimuli, omissions that pass."""

from __future__ import annotations

from collections.abc import Sequence

from wellposed.verifier.formula import Formula, all_of, holds, negate
from wellposed.verifier.judgement import Inquiry, Omission, Solution
from wellposed.verifier.prover import Prover, violation
from wellposed.verifier.solver import Budget, Conflict, solve
from wellposed.verifier.theory import FreeClaims, Pairing


def ask_expectations(inquiry: Inquiry) -> None:
    """Sets `hollow`: the expectations that no well-formed log violates."""
    answers = inquiry.answers
    violable = {
        claim.index
        for free in inquiry.free
        for claim in free.claims
        if _satisfiable(free, [negate(claim.formula)], inquiry.budget)
    }
    for index, state in enumerate(answers.claims):
        if index not in violable:
            answers.hollow.append(index)
            if state == "proved":
                answers.claims[index] = "vacuous"


def ask_redundancy(inquiry: Inquiry) -> None:
    """Sets `redundant`: expectations that the others imply in every well-formed log; of equals, the first is kept."""
    answers = inquiry.answers
    places: dict[int, list[FreeClaims]] = {}
    for free in inquiry.free:
        for claim in free.claims if len(free.claims) > 1 else ():
            places.setdefault(claim.index, []).append(free)
    for index in sorted(places, reverse=True):
        if answers.claims[index] != "proved":
            continue
        for free in places[index]:
            own = [claim for claim in free.claims if claim.index == index]
            others = [claim.formula for claim in free.claims if claim.index != index and claim.index not in answers.redundant]
            if _satisfiable(free, [*others, negate(own[0].formula)], inquiry.budget):
                break
        else:
            answers.redundant.insert(0, index)
            answers.claims[index] = "redundant"


def _satisfiable(free: FreeClaims, formulas: Sequence[Formula], budget: Budget) -> bool:
    constraints = [(0, formula) for formula in (*free.harness, *formulas)]
    return not isinstance(solve(free.space, constraints, budget), Conflict)


def ask_levels(inquiry: Inquiry) -> None:
    """Sets `levels`: exercised in some conforming run, or untested."""
    answers = inquiry.answers
    for level in inquiry.theory.levels:
        exercised = any(_exercised(inquiry, number, level) for number in inquiry.conforming)
        answers.levels[level] = "exercised" if exercised else "untested"
    answers.top_untested = bool(inquiry.conforming) and answers.levels[inquiry.theory.top] == "untested"


def _exercised(inquiry: Inquiry, case: int, level: str) -> bool:
    theory = inquiry.theory.cases[case]
    if level in theory.exercised:
        return True
    if any(_possible(prover, prover.component.causes.get(level, ())) for prover in inquiry.provers[case]):
        return True
    return any(_paired(inquiry.provers[case], pairing) for pairing in theory.pairings if pairing.level == level)


def _paired(provers: Sequence[Prover], pairing: Pairing) -> bool:
    """Whether two members of different kinds are possible in one run."""
    possible = [member for member in pairing.members if provers[member[0]].conforming_with(member[2]) is not None]
    for place, (component, kind, formula) in enumerate(possible):
        for other_component, other_kind, other in possible[place + 1 :]:
            if kind != other_kind:
                together = all_of((formula, other))
                if component != other_component or provers[component].conforming_with(together) is not None:
                    return True
    return False


def ask_stimuli(inquiry: Inquiry) -> None:
    """Sets `dead`: the events that find what they aim at in no conforming run."""
    alive: set[str] = set()
    for number in inquiry.conforming:
        for prover in inquiry.provers[number]:
            for pointer, formulas in prover.component.stimuli.items():
                if pointer not in alive and _possible(prover, formulas):
                    alive.add(pointer)
    if inquiry.conforming:
        inquiry.answers.dead.extend(pointer for pointer in inquiry.theory.stimuli if pointer not in alive)


def _possible(prover: Prover, formulas: Sequence[Formula]) -> bool:
    return any(prover.conforming_with(formula) is not None for formula in formulas)


def ask_omissions(inquiry: Inquiry) -> None:
    """Sets `omission` where only the author's expectations count."""
    if not inquiry.theory.only_expect:
        return
    for number, passing in inquiry.passing():
        for focus in range(len(inquiry.provers[number])):
            omission = _omission(inquiry.provers[number][focus], focus, passing)
            if omission is not None:
                inquiry.answers.omission = omission
                return


def _omission(prover: Prover, focus: int, passing: Solution) -> Omission | None:
    """A run that breaks no prohibition, omits something due in this component, and passes everything."""
    component = prover.component
    due = [member for member in component.standing if member.due]
    prohibitions = [member.formula for member in component.standing if not member.due]
    kept = [*prohibitions, prover.claims_hold, violation(member.formula for member in due)]
    values = prover.logs_with(kept)
    if values is None:
        return None
    for absence in component.quiet:
        without = prover.logs_with([*kept, absence])
        if without is not None:
            values = without
            kept.append(absence)
    omitted = next(member for member in due if not holds(member.formula, values))
    whole = (*passing.values[:focus], values, *passing.values[focus + 1 :])
    return Omission(omitted, focus, Solution(passing.case, whole))
