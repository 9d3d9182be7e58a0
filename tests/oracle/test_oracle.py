"""The oracle against sets of runs derived by hand, and what the generated sample is made of."""

import pytest
from tests.oracle import (
    Budgets,
    MessageTrace,
    TooLarge,
    all_instances,
    core_is_minimal,
    explore,
    explore_factored,
    instance_of,
    judge,
    runs_exist,
)
from tests.oracle.basics import Document
from tests.oracle.census import census, expected_keys
from tests.oracle.document import read_document
from tests.oracle.generate import sample
from tests.oracle.generate_claims import Claim
from tests.oracle.scenes import (
    any_of,
    claim,
    decide,
    deliver,
    escalate,
    fault,
    kill,
    scene,
    sent,
    when,
)

ONE = Budgets(admit=1, lag=1, draft=1, reply=1, send=1, crash=2, death=1, claims=1, terminal=1)
End = tuple[int, str, str | None]


def run(
    admitted: int | None,
    drafts: tuple[int, ...] = (),
    send: int | None = None,
    end: End | None = None,
    won: tuple[int, ...] = (),
    held: tuple[str, ...] = (),
) -> tuple[MessageTrace]:
    """A run of one message that sends its first draft, under the rules version ``all``."""
    rules = None if admitted is None else "all"
    return (MessageTrace(admitted, rules, drafts, None if send is None else (send, 0), end, won, held),)


def completed(tick: int) -> End:
    """A completion."""
    return (tick, "completed", None)


def by_operator(tick: int) -> End:
    """An abandonment for an escalation."""
    return (tick, "abandoned", "operator_escalation")


def traces(document: Document, budgets: Budgets, max_drafts: int = 1) -> set[tuple[MessageTrace, ...]]:
    """The explored set."""
    return set(explore(document, budgets, max_drafts))


def test_a_reply_within_one_tick() -> None:
    expected = {run(0, (0,), 0, end) for end in (None, completed(0), completed(1))}
    for admitted, draft in ((0, 0), (0, 1), (1, 1)):
        expected |= {run(admitted, (draft,), 1, end) for end in (None, completed(1))}
    assert traces(scene(0, 1, [deliver("m1", 0)], []), ONE) == expected


def test_a_jump_stretches_a_tick() -> None:
    expected = {run(0, (0,), 0, end) for end in (None, completed(0), completed(3), completed(4))}
    for admitted, draft in ((0, 0), (0, 3), (3, 3)):
        expected |= {run(admitted, (draft,), 3, end) for end in (None, completed(3), completed(4))}
    assert traces(scene(0, 4, [deliver("m1", 0), fault("jump", 0, to=3)], []), ONE) == expected


def test_a_second_draft_is_free() -> None:
    single = traces(scene(0, 1, [deliver("m1", 0)], []), ONE)
    double = traces(scene(0, 1, [deliver("m1", 0)], []), ONE, 2) - single
    end = completed(1)
    expected = {run(0, (0, 1), 0), run(0, (0, 1), 0, end), run(0, (0, 1), 1), run(0, (0, 1), 1, end)}
    (second,) = run(0, (0, 1), None)
    expected |= {(second._replace(send=(1, 1), resolution=r),) for r in (None, end)}
    assert double == expected


def test_a_deferred_approval() -> None:
    """Drafted at 0, the approval of tick 1 fires at once; drafted at 1, it fires at 2 and nothing more is due."""
    budgets = Budgets(admit=1, lag=1, draft=1, reply=2, send=1, crash=2, death=1, claims=1, terminal=1)
    expected = {run(0, (0,), 1, end) for end in (None, completed(1), completed(2))}
    expected |= {run(0, (0,), 2, end) for end in (None, completed(2))}
    for admitted in (0, 1):
        expected |= {run(admitted, (1,)), run(admitted, (1,), 2), run(admitted, (1,), 2, completed(2))}
    assert traces(scene(2, 2, [deliver("m1", 0), decide("m1", 1, "go")], []), budgets) == expected


def test_an_escalation() -> None:
    expected = {run(0, drafts, None, by_operator(1)) for drafts in ((), (0,), (1,))}
    expected |= {run(0, drafts, None, by_operator(2)) for drafts in ((), (0,), (1,), (2,))}
    expected |= {run(1, drafts, None, by_operator(1)) for drafts in ((), (1,))}
    expected |= {run(1, drafts, None, by_operator(2)) for drafts in ((), (1,), (2,))}
    assert traces(scene(4, 2, [deliver("m1", 0), escalate("m1", 1)], []), ONE) == expected


def test_an_escalation_triggered_by_a_draft() -> None:
    """The escalation fires one tick behind the first draft, or never; L0.draft is due at 1."""
    schedule = [deliver("m1", 0), when("drafted", "m1", escalate("m1", 0))]
    expected = {run(0, (0,), None, by_operator(tick)) for tick in (1, 2)}
    expected |= {run(admitted, (1,), None, by_operator(2)) for admitted in (0, 1)}
    assert traces(scene(4, 2, schedule, []), ONE) == expected


def test_a_death() -> None:
    """Admitted at 0 the item has a holder at 1, admitted at 1 it has none yet."""
    budgets = Budgets(admit=1, lag=1, draft=2, reply=2, send=1, crash=2, death=1, claims=1, terminal=2)
    held = ("death",)
    orphaned = [((1, "agent_death"), ((), (0,), (1,))), ((2, "agent_death"), ((), (0,), (1,), (2,)))]
    expected = {
        run(0, drafts, None, (end[0], "abandoned", end[1]), held=held)
        for end, options in orphaned
        for drafts in options
    }
    expected |= {run(0, (draft,), won=(won,), held=held) for draft in (0, 1, 2) for won in (1, 2)}
    expected |= {run(1, (1,)), run(1, (2,))}
    assert traces(scene(3, 2, [deliver("m1", 0), kill("m1", 1)], []), budgets) == expected


def test_a_crash_excuses_the_reply_but_wants_an_end() -> None:
    """Drafted at 0 and pending at the crash of 1: sent by 3, or abandoned; drafted later: sent by 1."""
    schedule = [deliver("m1", 0), fault("crash", 1)]
    found = traces(scene(1, 3, schedule, []), ONE)
    sends = {t[0].send[0] if t[0].send else None for t in found if t[0].drafts == (0,)}
    assert sends == {0, 1, 2, 3, None}
    assert all(t[0].resolution is not None for t in found if t[0].send is None)
    assert {t[0].send for t in found if t[0].drafts == (1,)} == {(1, 0)}
    reasons = {t[0].resolution[2] for t in found if t[0].resolution and t[0].send is None}
    assert reasons == {"crash"}


def test_a_death_may_touch_the_other_item() -> None:
    schedule = [deliver("m1", 0), deliver("m2", 0, "refund"), kill("m1", 1)]
    found = explore(scene(3, 2, schedule, []), ONE, 1)
    held = {(one.held, two.held) for one, two in found}
    assert held == {((), ()), (("death",), ()), (("death",), ("death",))}
    assert all(one.admitted == 0 for one, _ in found if one.held)


def test_rules_and_posture_are_one_pair() -> None:
    """The new rules admit only under the new posture, the old ones only under the old: no mixed pair was in force."""
    versions = [
        {"name": "v1", "rules": [_admit_under("normal")]},
        {"name": "v2", "rules": [_admit_under("maintenance")]},
    ]
    schedule = [deliver("m1", 0), fault("rules", 2, rules="v2"), fault("posture", 3, posture="vip-only")]
    found = explore(scene(2, 4, schedule, [], rules=versions), ONE, 1)
    assert {(t[0].admitted, t[0].rules) for t in found} == {(0, "v1"), (1, "v1")}
    late = [deliver("m1", 2), fault("rules", 2, rules="v2"), fault("posture", 3, posture="maintenance")]
    found = explore(scene(2, 4, late, [], rules=versions), ONE, 1)
    assert {(t[0].admitted, t[0].rules) for t in found} == {(None, None), (2, "v1"), (3, "v2"), (4, "v2")}


def _admit_under(posture: str) -> dict[str, object]:
    return {"id": posture, "effect": "admit", "when": [{"field": "posture", "op": "is", "value": posture}]}


def test_the_guards() -> None:
    document = scene(0, 8, [deliver("m1", 0), deliver("m2", 0)], [])
    with pytest.raises(TooLarge):
        explore(document, Budgets(), max_traces=1000)
    with pytest.raises(TooLarge):
        judge(document, Budgets(), max_states=10)
    factored = explore_factored(document, ONE)
    joint = factored.joint(1_000_000)
    assert len(factored) == len(joint)
    assert all(trace in factored for trace in list(joint)[:100])


@pytest.mark.parametrize(
    ("expectation", "can_fail"),
    [
        (sent("m1"), True),
        (claim("never-sent", "m1"), True),
        (any_of([sent("m1")], [claim("never-sent", "m1")]), False),
        (any_of([sent("m1", once=True)], [claim("never-sent", "m1")]), True),
        (any_of([claim("admitted", "m1", within=1)], [claim("not-admitted", "m1")]), True),
        (any_of([claim("admitted", "m1", within=6)], [claim("not-admitted", "m1")]), False),
        (any_of([claim("open", "m1")], [sent("m1")], [claim("completed", "m1")]), True),
        (claim("not-sent-after", "m1", after="go"), True),
        (claim("claims-settle", "m1", within=6), True),
        (claim("claims-settle", "m1", within=7), False),
        ({"claim": "state-agrees"}, True),
        (any_of([claim("drafted", "m1", within=0)], [claim("not-sent-after", "m1", after="go")]), True),
    ],
)
def test_what_no_log_can_violate(expectation: Claim, can_fail: bool) -> None:
    document = scene(2, 6, [deliver("m1", 0), decide("m1", 3, "go")], [expectation])
    assert judge(document, ONE).violable == (can_fail,)


def test_cores_name_instances() -> None:
    """Nothing sent is impossible: the draft is due, hence the approval fires, hence the send is due."""
    document = scene(2, 6, [deliver("m1", 0), decide("m1", 2, "go")], [claim("never-sent", "m1")])
    draft, send = instance_of(document, "L0.draft", "m1", 0), instance_of(document, "L2.send", "m1", 1)
    assert (draft, send) == (("L0.draft", "m1", "m1"), ("L2.send", "m1", "go"))
    assert {draft, send, ("expect", "", "0")} < set(all_instances(document))
    assert not runs_exist(document, ONE, all_instances(document))
    assert core_is_minimal(document, ONE, [("expect", "", "0"), draft, send]) == (True, [])
    assert core_is_minimal(document, ONE, [draft, send]) == (False, [])
    padded = [("expect", "", "0"), draft, send, ("L1.once", "m1", "m1")]
    assert core_is_minimal(document, ONE, padded) == (True, [("L1.once", "m1", "m1")])
    with pytest.raises(ValueError, match="no such instance"):
        instance_of(document, "L4.stop", "m1", 1)


def test_samples_are_reproducible_and_well_formed() -> None:
    for seed in range(60):
        document, budgets = sample(seed)
        assert (document, budgets) == sample(seed)
        schedule = document["schedule"]
        assert [entry["seq"] for entry in schedule] == list(range(len(schedule)))
        timed = [entry["at"] for entry in schedule if "at" in entry]
        assert timed == sorted(timed)
        assert all(0 <= at <= document["horizon"] for at in timed)
        assert all(("when" in entry) != ("at" in entry) for entry in schedule)
        scenario = read_document(document)
        versions = {s.value for s in scenario.statements if s.kind == "rules"}
        assert versions <= set(scenario.rules)
        jumps = [s.value for s in scenario.statements if s.kind == "jump"]
        assert all(to <= document["horizon"] for to in jumps)


def test_census_of_a_small_sample() -> None:
    """Nothing is missing from 200 documents (a larger sample counts properly)."""
    counts = census(range(200))
    assert {key: counts[key] for key in expected_keys() if counts[key] < 1} == {}


@pytest.mark.slow
def test_census_of_a_large_sample() -> None:
    """Every statement, row, excuse, verdict and claim at least 20 times in 1,000 documents, and no verdict dominates."""
    counts = census(range(1000))
    assert {key: counts[key] for key in expected_keys() if counts[key] < 20} == {}
    assert max(counts[key] for key in expected_keys() if key.startswith("verdict")) < 500
