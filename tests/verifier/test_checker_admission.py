"""Admission: rule conditions, history fields, and the grace around a change of posture or rules (L2.admit, L2.only)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.checker_documents import (
    ALL,
    approve,
    broken,
    condition,
    crash,
    deliver,
    does,
    jump,
    posture,
    redeliver,
    rule,
    rules,
    run,
    scenario,
    told,
    when,
)

NORMAL_ONLY = {"all": [rule("admit", condition("posture", "is", "normal"))]}
CLOSING = {"all": ALL["all"], "none": []}
IDLE = {"L0.draft", "L2.admit"}


def owed(version: list[dict[str, Any]], **message: Any) -> bool:
    """Whether the rules admit a lone message: then a system that ignores it breaks L2.admit."""
    document = scenario(2, deliver(0, **message), versions={"all": version})
    return "L2.admit" in broken(document, run())


@pytest.mark.parametrize(
    ("field", "op", "value", "true"),
    [
        ("message.subject", "is", "Order 7", True),
        ("message.subject", "is", "order 7", False),
        ("message.subject", "is-not", "Order 7", False),
        ("message.subject", "is-not", "x", True),
        ("message.subject", "in", ["a", "Order 7"], True),
        ("message.subject", "in", ["a"], False),
        ("message.subject", "in", [], False),
        ("message.subject", "not-in", ["a"], True),
        ("message.subject", "not-in", ["Order 7"], False),
        ("message.subject", "contains", "der 7", True),
        ("message.subject", "contains", "Der", False),
        ("message.subject", "starts-with", "Order", True),
        ("message.subject", "starts-with", "7", False),
        ("message.subject", "ends-with", "7", True),
        ("message.subject", "ends-with", "Order", False),
        ("message.from", "is", "ada@example.test", True),
        ("message.body", "contains", "ell", True),
        ("message.conversation_id", "is", "c1", True),
        ("posture", "is", "normal", True),
        ("posture", "not-in", ["normal"], False),
        ("thread.length", "=", 0, True),
        ("sender.messages", "!=", 0, False),
        ("sender.messages", "!=", 1, True),
        ("sender.conversations", "<", 1, True),
        ("sender.conversations", "<", 0, False),
        ("thread.length", "<=", 0, True),
        ("thread.length", "<=", -1, False),
        ("thread.length", ">", -1, True),
        ("thread.length", ">", 0, False),
        ("thread.length", ">=", 0, True),
        ("thread.length", ">=", 1, False),
    ],
)
def test_conditions(field: str, op: str, value: str | int | list[str], true: bool) -> None:
    """Text is exact and case-sensitive; numbers compare as numbers."""
    assert owed([rule("admit", condition(field, op, value))], subject="Order 7") is true


@pytest.mark.parametrize("pair", [("message.subject", "<"), ("thread.length", "is"), ("message.subject", "like")])
def test_unknown_operators(pair: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="unknown operator"):
        owed([rule("admit", condition(*pair, "1"))])


def test_unknown_field() -> None:
    with pytest.raises(ValueError, match="unknown field"):
        owed([rule("admit", condition("weather", "is", "fine"))])


def test_first_match_decides() -> None:
    """The first rule that matches decides by its effect; nothing matched means not admitted."""
    here, there = condition("message.subject", "contains", "order"), condition("message.subject", "contains", "x")
    assert owed([rule("admit", here), rule("refuse")])
    assert not owed([rule("refuse", here), rule("admit")])
    assert owed([rule("refuse", here, there), rule("admit")])
    assert not owed([rule("admit", here, there)])
    assert not owed([])


def history(field: str, least: int, *earlier: dict[str, Any], at: int = 20) -> bool:
    """Whether the field of m9 (conversation c1, sender ada) is at least this when it is delivered at 20."""
    version = {"all": [rule("admit", condition("message.body", "is", "last"), condition(field, ">=", least))]}
    document = scenario(2, *earlier, deliver(at, "m9", "c1", body="last"), versions=version)
    return "L2.admit" in broken(document, run(does()))


def test_history_fields() -> None:
    """Distinct messages delivered at a smaller tick, admitted or not; duplicates never count."""
    other, crowd = "bob@example.test", "eve@example.test"
    same_thread = [deliver(1, "m1", "c1", sender=other), redeliver(2, "m1", "c1", sender=other)]
    assert history("thread.length", 1, *same_thread)
    assert not history("thread.length", 2, *same_thread)
    assert not history("sender.messages", 1, *same_thread)
    same_sender = [
        deliver(1, "m1", "c2"),
        deliver(1, "m2", "c2"),
        deliver(19, "m3", "c3"),
        deliver(5, "m4", "c3", crowd),
    ]
    assert history("sender.messages", 3, *same_sender)
    assert not history("sender.messages", 4, *same_sender)
    assert history("sender.conversations", 2, *same_sender)
    assert not history("sender.conversations", 3, *same_sender)
    same_tick = [deliver(20, "m1", "c1")]
    assert not history("thread.length", 1, *same_tick)
    assert not history("sender.messages", 1, *same_tick)


def test_history_is_that_of_the_delivery() -> None:
    """A message that arrives later changes nothing, nor does a redelivery of this one."""
    version = {"all": [rule("admit", condition("sender.messages", "=", 0))]}
    document = scenario(2, deliver(0, "m1"), deliver(2, "m2"), redeliver(3, "m1"), versions=version)
    assert broken(document, run(m2=does())) == IDLE
    assert broken(document, run(does(5, 7), m2=does())) == set()
    assert broken(document, run(does(5, 7), m2=does(5, 7))) == {"L2.only"}


def test_history_over_a_jump() -> None:
    """Two deliveries written at different ticks inside a removed interval arrive in one tick."""
    version = {"all": [rule("admit", condition("sender.messages", "=", 1))]}
    document = scenario(2, jump(0, 10), deliver(3, "m1"), deliver(4, "m2"), versions=version)
    assert broken(document, run(m2=does())) == set()


GRACE_DELIVERIES = [(24, True), (25, False), (30, False), (34, False), (35, True)]


@pytest.mark.parametrize(("at", "plain"), GRACE_DELIVERIES)
def test_posture_grace_of_l2_admit(at: int, plain: bool) -> None:
    """L2.admit: around a change at p = 30, a delivery in [p-5, p+4] may go either way, p-6 and p+5 may not."""
    shut = scenario(2, deliver(at), posture(30, "maintenance"), versions=NORMAL_ONLY, horizon=70)
    opened = scenario(2, deliver(at), posture(30, "normal"), versions=NORMAL_ONLY, mode="maintenance", horizon=70)
    in_time, never = does(at, at + 5), does()
    assert broken(shut, run(never)) == (IDLE if plain and at < 30 else set())
    assert broken(shut, run(in_time)) == ({"L2.only"} if plain and at > 30 else set())
    assert broken(opened, run(never)) == (IDLE if plain and at > 30 else set())
    # Before the change nothing admits yet; up to five ticks before it the system may simply wait for it.
    assert broken(opened, run(in_time)) == ({"L2.only"} if at < 30 else set())
    if at < 30:
        assert broken(opened, run(does(30, 35))) == set()


@pytest.mark.parametrize(("at", "plain"), GRACE_DELIVERIES)
def test_rules_grace_of_l2_admit(at: int, plain: bool) -> None:
    """The same for a change of the rules, whose version the admission cites."""
    document = scenario(2, deliver(at), rules(30, "none"), versions=CLOSING, horizon=70)
    assert broken(document, run(does())) == (IDLE if plain and at < 30 else set())
    assert broken(document, run(does(at, at + 5))) == ({"L2.only"} if plain and at > 30 else set())
    assert "L2.only" in broken(document, run(does(at, at + 5, rules="none")))


def test_admission_after_a_change() -> None:
    """L2.only: the pair in force at any visible tick of [t-5, t] may decide."""
    document = scenario(2, deliver(28), posture(30, "maintenance"), versions=NORMAL_ONLY, horizon=70)
    assert broken(document, run(does(34, 38))) == set()
    assert broken(document, run(does(35, 38))) == {"L2.only"}
    jumped = scenario(2, deliver(28), posture(30, "maintenance"), jump(31, 50), versions=NORMAL_ONLY, horizon=70)
    assert broken(jumped, run(does(52, 55))) == set()
    assert broken(jumped, run(does(53, 55))) == {"L2.only"}


def test_admission_before_a_change() -> None:
    """L2.only: what is in force one tick after the admission lends nothing to it."""
    document = scenario(2, deliver(26), posture(30, "normal"), versions=NORMAL_ONLY, mode="maintenance", horizon=70)
    assert broken(document, run(does(29, 32))) == {"L2.only"}
    assert broken(document, run(does(30, 32))) == set()


def test_a_change_of_a_change_in_one_tick_is_none() -> None:
    """In force is what a tick's whole environment part leaves."""
    schedule = [posture(30, "maintenance"), posture(30, "normal", "posture.2")]
    document = scenario(2, deliver(28), *schedule, versions=NORMAL_ONLY, horizon=70)
    assert broken(document, run(does())) == IDLE


def test_a_short_change_is_one() -> None:
    """A posture that lasts one tick still alters the match, and one that ends before the window does not."""
    schedule = [posture(30, "maintenance"), posture(31, "normal", "posture.2")]
    for at, breaks in ((24, IDLE), (25, set()), (35, set()), (36, IDLE)):
        document = scenario(2, deliver(at), *schedule, versions=NORMAL_ONLY, horizon=70)
        assert broken(document, run(does())) == breaks


@pytest.mark.parametrize(("change", "at", "owed"), [(0, 0, True), (1, 0, False), (1, 5, False), (1, 6, True)])
def test_grace_at_the_start(change: int, at: int, owed: bool) -> None:
    """L2.admit: what tick 0 sets is the start and no change; what tick 1 sets is one."""
    opened = scenario(2, deliver(at), posture(change, "normal"), versions=NORMAL_ONLY, mode="maintenance", horizon=70)
    assert ("L2.admit" in broken(opened, run(does()))) is owed


def test_a_change_far_ahead_is_no_grace() -> None:
    """L2.admit: at tick 0 nothing came before, least of all what comes last."""
    document = scenario(2, deliver(0), posture(30, "maintenance"), versions=NORMAL_ONLY, horizon=70)
    assert broken(document, run(does())) == IDLE


def test_one_pair_not_two_halves() -> None:
    """L2.only: the new rules with the old posture is not a pair that was ever in force."""
    versions = {"all": [], "v2": [rule("admit", condition("posture", "is", "normal"))]}
    schedule = [posture(30, "maintenance"), rules(30, "v2")]
    document = scenario(2, deliver(30), *schedule, versions=versions, horizon=70)
    assert broken(document, run(does(30, 35, rules="v2"))) == {"L2.only"}
    parted = scenario(2, deliver(30), rules(30, "v2"), posture(31, "maintenance"), versions=versions, horizon=70)
    assert broken(parted, run(does(31, 35, rules="v2"))) == set()


def test_the_cited_version_decides() -> None:
    """L2.only: another version in force admits, but it is not the one that the admission cites."""
    document = scenario(2, deliver(40), rules(30, "none"), versions=CLOSING, horizon=90)
    assert told(document, run(does(40, 45)), "L2.only") == [
        ("/schedule/1", "m1", "admitted at 40 under all, which is not in force in 35..40")
    ]
    assert told(document, run(does(40, 45, rules="none")), "L2.only") == [
        ("/schedule/1", "m1", "admitted at 40, but none as in force in 35..40 does not admit it")
    ]


def test_the_cited_version_was_in_force_but_refuses() -> None:
    """L2.only: of two versions in force within the window, the cited one must be the one that admits."""
    versions = {"strict": [], "open": ALL["all"]}
    document = scenario(2, deliver(30), rules(30, "open"), versions=versions, horizon=70)
    assert told(document, run(does(32, 35, rules="open")), "L2.only") == []
    assert told(document, run(does(32, 35, rules="strict")), "L2.only") == [
        ("/schedule/0", "m1", "admitted at 32, but strict as in force in 27..32 does not admit it")
    ]


def test_triggered_changes() -> None:
    """A posture that changes with the first admission binds the later messages."""
    change = posture(when("admitted", "m1"), "maintenance")
    document = scenario(2, deliver(0, "m1"), deliver(12, "m2"), change, versions=NORMAL_ONLY, horizon=70)
    assert broken(document, run(does(5, 9), m2=does())) == set()
    assert broken(document, run(does(5, 9), m2=does(12, 15))) == {"L2.only"}
    assert broken(document, run(does(None), m2=does())) == IDLE


def test_below_level_2_any_admission() -> None:
    """L2.only and L2.admit are not in force; work that is owed is owed all the same."""
    document = scenario(1, deliver(0), versions={"all": []})
    assert broken(document, run(does(30, 35, 36))) == set()
    assert broken(document, run(does())) == set()
    assert broken(scenario(1, deliver(0)), run(does())) == {"L0.draft", "L0.reply"}


def test_altered_work_is_owed_from_its_admission() -> None:
    """The drafting clock of a message in the grace starts when it is admitted."""
    shut = scenario(2, deliver(28), posture(30, "maintenance"), versions=NORMAL_ONLY, horizon=70)
    assert broken(shut, run(does(33, 43))) == set()
    assert broken(shut, run(does(33, 44))) == {"L0.draft"}
    plain = scenario(2, deliver(20), posture(30, "maintenance"), versions=NORMAL_ONLY, horizon=70)
    assert broken(plain, run(does(25, 31))) == {"L0.draft"}


def test_other_entries_change_nothing() -> None:
    """Crashes and decisions leave posture and rules alone."""
    document = scenario(2, deliver(28), crash(30), approve(60), versions=NORMAL_ONLY, horizon=61)
    assert broken(document, run(does())) == IDLE
