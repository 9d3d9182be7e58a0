"""Can a wrong system fail: expectations over all logs, exercised levels, dead stimuli, omissions that pass."""

from __future__ import annotations

from collections.abc import Sequence

from wellposed.verifier.formula import Formula, all_of, holds, negate
from wellposed.verifier.judgement import Guarded, Inquiry, Omission, Solution
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
    alone: set[int] = set()
    for free in inquiry.free:
        indexes = {claim.index for claim in free.claims}
        if len(indexes) == 1:
            alone |= indexes
        for index in indexes:
            places.setdefault(index, []).append(free)
    for index in sorted(places.keys() - alone, reverse=True):
        if answers.claims[index] != "proved":
            continue
        for free in places[index]:
            own = all_of(claim.formula for claim in free.claims if claim.index == index)
            others = [claim.formula for claim in free.claims if claim.index != index and claim.index not in answers.redundant]
            if _satisfiable(free, [*others, negate(own)], inquiry.budget):
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


def ask_guarded(inquiry: Inquiry) -> None:
    """Sets `finds` for every stimulus, or for none, and `guarded`."""
    finds: dict[str, str] = {}
    first: tuple[str, int] | None = None
    dead_ones = frozenset(inquiry.answers.dead)
    aimed = {case: _aimed(inquiry.provers[case]) for case in inquiry.conforming}
    for pointer in inquiry.theory.stimuli if inquiry.conforming else ():
        dead = pointer in dead_ones
        case = None if dead else next((case for case, at in aimed.items() if _missable(at.get(pointer, ()), pointer)), None)
        finds[pointer] = "never" if dead else "always" if case is None else "sometimes"
        if case is not None and first is None:
            first = pointer, case
    if first is not None:
        inquiry.answers.guarded = Guarded(first[0], _without(inquiry, *first))
    inquiry.answers.finds = finds


def _aimed(provers: Sequence[Prover]) -> dict[str, list[Prover]]:
    """The components in which each event may find something."""
    aimed: dict[str, list[Prover]] = {}
    for prover in provers:
        for pointer in prover.component.stimuli:
            aimed.setdefault(pointer, []).append(prover)
    return aimed


def _missable(aimed: Sequence[Prover], pointer: str) -> bool:
    """Whether some conforming run has the event find nothing in any of these."""
    return all(prover.conforming_with(_missed(prover, pointer)) is not None for prover in aimed)


def _missed(prover: Prover, pointer: str) -> Formula:
    return all_of(map(negate, prover.component.stimuli.get(pointer, ())))


def _without(inquiry: Inquiry, pointer: str, case: int) -> Solution:
    """A conforming run in which the event finds nothing, close to the example."""
    values, example = [], inquiry.answers.example
    shown = example.values if example is not None and example.case is inquiry.theory.cases[case] else None
    for place, prover in enumerate(inquiry.provers[case]):
        missed = _missed(prover, pointer)
        run = shown[place] if shown is not None else prover.conforming()
        if run is None or not holds(missed, run):
            run = prover.conforming_with(missed, near=run)
        assert run is not None, "every component has such a run"
        values.append(run)
    return Solution(inquiry.theory.cases[case], tuple(values))


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
