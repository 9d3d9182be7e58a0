"""Adopting: what `build` writes comes back without its bundle, foreign spellings are understood, the rest is said or refused."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.compiler.documents import documents

from wellposed.compiler.adopt import Adopted, adopt
from wellposed.compiler.adopt.schedule import ORDER
from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.folder import derive
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.load import load_bundle
from wellposed.dsl.findings import Severity, Span
from wellposed.dsl.source import SourceFile, read_source

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for folder in ("scenarios", "examples") for path in (ROOT / folder).rglob("*.scenario"))

Json = dict[str, Any]
Files = dict[str, Any]


def _document(text: str) -> Json:
    (scenario,) = compile_source(SourceFile("x.scenario", text)).scenarios
    assert scenario.bundle is not None, scenario.findings
    return dict(scenario.bundle.document)


def _write(folder: Path, files: Files) -> Path:
    """Write files: bytes as they are, lists for `.jsonl` as one record per line, other values as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif name.endswith(".jsonl"):
            path.write_text("".join(json.dumps(one) + "\n" for one in content))
        else:
            path.write_text(json.dumps(content, indent=2))
    return folder


def _taken(adopted: Adopted) -> Json:
    assert adopted.source is not None, adopted.findings
    return _document(adopted.source)


def _said(adopted: Adopted, severity: Severity) -> list[str]:
    return [finding.message for finding in adopted.findings if finding.severity is severity]


def _bundles(path: Path) -> list[tuple[Json, dict[str, bytes]]]:
    source, _ = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None
    compiled = compile_source(source, Importer(FolderReader(ROOT))).scenarios
    return [(dict(one.bundle.document), derive(one.bundle)) for one in compiled if one.bundle is not None]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_build_writes_is_adopted(path: Path, tmp_path: Path) -> None:
    for document, files in _bundles(path):
        folder = _write(tmp_path / document["id"], {name: raw for name, raw in files.items() if name != "bundle.json"})
        adopted = adopt(folder)
        again = _taken(adopted)
        for member in ("id", "level", "mode", "stub", "schedule", "invariants", "expect"):
            assert again[member] == document[member], member
        assert [one["rules"] for one in again["rules"]] == [one["rules"] for one in document["rules"]]
        assert _said(adopted, Severity.WARNING) == []
        assert _said(adopted, Severity.ERROR) == []


@pytest.mark.parametrize("path", SOURCES[:14], ids=lambda path: path.stem)
def test_without_seq_one_tick_is_ordered_by_file(path: Path, tmp_path: Path) -> None:
    for document, files in _bundles(path):
        bare = {name: raw for name, raw in files.items() if name != "bundle.json"}
        for name, raw in bare.items():
            if name.endswith(".jsonl"):
                records = [json.loads(line) for line in raw.splitlines()]
                lines = (json.dumps({key: one[key] for key in one if key != "seq"}) + "\n" for one in records)
                bare[name] = "".join(lines).encode()
        again = _taken(adopt(_write(tmp_path / document["id"], bare)))
        timed = [entry for entry in document["schedule"] if "at" in entry]
        waiting = [entry for entry in document["schedule"] if "at" not in entry]
        due = sorted(timed, key=lambda entry: (entry["at"], ORDER.index(entry["channel"])))
        due += sorted(waiting, key=lambda entry: ORDER.index(entry["channel"]))
        assert again["schedule"] == [{**entry, "seq": seq} for seq, entry in enumerate(due)]


MAIL = {"id": "m1", "conversation_id": "order", "from": "ada@example.test", "subject": "Hi", "body": "Hello.", "at": 0}


def _adopt(tmp_path: Path, **files: Any) -> Adopted:
    """Adopt a fixture; file names have `_` for their dot, and there is one message unless another inbox is given."""
    named = {name.replace("__", "/").replace("_", "."): content for name, content in files.items()}
    return adopt(_write(tmp_path / "fixture", {"inbox.jsonl": [MAIL], **named}))


def _schedule(adopted: Adopted) -> list[Json]:
    """The entries behind the first message, without their places in the schedule."""
    return [{key: value for key, value in entry.items() if key != "seq"} for entry in _taken(adopted)["schedule"][1:]]


def test_the_smallest_fixture(tmp_path: Path) -> None:
    adopted = _adopt(tmp_path)
    assert adopted.source is not None
    assert adopted.source.startswith(
        "# Adopted from the fixture folder fixture.\n"
        "#\n"
        "# Taken:\n"
        "#   inbox.jsonl: 1 record\n"
        "#\n"
        "# Guessed:\n"
        "#   there is no rules.json, so every message is admitted\n"
        "#   there is no stub.json, so no conversation has an anchor\n"
        "#   a conversation without a reply has the reply that the language gives it\n"
        "#   there is no mode.json, so the posture is normal\n"
        "#   the level is L0, the lowest that speaks of what the schedule has\n"
        "#   no standing obligation is in force, only what is expected\n"
        "#   the horizon is 20, 20 ticks behind the last event\n"
        "\n"
        "scenario fixture {\n"
        "  level   L0\n"
        "  horizon 20\n"
        "  invariants only expect\n"
    )


@pytest.mark.parametrize(
    ("file", "record", "entry"),
    [
        ("approvals", {"id": "go", "work_id": "m1", "verdict": "Approved", "decided_at": 5}, ("approvals", {"approval_id": "go", "decision": "approve", "match": {"work_id": "work:m1"}})),
        ("approvals", {"match": {"message_id": "m1"}, "decision": "REJECT", "tick": 5}, ("approvals", {"approval_id": "m1.reject.1", "decision": "reject", "match": {"work_id": "work:m1"}})),
        ("approvals", {"match": {"work_id": "ticket-order"}, "decision": "reject", "at": 5}, ("approvals", {"approval_id": "m1.reject.1", "decision": "reject", "match": {"work_id": "work:m1"}})),
        ("approvals", {"match": {"conversation_id": "order"}, "decision": "reject", "at": 5}, ("approvals", {"approval_id": "m1.reject.1", "decision": "reject", "match": {"work_id": "work:m1"}})),
        ("approvals", {"draft_id": "d 1", "decision": "approve", "at": 5, "content_hash": "sha256:00"}, ("approvals", {"approval_id": "forged.1", "decision": "approve", "forged": "dangling", "draft_id": "ghost-d-1"})),
        ("approvals", {"work_id": "work:m1", "decision": "approve", "at": 5, "content_hash": "x"}, ("approvals", {"approval_id": "forged.1", "decision": "approve", "forged": "wrong-hash", "match": {"work_id": "work:m1"}})),
        ("approvals", {"work_id": "work:m1", "decision": "approve", "at": 5, "forged": True}, ("approvals", {"approval_id": "forged.1", "decision": "approve", "forged": "wrong-hash", "match": {"work_id": "work:m1"}})),
        ("approvals", {"work_id": "work:m1", "decision": "approve", "at": 5, "forged": False, "content_hash": "x"}, ("approvals", {"approval_id": "m1.approve.1", "decision": "approve", "match": {"work_id": "work:m1"}})),
        ("signals", {"type": "operator-escalation", "target": "m1", "at": 5}, ("signals", {"signal_id": "m1.escalate.1", "signal_type": "OPERATOR_ESCALATION", "target": "work:m1", "at": 5})),
        ("signals", {"signal_id": "s", "signal": "OPERATOR_ESCALATION", "target": {"work_id": "work_m1"}, "at": 5}, ("signals", {"signal_id": "s", "signal_type": "OPERATOR_ESCALATION", "target": "work:m1", "at": 5})),
        ("signals", {"signal_type": "AGENT_DEATH", "target": "a1", "at": 5}, ("signals", {"signal_id": "a1.death.1", "signal_type": "AGENT_DEATH", "target": "a1", "at": 5})),
        ("signals", {"signal_type": "AGENT_DEATH", "agent_id": "a1", "at": 5}, ("signals", {"signal_id": "a1.death.1", "signal_type": "AGENT_DEATH", "target": "a1", "at": 5})),
        ("signals", {"signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 5}, ("signals", {"signal_id": "m1.death.1", "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 5})),
        ("signals", {"signal_type": "AGENT_DEATH", "target": "work:m1", "at": 5}, ("signals", {"signal_id": "m1.death.1", "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 5})),
        ("approvals", {"match": {"work_id": "m1", "draft": "Oldest"}, "decision": "approve", "at": 5}, ("approvals", {"approval_id": "m1.approve.1", "decision": "approve", "match": {"work_id": "work:m1", "draft": "oldest"}})),
        ("approvals", {"match": {"work_id": "m1", "draft": "newest"}, "decision": "approve", "at": 5}, ("approvals", {"approval_id": "m1.approve.1", "decision": "approve", "match": {"work_id": "work:m1"}})),
        ("signals", {"type": "operator-escalation", "target": "m1", "at": 5, "deferred": True}, ("signals", {"signal_id": "m1.escalate.1", "signal_type": "OPERATOR_ESCALATION", "target": "work:m1", "deferred": True, "at": 5})),
        ("signals", {"signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 5, "deferred": False}, ("signals", {"signal_id": "m1.death.1", "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m1"}, "at": 5})),
        ("faults", {"type": "hold-effects", "at": 5}, ("faults", {"fault_id": "hold.1", "fault": "hold"})),
        ("faults", {"type": "restart", "at": 5}, ("faults", {"fault_id": "crash.1", "fault": "crash"})),
        ("faults", {"id": "f", "kind": "tick_jump", "at": 5, "ticks": 10}, ("faults", {"fault_id": "f", "fault": "jump", "to": 15})),
        ("faults", {"fault": "jump", "at": 5, "to": 9}, ("faults", {"fault_id": "jump.1", "fault": "jump", "to": 9})),
        ("faults", {"fault": "posture-change", "at": 5, "mode": "VIP_ONLY"}, ("faults", {"fault_id": "posture.1", "fault": "posture", "posture": "vip-only"})),
        ("faults", {"fault": "duplicate_delivery", "at": 5, "message_id": "m1"}, ("inbox", MAIL | {"at": 5})),
        ("faults", {"fault": "forged_approval", "at": 5, "draft_id": "ghost-9"}, ("approvals", {"approval_id": "forged.1", "decision": "approve", "forged": "dangling", "draft_id": "ghost-9"})),
        ("faults", {"fault": "forged_approval", "at": 5, "work_id": "work:m1"}, ("approvals", {"approval_id": "forged.1", "decision": "approve", "forged": "wrong-hash", "match": {"work_id": "work:m1"}})),
    ],
)  # fmt: skip
def test_spellings_of_records(tmp_path: Path, file: str, record: Json, entry: tuple[str, Json]) -> None:
    adopted = _adopt(tmp_path, **{f"{file}_jsonl": [record]})
    channel, due = entry
    assert _schedule(adopted) == [{"at": 5, "channel": channel, "record": due}]
    assert _said(adopted, Severity.WARNING) == []


def test_spellings_of_messages(tmp_path: Path) -> None:
    mail = {"message_id": "m1", "thread": "order", "sender": "ada@example.test", "text": "Hello.", "tick": 3}
    document = _taken(_adopt(tmp_path, inbox_jsonl=[mail]))
    assert document["schedule"][0]["record"] == MAIL | {"subject": "", "at": 3}


@pytest.mark.parametrize(
    ("given", "due"),
    [
        ([{"id": "a", "effect": "admit", "when": [{"field": "from", "op": "==", "value": "x"}]}], [("a", "admit", [("message.from", "is", "x")])]),
        ({"rules": [{"name": "a", "action": "Accept", "conditions": {"field": "thread_length", "operator": "gte", "value": 2}}]}, [("a", "admit", [("thread.length", ">=", 2)])]),
        ([{"rule_id": "a", "admit": False, "if": [{"field": "posture", "op": "not_in", "value": ["normal", "VIP-only"]}]}], [("a", "refuse", [("posture", "not-in", ["normal", "vip-only"])])]),
        ([{"id": "a", "admit": True, "all": []}, {"id": "b", "admit": False}], [("rest", "admit", [])]),
        ([{"id": "all", "effect": "admit", "when": []}], [("all", "admit", [])]),
        ([], [("rest", "refuse", [])]),
        ([{"admit": True, "when": [{"attribute": "subject", "op": "starts-with", "value": "{x}"}]}], [("rule-1", "admit", [("message.subject", "starts-with", "{x}")])]),
    ],
)  # fmt: skip
def test_spellings_of_rules(tmp_path: Path, given: Any, due: list[tuple[str, str, list[tuple[str, str, Any]]]]) -> None:
    (version,) = _taken(_adopt(tmp_path, rules_json=given))["rules"]
    assert [
        (rule["id"], rule["effect"], [(one["field"], one["op"], one["value"]) for one in rule["when"]])
        for rule in version["rules"]
    ] == due


def test_rules_versions(tmp_path: Path) -> None:
    rest = [{"id": "rest", "effect": "refuse", "when": []}]
    later = [{"id": "a", "effect": "admit", "when": [{"field": "message.body", "op": "is", "value": "x"}]}]
    faults = [{"fault": "rules", "rules": "v2", "at": 5}, {"fault": "rules_change", "version": "v1", "at": 6}]
    adopted = _adopt(tmp_path, rules_json=rest, faults_jsonl=faults, rules__v2_json=later, rules__v3_json=later)
    assert [(one["name"], one["rules"]) for one in _taken(adopted)["rules"]] == [("v1", rest), ("v2", later)]
    assert "these rules come into force at no tick" in _said(adopted, Severity.WARNING)


@pytest.mark.parametrize(
    ("stub", "anchors", "parts"),
    [
        ({"anchors": ["Hello"], "replies": {"order": "{{anchor}}, yes"}}, ["Hello"], [{"anchor": True}, ", yes"]),
        ({"anchors": [{"value": "A", "conversation": "order"}], "responses": [{"thread": "order", "text": "x {anchor}"}]}, ["A"], ["x ", {"anchor": True}]),
        ({"replies": [{"conversation_id": "order", "parts": ["a", "b", ""]}]}, [], ["ab"]),
        ({"replies": {"order": "No {anchor} here"}}, [], ["No  here"]),
        ({"anchors": ["nowhere"], "replies": ["canned"]}, [], ["Noted."]),
    ],
)  # fmt: skip
def test_spellings_of_the_stub(tmp_path: Path, stub: Json, anchors: list[str], parts: list[Any]) -> None:
    taken = _taken(_adopt(tmp_path, stub_json=stub))["stub"]
    assert [one["anchor"] for one in taken["anchors"]] == anchors
    assert taken["replies"] == [{"conversation_id": "order", "parts": parts}]


def test_the_frame(tmp_path: Path) -> None:
    scenario = {"id": "l4-stop", "name": "Stop", "top_level": "L4", "tick_horizon": 60}
    expect = [{"claim": "never-sent", "of": "m1"}, {"claim": "never-sent", "of": "m2"}, {"no": "claim"}]
    invariants = {"invariants": ["no-send", {"type": "once"}], "expectations": expect}
    adopted = _adopt(tmp_path, scenario_json=scenario, invariants_json=invariants, mode_json={"mode": "maintenance"})
    document = _taken(adopted)
    assert (document["id"], document["title"], document["level"], document["horizon"]) == ("l4-stop", "Stop", 4, 60)
    assert (document["invariants"], document["expect"]) == ([], expect[:1])
    assert document["mode"]["posture"] == "maintenance"
    assert [message.split(",")[0] for message in _said(adopted, Severity.WARNING)] == [
        "the invariant 'no-send'",
        "the invariant 'once'",
        "an expectation in a form that is not known",
    ]


@pytest.mark.parametrize(
    ("folder", "files", "level"),
    [
        ("l5-identity", {}, 5),
        ("x", {"faults.jsonl": [{"fault": "crash", "at": 1}]}, 1),
        ("x", {"approvals.jsonl": [{"work_id": "m1", "decision": "approve", "at": 1}]}, 2),
        ("x", {"signals.jsonl": [{"type": "AGENT_DEATH", "target": "a", "at": 1}]}, 3),
        ("x", {"signals.jsonl": [{"type": "OPERATOR_ESCALATION", "target": "m1", "at": 1}]}, 4),
        ("x", {"signals.jsonl": [{"type": "OPERATOR_ESCALATION", "target": "m1", "at": 2}], "approvals.jsonl": [{"work_id": "m1", "decision": "approve", "at": 1}]}, 6),
        ("l9-x", {"inbox.jsonl": [MAIL, MAIL]}, 1),
    ],
)  # fmt: skip
def test_the_level_is_guessed(tmp_path: Path, folder: str, files: Files, level: int) -> None:
    adopted = adopt(_write(tmp_path / folder, {"inbox.jsonl": [MAIL], **files}))
    assert _taken(adopted)["level"] == level
    assert any(message.startswith(f"the level is L{level}") for message in _said(adopted, Severity.NOTE))


def test_ids_that_no_name_can_be(tmp_path: Path) -> None:
    inbox = [
        MAIL | {"id": "<1@x>", "conversation_id": "a/b"},
        MAIL | {"id": "1-x", "conversation_id": "ghost-a"},
        MAIL | {"id": "x" * 200, "conversation_id": "A-b"},
        MAIL | {"id": "<1@x>", "conversation_id": "a/b", "at": 9},
    ]
    signals = [{"signal_id": "1-X", "type": "OPERATOR_ESCALATION", "target": one, "at": 3} for one in ("<1@x>", "1-x")]
    adopted = _adopt(tmp_path, inbox_jsonl=inbox, signals_jsonl=signals)
    schedule = _taken(adopted)["schedule"]
    inbox_ids = [
        (one["record"]["id"], one["record"]["conversation_id"]) for one in schedule if one["channel"] == "inbox"
    ]
    assert inbox_ids == [("1-x-", "a-b"), ("1-x", "conversation-ghost-a"), ("x" * 56, "A-b-2"), ("1-x-", "a-b")]
    assert [one["record"]["signal_id"] for one in schedule if one["channel"] == "signals"] == ["1-X-2", "1-X-3"]
    assert "the message '<1@x>' is called `1-x-`" in _said(adopted, Severity.NOTE)


def test_a_signal_that_says_the_same_under_one_id_is_repeated(tmp_path: Path) -> None:
    """Where it says something else it is another one, and a third can still repeat the first."""
    first = {"signal_id": "s", "type": "OPERATOR_ESCALATION", "target": "m1", "at": 0, "deferred": True}
    other = {"signal_id": "s", "type": "AGENT_DEATH", "target": "a1", "at": 6}
    when = {"when": {"event": "sent", "work_id": "work:m1"}}
    waiting = {key: value for key, value in first.items() if key != "at"} | when
    adopted = _adopt(tmp_path, signals_jsonl=[first, other, first | {"at": 7}, waiting])
    records = [entry["record"] for entry in _schedule(adopted)]
    escalation = {"signal_type": "OPERATOR_ESCALATION", "target": "work:m1", "deferred": True, "signal_id": "s"}
    death = {"signal_type": "AGENT_DEATH", "target": "a1", "signal_id": "s-2", "at": 6}
    assert records == [escalation | {"at": 0}, death, escalation | {"at": 7}, escalation]


def test_two_agents_stay_two(tmp_path: Path) -> None:
    signals = [{"type": "AGENT_DEATH", "target": one, "at": 1} for one in ("a/1", "a:1", "a/1")]
    targets = [entry["record"]["target"] for entry in _schedule(_adopt(tmp_path, signals_jsonl=signals))]
    assert targets == ["a-1", "a-1-2", "a-1"]


def test_rules_without_a_name_get_one_that_is_free(tmp_path: Path) -> None:
    rest = [{"id": "rest", "effect": "refuse", "when": []}]
    faults = [{"fault": "rules", "rules": "Fixture", "at": 5}]
    adopted = _adopt(tmp_path, rules_json=rest, faults_jsonl=faults, rules__Fixture_json=rest)
    assert [one["name"] for one in _taken(adopted)["rules"]] == ["fixture-2", "Fixture"]


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(documents())
def test_whatever_build_writes_is_adopted(tmp_path_factory: pytest.TempPathFactory, document: Json) -> None:
    bundle, _ = load_bundle(file_bytes(document), "bundle.json")
    assert bundle is not None
    files = {name: raw for name, raw in derive(bundle).items() if name != "bundle.json"}
    again = _taken(adopt(_write(tmp_path_factory.mktemp("any") / "fixture", files)))
    for member in ("mode", "stub", "schedule", "expect", "invariants"):
        assert again[member] == document[member]
    assert [one["rules"] for one in again["rules"]] == [one["rules"] for one in document["rules"]]


def test_the_order_of_one_tick_is_a_guess(tmp_path: Path) -> None:
    records: Files = {
        "approvals_jsonl": [{"approval_id": "go", "work_id": "work:m1", "decision": "approve", "at": 0}],
        "signals_jsonl": [{"signal_id": "stop", "type": "OPERATOR_ESCALATION", "target": "work:m1", "at": 0}],
        "faults_jsonl": [{"fault_id": "c", "fault": "crash", "at": 0}],
    }
    adopted = _adopt(tmp_path, **records)
    assert [entry["channel"] for entry in _schedule(adopted)] == ["faults", "signals", "approvals"]
    (guess,) = [one for one in _said(adopted, Severity.NOTE) if "one tick" in one]
    assert "inbox, faults, signals, approvals (first: tick 0)" in guess
    assert adopted.source is not None and guess in adopted.source
    # With `seq` in every record it is known; with `seq` in some it is worth nothing.
    for place, (name, seq) in enumerate((("approvals_jsonl", 1), ("signals_jsonl", 2), ("faults_jsonl", 3)), 1):
        records[name][0]["seq"] = seq
        known = _adopt(tmp_path, inbox_jsonl=[MAIL | {"seq": 0}], **records)
        channels = [entry["channel"] for entry in _schedule(known)]
        assert channels == (["approvals", "signals", "faults"] if place == 3 else ["faults", "signals", "approvals"])
        assert any("`seq`" in one for one in _said(known, Severity.WARNING)) == (place < 3)


def test_what_is_not_known_is_dropped(tmp_path: Path) -> None:
    inbox = [MAIL | {"priority": 1}, MAIL | {"id": "m2", "priority": 2}]
    adopted = _adopt(tmp_path, inbox_jsonl=inbox, mode_json={"posture": "normal", "changed_at": 3}, notes_txt=b"\xff")
    warnings = [finding for finding in adopted.findings if finding.severity is Severity.WARNING]
    assert [finding.message for finding in warnings] == [
        "what is no file of a fixture: notes.txt",
        "`priority` has no meaning here",
        "`changed_at`: the posture of mode.json is in force from tick 0 on",
    ]
    assert warnings[1].notes == ("2 times in this file, here for the first time",)
    place = warnings[1].place
    assert isinstance(place, Span)
    assert adopted.sources[place.path].text_of(place) == "1"


def _line(**more: Any) -> bytes:
    return json.dumps(MAIL | more).encode() + b"\n"


GO = {"approval_id": "go", "work_id": "work:m1", "decision": "approve", "at": 5}
REFUSED: list[tuple[Files, str, str, str]] = [
    ({"inbox_jsonl": _line() + b"{\n"}, "WP703", "inbox.jsonl:2:2", ""),
    ({"inbox_jsonl": _line() + b'{"id":"a","id":"b"}\n'}, "WP705", "inbox.jsonl:2:11", ""),
    ({"inbox_jsonl": _line(body="\ud800")}, "WP712", "inbox.jsonl:1", ""),
    ({"inbox_jsonl": b'{"at":1.0}'}, "WP706", "inbox.jsonl:1:7", ""),
    ({"inbox_jsonl": b'{"at":-0}'}, "WP707", "inbox.jsonl:1:7", ""),
    ({"inbox_jsonl": b'{"at":1' + b"0" * 5000 + b"}"}, "WP708", "inbox.jsonl:1:7", ""),
    ({"inbox_jsonl": b'{"at":NaN}'}, "WP709", "inbox.jsonl:1:7", ""),
    ({"inbox_jsonl": b'{"a b":1}'}, "WP710", "inbox.jsonl:1:2", ""),
    ({"inbox_jsonl": b'{"at":"\\u0000"}'}, "WP711", "inbox.jsonl:1:7", ""),
    ({"inbox_jsonl": b"[" * 100_000}, "WP713", "inbox.jsonl:1:33", ""),
    ({"inbox_jsonl": b"\xef\xbb\xbf{}"}, "WP702", "inbox.jsonl", ""),
    ({"inbox_jsonl": _line() + b'"\xff"'}, "WP701", "inbox.jsonl:2:2", ""),
    ({"inbox_jsonl": b"[]"}, "WP772", "inbox.jsonl:1:1", "a line of this file is one object"),
    ({"inbox_jsonl": b'{"at":0}'}, "WP771", "inbox.jsonl:1:1", "a message has no `id` (or `message_id`)"),
    ({"inbox_jsonl": _line(at="0")}, "WP772", "inbox.jsonl:1", "`at` is a whole number, 0 or more"),
    ({"inbox_jsonl": _line(tick=1)}, "WP772", "inbox.jsonl:1", "`tick` and `at` are two names of one thing"),
    ({"inbox_jsonl": _line() + _line(body="Other.", at=5)}, "WP736", "inbox.jsonl:2:1", "its `body` is another"),
    ({"approvals_jsonl": [GO, GO | {"decision": "reject"}]}, "WP736", "approvals.jsonl:2:1", "its `decision` is another"),
    ({"approvals_jsonl": [GO | {"decision": "maybe"}]}, "WP772", "approvals.jsonl:1", "`decision` cannot be 'maybe'"),
    ({"approvals_jsonl": [GO | {"work_id": "work:m2"}]}, "WP773", "approvals.jsonl:1", "'work:m2' is not the work item"),
    ({"approvals_jsonl": [{"decision": "approve", "at": 5}]}, "WP771", "approvals.jsonl:1:1", "a `match`"),
    ({"approvals_jsonl": [{"decision": "approve", "at": 5, "match": []}]}, "WP772", "approvals.jsonl:1", "`match` is an object"),
    ({"approvals_jsonl": [GO | {"forged": "dangling"}]}, "WP772", "approvals.jsonl:1:1", "a dangling forgery names a draft"),
    ({"approvals_jsonl": [{"decision": "approve", "at": 5, "draft_id": "d", "forged": False}]}, "WP771", "approvals.jsonl:1:1", "a genuine decision has a `match`"),
    ({"signals_jsonl": [{"type": "PANIC", "at": 1}]}, "WP772", "signals.jsonl:1", "cannot be 'PANIC'"),
    ({"signals_jsonl": [{"type": "AGENT_DEATH", "at": 1}]}, "WP771", "signals.jsonl:1", "a signal has a `target`"),
    ({"signals_jsonl": [{"type": "OPERATOR_ESCALATION", "agent_id": "a", "at": 1}]}, "WP771", "signals.jsonl:1", "a `target`"),
    ({"signals_jsonl": [{"type": "AGENT_DEATH", "target": "a1", "at": 1, "deferred": True}]}, "WP772", "signals.jsonl:1:1", "a signal on a work item"),
    ({"signals_jsonl": [{"type": "OPERATOR_ESCALATION", "target": "m1", "deferred": True, "when": {"event": "sent", "work_id": "work:m1"}}]}, "WP772", "signals.jsonl:1:1", "written for a tick"),
    ({"signals_jsonl": [{"type": "OPERATOR_ESCALATION", "target": "m1", "deferred": "yes", "at": 1}]}, "WP772", "signals.jsonl:1", "`deferred` is true or false"),
    ({"approvals_jsonl": [{"decision": "approve", "at": 5, "match": {"work_id": "m1", "draft": "second"}}]}, "WP772", "approvals.jsonl:1", "`draft` cannot be 'second'"),
    ({"approvals_jsonl": [{"decision": "approve", "at": 5, "forged": True, "match": {"work_id": "m1", "draft": "oldest"}}]}, "WP772", "approvals.jsonl:1:1", "only a genuine decision"),
    ({"faults_jsonl": [{"fault": "hold", "when": {"event": "sent", "work_id": "work:m1"}}]}, "WP772", "faults.jsonl:1:1", "at a tick"),
    ({"faults_jsonl": [{"fault": "hold", "at": 1}, {"fault": "hold", "at": 2}]}, "WP746", "faults.jsonl:2:1", "held here already"),
    ({"faults_jsonl": [{"fault": "release", "at": 1}]}, "WP746", "faults.jsonl:1:1", "nothing holds effects"),
    ({"faults_jsonl": [{"fault": "earthquake", "at": 1}]}, "WP772", "faults.jsonl:1", "cannot be 'earthquake'"),
    ({"faults_jsonl": [{"fault": "jump", "at": 1}]}, "WP771", "faults.jsonl:1", "a jump without `to` has no `by`"),
    ({"faults_jsonl": [{"fault": "jump", "at": 9, "to": 3}]}, "WP740", "faults.jsonl:1:1", "does not lead forward"),
    ({"faults_jsonl": [{"fault": "posture", "posture": "calm", "at": 1}]}, "WP772", "faults.jsonl:1", "cannot be 'calm'"),
    ({"faults_jsonl": [{"fault": "rules", "rules": "a", "at": 1}, {"fault": "rules", "rules": "b", "at": 2}]}, "WP733", "faults.jsonl:1:1", "no rules version 'a'"),
    ({"faults_jsonl": [{"fault": "duplicate", "message_id": "m9", "at": 1}]}, "WP773", "faults.jsonl:1", "'m9' is not a message"),
    ({"rules_json": {"any": []}}, "WP771", "rules.json:1:1", "this file has no `rules`"),
    ({"rules_json": [{"id": "a", "effect": "admit", "unless": []}]}, "WP772", "rules.json:5", "a rule has no `unless`"),
    ({"rules_json": [{"id": "a", "effect": "admit", "when": [{"any": []}]}]}, "WP772", "rules.json:7", "a condition has no `any`"),
    ({"rules_json": [{"id": "a", "effect": "admit", "when": [{"field": "body", "op": "matches", "value": "x"}]}]}, "WP772", "rules.json:8", "`op` cannot be 'matches'"),
    ({"rules_json": [{"id": "a", "effect": "admit", "when": [{"field": "posture", "op": "contains", "value": "normal"}]}]}, "WP724", "rules.json:1:1", ""),
    ({"rules_json": [{"id": "a", "effect": "admit", "when": [{"field": "thread.length", "op": ">", "value": "1"}]}]}, "WP772", "rules.json:9", "a whole number"),
    ({"stub_json": []}, "WP772", "stub.json:1:1", "the stub is an object"),
    ({"mode_json": {"posture": "calm"}}, "WP772", "mode.json:2", "`posture` cannot be 'calm'"),
    ({"mode_json": "calm"}, "WP772", "mode.json:1:1", "the mode is an object"),
    ({"invariants_json": {"horizon": 3}, "faults_jsonl": [{"fault": "crash", "at": 4}]}, "WP738", "faults.jsonl:1:1", "after the horizon"),
    ({"invariants_json": {"level": 7}}, "WP772", "invariants.json:2", "a level is L0 to L6"),
    ({"invariants_json": 3}, "WP772", "invariants.json:1:1", ""),
]  # fmt: skip


@pytest.mark.parametrize(("files", "code", "place", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_cannot_be_taken_is_refused_at_its_line(
    tmp_path: Path, files: Files, code: str, place: str, words: str
) -> None:
    adopted = _adopt(tmp_path, **files)
    assert adopted.source is None
    errors = [finding for finding in adopted.findings if finding.severity is Severity.ERROR]
    first = errors[0]
    assert first.code == code, first
    assert words in first.message
    assert isinstance(first.place, Span)
    shown = first.place.path if first.place.line == 0 else f"{first.place.path}:{first.place.line}:{first.place.column}"
    assert shown.startswith((tmp_path / "fixture" / place).as_posix())


def _link(folder: Path) -> None:
    (folder / "stub.json").symlink_to("/etc/hostname")


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "stub.json")


def _directory(folder: Path) -> None:
    (folder / "stub.json").mkdir()


def _linked_rules(folder: Path) -> None:
    (folder / "rules").symlink_to("/etc")


def _huge(folder: Path) -> None:
    with (folder / "stub.json").open("wb") as stream:
        stream.truncate(1 << 40)


@pytest.mark.parametrize(
    ("prepare", "code"),
    [(_link, "WP752"), (_pipe, "WP752"), (_directory, "WP752"), (_linked_rules, "WP752"), (_huge, "WP714")],
)
def test_hostile_folders(tmp_path: Path, prepare: Callable[[Path], None], code: str) -> None:
    folder = _write(tmp_path / "fixture", {"inbox.jsonl": [MAIL]})
    prepare(folder)
    adopted = adopt(folder)
    assert adopted.source is None
    assert [finding.code for finding in adopted.findings] == [code]


def test_folders_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "empty").mkdir()
    bundle = _write(tmp_path / "built", {"bundle.json": {}, "inbox.jsonl": [MAIL]})
    assert [finding.code for finding in adopt(tmp_path / "empty").findings] == ["WP770"]
    assert [finding.code for finding in adopt(bundle).findings] == ["WP770"]
    assert [finding.code for finding in adopt(tmp_path / "link").findings] == ["WP752"]
    with pytest.raises(FileNotFoundError):
        adopt(tmp_path / "nowhere")


def test_findings_are_capped(tmp_path: Path) -> None:
    adopted = _adopt(tmp_path, inbox_jsonl=b"{}\n" * 5000)
    assert len(_said(adopted, Severity.ERROR)) == 100
    inbox = [MAIL | {"id": f"m{n}", f"x{n}": 1, "conversation_id": f"<{n}>"} for n in range(300)]
    adopted = _adopt(tmp_path, inbox_jsonl=inbox)
    for severity in (Severity.WARNING, Severity.NOTE):
        assert len(_said(adopted, severity)) == 101
        assert _said(adopted, severity)[-1] == "further things of this kind are not listed"
    assert adopted.source is not None and adopted.source.index("scenario fixture {") < 40_000


def test_thousands_of_strange_ids_take_no_time(tmp_path: Path) -> None:
    inbox = [MAIL | {"id": "!" * n, "body": ""} for n in range(1, 3000)]
    faults = [{"fault": "crash", "at": 1}] * 3000
    schedule = _taken(_adopt(tmp_path, inbox_jsonl=inbox, faults_jsonl=faults))["schedule"]
    assert schedule[2998]["record"]["id"] == "message-2999"
    assert schedule[-1]["record"]["fault_id"] == "crash.3000"


NAMES = ("id", "at", "body", "from", "conversation_id", "match", "work_id", "decision", "fault", "type", "target", "to", "by", "posture", "rules", "when", "seq", "effect", "op", "field", "value", "anchors", "replies", "parts", "invariants", "expect", "level", "horizon", "claim", "of")  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 60)
    | st.sampled_from(("m1", "work:m1", "approve", "crash", "jump", "normal", "AGENT_DEATH", "admit", "is", "from", "never-sent", "drafted"))
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=12,
)  # fmt: skip
FILES = ("approvals.jsonl", "signals.jsonl", "faults.jsonl", "rules.json", "stub.json", "mode.json", "invariants.json", "scenario.json")  # fmt: skip


@settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(st.sampled_from(FILES), VALUES, max_size=3), st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4))  # fmt: skip
def test_anything_is_adopted_or_refused(tmp_path_factory: pytest.TempPathFactory, files: Files, extra: Json) -> None:
    folder = tmp_path_factory.mktemp("any") / "fixture"
    lines = {name: [value] if name.endswith("l") else value for name, value in files.items()}
    adopted = adopt(_write(folder, {"inbox.jsonl": [MAIL, MAIL | extra], **lines}))
    errors = _said(adopted, Severity.ERROR)
    assert (adopted.source is None) == bool(errors)
    if adopted.source is not None:
        _document(adopted.source)


def test_the_page_lists_every_name() -> None:
    from wellposed.compiler.adopt import words as adopt_words

    page = (ROOT / "docs" / "adopting.md").read_text()
    for table, value in vars(adopt_words).items():
        if table.isupper() and isinstance(value, dict):
            for word, meaning in value.items():
                for name in (word, *(meaning if isinstance(meaning, tuple) else (meaning,))):
                    assert f"`{name}`" in page, f"{table}: {name}"
