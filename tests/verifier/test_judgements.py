"""What the questions make of theories with several components, by hand."""

from __future__ import annotations

import dataclasses

import pytest
from tests.verifier.known_answers import document, sent

from wellposed.compiler.bundle import bundle_of
from wellposed.verifier.amr.model import theory as theory_of
from wellposed.verifier.formula import Formula, Space, Term, any_of, constant
from wellposed.verifier.judgement import Cell, Judgement
from wellposed.verifier.solver import Budget
from wellposed.verifier.theory import Case, Claim, Component, Constraint, FreeClaims, Mutants, Pairing, Theory
from wellposed.verifier.verdict import judge
from wellposed.verifier.verify import verify


def component(number: int, claims: tuple[int, ...] = (), rows: tuple[tuple[str, int, int], ...] = ()) -> Component:
    """One variable of 0..9; a claim is that it is 5 at most, a row (id, low, high) that it lies between."""
    space = Space()
    x = space.variable(f"x{number}", 0, 9)

    def between(first: int, last: int) -> Formula:
        return space.between(constant(first), x, constant(last))

    return Component(
        space=space,
        items=(f"m{number}",),
        physics=(),
        standing=tuple(Constraint(row, f"m{number}", f"/schedule/{number}", between(first, last), "", True) for row, first, last in rows),
        claims=tuple(Claim(index, between(0, 5), "5 at most") for index in claims),
        causes={},
        stimuli={},
        outcomes=(),
        records=((1,),),
        quiet=(space.le(constant(9), x),),
        payload=None,
    )


def theory(*components: Component) -> Theory:
    words = tuple("5 at most" for one in components for _ in one.claims)
    case = Case(components, frozenset(), (), lambda value: value, None)
    return Theory((case,), words, lambda: (), ("L0",), (), False, False, "L0", (), lambda: Mutants((), (), False))


@pytest.mark.parametrize(("components", "runs"), [(2, 2), (16, 16), (17, 1), (20, 1)])
def test_of_many_components_one_pair_of_runs_shows_all(components: int, runs: int) -> None:
    """Up to sixteen have a pair of their own."""
    judgement = judge(theory(*(component(number, (number,)) for number in range(components))), Budget(100_000))
    assert [ambiguity.index for ambiguity in judgement.ambiguities] == list(range(components))
    assert [ambiguity.focus for ambiguity in judgement.ambiguities] == list(range(components))
    assert len({id(ambiguity.failing) for ambiguity in judgement.ambiguities}) == runs
    for ambiguity in judgement.ambiguities:
        assert ambiguity.failing.values[ambiguity.focus][1] > 5 >= ambiguity.passing.values[ambiguity.focus][1]


def test_a_second_expectation_of_a_component_has_runs_of_its_own() -> None:
    first = component(0, (0, 1))
    judgement = judge(theory(first, *(component(number, (number + 1,)) for number in range(1, 18))), Budget(100_000))
    by_run: dict[int, list[int]] = {}
    for ambiguity in judgement.ambiguities:
        by_run.setdefault(id(ambiguity.failing), []).append(ambiguity.index)
    assert sorted(by_run.values()) == [[0, *range(2, 19)], [1]]


def test_a_core_is_that_of_the_first_component_that_has_no_run() -> None:
    """Its members alone are looked at, though another component would give reasons of a lower level."""
    high = component(0, (), (("L2.row", 6, 9), ("L2.other", 0, 4)))
    low = component(1, (), (("L0.row", 6, 9), ("L0.other", 0, 4)))
    for components in ((high, low), (component(2), high, low)):
        judgement = judge(theory(*components), Budget(100_000))
        assert [member.obligation for member in judgement.core if isinstance(member, Constraint)] == ["L2.other", "L2.row"]


@pytest.mark.parametrize(("third", "exercised"), [((0, 2), True), ((4, 7), False)])
def test_two_members_of_a_pairing_of_different_kinds_have_to_go_together(third: tuple[int, int], exercised: bool) -> None:
    """Each of the four is possible; only the first and the third can be possible at once."""
    one = component(0)
    x = Term(1, 0)
    ranges = ((0, 3, "a"), (8, 9, "a"), (*third, "b"), (9, 9, "a"))
    members = tuple((0, kind, one.space.between(constant(first), x, constant(last))) for first, last, kind in ranges)
    plain = theory(one)
    paired = dataclasses.replace(plain, cases=(dataclasses.replace(plain.cases[0], pairings=(Pairing("L0", members),)),))
    assert judge(paired, Budget(10_000)).levels == {"L0": "exercised" if exercised else "untested"}


def test_an_omission_stands_in_its_component_among_runs_that_pass() -> None:
    """And does without what it can do without: of two others one has to be there, and the first is not."""
    space = Space()
    x, y, z = (space.variable(name, 0, 9) for name in ("x", "y", "z"))
    due = Constraint("L0.row", "m1", "/schedule/1", space.le(x, constant(5)), "", True)
    middle = dataclasses.replace(
        component(1),
        space=space,
        physics=(any_of((space.le(y, constant(5)), space.le(z, constant(5)))),),
        standing=(due,),
        quiet=tuple(space.le(constant(9), term) for term in (x, y)),
    )
    around = [component(number, (), (("L0.row", number, number),)) for number in (0, 2, 3)]
    kept = [dataclasses.replace(one, standing=tuple(dataclasses.replace(row, due=False) for row in one.standing)) for one in around]
    asked = dataclasses.replace(theory(kept[0], middle, *kept[1:]), only_expect=True)
    omission = judge(asked, Budget(10_000)).omission
    assert omission is not None
    assert omission.omitted is due and omission.focus == 1
    assert omission.solution.values == ([0, 0], [0, 9, 9, 5], [0, 2], [0, 3])


def implied(*bounds: int, order: tuple[int, ...] = ()) -> Judgement:
    """Claims that x, or y where the bound is negative, is this at most; all of them are proved."""
    space = Space()
    x, y = space.variable("x", 0, 9), space.variable("y", 0, 9)
    claims = tuple(Claim(number, space.le(y if bound < 0 else x, constant(abs(bound))), "") for number, bound in enumerate(bounds))
    rows = tuple(Constraint("L0.row", "m0", "/schedule/0", claim.formula, "", False) for claim in claims)
    one = dataclasses.replace(component(0), space=space, standing=rows, claims=claims, records=((1,), (2,)), quiet=())
    free = FreeClaims(space, (), tuple(claims[place] for place in order or range(len(claims))))
    asked = dataclasses.replace(theory(one), claims=tuple("" for _ in claims), free=lambda: [free])
    return judge(asked, Budget(10_000))


def test_of_equal_expectations_the_first_stays() -> None:
    assert implied(5, 5, 5, 5).redundant == [1, 2, 3]
    assert implied(7, 5, 9).redundant == [0]
    assert implied(3, -5).redundant == implied(3, -5, order=(1, 0)).redundant == []


def test_each_fault_of_a_scenario_makes_it_vacuous_by_itself() -> None:
    cell = Cell("system", "k")
    assert not cell.shown
    assert Judgement(satisfiable=True).verdict == "well-posed"
    assert Judgement(satisfiable=True, unexplored=["a question"]).verdict == Judgement(unexplored=["a question"]).verdict == "undecided"
    for fault in ({"uncaught": [cell]}, {"accepted": [cell]}, {"hollow": [0]}, {"idle_passes": True}, {"top_untested": True}, {"dead": [""]}):
        assert Judgement(satisfiable=True, **fault).verdict == "vacuous"  # type: ignore[arg-type]
        assert Judgement(satisfiable=False, **fault).verdict == "unsatisfiable"  # type: ignore[arg-type]


def test_what_the_author_says_is_caught_is_asked_about() -> None:
    replied = document(0, [], [sent(True, 10)])
    for system, verdict in (("idle", "well-posed"), ("resends-on-crash", "vacuous")):
        assert verify(bundle_of({**replied, "catches": [system]}, None, "x.json")).verdict == verdict


def test_where_the_expectations_alone_count_faulty_systems_are_asked_about() -> None:
    """What is due is expected, so nothing simpler is wrong than that an unapproved draft may be sent."""
    expect = [{"claim": "admitted", "of": "m1", "within": 5}, {"claim": "drafted", "of": "m1", "within": 10}, sent(False, 5, "go")]
    work = Budget(1_000_000)
    judgement = judge(theory_of(document(2, [(12, "approve", "m1", "go")], expect, only_expect=True), work), work)
    assert judgement.omission is None and not judgement.idle_passes
    assert [cell.system for cell in judgement.accepted] == ["sends-unapproved-redraft"]
    assert judgement.verdict == "vacuous"
