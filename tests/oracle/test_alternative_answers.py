"""A known answer for every alternative reading, next to the base's, each with the argument for it."""

from dataclasses import replace

import pytest
from tests.oracle import BASE, Answers, Budgets, core_is_minimal, explore, instance_of, judge
from tests.oracle.basics import Document, Instance
from tests.oracle.scenes import (
    ONLY_NORMAL,
    any_of,
    claim,
    decide,
    deliver,
    escalate,
    fault,
    kill,
    scene,
    sent,
)

FULL = Budgets()
NEVER_SENT = claim("never-sent", "m1")
ABANDONED = claim("abandoned", "m1", reason=None)
BY_HAND = ("abandoned", "operator_escalation")
BY_OPERATOR = claim("abandoned", "m1", reason="operator_escalation")
EXPECTATION: Instance = ("expect", "", "0")


def verdicts(document: Document, answers: Answers, budgets: Budgets = FULL) -> tuple[str, str]:
    """The verdict of the base at full budgets, and that of the alternative."""
    return judge(document, FULL).verdict, judge(document, budgets, answers=answers).verdict


def minimal(document: Document, core: list[Instance], answers: Answers) -> bool:
    """Whether the core admits no run, and any member left out admits one."""
    return core_is_minimal(document, FULL, core, answers=answers) == (True, [])


def test_reply_from_arrival() -> None:
    """The reply is due by 10, no approval comes before 12, and nothing happens that excuses the item."""
    answers = Answers(reply_from_arrival=True)
    document = scene(2, 40, [deliver("m1", 0), decide("m1", 12, "go")], [sent("m1")])
    assert verdicts(document, answers) == ("well-posed", "unsatisfiable")
    core = [("L0.reply", "m1", "m1"), ("L2.authority", "m1", "m1")]
    assert minimal(document, core, answers)
    assert instance_of(document, "L0.reply", "m1", 0, answers) == core[0]


def test_waiting_is_pending() -> None:
    """Drafted by 10, the item is pending at 20 and must end by 40. It cannot be sent before 55, so it is given up."""
    answers = Answers(waiting_is_pending=True)
    schedule = [deliver("m1", 0), fault("crash", 20), decide("m1", 55, "go")]
    assert verdicts(scene(2, 60, schedule, [sent("m1")]), answers) == ("well-posed", "unsatisfiable")
    gone = claim("abandoned", "m1", reason="crash")
    assert verdicts(scene(2, 60, schedule, [gone]), answers) == ("unsatisfiable", "well-posed")


def test_no_draft_due() -> None:
    """Nothing but L0.draft asks for a draft that nobody has approved yet; without it the approval may never fire."""
    schedule = [deliver("m1", 0), decide("m1", 12, "go")]
    document = scene(2, 40, schedule, [claim("drafted", "m1", within=10)])
    assert verdicts(document, Answers(draft_due=False)) == ("well-posed", "ambiguous")


@pytest.mark.parametrize(("within", "expected"), [(10, "well-posed"), (9, "ambiguous"), (0, "unsatisfiable")])
def test_open_windows(within: int, expected: str) -> None:
    """Due by 9, the reply comes within 10, which now means by 9; it may be later than 8; nothing is within 0."""
    smaller = Budgets(admit=4, draft=9, reply=9, send=4, crash=19, death=4, claims=4)
    document = scene(0, 40, [deliver("m1", 0)], [sent("m1", within)])
    assert judge(document, smaller, answers=Answers(open_windows=True)).verdict == expected
    assert judge(document, FULL).verdict == ("well-posed" if within == 10 else "ambiguous")


def test_interleaved() -> None:
    """The system can see the approval before the escalation of its tick, and then the reply has left in time."""
    answers = Answers(interleaved=True)
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 12)]
    assert verdicts(scene(6, 16, schedule, [NEVER_SENT]), answers) == ("well-posed", "ambiguous")
    assert verdicts(scene(6, 16, schedule, [sent("m1")]), answers) == ("unsatisfiable", "ambiguous")
    not_after = claim("not-sent-after", "m1", after="esc")
    assert verdicts(scene(6, 16, schedule, [not_after]), answers) == ("well-posed", "well-posed")
    # Behind the escalation nothing is sent, so the other order leaves no place.
    schedule = [deliver("m1", 0), escalate("m1", 12), decide("m1", 12, "go")]
    assert verdicts(scene(4, 16, schedule, [NEVER_SENT]), answers) == ("well-posed", "well-posed")


def test_a_place_before_all_events() -> None:
    """Approved at 1, the reply may leave in the escalation's tick, of a draft that is there by then, and stays sent."""
    schedule = [deliver("m1", 0), decide("m1", 1, "go"), escalate("m1", 3)]
    budgets = Budgets(admit=1, lag=1, draft=2, reply=4, send=4, crash=2, death=1, claims=1, terminal=4)
    runs = explore(scene(4, 4, schedule, []), budgets, 1, answers=Answers(interleaved=True))
    assert {run[0].send[0] for run in runs if run[0].send} == {1, 2, 3}
    ends = {run[0].resolution for run in runs if run[0].send == (3, 0)}
    assert ends == {None, *((tick, "completed", None) for tick in (3, 4)), *((t, *BY_HAND) for t in (3, 4))}


def test_expectations_and_obligations_share_the_place() -> None:
    """A send in tick 3 has to lie before the escalation, so that no run has it there and "after" it."""
    schedule = [deliver("m1", 0), decide("m1", 1, "go"), escalate("m1", 3)]
    expect = [any_of([claim("not-sent-after", "m1", after="esc")], [NEVER_SENT])]
    result = judge(scene(4, 20, schedule, expect), FULL, answers=Answers(interleaved=True))
    assert (result.violated, result.violable) == ((False,), (True,))


def test_deferred_at_draft() -> None:
    """Drafted at 10, approved at 10, sent by 15; in the base the approval fires at 11."""
    schedule = [deliver("m1", 0), decide("m1", 0, "go")]
    answers = Answers(deferred_at_draft=True)
    assert verdicts(scene(2, 40, schedule, [sent("m1", 15)]), answers) == ("ambiguous", "well-posed")
    assert verdicts(scene(2, 40, schedule, [sent("m1", 14)]), answers) == ("ambiguous", "ambiguous")
    assert verdicts(scene(2, 40, schedule, [sent("m1", 0)]), answers) == ("unsatisfiable", "ambiguous")


def test_item_per_conversation() -> None:
    """The second message of the conversation matches nothing, so that it need not and may not be admitted."""
    answers = Answers(item_per_conversation=True)
    schedule = [deliver("m1", 0), deliver("m2", 3)]
    document = scene(2, 40, schedule, [claim("not-admitted", "m2")])
    assert verdicts(document, answers) == ("unsatisfiable", "well-posed")
    # Within one tick the order of the schedule counts.
    document = scene(2, 40, [deliver("m2", 0), deliver("m1", 0)], [claim("not-admitted", "m1")])
    assert verdicts(document, answers) == ("unsatisfiable", "well-posed")
    document = scene(2, 40, [deliver("m1", 0), deliver("m2", 3, "refund")], [claim("admitted", "m2", within=5)])
    assert verdicts(document, answers) == ("well-posed", "well-posed")


def test_due_at_horizon() -> None:
    """The reply to a message of tick 35 is due at 45, hence not at all; or at 40."""
    document = scene(0, 40, [deliver("m1", 35)], [sent("m1")])
    assert verdicts(document, Answers(due_at_horizon=True)) == ("ambiguous", "well-posed")


def test_claims_always() -> None:
    """Winning the admitted item exercises level 3, and is one thing that can be omitted while all claims hold."""
    answers = Answers(claims_always=True)
    schedule = [deliver("m1", 0), decide("m1", 12, "go")]
    assert verdicts(scene(3, 30, schedule, [sent("m1")]), answers) == ("vacuous", "well-posed")
    # Admitted at 0 it is to be won by 5, unless it has ended by then, as everything has at a horizon of 5.
    schedule = [deliver("m1", 0), decide("m1", 2, "go")]
    expect = [claim("admitted", "m1", within=0), sent("m1", 5, "go", once=True), claim("completed", "m1")]
    for horizon, omits in ((5, False), (6, True)):
        document = scene(3, horizon, schedule, expect, only_expect=True)
        assert "omission" not in judge(document, FULL).vacuity
        assert ("omission" in judge(document, FULL, answers=answers).vacuity) == omits


def test_condemns_finished() -> None:
    """Sent by 17, the item may be completed long before 30; then it can no longer be abandoned from 30 on."""
    answers = Answers(condemns_finished=True)
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 30)]
    completed = scene(4, 40, schedule, [claim("completed", "m1")])
    assert verdicts(completed, answers) == ("ambiguous", "unsatisfiable")
    assert minimal(completed, [EXPECTATION, ("L4.resolve", "m1", "esc")], answers)
    by_operator = scene(4, 40, schedule, [BY_OPERATOR, sent("m1", 5, "go", once=True)])
    assert judge(by_operator, FULL, answers=answers).violated == (False, False)


def test_a_second_escalation_condemns_the_abandonment_for_the_first() -> None:
    """Each escalation wants its own abandonment behind it, and there is one: at 5 or later."""
    schedule = [deliver("m1", 0), escalate("m1", 2), escalate("m1", 5, "again")]
    document = scene(4, 8, schedule, [])

    def ends(answers: Answers) -> set[int]:
        runs = explore(document, FULL, 1, answers=answers)
        return {run[0].resolution[0] for run in runs if run[0].resolution}

    assert ends(Answers(condemns_finished=True)) == {5, 6, 7, 8}
    assert ends(BASE) == {2, 3, 4, 5, 6, 7, 8}


def test_jumps_cost_all() -> None:
    """Of the ten ticks behind 0 none is visible, so that the reply is due in tick 0 itself."""
    schedule = [deliver("m1", 0), fault("jump", 0, to=12)]
    answers = Answers(jumps_cost_all=True)
    assert verdicts(scene(0, 40, schedule, [sent("m1", 0)]), answers) == ("ambiguous", "well-posed")
    # Removed ticks before a delivery count as well: the change of posture is 12 ticks past, and no longer one. A change
    # in the tick of landing alters what the removed ticks before it had.
    schedule = [fault("posture", 1, posture="normal"), fault("jump", 1, to=13), deliver("m1", 13)]
    document = scene(2, 30, schedule, [claim("admitted", "m1", within=5)], ONLY_NORMAL, "maintenance")
    assert verdicts(document, answers) == ("ambiguous", "well-posed")
    schedule = [fault("jump", 1, to=13), fault("posture", 13, posture="normal"), deliver("m1", 13)]
    document = scene(2, 30, schedule, [claim("admitted", "m1", within=5)], ONLY_NORMAL, "maintenance")
    assert verdicts(document, answers) == ("ambiguous", "ambiguous")


def test_one_item_per_agent() -> None:
    """The agent of m1 holds nothing else, so that m2 is never given up."""
    answers = Answers(one_item_per_agent=True)
    schedule = [deliver("m1", 0), deliver("m2", 0, "refund"), kill("m1", 8)]
    schedule += [decide("m1", 12, "go1"), decide("m2", 12, "go2")]
    document = scene(3, 40, schedule, [sent("m1", once=True), sent("m2", once=True)])
    assert judge(document, FULL).violated == (True, True)
    assert judge(document, FULL, answers=answers).violated == (True, False)


def test_a_named_agent_holds_one_item_at_most() -> None:
    """Whichever item it holds the death may touch it, or none, but no run loses both."""
    death = {"signal_id": "death", "signal_type": "AGENT_DEATH", "target": "a1", "at": 2}
    schedule = [deliver("m1", 0), deliver("m2", 0, "refund"), {"at": 2, "channel": "signals", "record": death}]
    small = Budgets(admit=1, lag=1, draft=1, reply=1, send=1, crash=1, death=1, claims=1, terminal=1)

    def held(answers: Answers) -> set[tuple[bool, bool]]:
        runs = explore(scene(3, 3, schedule, []), small, 1, answers=answers)
        return {(bool(one.held), bool(two.held)) for one, two in runs}

    assert held(BASE) == {(False, False), (True, False), (False, True), (True, True)}
    assert held(Answers(one_item_per_agent=True)) == {(False, False), (True, False), (False, True)}


def test_always_gated() -> None:
    """Nobody ever approves, so that nothing is ever sent; the draft stays due."""
    answers = Answers(always_gated=True)
    assert verdicts(scene(0, 40, [deliver("m1", 0)], [sent("m1")]), answers) == ("well-posed", "unsatisfiable")
    assert verdicts(scene(0, 40, [deliver("m1", 0)], [NEVER_SENT]), answers) == ("unsatisfiable", "well-posed")


@pytest.mark.parametrize("approval_first", [True, False])
def test_same_tick_is_before(approval_first: bool) -> None:
    """The send of tick 12 counts as made before the escalation, in whatever order the events stand; later ones do not."""
    events = [decide("m1", 12, "go"), escalate("m1", 12)]
    schedule = [deliver("m1", 0), *(events if approval_first else events[::-1])]
    answers = Answers(same_tick_is_before=True)
    assert verdicts(scene(4, 40, schedule, [NEVER_SENT]), answers) == ("well-posed", "ambiguous")
    not_after = claim("not-sent-after", "m1", after="esc")
    ends = any_of([sent("m1", 0, "go")], [BY_OPERATOR])
    assert verdicts(scene(4, 40, schedule, [not_after, ends]), answers) == ("well-posed", "well-posed")


def test_same_tick_sends_exercise_nothing() -> None:
    """If the reply must leave in the tick of the escalation, no escalation finds an unsent item."""
    hasty = replace(FULL, send=0)
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 12)]
    expect = [any_of([sent("m1")], [NEVER_SENT])]
    answers = Answers(same_tick_is_before=True)
    assert judge(scene(6, 40, schedule, expect), hasty, answers=answers).exercised == {0, 2, 4, 6}
    late = [deliver("m1", 0), decide("m1", 12, "go"), escalate("m1", 14)]
    assert judge(scene(6, 40, late, expect), hasty, answers=answers).exercised == {0, 2}


def test_arrival_decides() -> None:
    """m1 came under maintenance and is refused for good; m2 came under normal one tick after the change."""
    schedule = [deliver("m1", 4), fault("posture", 30, posture="normal"), deliver("m2", 31, "refund")]
    expect = [claim("not-admitted", "m1"), claim("admitted", "m2", within=5)]
    document = scene(2, 40, schedule, expect, ONLY_NORMAL, "maintenance")
    assert verdicts(document, Answers(arrival_decides=True)) == ("ambiguous", "well-posed")
    assert judge(document, FULL).violated == (True, True)


def test_all_resolved() -> None:
    """Nobody decides, so that the item can only be given up, for the death of its agent, by 13."""
    schedule = [deliver("m1", 0), kill("m1", 8)]
    document = scene(3, 40, schedule, [claim("abandoned", "m1", reason="agent_death")])
    answers = Answers(all_resolved=True)
    assert verdicts(document, answers) == ("ambiguous", "well-posed")
    assert instance_of(document, "L3.terminal", "m1", 0, answers) == ("L3.terminal", "m1", "m1")
    undying = scene(3, 40, [deliver("m1", 0)], [])
    core = [("L2.admit", "m1", "m1"), ("L3.terminal", "m1", "m1"), ("L2.authority", "m1", "m1")]
    assert minimal(undying, core, answers)


def test_crash_keeps_send_due() -> None:
    """Approved at 12, pending at 13: sent or given up by 17. In the base the crash leaves time until 33."""
    schedule = [deliver("m1", 0), decide("m1", 12, "go"), fault("crash", 13)]
    document = scene(2, 40, schedule, [any_of([sent("m1", 5, "go")], [ABANDONED])])
    assert verdicts(document, Answers(crash_keeps_send_due=True)) == ("ambiguous", "well-posed")


def test_reject_is_final() -> None:
    """Both decisions of tick 12 bind one draft, which nobody may send then. The send is due all the same: the rejection
    comes before its cause, so that only the abandonment that it allows is left."""
    schedule = [deliver("m1", 0), decide("m1", 12, "no", "reject"), decide("m1", 12, "go")]
    rejected = claim("abandoned", "m1", reason="rejected")
    document = scene(2, 40, schedule, [NEVER_SENT, rejected])
    assert verdicts(document, Answers(reject_is_final=True)) == ("unsatisfiable", "well-posed")


def test_all_answered() -> None:
    """A message that no rule admits is owed a reply as well; from level 2 on it must not have one."""
    answers = Answers(all_answered=True)
    schedule = [deliver("m1", 0)]
    document = scene(0, 40, schedule, [sent("m1", 10)], ONLY_NORMAL, "maintenance")
    assert verdicts(document, answers) == ("ambiguous", "well-posed")
    governed = scene(2, 40, schedule, [], ONLY_NORMAL, "maintenance")
    assert judge(governed, FULL, answers=answers).verdict == "unsatisfiable"
    assert minimal(governed, [("L0.draft", "m1", "m1"), ("L2.only", "m1", "m1")], answers)


@pytest.mark.parametrize("offset", range(-7, 7))
def test_lag_of_zero(offset: int) -> None:
    """Mail of p-5 to p-1 may go either way, for the change may come before its admission; from p on it may not."""
    change, at_once = 20, replace(FULL, lag=0)
    for before, after in (("normal", "maintenance"), ("maintenance", "normal")):
        schedule = [deliver("m1", change + offset), fault("posture", change, posture=after)]
        document = scene(2, 40, schedule, [claim("admitted", "m1", within=5)], ONLY_NORMAL, before)
        result = judge(document, at_once)
        assert (result.held[0] and result.violated[0]) == (-5 <= offset <= -1)
