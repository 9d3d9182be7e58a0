"""The log checker on decisions about the oldest draft, signals that wait for their item, and repeats of signals."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    at_level,
    broken,
    completed,
    crash,
    deferred,
    deliver,
    does,
    escalate,
    jump,
    kill,
    kill_agent,
    oldest,
    other,
    reject,
    repeat,
    run,
    scenario,
    told,
    verdicts,
    when,
)

from wellposed.verifier.amr.checker import environment, well_formed
from wellposed.verifier.amr.run import Run

Fired = list[tuple[int, str, bool]]


def fired(document: dict[str, Any], finished: Run) -> Fired:
    """What happened behind the delivery: tick, id, and whether it is a repeat."""
    return [(event.tick, event.name, event.again) for event in environment(document, finished)[1:]]


# The oldest draft


@pytest.mark.parametrize(
    ("drafts", "tick", "newest", "first"),
    [((2, 5), 3, 0, 0), ((1, 2), 3, 1, 0), ((3, 4), 4, 0, 0), ((1, 2, 9), 3, 1, 0), ((8,), 9, 0, 0)],
)
def test_a_decision_on_the_oldest_draft_binds_the_first(
    drafts: tuple[int, ...], tick: int, newest: int, first: int
) -> None:
    """It waits in the same way: what has no draft yet fires one tick after the first."""
    for decision, draft in ((approve(3), newest), (oldest(approve(3)), first)):
        (event,) = [
            one for one in environment(at_level(2, decision), run(does(0, drafts))) if one.channel == "approvals"
        ]
        assert (event.tick, event.draft, event.kind) == (tick, draft, "approve")


def test_authority_looks_at_the_draft_that_is_bound() -> None:
    document = at_level(2, oldest(approve(12)))
    assert broken(document, run(does(0, (5, 9), ((14, 0),)))) == set()
    assert broken(document, run(does(0, (5, 9), ((14, 1),)))) == {"L2.authority"}
    both = at_level(2, approve(12), oldest(reject(13)))
    assert broken(both, run(does(0, (5, 9), ((14, 1),)))) == set()
    assert broken(both, run(does(0, (5, 9), ((14, 0),)))) == {"L2.authority"}


def test_standing_and_later_rejects_look_at_the_item() -> None:
    """A reject of the oldest draft takes back an approval of the newest one, as far as nothing need be sent."""
    document = at_level(2, approve(12), oldest(reject(13)))
    assert broken(document, run(does(0, (5, 9)))) == set()
    assert broken(document, run(does(0, (5, 9), (), abandoned(20, "rejected")))) == set()
    assert broken(at_level(2, oldest(approve(12))), run(does(0, (5, 9)))) == {"L0.reply", "L2.send"}


def test_an_oldest_decision_is_repeated_as_it_is() -> None:
    document = at_level(2, oldest(approve(3)), oldest(repeat(20)))
    ordered = environment(document, run(does(0, (1, 2, 15))))
    assert [(event.tick, event.draft, event.again) for event in ordered[1:]] == [(3, 0, False), (20, 0, True)]


def test_a_triggered_decision_on_the_oldest_draft() -> None:
    document = at_level(2, oldest(approve(when("drafted", "m1"))))
    ordered = environment(document, run(does(0, (4, 9))))
    assert [(event.tick, event.draft) for event in ordered[1:]] == [(5, 0)]


# Deferred signals


@pytest.mark.parametrize(
    ("admitted", "tick"), [(None, None), (2, 7), (6, 7), (7, 8), (8, 9), (20, 21), (59, 60), (60, None)]
)
def test_a_deferred_signal_fires_when_its_item_has_been_admitted(admitted: int | None, tick: int | None) -> None:
    """At the later of its tick and the one after the admission; one that is not deferred stands at its tick."""
    for make, kind in ((escalate, "escalation"), (kill, "death")):
        for signal, at in ((deferred(make(7)), tick), (make(7), 7)):
            events = [one for one in environment(at_level(4, signal), run(does(admitted))) if one.kind == kind]
            assert [event.tick for event in events] == ([] if at is None else [at])
            assert [(event.scheduled, event.deferred) for event in events] == ([] if at is None else [(7, at > 7)])


def test_a_deferred_signal_over_jumps() -> None:
    """One that is written for a removed tick happens where the clock lands, and the next tick is a visible one."""
    document = at_level(4, jump(6, 10), deferred(escalate(8)))
    for admitted, tick in ((2, 10), (6, 10), (10, 11)):
        assert fired(document, run(does(admitted)))[1:] == [(tick, "stop", False)]
    landing = at_level(4, deferred(escalate(3)), jump(6, 10))
    assert fired(landing, run(does(6))) == [(6, "jump.1", False), (10, "stop", False)]


def test_a_triggered_jump_moves_a_deferred_signal() -> None:
    document = at_level(4, deferred(escalate(3)), jump(when("drafted", "m1"), to=20))
    assert fired(document, run(does(5, 5))) == [(6, "stop", False), (6, "jump.1", False)]
    assert fired(document, run(does(6, 5))) == [(6, "jump.1", False), (20, "stop", False)]


def test_what_has_waited_happens_in_the_order_of_the_schedule() -> None:
    """Behind what is written for the tick, before what is triggered, decisions and signals alike."""
    schedule = [approve(2), deferred(escalate(2)), reject(3), deferred(kill(4)), crash(6), kill_agent(when("drafted", "m1"), name="t")]  # fmt: skip
    document = at_level(6, *schedule)
    assert [name for _, name, _ in fired(document, run(does(5, 5)))] == ["crash.1", "go", "stop", "no", "death", "t"]
    turned = at_level(6, deferred(kill(2)), approve(3), deferred(escalate(4)))
    assert fired(turned, run(does(5, 5))) == [(6, "death", False), (6, "go", False), (6, "stop", False)]


def test_two_items_are_waited_for_apart() -> None:
    document = scenario(4, deliver(0), deliver(0, "m2"), deferred(escalate(1, "m2", "b")), deferred(escalate(2, "m1", "a")))
    finished = run(does(9), m2=does(4))
    assert [(event.tick, event.name) for event in environment(document, finished)[2:]] == [(5, "b"), (10, "a")]


def test_what_follows_from_a_deferred_escalation_follows_from_its_tick() -> None:
    """It is the escalation that excuses, stops and asks for a resolution, from the tick at which it fires."""
    document = at_level(4, deferred(escalate(3)), horizon=30)
    assert broken(document, run(does(5, 5))) == {"L4.resolve"}
    assert broken(document, run(does(5, 5, (), abandoned(6)))) == set()
    assert broken(document, run(does(5, 5, (), abandoned(5)))) == {"K.reason", "L0.abandon"}
    assert broken(at_level(4, escalate(3), horizon=30), run(does(5, 5, (), abandoned(5)))) == set()


def test_a_deferred_escalation_that_never_fires_excuses_nothing() -> None:
    document = at_level(4, deferred(escalate(3)))
    assert broken(document, run()) == {"L0.draft", "L2.admit"}
    assert broken(at_level(4, escalate(3)), run()) == {"L2.admit"}


def test_a_deferred_death_finds_its_holder() -> None:
    document = at_level(3, deferred(kill(2)))
    (death,) = [one for one in environment(document, run(does(4, 5))) if one.kind == "death"]
    assert (death.tick, death.found, death.touched) == (5, True, frozenset({"m1"}))
    assert broken(document, run(does(4, 5, won=(10,)))) == set()
    assert broken(document, run(does(4, 5, won=(11,)))) == {"L3.death"}
    (early,) = [one for one in environment(at_level(3, kill(2)), run(does(4, 5))) if one.kind == "death"]
    assert (early.tick, early.found) == (2, False)


def test_its_name_means_the_tick_at_which_it_fired() -> None:
    sent = {"claim": "sent", "of": "m1", "once": False, "within": 5, "from": "stop"}
    document = at_level(1, deferred(escalate(2)), expect=(sent, {"claim": "not-sent-after", "of": "m1", "after": "stop"}))
    assert told(document, run(does(7, 7, 13)), "expect") == [
        ("/expect/1", "m1", "sent at 13, not before stop at 8"),
    ]
    assert [text for _, _, text in told(document, run(does(7, 7, 14)), "expect")] == [
        "not sent in 8..13; sent at 14",
        "sent at 14, not before stop at 8",
    ]
    assert told(document, run(), "expect") == [("/expect/0", "m1", "stop never happens; never sent")]


def test_deferred_signals_wait_for_the_next_tick_where_decisions_do_not() -> None:
    """Where deferred decisions fire at the tick of the draft itself, signals still fire behind the admission's."""
    document = at_level(4, approve(2), deferred(escalate(2)))
    found = environment(document, run(does(5, 5)), other("deferred_at_draft"))
    assert [(event.tick, event.name) for event in found[1:]] == [(5, "go"), (6, "stop")]


# Repeated signals


def test_a_repeated_signal_fires_when_written_or_right_behind_its_original() -> None:
    document = at_level(6, deferred(escalate(2)), approve(3), deferred(escalate(4)), deferred(escalate(20)))
    assert fired(document, run(does(5, 5))) == [
        (6, "stop", False),
        (6, "stop", True),
        (6, "go", False),
        (20, "stop", True),
    ]
    assert fired(document, run()) == []
    waiting = at_level(4, deferred(escalate(2)), deferred(escalate(when("admitted", "m1"))))
    assert fired(waiting, run(does(5))) == [(6, "stop", False), (6, "stop", True)]


def test_a_repeat_under_when_of_another_message_waits_behind_its_original() -> None:
    document = scenario(
        4, deliver(0), deliver(0, "m2"), deferred(escalate(0)), deferred(escalate(when("admitted", "m2")))
    )
    finished = run(does(9), m2=does(3))
    assert [(event.tick, event.name, event.again) for event in environment(document, finished)[2:]] == [
        (10, "stop", False),
        (10, "stop", True),
    ]


def test_nothing_follows_from_a_repeated_escalation() -> None:
    """Sent before the escalation is sent in time, however often it is told again; `not sent after` means the first."""
    claim = {"claim": "not-sent-after", "of": "m1", "after": "stop"}
    for again in ([], [escalate(20)]):
        document = at_level(6, approve(12), escalate(15), *again, expect=(claim,))
        assert verdicts(document, run(does(0, 5, 14, completed(14)))) == set()
        assert verdicts(document, run(does(0, 5, (), abandoned(15)))) == set()
    early = at_level(6, escalate(3), approve(12), escalate(14))
    assert "L6.stop" not in broken(early, run(does(0, 5, 13)))
    assert "L4.stop" in broken(early, run(does(0, 5, 13)))


def test_a_repeated_death_finds_nobody() -> None:
    document = at_level(3, kill(10), kill(20))
    deaths = [one for one in environment(document, run(does(0, 5, won=(12,)))) if one.kind == "death"]
    assert [(death.tick, death.found, death.again) for death in deaths] == [(10, True, False), (20, False, True)]
    assert broken(document, run(does(0, 5, won=(12,)))) == set()
    assert "well-formed" in verdicts(document, run(does(0, 5, won=(12, 22))))
    assert broken(document, run(does(0, 5, (), abandoned(24, "agent_death"), won=(12,)))) == {"L0.abandon"}


@pytest.mark.parametrize(("held", "faults"), [({"m1", "m2"}, 0), (set(), 0), ({"m2"}, 0)])
def test_a_repeated_death_of_a_named_agent_touches_nothing_anew(held: set[str], faults: int) -> None:
    """What the agent held is what it held when it died; the second record is not held against the run."""
    document = scenario(3, deliver(0), deliver(0, "m2"), kill_agent(10), kill_agent(20), horizon=40)
    system = Does(0, (5,), (), None, (12,))
    idle = Does(0, (5,))
    finished = run(*[system if "m1" in held else idle], m2=system if "m2" in held else idle, held={"death": held})
    assert len(well_formed(document, finished)) == faults
    touched = [event.touched for event in environment(document, finished) if event.kind == "death"]
    assert touched == [frozenset(held), frozenset()]
    assert broken(document, finished) == set()
