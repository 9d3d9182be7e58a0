"""The virtual harness does what `docs/model.md` says of the order, the binding and the targets of events."""

from __future__ import annotations

import hashlib

from tests.simulator.scenes import (
    NORMAL,
    OPEN,
    Scripted,
    death,
    decision,
    escalation,
    events,
    fault,
    message,
    play,
    scene,
    when,
)

from wellposed.compiler.canonical import file_bytes
from wellposed.verifier.amr.simulator.harness import Harness


def admit_and_draft(system: Scripted) -> None:
    system.admit()
    system.draft("d1")


def test_the_events_of_a_tick_reach_the_system_as_one() -> None:
    _, seen = play(scene(message(1), escalation(1), message(1, "m2")), {})
    assert seen[0] == (0, 0, 0)
    assert seen[1] == (2, 0, 1)


def test_every_visible_tick_has_one_advance() -> None:
    logs, _ = play(scene(message(0), fault(2, "jump", to=6), horizon=8), {})
    assert [tick for tick, _, _ in events(logs, "advance")] == [0, 1, 2, 6, 7, 8]
    assert logs.ticks == 6


def test_what_is_written_for_a_removed_tick_happens_at_the_landing_in_the_order_of_the_schedule() -> None:
    logs, _ = play(scene(fault(2, "jump", to=6), message(6, "m2"), message(4)), {})
    assert events(logs, "deliver") == [(6, "deliver", 1), (6, "deliver", 2)]
    assert [record["at"] for record in logs.files["inbox.jsonl"]] == [6, 6]


def test_the_furthest_jump_of_a_tick_counts_and_one_back_does_nothing() -> None:
    logs, _ = play(scene(fault(1, "jump", to=3), fault(1, "jump", to=5), fault(6, "jump", to=2), horizon=8), {})
    assert [tick for tick, _, _ in events(logs, "advance")] == [0, 1, 5, 6, 7, 8]


def test_a_redelivery_is_the_same_line_once_more() -> None:
    logs, _ = play(scene(message(0), {**message(0), "at": 5}), {})
    first, second = logs.files["inbox.jsonl"]
    assert first == second and first["at"] == 0
    assert events(logs, "deliver") == [(0, "deliver", 0), (5, "deliver", 1)]


def test_a_decision_binds_the_latest_draft_of_an_earlier_tick() -> None:
    acts = {
        1: admit_and_draft,
        3: lambda system: system.draft("d2"),
        5: lambda system: system.draft("d3"),
    }
    logs, _ = play(scene(message(0), decision(5)), acts)
    bound = {"approval_id": "go", "content_hash": "hash of d2", "decided_at": 5, "decision": "approve", "draft_id": "d2"}
    assert logs.files["approvals.jsonl"] == [bound]


def test_a_decision_on_the_oldest_draft_binds_the_first_one() -> None:
    acts = {1: admit_and_draft, 3: lambda system: system.draft("d2")}
    logs, _ = play(scene(message(0), decision(5, draft="oldest")), acts)
    assert [record["draft_id"] for record in logs.files["approvals.jsonl"]] == ["d1"]


def test_a_decision_waits_for_a_draft_and_fires_behind_it_with_what_repeats_it() -> None:
    acts = {1: lambda system: system.admit(), 4: lambda system: system.draft("d1")}
    schedule = (message(0), decision(2), decision(3), decision(2, "no", "reject"))
    logs, seen = play(scene(*schedule), acts)
    assert [(r["approval_id"], r["decided_at"]) for r in logs.files["approvals.jsonl"]] == [("go", 5), ("go", 5), ("no", 5)]
    assert events(logs, "decision") == [(5, "decision", 1), (5, "decision", 2), (5, "decision", 3)]
    assert seen[4] == (1, 0, 0)


def test_a_repeat_of_what_was_written_keeps_its_stamp() -> None:
    logs, _ = play(scene(message(0), decision(3), decision(7)), {1: admit_and_draft})
    first, second = logs.files["approvals.jsonl"]
    assert first == second and first["decided_at"] == 3
    assert events(logs, "decision") == [(3, "decision", 1), (7, "decision", 2)]


def test_without_a_draft_a_decision_is_never_written() -> None:
    logs, _ = play(scene(message(0), decision(3)), {1: lambda system: system.admit()})
    assert logs.files["approvals.jsonl"] == []
    assert events(logs, "decision") == []


def test_forged_decisions_look_like_others_but_for_what_they_bind() -> None:
    dangling = {"approval_id": "ghost", "decision": "approve", "draft_id": "ghost-1", "forged": "dangling"}
    tampered = {**decision(0, "tampered")["record"], "forged": "wrong-hash"}
    schedule = (
        message(0),
        {"at": 1, "channel": "approvals", "record": dangling},
        {"at": 1, "channel": "approvals", "record": tampered},
    )
    logs, _ = play(scene(*schedule), {3: admit_and_draft})
    first, second = logs.files["approvals.jsonl"]
    assert set(first) == set(second) == {"approval_id", "content_hash", "decided_at", "decision", "draft_id"}
    assert (first["draft_id"], first["decided_at"]) == ("ghost-1", 1)
    assert (second["draft_id"], second["decided_at"]) == ("d1", 4)
    assert second["content_hash"] != "hash of d1"


def test_a_triggered_event_happens_behind_the_first_record_only() -> None:
    acts = {2: admit_and_draft, 4: lambda system: system.draft("d2"), 6: lambda system: system.send("d2") and None}
    schedule = (
        when("admitted", fault(0, "crash")),
        when("drafted", decision(0)),
        when("sent", escalation(0)),
        message(0),
    )
    logs, _ = play(scene(*schedule), acts)
    assert events(logs, "crash", "restart", "decision", "signal") == [
        (3, "crash", 0),
        (3, "restart", None),
        (3, "decision", 1),
        (7, "signal", 2),
    ]
    assert logs.files["signals.jsonl"][0]["at"] == 7


def test_timed_events_come_before_waiting_ones_and_these_before_triggered_ones() -> None:
    acts = {2: admit_and_draft}
    schedule = (message(0), when("drafted", decision(0, "late")), decision(1, "waits"), decision(3, "written"))
    logs, _ = play(scene(*schedule), acts)
    assert [record["approval_id"] for record in logs.files["approvals.jsonl"]] == ["written", "waits", "late"]


def test_signals_name_the_item_by_the_id_that_the_system_gave_it() -> None:
    logs, _ = play(scene(message(0), escalation(1), escalation(4, "again")), {2: lambda system: system.admit("ticket 7")})
    assert [record["target"] for record in logs.files["signals.jsonl"]] == ["work:m1", "ticket 7"]


def test_a_deferred_signal_waits_for_the_item_and_takes_its_repeats_along() -> None:
    schedule = (message(0), escalation(1, deferred=True), escalation(2, deferred=True), escalation(3, "other"))
    logs, _ = play(scene(*schedule), {4: lambda system: system.admit()})
    found = [(record["signal_id"], record["target"], record["at"]) for record in logs.files["signals.jsonl"]]
    assert found == [("other", "work:m1", 3), ("stop", "w1", 5), ("stop", "w1", 5)]


def test_a_deferred_signal_on_an_item_that_is_there_fires_at_once() -> None:
    logs, _ = play(scene(message(0), escalation(4, deferred=True)), {2: lambda system: system.admit()})
    assert events(logs, "signal") == [(4, "signal", 1)]


def test_the_death_of_a_holder_names_the_agent_of_the_last_snapshot() -> None:
    logs, _ = play(scene(message(0), death(3), death(5, "named", "bob")), {2: lambda system: system.admit(agent="ann")})
    assert [record["target"] for record in logs.files["signals.jsonl"]] == ["ann", "bob"]


def test_nobody_dies_where_nobody_holds_the_item() -> None:
    acts = {2: admit_and_draft, 4: lambda system: system.send("d1") and None}
    logs, _ = play(scene(message(0), death(1, "before"), death(2, "same tick"), death(5, "sent")), acts)
    assert logs.files["signals.jsonl"] == []
    lines = [line for line in logs.files["run.jsonl"] if line["event"] == "signal"]
    assert [(line["tick"], "file" in line) for line in lines] == [(1, False), (2, False), (5, False)]


def test_the_holder_of_a_resolved_item_is_nobody() -> None:
    def give_up(system: Scripted) -> None:
        line = {"at": 3, "event": "resolution", "outcome": "abandoned", "reason": "crash", "work_id": "w1"}
        system.box.audit.append(line)

    logs, _ = play(scene(message(0), death(4)), {2: lambda system: system.admit(), 3: give_up})
    assert logs.files["signals.jsonl"] == []


def test_a_crash_throws_away_the_system_before_it_acts_and_keeps_the_logs() -> None:
    made: list[int] = []

    class Counting(Scripted):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            made.append(self.box.tick)

    seen: dict[int, tuple[int, ...]] = {}
    document = scene(message(0), fault(3, "crash"), message(3, "m2"))
    logs = Harness(document, lambda box: Counting(box, {1: lambda system: system.admit()}, seen)).run()
    assert made == [0, 3]
    assert seen[3] == (2, 0, 0)
    assert len(logs.files["audit.jsonl"]) == 1


def test_posture_and_rules_are_what_the_last_event_of_the_tick_says() -> None:
    found: dict[int, tuple[str, str]] = {}

    def look(system: Scripted) -> None:
        found[system.box.tick] = system.box.posture, system.box.rules_hash

    document = scene(
        message(0),
        fault(2, "posture", posture="maintenance"),
        fault(2, "posture", posture="vip-only"),
        fault(3, "rules", rules="open"),
        rules={"normal": NORMAL, "open": OPEN},
    )
    logs, _ = play(document, {1: look, 2: look, 3: look})
    old, new = (hashlib.sha256(file_bytes(rules)).hexdigest() for rules in (NORMAL, OPEN))
    assert found == {1: ("normal", old), 2: ("vip-only", old), 3: ("vip-only", new)}
    changes = [line for line in logs.files["run.jsonl"] if line["event"] == "rules"]
    assert changes == [{"event": "rules", "rules": "open", "rules_hash": new, "seq": 3, "tick": 3}]


def test_nothing_enters_the_outbox_while_effects_are_held() -> None:
    sent: dict[int, bool] = {}

    def attempt(system: Scripted) -> None:
        sent[system.box.tick] = system.send("d1")

    document = scene(message(0), fault(2, "hold"), fault(5, "release"))
    acts = {1: admit_and_draft, 2: attempt, 4: attempt, 5: attempt}
    logs, _ = play(document, acts)
    assert sent == {2: False, 4: False, 5: True}
    assert [record["sent_at"] for record in logs.files["outbox.jsonl"]] == [5]
    assert events(logs, "hold", "release") == [(2, "hold", 1), (5, "release", 2)]


def test_each_line_of_the_system_is_seen_once_at_its_tick_behind_the_events() -> None:
    logs, _ = play(scene(message(0), message(2, "m2")), {2: admit_and_draft, 4: lambda system: system.draft("d2")})
    lines = logs.files["run.jsonl"]
    seen = [(line["file"], line["line"], line["tick"]) for line in lines if line["event"] == "first-seen"]
    assert seen == [("audit.jsonl", 1, 2), ("drafts.jsonl", 1, 2), ("drafts.jsonl", 2, 4)]
    at_two = [line["event"] for line in lines if line["tick"] == 2]
    assert at_two == ["advance", "deliver", "first-seen", "first-seen"]


def test_snapshots_are_read_where_something_was_written_and_at_both_ends() -> None:
    logs, _ = play(scene(message(3), horizon=9), {5: lambda system: system.admit()})
    assert [record["tick"] for record in logs.files["state.jsonl"]] == [0, 3, 5, 9]
