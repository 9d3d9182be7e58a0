"""The environment of a run: jumps, deferred decisions, repeats, forgeries, triggers, deaths, and their order."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    Does,
    abandoned,
    approve,
    broken,
    completed,
    crash,
    dangling,
    deliver,
    does,
    escalate,
    jump,
    kill,
    kill_agent,
    posture,
    redeliver,
    reject,
    repeat,
    run,
    scenario,
    told,
    when,
    wrong_hash,
)

from wellposed.verifier.amr.checker import environment
from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.run import Run


def fired(document: dict[str, Any], finished: Run) -> list[tuple[int, str]]:
    return [(event.tick, event.name) for event in environment(document, finished)]


# The clock


@pytest.mark.parametrize(
    ("jumps", "visible", "last"),
    [
        ((), [0, 1, 2, 3, 4, 5, 6, 7, 8], 8),
        (((2, 5),), [0, 1, 2, 5, 6, 7, 8], 6),
        (((0, 3), (3, 5), (6, 8)), [0, 3, 5, 6, 8], 4),
        (((2, 3),), [0, 1, 2, 3, 4, 5, 6, 7, 8], 8),
        (((5, 30),), [0, 1, 2, 3, 4, 5], 5),
        (((1, 3), (5, 30)), [0, 1, 3, 4, 5], 4),
    ],
)
def test_clock(jumps: tuple[tuple[int, int], ...], visible: list[int], last: int) -> None:
    clock = Clock.of(8, jumps)
    assert [tick for tick in range(-1, 40) if clock.visible(tick)] == visible
    assert [clock.index(tick) for tick in visible] == list(range(len(visible)))
    assert [clock.tick(index) for index in range(len(visible))] == visible
    assert clock.last == last
    with pytest.raises(ValueError, match="not visible"):
        clock.index(9)


# Jumps


JUMPED: list[tuple[str, list[dict[str, Any]], Does, set[str]]] = [
    ("a jump costs one tick of a budget", [approve(12), jump(13, 50)], does(0, 5, 53), set()),
    ("and no less", [approve(12), jump(13, 50)], does(0, 5, 54), {"L2.send"}),
    ("two jumps cost two", [approve(12), jump(13, 30), jump(30, 50, name="two")], does(0, 5, 52), set()),
    ("and no less, again", [approve(12), jump(13, 30), jump(30, 50, name="two")], does(0, 5, 53), {"L2.send"}),
    ("a jump back does nothing", [approve(12), jump(13, 13)], does(0, 5, 17), set()),
    (
        "the furthest of two jumps of a tick counts",
        [approve(12), jump(13, 50), jump(13, 40, name="two")],
        does(0, 5, 53),
        set(),
    ),
    ("in either order", [approve(12), jump(13, 40), jump(13, 50, name="two")], does(0, 5, 53), set()),
    ("an approve inside fires at the landing tick", [jump(11, 50), approve(12)], does(0, 5, 55), set()),
    ("and its budget starts there", [jump(11, 50), approve(12)], does(0, 5, 56), {"L2.send"}),
    ("inside the second of two jumps", [jump(3, 8), jump(20, 50, name="two"), approve(30)], does(0, 8, 55), set()),
    ("and not at its nominal tick", [jump(3, 8), jump(20, 50, name="two"), approve(30)], does(0, 8, 56), {"L2.send"}),
    (
        "two jumps of one tick after another jump",
        [jump(3, 8), approve(12), jump(13, 50, name="two"), jump(13, 40, name="three")],
        does(0, 8, 53),
        set(),
    ),
    ("no authority before that", [jump(11, 50), approve(12)], does(0, 5, 11), {"L2.authority"}),
    (
        "events inside keep their order",
        [jump(11, 50), approve(12), reject(13), approve(50, name="go2")],
        does(0, 5, 50),
        set(),
    ),
    ("a crash excuse counts visible ticks", [approve(12), jump(13, 50), crash(53)], does(0, 5, 73), set()),
]


@pytest.mark.parametrize(("schedule", "system", "breaks"), [row[1:] for row in JUMPED], ids=[row[0] for row in JUMPED])
def test_jumps(schedule: list[dict[str, Any]], system: Does, breaks: set[str]) -> None:
    """Windows and deadlines count visible ticks; what is written in a removed interval fires at the landing tick."""
    assert broken(scenario(2, deliver(0), *schedule, horizon=90), run(system)) == breaks


def test_deadline_at_a_horizon_behind_a_jump() -> None:
    """A deadline is due iff it is, in visible ticks, not beyond the horizon."""
    for horizon, breaks in ((53, {"L2.send"}), (52, set())):
        document = scenario(2, deliver(0), approve(12), jump(13, 50), horizon=horizon)
        assert broken(document, run(does(0, 5))) == breaks
    document = scenario(2, deliver(0), approve(12), jump(13, 50), horizon=53)
    assert told(document, run(does(0, 5)), "L2.send") == [
        ("/schedule/1", "m1", "approved at 12, so a send is due by 53; none")
    ]


def test_jump_beyond_the_horizon() -> None:
    """Nothing after the jump is visible, so nothing later is due."""
    document = scenario(2, deliver(0), approve(12), jump(13, 80), escalate(20))
    assert broken(document, run(does(0, 5))) == set()
    assert fired(document, run(does(0, 5)))[-1] == (13, "jump.1")


def test_delivery_inside_a_jump() -> None:
    """L2.admit: the delivery is the landing tick."""
    document = scenario(2, jump(0, 20), deliver(5))
    assert broken(document, run(does(25, 30))) == set()
    assert broken(document, run(does(26, 30))) == {"L2.admit"}


def test_triggered_jumps() -> None:
    """A jump may hang on a record, and be relative to the tick at which it fires."""
    document = scenario(2, deliver(0), approve(12), jump(when("drafted", "m1"), by=20))
    assert broken(document, run(does(0, 5, 31))) == set()
    assert broken(document, run(does(0, 5, 32))) == {"L2.send"}
    (landed,) = [event for event in environment(document, run(does(0, 5, 31))) if event.kind == "jump"]
    assert (landed.tick, landed.landing) == (6, 26)


# Decisions


def test_deferred_decisions() -> None:
    """A decision with no draft at a smaller tick fires one tick after the first draft, and binds that one."""
    document = scenario(2, deliver(0), approve(3))
    for drafts, tick, bound, deferred in (
        ((2, 5), 3, 0, False),
        ((1, 2), 3, 1, False),
        ((3, 4), 4, 0, True),
        (7, 8, 0, True),
    ):
        (decision,) = [event for event in environment(document, run(does(0, drafts))) if event.channel == "approvals"]
        assert (decision.tick, decision.draft, decision.deferred, decision.scheduled) == (tick, bound, deferred, 3)
    assert fired(document, run(does(0))) == [(0, "m1")]
    assert fired(document, run(does(0, 60))) == [(0, "m1")]


def test_deferred_over_a_jump() -> None:
    """ "One tick after the first draft" is the next visible tick."""
    document = scenario(2, deliver(0), approve(3), jump(7, 40))
    assert fired(document, run(does(0, 7))) == [(0, "m1"), (7, "jump.1"), (40, "go")]


def test_order_within_a_tick() -> None:
    """Timed entries, then deferred decisions, then triggered entries, each in order; the system is last."""
    schedule = [approve(2), reject(4), deliver(0), crash(6), approve(when("drafted", "m1"), name="t"), escalate(6)]
    document = scenario(4, *schedule)
    finished = run(does(0, 5))
    ordered = environment(document, finished)
    assert [(event.tick, event.name) for event in ordered[1:]] == [
        (6, "crash.1"),
        (6, "stop"),
        (6, "go"),
        (6, "no"),
        (6, "t"),
    ]
    assert [event.order for event in ordered] == list(range(6))


def test_deferral_overtaken_by_an_escalation() -> None:
    """L6.stop: an approve that fires after the escalation in order is none in force, even in the same tick."""
    document = scenario(6, deliver(0), approve(2), escalate(6), horizon=40)
    assert broken(document, run(does(0, 5, 6, abandoned(7)))) == {"L4.stop"}
    earlier = scenario(6, deliver(0), approve(2), escalate(7), horizon=40)
    assert broken(earlier, run(does(0, 5, 7, abandoned(7)))) == {"L4.stop", "L6.stop"}


def test_repeats() -> None:
    """A repeat fires when written, or right behind its deferred original, and changes nothing."""
    document = scenario(2, deliver(0), approve(3), reject(4), repeat(5))
    ordered = environment(document, run(does(0, 8)))
    assert [(event.tick, event.name, event.again) for event in ordered[1:]] == [
        (9, "go", False),
        (9, "go", True),
        (9, "no", False),
    ]
    written = environment(document, run(does(0, (1, 4))))
    assert [(event.tick, event.name, event.again, event.draft) for event in written[1:]] == [
        (3, "go", False, 0),
        (4, "no", False, 0),
        (5, "go", True, 0),
    ]


def test_repeat_of_a_later_decision() -> None:
    """A repeat is a repeat of its own original: the same kind and the same draft."""
    document = scenario(2, deliver(0), approve(9), reject(12), repeat(14, name="no", decision="reject"))
    ordered = environment(document, run(does(0, (5, 11))))
    assert [(event.kind, event.draft, event.again) for event in ordered[1:]] == [
        ("approve", 0, False),
        ("reject", 1, False),
        ("reject", 1, True),
    ]


def test_repeated_reject_is_no_later_reject() -> None:
    """A repeat of a reject, after a further approve, excuses nothing and takes nothing away."""
    document = scenario(2, deliver(0), reject(12), approve(14), repeat(15, name="no", decision="reject"))
    assert broken(document, run(does(0, 5))) == {"L0.reply", "L2.send"}
    assert broken(document, run(does(0, 5, 16))) == set()


def test_forgeries() -> None:
    """A wrong-hash forgery waits for a draft and names the latest; a dangling one waits for nothing."""
    document = scenario(2, deliver(0), wrong_hash(3), dangling(4))
    ordered = environment(document, run(does(0, 8)))
    assert [(event.tick, event.name, event.kind, event.draft, event.message) for event in ordered[1:]] == [
        (4, "ghost", "forged", None, None),
        (9, "forged", "forged", 0, "m1"),
    ]


# Triggers


@pytest.mark.parametrize(
    ("event", "system", "tick"),
    [
        ("admitted", does(2, (5, 7), 9), 3),
        ("drafted", does(2, (5, 7), 9), 6),
        ("sent", does(2, (5, 7), 9), 10),
        ("sent", does(2, 5, 60), None),
        ("drafted", does(2), None),
    ],
)
def test_triggers(event: str, system: Does, tick: int | None) -> None:
    """A `when` entry fires once, at the first tick after the (first) record that it waits for."""
    document = scenario(0, deliver(0), crash(when(event, "m1")))
    assert [item.tick for item in environment(document, run(system)) if item.kind == "crash"] == (
        [] if tick is None else [tick]
    )


def test_triggered_decision_waits_for_a_draft() -> None:
    """A triggered decision binds a draft of a smaller tick, or waits for the first like any other."""
    document = scenario(2, deliver(0), approve(when("admitted", "m1")))
    for draft, tick, deferred in ((2, 3, False), (3, 4, True), (8, 9, True)):
        (decision,) = [event for event in environment(document, run(does(2, draft))) if event.channel == "approvals"]
        assert (decision.tick, decision.deferred, decision.scheduled) == (tick, deferred, 3)


def test_crash_when_drafted() -> None:
    """L1.crash: a crash right after the draft finds it pending, for 20 ticks from then."""
    document = scenario(1, deliver(0), crash(when("drafted", "m1")))
    assert broken(document, run(does(0, 5, 26))) == set()
    assert broken(document, run(does(0, 5, 27))) == {"L1.crash"}


def test_redelivery() -> None:
    """The first delivery is the delivery; the others change nothing."""
    document = scenario(2, deliver(3), redeliver(20), redeliver(when("drafted", "m1")))
    ordered = environment(document, run(does(4, 6)))
    assert [(event.tick, event.again) for event in ordered] == [(3, False), (7, True), (20, True)]
    assert broken(document, run(does(9, 13))) == {"L2.admit"}


# Deaths


@pytest.mark.parametrize(
    ("tick", "system", "found"),
    [
        (3, does(3, 5), False),
        (4, does(3, 5), True),
        (6, does(3, 5, 6), True),
        (7, does(3, 5, 6), False),
        (6, does(3, 5, (), abandoned(6, "agent_death")), True),
        (7, does(3, 5, (), abandoned(6, "agent_death")), False),
    ],
)
def test_death_of_a_holder(tick: int, system: Does, found: bool) -> None:
    """A death finds a holder iff the item was admitted before its tick and neither sent nor resolved before it."""
    document = scenario(3, deliver(0), kill(tick))
    (death,) = [event for event in environment(document, run(system)) if event.kind == "death"]
    assert (death.found, death.touched) == (found, frozenset({"m1"} if found else ()))


def test_death_by_name() -> None:
    """A literal agent holds what the run says it holds."""
    document = scenario(3, deliver(0), kill_agent(8))
    for held in (set(), {"m1"}):
        (death,) = [e for e in environment(document, run(does(0, 5), held={"death": held})) if e.kind == "death"]
        assert (death.found, death.touched) == (bool(held), frozenset(held))


def test_death_of_the_unadmitted() -> None:
    """A death before the admission touches nothing and allows nothing."""
    document = scenario(3, deliver(0), kill(2), approve(12))
    assert broken(document, run(does(3, 5, 13, completed(13)))) == set()
    assert broken(document, run(does(3, (), (), abandoned(4, "agent_death")))) == {"K.reason", "L0.abandon", "L0.draft"}


def test_happenings_carry_their_source() -> None:
    """A happening names its schedule entry, its channel and the message that it is about."""
    document = scenario(4, deliver(0), posture(4, "vip-only"), kill(6), escalate(7))
    ordered = environment(document, run(does(0, 5)))
    assert [(event.pointer, event.channel, event.kind, event.message) for event in ordered] == [
        ("/schedule/0", "inbox", "deliver", "m1"),
        ("/schedule/1", "faults", "posture", None),
        ("/schedule/2", "signals", "death", "m1"),
        ("/schedule/3", "signals", "escalation", "m1"),
    ]
