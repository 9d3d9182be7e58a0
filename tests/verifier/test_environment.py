"""A schedule as the engine reads it: what each entry becomes, when it happens, and the ways in which what waits can fall."""

from __future__ import annotations

from typing import Any

import pytest
from tests.verifier.known_answers import document

from wellposed.verifier.amr.answers import BASE, Answers
from wellposed.verifier.amr.environment import (
    DEFERRED,
    MAX_CASES,
    TIMED,
    TRIGGERED,
    Copy,
    Death,
    Decision,
    Environment,
    Escalation,
    Event,
    Forgery,
    Segment,
    TooManyCases,
    Trigger,
    message_of,
    unfold,
)
from wellposed.verifier.amr.outbox import Outbox


def add(made: dict[str, Any], channel: str, when: int | tuple[str, str], **record: Any) -> None:
    """One more entry, for a tick or behind a record (message, event)."""
    at = {"at": when} if isinstance(when, int) else {"when": {"work_id": f"work:{when[0]}", "event": when[1]}}
    made["schedule"].append({"seq": len(made["schedule"]), "channel": channel, **at, "record": record})


def read(made: dict[str, Any], answers: Answers = BASE) -> Environment:
    (environment,) = unfold(made, answers)
    return environment


def event(when: int | Trigger | None, seq: int, name: str, rank: int = TIMED) -> Event:
    return Event(when, rank, seq, f"/schedule/{seq}", name)


def approval(name: str, decision: str, message: str | None = "m1", **more: Any) -> dict[str, Any]:
    match = {} if message is None else {"match": {"work_id": f"work:{message}"}}
    return {"approval_id": name, **match, "decision": decision, **more}


def test_events_of_one_tick_stand_in_classes() -> None:
    assert TIMED < DEFERRED < TRIGGERED


def test_a_work_id_names_its_message() -> None:
    assert message_of("work:m1") == "m1"


def test_every_channel() -> None:
    made = document(4, [], [], messages=(("m1", 0), ("m2", 3)))
    add(made, "inbox", 5, **made["schedule"][0]["record"])
    add(made, "approvals", 6, **approval("yes", "approve"))
    add(made, "approvals", 7, **approval("no", "reject", "m2") | {"match": {"work_id": "work:m2", "draft": "oldest"}})
    add(made, "approvals", 8, **approval("yes", "approve"))
    add(made, "approvals", 8, **approval("no", "reject", "m2"))
    add(made, "approvals", 9, **approval("wrong", "approve", forged="wrong-hash"))
    add(made, "approvals", 9, **approval("ghost", "reject", None, forged="dangling"))
    add(made, "approvals", 10, **approval("wrong", "approve", forged="wrong-hash"))
    add(made, "approvals", 10, **approval("ghost", "reject", None, forged="dangling"))
    add(made, "signals", 11, signal_id="stop", signal_type="OPERATOR_ESCALATION", target="work:m1", at=11)
    add(made, "signals", 12, signal_id="dies", signal_type="AGENT_DEATH", target={"holder_of": "work:m2"}, at=12)
    add(made, "signals", 13, signal_id="named", signal_type="AGENT_DEATH", target="agent-7", at=13)
    add(made, "signals", 14, signal_id="stop", signal_type="OPERATOR_ESCALATION", target="work:m1", at=14)
    add(made, "signals", 14, signal_id="named", signal_type="AGENT_DEATH", target="agent-7", at=14)
    add(made, "faults", 15, fault_id="c", fault="crash")
    add(made, "faults", 16, fault_id="h", fault="hold")
    add(made, "faults", 18, fault_id="r", fault="release")
    add(made, "faults", 20, fault_id="p", fault="posture", posture="maintenance")
    found = read(made)
    assert found.decisions == (
        Decision(event(6, 3, "yes"), "m1", True, False),
        Decision(event(7, 4, "no"), "m2", False, True),
    )
    assert found.forgeries == (Forgery(event(9, 7, "wrong"), "m1", True), Forgery(event(9, 8, "ghost"), None, False))
    assert found.escalations == (Escalation(event(11, 11, "stop"), "m1"),)
    assert found.deaths == (Death(event(12, 12, "dies"), "m2"), Death(event(13, 13, "named"), None))
    assert found.crashes == (event(15, 16, "c"),)
    assert found.copies == (
        Copy(event(5, 2, "m1"), "m1", "message"),
        Copy(event(8, 5, "yes"), "m1", "approve"),
        Copy(event(8, 6, "no"), "m2", "reject"),
        Copy(event(10, 9, "wrong"), "m1", "forged"),
        Copy(event(10, 10, "ghost"), None, "forged"),
        Copy(event(14, 14, "stop"), "m1", "signal"),
        Copy(event(14, 15, "named"), None, "signal"),
    )
    assert found.outbox == Outbox(((16, 17),))
    assert found.segments == (Segment(0, 19, "normal", "all"), Segment(20, 40, "maintenance", "all"))
    assert found.named == {
        "yes": "m1",
        "no": "m2",
        "wrong": event(9, 7, "wrong"),
        "ghost": event(9, 8, "ghost"),
        "stop": event(11, 11, "stop"),
        "dies": event(12, 12, "dies"),
        "named": event(13, 13, "named"),
        "c": event(15, 16, "c"),
        "h": event(16, 17, "h"),
        "r": event(18, 18, "r"),
        "p": event(20, 19, "p"),
    }
    assert [one.id for one in found.events] == ["yes", "no", "wrong", "ghost", "stop", "dies", "named", "c"]
    assert [one.event.id for one in found.aimed] == ["yes", "no", "stop", "dies", "named", "wrong", "ghost"]
    assert (found.level, found.fixed, found.conversations) == (4, {}, ("c-m1", "c-m2"))


def test_conversations_with_an_anchor() -> None:
    made = document(1, [], [], messages=(("m1", 0), ("m2", 0)))
    made["stub"]["anchors"] = [{"conversation_id": "c-m2", "anchor": "A"}]
    assert read(made).anchored == frozenset({"c-m2"})


def test_what_waits_for_a_record_has_that_for_its_time() -> None:
    made = document(4, [], [], messages=(("m1", 0), ("m2", 0)))
    add(made, "approvals", ("m2", "drafted"), **approval("go", "approve"))
    add(made, "signals", ("m2", "admitted"), signal_id="s", signal_type="OPERATOR_ESCALATION", target="work:m1", at=0)
    add(made, "faults", ("m2", "sent"), fault_id="c", fault="crash")
    add(made, "inbox", ("m1", "sent"), **made["schedule"][0]["record"])
    found = read(made)
    assert found.decisions[0].event == event(Trigger("m2", "drafted"), 2, "go", TRIGGERED)
    assert found.escalations[0].event == event(Trigger("m2", "admitted"), 3, "s", TRIGGERED)
    assert found.crashes == (event(Trigger("m2", "sent"), 4, "c", TRIGGERED),)
    assert found.copies == (Copy(event(Trigger("m1", "sent"), 5, "m1", TRIGGERED), "m1", "message"),)
    assert found.fixed == {}


def test_a_deferred_signal_waits_for_the_admission_from_its_tick_on() -> None:
    made = document(4, [(2, "jump", 5), (7, "escalate deferred", "m1", "s"), (8, "kill deferred", "m1", "d")], [])
    found = read(made)
    assert found.escalations[0].event == event(Trigger("m1", "admitted", 5), 2, "s")
    assert found.deaths[0].event == event(Trigger("m1", "admitted", 6), 3, "d")


def test_a_deferred_signal_that_waits_for_another_record_is_as_it_is() -> None:
    made = document(4, [], [])
    add(made, "signals", ("m1", "drafted"), signal_id="s", signal_type="OPERATOR_ESCALATION", target="work:m1", at=0, deferred=True)
    assert read(made).escalations[0].event == event(Trigger("m1", "drafted"), 1, "s", TRIGGERED)


def test_ticks_are_numbers_of_those_that_are_left() -> None:
    """2 is followed by 5, so what is written for 4 happens at 5, and 6 is the tick with number 4."""
    jump = [(2, "jump", 5), (4, "approve", "m1", "a"), (6, "crash", None, "c"), (6, "posture", "maintenance"), (4, "hold"), (6, "release")]
    found = read(document(2, jump, [], messages=(("m1", 6),)))
    assert found.decisions[0].event.when == 3
    assert found.crashes[0].when == found.messages["m1"].at == 4
    assert found.segments == (Segment(0, 3, "normal", "all"), Segment(4, 38, "maintenance", "all"))
    assert found.outbox == Outbox(((3, 3),))
    costly = read(document(2, jump, [], messages=(("m1", 6),)), Answers(jumps_cost_all=True))
    assert costly.decisions[0].event.when == 5
    assert costly.crashes[0].when == costly.messages["m1"].at == 6


def test_a_jump_by_so_many_ticks() -> None:
    made = document(0, [], [])
    add(made, "faults", 2, fault_id="j", fault="jump", by=3)
    assert (read(made).clock.horizon, read(made).clock.lands(3)) == (38, 5)


def test_of_changes_of_one_tick_the_last_counts() -> None:
    rules = [{"name": name, "rules": []} for name in ("one", "two", "three")]
    changes: list[Any] = [
        (0, "posture", "maintenance"),
        (5, "rules", "two"),
        (5, "posture", "normal"),
        (5, "rules", "three"),
        (9, "posture", "maintenance"),
        (40, "rules", "one"),
    ]
    assert read(document(2, changes, [], rules=rules)).segments == (
        Segment(0, 4, "maintenance", "one"),
        Segment(5, 8, "normal", "three"),
        Segment(9, 39, "maintenance", "three"),
        Segment(40, 40, "maintenance", "one"),
    )
    assert read(document(2, [], [], rules=rules, posture="maintenance")).segments == (Segment(0, 40, "maintenance", "one"),)


def test_history_counts_what_was_delivered_at_a_smaller_tick() -> None:
    messages = (("m1", 1), ("m2", 1), ("m3", 2), ("m4", 4), ("m5", 4))
    made = document(2, [], [], messages=messages)
    conversations = {"m1": "a", "m2": "b", "m3": "a", "m4": "c", "m5": "a"}
    for entry in made["schedule"]:
        record = entry["record"]
        record["conversation_id"] = conversations[record["id"]]
        record["from"] = "other@example.test" if record["id"] == "m5" else "ada@example.test"
    add(made, "inbox", 3, **made["schedule"][0]["record"])
    found = read(made).messages
    assert list(found) == ["m1", "m2", "m3", "m4", "m5"]
    counts = {name: tuple(message.history.values()) for name, message in found.items()}
    assert tuple(found["m1"].history) == ("thread.length", "sender.messages", "sender.conversations")
    assert counts == {"m1": (0, 0, 0), "m2": (0, 0, 0), "m3": (1, 2, 2), "m4": (0, 3, 2), "m5": (2, 0, 0)}
    assert [(one.at, one.seq, one.pointer) for one in found.values()] == [(at, seq, f"/schedule/{seq}") for seq, (_, at) in enumerate(messages)]
    assert (found["m3"].conversation, found["m3"].id) == ("a", "m3")
    assert found["m3"].text == {
        "message.from": "ada@example.test",
        "message.subject": "order",
        "message.body": "Hello?",
        "message.conversation_id": "a",
    }


def test_messages_stand_in_the_order_of_delivery() -> None:
    made = document(0, [], [], messages=(("m1", 1), ("m2", 5)))
    made["schedule"].reverse()
    assert [(name, one.at, one.seq) for name, one in read(made).messages.items()] == [("m1", 1, 1), ("m2", 5, 0)]


def triggered(fault: str, horizon: int = 6, at: int = 2, **more: Any) -> dict[str, Any]:
    made = document(2, [], [], horizon=horizon, messages=(("m1", at),), rules=[{"name": "one", "rules": []}, {"name": "two", "rules": []}])
    add(made, "faults", ("m1", "drafted"), fault_id="f", fault=fault, **more)
    return made


DRAFTED = Trigger("m1", "drafted")


def test_what_waits_and_changes_what_all_see_falls_at_every_tick_behind_the_delivery_or_never() -> None:
    cases = list(unfold(triggered("posture", posture="maintenance")))
    assert [one.fixed for one in cases] == [{DRAFTED: tick} for tick in (None, 3, 4, 5, 6)]
    assert [one.segments for one in cases] == [
        (Segment(0, 6, "normal", "one"),),
        *((Segment(0, tick - 1, "normal", "one"), Segment(tick, 6, "maintenance", "one")) for tick in (3, 4, 5, 6)),
    ]
    assert [one.named["f"] for one in cases] == [event(tick, 1, "f", TRIGGERED) for tick in (None, 3, 4, 5, 6)]
    assert [one.segments[-1].rules for one in unfold(triggered("rules", rules="two"))] == ["one", "two", "two", "two", "two"]


def test_a_jump_that_waits_falls_with_what_waits_for_the_same_record() -> None:
    made = triggered("jump", to=6)
    add(made, "faults", ("m1", "drafted"), fault_id="p", fault="posture", posture="maintenance")
    add(made, "faults", ("m1", "drafted"), fault_id="c", fault="crash")
    cases = list(unfold(made))
    assert [(one.clock.horizon, one.fixed[DRAFTED]) for one in cases] == [(6, None), (4, 3), (5, 4), (6, 5), (6, 6)]
    assert [one.crashes[0].when for one in cases] == [None, 3, 4, 5, 6]
    assert [one.segments[-1].first for one in cases] == [0, 3, 4, 5, 6]


def test_a_jump_that_waits_goes_by_so_many_ticks() -> None:
    assert [one.clock.horizon for one in unfold(triggered("jump", horizon=9, by=3))][:5] == [9, 7, 7, 7, 7]


def test_nothing_falls_at_a_tick_that_is_not_there() -> None:
    made = triggered("posture", posture="maintenance")
    add(made, "faults", 3, fault_id="j", fault="jump", to=6)
    assert [one.fixed for one in unfold(made)] == [{DRAFTED: None}, {DRAFTED: 3}, {DRAFTED: 4}]


def test_two_that_wait_for_different_records_fall_independently() -> None:
    made = triggered("posture", posture="maintenance", horizon=4)
    add(made, "faults", ("m1", "sent"), fault_id="q", fault="posture", posture="normal")
    sent = Trigger("m1", "sent")
    ticks = (None, 3, 4)
    assert [one.fixed for one in unfold(made)] == [{DRAFTED: one, sent: other} for one in ticks for other in ticks]


def test_a_copy_that_waits_is_no_delivery() -> None:
    """The first tick at which a record can be is behind the first delivery that has one."""
    made = triggered("posture", posture="maintenance", horizon=5)
    made["schedule"].insert(1, {**made["schedule"][0], "seq": 1, "at": 4})
    assert [one.fixed[DRAFTED] for one in unfold(made)] == [None, 3, 4, 5]


def test_the_deliveries_of_other_messages_do_not_matter() -> None:
    """Neither of one with a name before m1 nor of one behind it, both delivered sooner."""
    made = triggered("posture", posture="maintenance", horizon=6, at=4)
    for name in ("m0", "m2"):
        add(made, "inbox", 1, **{**made["schedule"][0]["record"], "id": name})
    add(made, "signals", 1, signal_id="s", signal_type="AGENT_DEATH", target="agent-7", at=1)
    assert [one.fixed[DRAFTED] for one in unfold(made)] == [None, 5, 6]


@pytest.mark.parametrize(("horizon", "many"), [(MAX_CASES - 1, False), (MAX_CASES, True)])
def test_too_many_cases(horizon: int, many: bool) -> None:
    cases = unfold(triggered("posture", horizon=horizon, at=0, posture="maintenance"))
    if many:
        with pytest.raises(TooManyCases, match=f"^triggered jumps, postures and rules can fall in more than {MAX_CASES} ways$"):
            next(cases)
    else:
        assert next(cases).fixed == {DRAFTED: None}


def test_how_many_cases_are_explored() -> None:
    """No budget of work makes that more."""
    assert (MAX_CASES, TooManyCases.more_helps) == (4096, False)
