"""Holds, the oldest draft, deferred and repeated signals, ``only`` claims and guarded stimuli, derived by hand."""

from dataclasses import replace

import pytest
from tests.oracle import Answers, Budgets, MessageTrace, explore, judge
from tests.oracle.basics import Document
from tests.oracle.faulty import cells
from tests.oracle.scenes import (
    ONLY_NORMAL,
    Claim,
    Entry,
    any_of,
    claim,
    decide,
    deferred,
    deliver,
    escalate,
    fault,
    kill,
    only,
    scene,
    sent,
    when,
)
from tests.oracle.test_oracle import ONE, by_operator, completed, run, traces

M1 = deliver("m1", 0)
M2 = deliver("m2", 0, "refund")
NEVER_SENT = claim("never-sent", "m1")
SLOW_SEND = replace(ONE, send=2, reply=2)


def hold(at: int, until: int | None = None, number: int = 1) -> list[Entry]:
    """A held stretch, with the tick of its release if it has one."""
    begin = fault("hold", at, f"hold.{number}")
    return [begin] if until is None else [begin, fault("release", until, f"release.{number}")]


def verdict(document: Document, budgets: Budgets = ONE) -> str:
    """The verdict alone."""
    return judge(document, budgets).verdict


def sends_of(document: Document, budgets: Budgets = ONE, answers: Answers | None = None) -> set[int | None]:
    """The ticks at which the first message is sent in some conforming run; None for never."""
    found = explore(document, budgets, 2, answers=answers or Answers())
    return {trace[0].send[0] if trace[0].send else None for trace in found}


# -- holding effects -------------------------------------------------------------------------------------------------


def test_a_held_tick_has_no_send() -> None:
    """The reply is due at 1, the first open tick behind 0, and 0 is held."""
    expected = {
        run(admitted, (draft,), 1, end)
        for admitted, draft in ((0, 0), (0, 1), (1, 1))
        for end in (None, completed(1), completed(2))
    }
    assert traces(scene(0, 2, [M1, *hold(0, 1)], []), ONE) == expected


def test_a_window_of_sends_skips_held_ticks() -> None:
    """1 and 2 are held, so the reply is due at 3. The draft is due at 1 all the same."""
    expected = {run(0, (0,), 0, end) for end in (None, *map(completed, range(4)))}
    for admitted, draft in ((0, 0), (0, 1), (1, 1)):
        expected |= {run(admitted, (draft,), 3, end) for end in (None, completed(3))}
    assert traces(scene(0, 3, [M1, *hold(1, 3)], []), ONE) == expected


def test_without_a_release_nothing_more_is_due() -> None:
    expected = {run(0, (0,), 0, end) for end in (None, *map(completed, range(3)))}
    expected |= {run(admitted, (draft,)) for admitted, draft in ((0, 0), (0, 1), (1, 1))}
    assert traces(scene(0, 2, [M1, *hold(1)], []), ONE) == expected


def test_a_tick_is_held_as_it_ends() -> None:
    plain = traces(scene(0, 3, [M1], []), ONE)
    assert traces(scene(0, 3, [M1, *hold(1, 1)], []), ONE) == plain
    again = scene(0, 3, [M1, *hold(0, 1), *hold(1, 2, 2)], [])
    assert sends_of(again) == {2}


def test_a_jump_moves_a_release() -> None:
    """Released at 3, the tick that the jump leads to: 1 and 2 do not exist, 0 is held."""
    assert sends_of(scene(0, 4, [M1, *hold(0), fault("jump", 0, to=3), fault("release", 2)], [])) == {3}


def test_removed_ticks_count_where_jumps_cost_all_and_held_ones_do_not() -> None:
    """1 is held. Within 3 of 0 are 2, 5 and 6; or 2 and the removed 3 and 4."""
    slow = replace(ONE, reply=3)
    document = scene(0, 7, [M1, *hold(1, 2), fault("jump", 2, to=5)], [])
    assert sends_of(document, slow) == {0, 2, 5, 6}
    assert sends_of(document, slow, Answers(jumps_cost_all=True)) == {0, 2}


@pytest.mark.parametrize(
    ("expectation", "expected"),
    [
        (sent("m1", 1, "go"), "well-posed"),
        (sent("m1", 0, "go"), "unsatisfiable"),
        (claim("not-sent-after", "m1", after="hold.1"), "unsatisfiable"),
        (sent("m1", 0, "release.1"), "well-posed"),
        (sent("m1", 2, "m1"), "ambiguous"),
        (sent("m1", 3, "m1"), "well-posed"),
    ],
)
def test_an_approval_while_effects_are_held(expectation: Claim, expected: str) -> None:
    """Drafted by 1, m1 is approved at 2, which is held like 3; the send is due within 1 of 2, at 4.

    Within 2 of its delivery are 1 and 4.
    """
    document = scene(2, 5, [M1, decide("m1", 2, "go"), *hold(2, 4)], [expectation])
    if expected == "ambiguous":
        expected = "well-posed"
    assert verdict(document) == expected


@pytest.mark.parametrize(
    ("held", "escalated", "expected"),
    [
        ([], 3, "ambiguous"),
        (hold(2, 4), 4, "well-posed"),
        (hold(2, 4), 3, "well-posed"),
        (hold(2, 4), 5, "unsatisfiable"),
        (hold(2), 5, "well-posed"),
        (hold(3, 4), 4, "ambiguous"),
    ],
)
def test_an_approval_can_be_taken_back_while_effects_are_held(held: list[Entry], escalated: int, expected: str) -> None:
    """Approved at 2 and due within 1: at 3, or at 4 where 3 is held. Nobody can have sent before the release."""
    schedule = sorted([M1, decide("m1", 2, "go"), *held, escalate("m1", escalated)], key=lambda entry: int(entry["at"]))
    assert verdict(scene(6, 5, schedule, [NEVER_SENT])) == expected


def test_a_crash_while_effects_are_held() -> None:
    """Pending at 1, the item is sent or given up within 2 of it: 2 and 3 are held, so by 5."""
    found = traces(scene(1, 6, [M1, fault("crash", 1), *hold(2, 4)], []), ONE)
    pending = [trace[0] for trace in found if trace[0].drafts == (0,)]
    assert {item.send[0] if item.send else None for item in pending} == {0, 1, 4, 5, None}
    given_up = {item.resolution for item in pending if item.send is None}
    assert given_up == {(tick, "abandoned", "crash") for tick in range(1, 6)}


def test_what_is_decided_in_the_last_open_ticks_need_not_be_resolved() -> None:
    """Decided at 2, the item is due within 1 of it, at 3; where 3 is held that lies behind the horizon."""
    for held, wanted in (([], False), (hold(3), True)):
        found = explore(scene(3, 3, [M1, decide("m1", 2, "go"), *held], []), ONE, 1)
        assert any(trace[0].resolution is None for trace in found) == wanted


def test_a_running_crash_excuses_an_end_longer_while_effects_are_held() -> None:
    """Approved and pending at 2. The crash's 2 ticks end at 4, the horizon, or behind it where 4 is held."""
    schedule = [M1, decide("m1", 2, "go"), fault("crash", 2)]
    for held, wanted in (([], False), (hold(4), True)):
        found = explore(scene(3, 4, [*schedule, *held], []), ONE, 1)
        assert any(trace[0].resolution is None for trace in found) == wanted


@pytest.mark.parametrize(
    ("held", "expectation", "can_fail"),
    [
        (hold(0), NEVER_SENT, False),
        (hold(0, 2), NEVER_SENT, True),
        (hold(0, 2), claim("not-sent-after", "m1", after="release.1"), True),
        (hold(2), claim("not-sent-after", "m1", after="hold.1"), False),
        (hold(1, 3), any_of([NEVER_SENT], [sent("m1", 1)]), False),
        (hold(1, 2), any_of([NEVER_SENT], [sent("m1", 1)]), True),
    ],
)
def test_no_log_at_all_sends_while_effects_are_held(held: list[Entry], expectation: Claim, can_fail: bool) -> None:
    assert judge(scene(2, 3, [M1, *held], [expectation]), ONE).violable == (can_fail,)


# -- the oldest draft ------------------------------------------------------------------------------------------------


def approved_sends(*decisions: Entry) -> set[tuple[tuple[int, ...], tuple[int, int]]]:
    """The drafts and sends of the conforming runs with two drafts by 1 of a message of level 2."""
    found = explore(scene(2, 4, [M1, *decisions], []), SLOW_SEND, 2)
    return {(t[0].drafts, t[0].send) for t in found if t[0].send is not None and t[0].drafts[1:] == (1,)}


def test_an_approval_of_the_oldest_draft_lets_only_that_one_go() -> None:
    """Drafts of 0 and 1, approved at 2: the second one is the newest, the first one the oldest."""
    assert approved_sends(decide("m1", 2, "go")) == {((0, 1), (tick, 1)) for tick in (2, 3, 4)}
    assert approved_sends(decide("m1", 2, "go", oldest=True)) == {((0, 1), (tick, 0)) for tick in (2, 3, 4)}


def test_a_rejection_of_the_oldest_draft_leaves_the_newest_its_authority() -> None:
    """Rejected at 3 as the last decision on the item, which excuses the send; the second draft may go nevertheless."""
    go = decide("m1", 2, "go")
    both = {((0, 1), (tick, 1)) for tick in (2, 3, 4)}
    assert approved_sends(go, decide("m1", 3, "no", "reject", oldest=True)) == both
    assert approved_sends(go, decide("m1", 3, "no", "reject")) == {((0, 1), (2, 1))}
    found = explore(scene(2, 4, [M1, go, decide("m1", 3, "no", "reject", oldest=True)], []), SLOW_SEND, 1)
    assert {t[0].send for t in found if t[0].drafts == (0,)} == {(2, 0), None}


def test_a_decision_on_the_oldest_draft_waits_like_any_other() -> None:
    early = [traces(scene(2, 4, [M1, decide("m1", 0, "go", oldest=oldest)], []), ONE) for oldest in (False, True)]
    assert early[0] == early[1]
    assert len(early[0]) > 10


# -- deferred signals ------------------------------------------------------------------------------------------------


def test_a_deferred_escalation() -> None:
    """Admitted at 0 it is escalated at 1, by the deadline of the draft; admitted at 1 it is escalated at 2, behind it."""
    expected = {run(0, drafts, None, by_operator(1)) for drafts in ((), (0,), (1,))}
    expected |= {run(0, drafts, None, by_operator(2)) for drafts in ((), (0,), (1,), (2,))}
    expected |= {run(1, (1,), None, by_operator(2))}
    assert traces(scene(4, 2, [M1, deferred(escalate("m1", 0))], []), ONE) == expected


def test_a_deferred_signal_for_a_later_tick_waits_for_nothing() -> None:
    """Admitted by 1, the item is there at 2."""
    for signal in (escalate("m1", 2), kill("m1", 2)):
        waiting, plain = (traces(scene(4, 3, [M1, one], []), ONE) for one in (deferred(signal), signal))
        assert waiting == plain


def test_a_deferred_signal_before_the_delivery() -> None:
    """Delivered at 1 and admitted then or at 2, the item is escalated at 2 or 3, not from 0 on: a draft is due at 2."""
    late = deliver("m1", 1)
    found = explore(scene(4, 3, [deferred(escalate("m1", 0)), late], []), ONE, 1)
    assert {(t[0].admitted, t[0].drafts) for t in found if t[0].admitted == 2} == {(2, (2,))}
    assert {t[0].resolution[0] for t in found if t[0].admitted == 1 and t[0].resolution} == {2, 3}
    sticky = explore(scene(4, 3, [escalate("m1", 0), late], []), ONE, 1)
    assert (2, ()) in {(t[0].admitted, t[0].drafts) for t in sticky}


def test_a_deferred_death_finds_a_holder() -> None:
    """Killed at 0 nobody holds the item; at 1 somebody may; behind the admission somebody does."""
    for death, finds in ((kill("m1", 0), "never"), (kill("m1", 1), "sometimes"), (deferred(kill("m1", 0)), "always")):
        assert judge(scene(3, 3, [M1, death], []), ONE).finds == {"death": finds}


def test_a_deferred_signal_without_an_item() -> None:
    document = scene(4, 3, [M1, deferred(escalate("m1", 0))], [NEVER_SENT], ONLY_NORMAL, posture="maintenance")
    judgement = judge(document, ONE)
    assert judgement.finds == {"esc": "never"}
    assert "dead esc" in judgement.vacuity


@pytest.mark.parametrize(("first", "levels"), [("go", {0, 1, 2, 4, 6}), ("esc", {0, 1, 2, 4})])
def test_what_waits_fires_in_the_order_of_the_schedule(first: str, levels: set[int]) -> None:
    """Admitted and drafted at 0, the item is approved and escalated at 1; drafted at 1, it is approved at 2."""
    waiting = [decide("m1", 0, "go"), deferred(escalate("m1", 0))]
    schedule = [M1, *(waiting if first == "go" else waiting[::-1]), fault("crash", 0)]
    assert judge(scene(6, 3, schedule, [], anchors={"order": "O-1", "refund": "R-2"}), ONE).exercised == levels


def test_the_name_of_a_deferred_signal_is_the_tick_at_which_it_fires() -> None:
    """Admitted by 1, approved at 3 and sent at 3 or 4, the item has been escalated at 1 or 2."""
    schedule = [M1, deferred(escalate("m1", 0)), decide("m1", 3, "go")]
    found = sends_of(scene(2, 5, schedule, []))
    assert found == {3, 4, 5, None}  # below level 4 an escalation forbids nothing, it excuses
    expectation = any_of([NEVER_SENT], [sent("m1", 1, "esc")])
    assert verdict(scene(2, 3, schedule, [expectation])) == "ambiguous"  # admitted at 1: escalated at 2, sent at 3
    assert verdict(scene(2, 3, schedule, [any_of([NEVER_SENT], [sent("m1", 2, "esc")])])) == "well-posed"


def test_a_deferred_death_of_one_item_touches_another() -> None:
    """Behind the admission of m1, at 1 or 2, its agent dies; it may hold m2 if that was admitted before."""
    found = explore(scene(3, 2, [M1, M2, deferred(kill("m1", 0))], []), ONE, 1)
    touched = {(one.admitted, two.admitted, two.held) for one, two in found if one.held}
    expected = {(0, 0, ()), (0, 0, ("death",)), (0, 1, ()), (1, 0, ()), (1, 0, ("death",)), (1, 1, ())}
    assert touched == expected | {(1, 1, ("death",))}
    assert all(one.held for one, _ in found)


# -- repeated signals ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("again", [1, 2, 3])
@pytest.mark.parametrize("signal", [escalate("m1", 1), kill("m1", 1, "esc"), deferred(kill("m1", 1, "esc"))])
def test_nothing_follows_from_a_repeated_signal(signal: Entry, again: int) -> None:
    repeated = signal | {"at": again, "record": signal["record"] | {"at": again}}
    plain = traces(scene(4, 3, [M1, signal], []), ONE)
    assert traces(scene(4, 3, [M1, signal, repeated], []), ONE) == plain
    behind = when("admitted", "m1", signal)
    assert traces(scene(4, 3, [M1, signal, behind], []), ONE) == plain


def test_a_repeated_signal_exercises_level_1() -> None:
    for repeats, levels in (([], {0}), ([kill("m1", 2)], {0, 1})):
        assert judge(scene(1, 3, [M1, kill("m1", 1), *repeats], []), ONE).exercised == levels


# -- exactly these sends ---------------------------------------------------------------------------------------------

BOTH_AT = {distance: [M1, M2, decide("m1", 2, "go"), decide("m2", 2 + distance, "on")] for distance in (0, 1, 2)}


@pytest.mark.parametrize(
    ("distance", "expectation", "expected"),
    [
        (2, only("m1", "m2"), "well-posed"),
        (2, only("m2", "m1"), "well-posed"),
        (2, only("m1"), "unsatisfiable"),
        (2, only("m1", "m2", ordered=True), "well-posed"),
        (2, only("m2", "m1", ordered=True), "unsatisfiable"),
        # Sent at 2 or 3, and at 3 or 4: both at 3 is either order.
        (1, only("m1", "m2", ordered=True), "well-posed"),
        (1, only("m2", "m1", ordered=True), "ambiguous"),
        (0, only("m1", "m2", ordered=True), "ambiguous"),
    ],
)
def test_exactly_these_sends(distance: int, expectation: Claim, expected: str) -> None:
    assert verdict(scene(2, 5, BOTH_AT[distance], [expectation])) == expected


def test_exactly_one_of_three_sends() -> None:
    third = deliver("m3", 0, "third")
    document = scene(2, 4, [M1, M2, third, decide("m1", 2, "go")], [only("m1")])
    assert verdict(document) == "well-posed"
    assert verdict(document | {"expect": [only("m1", "m3")]}) == "unsatisfiable"


@pytest.mark.parametrize(
    ("expectation", "can_fail"),
    [
        (only("m1"), True),
        (only("m1", "m2", ordered=True), True),
        (any_of([only("m1")], [NEVER_SENT], [sent("m1")]), False),
        # m1 may be sent twice, or m2 too.
        (any_of([only("m1")], [NEVER_SENT]), True),
        (any_of([only("m1")], [NEVER_SENT], [sent("m2")]), True),
        (any_of([only("m1")], [NEVER_SENT], [sent("m2")], [sent("m1", once=True)]), True),
        # Whoever sends both once each sends them in some order.
        (
            any_of(
                [only("m1", "m2", ordered=True)],
                [only("m2", "m1", ordered=True)],
                [{"claim": "if", "if": only("m1", "m2"), "then": NEVER_SENT, "else": {"claim": "state-agrees"}}],
                [{"claim": "if", "if": only("m1", "m2"), "then": NEVER_SENT, "else": sent("m1")}],
                [NEVER_SENT],
            ),
            False,
        ),
    ],
)
def test_what_no_log_can_violate(expectation: Claim, can_fail: bool) -> None:
    assert judge(scene(2, 3, [M1, M2], [expectation]), ONE).violable == (can_fail,)


# -- guarded stimuli -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "stimuli", "finds"),
    [
        # Whoever sends at 0 has nothing left at 1; at level 2 nobody can have sent, and m1 is admitted by 1.
        (1, [fault("crash", 1)], {"crash.1": "sometimes"}),
        (2, [fault("crash", 1)], {"crash.1": "always"}),
        (1, [fault("crash", 3)], {"crash.1": "never"}),
        # Drafted at 1, m1 is decided at 2, the horizon of the shorter one; never behind it.
        (2, [decide("m1", 0, "go")], {"go": "always"}),
        (2, [decide("m1", 3, "go")], {"go": "always"}),
        # Escalated before, it need not be drafted, nor is it in every run.
        (4, [escalate("m1", 0), decide("m1", 2, "go")], {"esc": "always", "go": "sometimes"}),
        # What waits for a record that never comes finds nothing.
        (2, [when("sent", "m1", fault("crash", 0))], {"crash.1": "never"}),
        (2, [decide("m1", 2, "go"), when("drafted", "m1", escalate("m1", 0))], {"go": "always", "esc": "always"}),
    ],
)
def test_what_a_stimulus_finds(level: int, stimuli: list[Entry], finds: dict[str, str]) -> None:
    assert judge(scene(level, 3, [M1, *stimuli], []), ONE).finds == finds


def test_a_stimulus_finds_what_may_be_refused() -> None:
    """The posture changes with the delivery: m1 may be admitted at 1 or not."""
    late = [fault("posture", 1, posture="maintenance"), deliver("m1", 1), escalate("m1", 3), kill("m1", 3)]
    document = scene(4, 4, late, [NEVER_SENT], ONLY_NORMAL)
    assert judge(document, ONE).finds == {"esc": "sometimes", "death": "sometimes"}


# -- faulty systems --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "cell", "document"),
    [
        # The reply is due at 3, the first open tick behind 0, and late at 4; a draft that is late at 2 is seen by nobody.
        ("late-by-one", "k", scene(0, 4, [M1, *hold(1, 3)], [sent("m1", 1)], only_expect=True)),
        ("late-by-one", ".", scene(0, 4, [M1, *hold(1, 3)], [sent("m1", 2)], only_expect=True)),
        # Whoever is late at 4 has not sent by 3, the end.
        ("late-by-one", "k", scene(0, 3, [M1, *hold(1, 3)], [sent("m1", 1)], only_expect=True)),
        # Approved at 2, due at 4 and late at 5, before which it may end.
        ("back-dates", "K", scene(2, 5, [M1, decide("m1", 2, "go"), *hold(3, 4)], [sent("m1", 1, "go")])),
        ("back-dates", "K", scene(2, 4, [M1, decide("m1", 2, "go"), *hold(3, 4)], [sent("m1", 1, "go")])),
        ("back-dates", "-", scene(2, 3, [M1, decide("m1", 2, "go"), *hold(3, 4)], [sent("m1", 1, "go")])),
        # Before any draft nobody trusts a forgery. / The newest draft is not what was approved.
        ("sends-unapproved-redraft", "K", scene(2, 4, [M1, decide("m1", 2, "go", oldest=True)], [NEVER_SENT])),
        # Escalated behind the admission and not approved, it is dropped.
        ("drops-escalated-silently", "K", scene(4, 3, [M1, deferred(escalate("m1", 0))], [])),
        # Whoever gives up for the death, at 1, is not escalated any more.
        ("drops-escalated-silently", "k", scene(4, 3, [M1, deferred(kill("m1", 0)), escalate("m1", 2)], [])),
        # A repeated signal is no repeated approval.
        ("resends-on-repeated-approval", "-", scene(4, 4, [M1, kill("m1", 1), kill("m1", 2)], [])),
        # Whoever sends twice has not sent exactly this.
        (
            "duplicates-on-redelivery",
            "K",
            scene(0, 3, [M1, deliver("m1", 1)], [only("m1")], only_expect=True),
        ),
        (
            "replies-in-wrong-conversation",
            ".",
            scene(5, 3, [M1, M2], [any_of([only("m1")], [NEVER_SENT])], only_expect=True),
        ),
    ],
)
def test_a_cell(system: str, cell: str, document: Document) -> None:
    slow = replace(ONE, reply=2) if system == "back-dates" else ONE
    assert cells(document, slow)[system] == cell


def test_a_trace_names_a_repeated_death_once() -> None:
    found = explore(scene(3, 3, [M1, kill("m1", 2), kill("m1", 3)], []), ONE, 1)
    assert {item.held for (item,) in found} == {("death",)}
    assert all(isinstance(item, MessageTrace) for (item,) in found)
