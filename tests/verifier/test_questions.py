"""The questions of the kernel, each answered as going through all assignments answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest
from tests.verifier.questions import Answers, Values, key, of_one_component, theory

from wellposed.verifier.formula import Space, any_of, constant, holds
from wellposed.verifier.judgement import Judgement, Solution
from wellposed.verifier.satisfiable import deletion_order
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Claim, Constraint, Theory
from wellposed.verifier.verdict import QUESTIONS, judge

PLENTY = 100_000


def compare(first: int, count: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for seed in range(first, first + count):
        asked = theory(seed)
        judgement = judge(asked, Budget(PLENTY), windows=True)
        for what, ours, theirs in differences(asked, Answers(asked), judgement):
            assert ours == theirs, f"theory {seed}: {what}"
        seen[judgement.verdict] += 1
        seen.update(
            name for name in ("core", "ambiguities", "hollow", "redundant", "omission", "dead", "windows") if getattr(judgement, name)
        )
    return seen


def differences(asked: Theory, answers: Answers, judgement: Judgement) -> Iterator[tuple[str, object, object]]:
    yield "satisfiable", judgement.satisfiable, answers.satisfiable
    states = [answers.claim(index) for index in range(len(asked.claims))]
    yield from _core(answers, judgement, states)
    hollow = answers.hollow()
    yield "hollow", judgement.hollow, hollow
    states = ["vacuous" if index in hollow and state == "proved" else state for index, state in enumerate(states)]
    redundant = answers.redundant(states)
    yield "redundant", judgement.redundant, redundant
    states = ["redundant" if index in redundant else state for index, state in enumerate(states)]
    yield "claims", judgement.claims, states
    levels = answers.levels()
    yield "levels", judgement.levels, levels
    untested = bool(answers.conforming) and levels["L2"] == "untested"
    yield "top untested", judgement.top_untested, untested
    yield "dead", judgement.dead, answers.dead()
    yield "omission", judgement.omission is not None, answers.omission()
    yield "unexplored", judgement.unexplored, []
    yield "outcomes", {item: {(way.outcome, way.first, way.last) for way in ways} for item, ways in judgement.outcomes.items()}, answers.outcomes()
    yield "windows", {(window.item, window.record): (window.first, window.last) for window in judgement.windows}, answers.windows()
    yield from _runs(asked, answers, judgement)
    wrong = hollow or asked.idle_passes or answers.omission() or untested or answers.dead()
    ambiguous = answers.satisfiable and "ambiguous" in states
    verdict = "ambiguous" if ambiguous else "vacuous" if wrong else "well-posed"
    yield "verdict", judgement.verdict, verdict if answers.satisfiable else "unsatisfiable"


def _core(answers: Answers, judgement: Judgement, states: list[str]) -> Iterator[tuple[str, object, object]]:
    """A minimal core, there exactly where nothing passes; its claims count as unsatisfiable."""
    members = [key(member) for member in judgement.core]
    yield "a core where nothing passes", bool(members) or answers.satisfiable, True
    if not members:
        return
    yield "a core where something passes", answers.satisfiable, False
    yield "a core of obligations alone where nothing conforms", bool(answers.conforming), any(
        isinstance(member, Claim) for member in judgement.core
    )
    yield "the core admits a run", answers.admits(members), False
    spare = [member for member in members if not answers.admits([other for other in members if other != member])]
    yield "members to spare", spare, []
    yield "its order", members, sorted(members, key=lambda member: (member[0] != "expectation", member[0], member[1]))
    for member in judgement.core:
        if isinstance(member, Claim):
            states[member.index] = "unsatisfiable"


def _runs(asked: Theory, answers: Answers, judgement: Judgement) -> Iterator[tuple[str, object, object]]:
    """Every run that is shown is what it is said to be."""
    yield "an example", judgement.example is not None, answers.satisfiable
    if judgement.example is not None:
        yield "the example passes", _passes(answers, judgement.example), True
    shown = [ambiguity.index for ambiguity in judgement.ambiguities]
    wanted = [index for index, state in enumerate(judgement.claims) if state == "ambiguous"] if answers.satisfiable else []
    yield "what has two runs", sorted(shown), wanted
    for ambiguity in judgement.ambiguities:
        yield "the passing run passes", _passes(answers, ambiguity.passing), True
        yield "the failing run conforms", _conforms(answers, ambiguity.failing), True
        component = ambiguity.failing.case.components[ambiguity.focus]
        own = next(claim for claim in component.claims if claim.index == ambiguity.index)
        pair = ambiguity.failing.values[ambiguity.focus], ambiguity.passing.values[ambiguity.focus]
        yield "the failing run fails", holds(own.formula, pair[0]), False
        if ambiguity.passing.case is ambiguity.failing.case:
            case = _place(answers, ambiguity.failing)
            failing = [run for run in answers.runs[case][ambiguity.focus] if not holds(own.formula, run)]
            pairs = product(failing, answers.passes[case][ambiguity.focus])
            yield "how far the two are apart, and from when on", _apart(*pair), min(_apart(*other) for other in pairs)
    if judgement.omission is not None:
        focus, solution = judgement.omission.focus, judgement.omission.solution
        component = solution.case.components[focus]
        values = solution.values[focus]
        yield "it is omitted", holds(judgement.omission.omitted.formula, values), False
        yield "it is due", judgement.omission.omitted.due, True
        lawful = [*component.physics, *(member.formula for member in component.standing if not member.due)]
        yield "no more than omitted", all(holds(formula, values) for formula in lawful), True
        yield "the omission passes", answers.passing(component, values), True


def _apart(failing: Values, passing: Values) -> tuple[int, int]:
    """In how many records two runs differ, and the first tick of one of these."""
    different = [ticks for ticks in zip(failing, passing, strict=True) if ticks[0] != ticks[1]]
    return len(different), min(map(min, different))


def _place(answers: Answers, solution: Solution) -> int:
    return next(number for number, case in enumerate(answers.theory.cases) if case is solution.case)


def _all_in(found: list[list[Values]], solution: Solution) -> bool:
    return all(values in runs for values, runs in zip(solution.values, found, strict=True))


def _passes(answers: Answers, solution: Solution) -> bool:
    return _all_in(answers.passes[_place(answers, solution)], solution)


def _conforms(answers: Answers, solution: Solution) -> bool:
    return _all_in(answers.runs[_place(answers, solution)], solution)


@pytest.mark.parametrize("first", range(0, 2_000, 500))
def test_questions_are_answered_as_all_assignments_answer_them(first: int) -> None:
    seen = compare(first, 500)
    assert min(seen[verdict] for verdict in ("unsatisfiable", "ambiguous", "vacuous")) >= 5
    assert min(seen[name] for name in ("core", "hollow", "redundant", "omission", "dead", "windows")) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100_000, 300_000, 20_000))
def test_questions_at_length(first: int) -> None:
    seen = compare(first, 20_000)
    assert min(seen[verdict] for verdict in ("unsatisfiable", "ambiguous", "vacuous", "well-posed")) >= 20


def test_without_the_budget_for_a_question_it_is_left_open() -> None:
    """As many questions as the budget allows are answered as ever; nothing passes before all are."""
    all_open = set()
    for asked in map(theory, range(40)):
        wanted = [question for question, _, concerns in QUESTIONS if concerns(asked)]
        whole = judge(asked, Budget(PLENTY))
        assert whole.windows == [], "they were not asked for"
        left_open = len(wanted)
        for units in range(0, 400, 3):
            judgement = judge(asked, Budget(units))
            count = len(judgement.unexplored)
            assert judgement.unexplored == wanted[len(wanted) - count :]
            assert count <= left_open, "with more work fewer questions stay open"
            assert judgement.verdict == whole.verdict if count == 0 else judgement.verdict != "well-posed"
            left_open = count
            if count == len(wanted):
                all_open.add(asked.only_expect)
    assert all_open == {True, False}


def test_a_core_is_sought_among_the_members_of_a_conflict_alone() -> None:
    """Forty constraints beside it cost a few solutions, not one per member."""
    space = Space()
    standing = []
    for number in range(41):
        y = space.variable(f"y{number}", 0, 3)
        either = any_of((space.lt(y, constant(2)), space.lt(y, constant(1))))
        standing.append(Constraint("L1.row", "item", f"/schedule/{number}", either, "", True))
    claim = Claim(0, space.le(constant(2), y), "the last is 2 or more")
    judgement = judge(of_one_component(space, standing, [claim]), Budget(600))
    assert judgement.core == (claim, standing[-1])


def test_what_leaves_a_core_first() -> None:
    """Higher levels before lower ones, in a level the later name; expectations last."""
    keys = [("expectation", "/expect/0", ""), ("L0.draft", "/schedule/0", "m1"), ("L2.send", "/schedule/1", "m1"), ("L0.reply", "/schedule/0", "m1")]
    first_to_go = ["L2.send", "L0.reply", "L0.draft", "expectation"]
    assert [obligation for obligation, _, _ in sorted(keys, key=deletion_order)] == first_to_go
