"""Loading bundles: shape, then meaning, every finding with its code and JSON pointer."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wellposed.compiler.bundle import Bundle, SourceMap, bundle_of
from wellposed.compiler.canonical import CanonicalError, decode, file_bytes
from wellposed.compiler.load import MAX_FINDINGS, examine, load_bundle
from wellposed.compiler.shapes import CLAIM, MAX_ENTRIES
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.codes.bundle import ROWS
from wellposed.dsl.findings import Finding, Pointer, Severity, Span
from wellposed.dsl.vocabulary import MAX_HORIZON, MAX_INTEGER, OBLIGATIONS, obligations_of_level

VECTORS = Path(__file__).parent / "vectors"
GONE = object()
# What loading itself finds; folders and the way back to a source have tests of their own.
LOADING = [row for row in ROWS if row.bad.kind != "folder" and row.id < "WP760"]


def document(name: str = "every-form") -> Any:
    """A fresh copy of a vector's document."""
    return decode((VECTORS / f"{name}.json").read_bytes())


def edited(pointer: str, value: Any, base: Any = None) -> Any:
    """The document with the element at the pointer replaced, removed (GONE) or, in a list, added at the end (`-`)."""
    whole = document() if base is None else base
    here = whole
    *way, last = pointer.removeprefix("/").split("/")
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]
    if isinstance(here, list) and last == "-":
        here.append(value)
    elif value is GONE:
        del here[int(last) if isinstance(here, list) else last]
    else:
        here[int(last) if isinstance(here, list) else last] = value
    return whole


def load(value: Any) -> tuple[Bundle | None, tuple[Finding, ...]]:
    return load_bundle(file_bytes(value), "b.json")


def found(value: Any) -> set[tuple[str, str]]:
    """Code and pointer of every finding on the document."""
    bundle, findings = load(value)
    assert (bundle is None) == bool(findings)
    pairs = set()
    for finding in findings:
        assert isinstance(finding.place, Pointer)
        assert finding.place.path == "b.json"
        assert finding.severity is Severity.ERROR
        pairs.add((finding.code, finding.place.pointer))
    return pairs


def entry(**members: Any) -> dict[str, Any]:
    """A schedule entry behind the last one, waiting for m1's draft."""
    return {"seq": 20, "when": {"event": "drafted", "work_id": "work:m1"}, **members}


# Whole bundles


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.json")), ids=lambda path: path.stem)
def test_vectors_load(path: Path) -> None:
    raw = path.read_bytes()
    bundle, findings = load_bundle(raw, "x/bundle.json")
    assert findings == ()
    assert bundle is not None
    assert (bundle.raw, bundle.path, bundle.id, bundle.source_map) == (raw, "x/bundle.json", path.stem, None)
    assert bundle.document == decode(raw)
    assert (bundle.level, bundle.horizon) == (bundle.document["level"], bundle.document["horizon"])
    assert bundle == bundle_of(bundle.document, None, "x/bundle.json")


def test_two_vectors_hold_every_record_and_claim() -> None:
    """What these vectors prove, they prove for all forms; a form that is added to the table must be added here."""
    both = [document(name) for name in ("every-form", "holds-and-waits")]
    schedule = [one for whole in both for one in whole["schedule"]]
    channels = [(one["channel"], "when" in one, *_form(one["record"])) for one in schedule]
    assert set(channels) >= {
        ("inbox", False),
        ("approvals", False, "approve"),
        ("approvals", False, "reject"),
        ("approvals", False, "dangling"),
        ("approvals", False, "wrong-hash"),
        ("approvals", True, "approve"),
        ("signals", False, "OPERATOR_ESCALATION"),
        ("signals", False, "AGENT_DEATH"),
        ("signals", True, "AGENT_DEATH"),
        ("faults", False, "crash"),
        ("faults", False, "jump"),
        ("faults", False, "posture"),
        ("faults", False, "rules"),
        ("faults", True, "crash"),
        ("faults", True, "jump"),
        ("faults", False, "hold"),
        ("faults", False, "release"),
    }
    assert any("deferred" in one["record"] for one in schedule)
    assert any("draft" in one["record"].get("match", {}) for one in schedule)
    assert {claim["claim"] for whole in both for claim in whole["expect"]} == CLAIM.cases.keys()


def _form(record: dict[str, Any]) -> tuple[str, ...]:
    forms = [record[name] for name in ("forged", "decision", "signal_type", "fault") if name in record]
    return tuple(forms[:1])


# Codes


@pytest.mark.parametrize("row", LOADING, ids=lambda row: row.id)
def test_examples_of_the_table(row: Any) -> None:
    _, findings = load_bundle(row.bad.raw, "b.json")
    assert {finding.code for finding in findings} == {row.id}
    assert {finding.severity for finding in findings} == {row.severity}
    bundle, findings = load_bundle(row.good.raw, "b.json")
    assert bundle is not None
    assert findings == ()


def test_canonical_findings_say_where() -> None:
    _, findings = load_bundle(b'{"a":[0.5]}\n', "b.json")
    (finding,) = findings
    assert (finding.code, finding.place) == ("WP706", Pointer("b.json", "/a/0"))
    assert finding.message == "0.5 is not an integer: no fractions and no exponents (byte 6)"


# Format


@pytest.mark.parametrize(
    ("value", "code", "pointer", "message"),
    [
        ([], "WP720", "", "a bundle is an object; this is an array"),
        ("a", "WP720", "", "a bundle is an object; this is a string"),
        ({}, "WP720", "", "the document has no format; a bundle has wellposed-bundle/1"),
        ({"format": 1}, "WP720", "/format", "the document has the format an integer; a bundle has wellposed-bundle/1"),
        (
            {"format": "wellposed-bundle/2"},
            "WP720",
            "/format",
            "the document has the format 'wellposed-bundle/2'; a bundle has wellposed-bundle/1",
        ),
    ],
)
def test_other_formats(value: Any, code: str, pointer: str, message: str) -> None:
    _, (finding,) = load(value)
    assert (finding.code, finding.place, finding.message) == (code, Pointer("b.json", pointer), message)


def test_unknown_specifications_are_told_before_anything_they_would_change() -> None:
    value = edited("/spec", "amr/0.15", edited("/readings", "x", edited("/new", 1)))
    assert found(value) == {("WP725", "/spec"), ("WP725", "/readings")}


# Shape

SHAPE = [
    ("/level", "6", "WP723", "/level"),
    ("/level", True, "WP723", "/level"),
    ("/level", 7, "WP724", "/level"),
    ("/level", -1, "WP724", "/level"),
    ("/level", GONE, "WP721", ""),
    ("/comment", "", "WP722", "/comment"),
    ("/horizon", MAX_HORIZON + 1, "WP724", "/horizon"),
    ("/horizon", None, "WP723", "/horizon"),
    ("/spec", None, "WP723", "/spec"),
    ("/id", "", "WP724", "/id"),
    ("/id", "a b", "WP724", "/id"),
    ("/id", "..", "WP724", "/id"),
    ("/id", "a\n", "WP724", "/id"),
    ("/id", "../a", "WP724", "/id"),
    ("/id", "é", "WP724", "/id"),
    ("/id", "a" * 129, "WP724", "/id"),
    ("/title", 1, "WP723", "/title"),
    ("/skin", None, "WP723", "/skin"),
    ("/mode", [], "WP723", "/mode"),
    ("/mode/changed_at", 1, "WP724", "/mode/changed_at"),
    ("/mode/posture", "vip", "WP724", "/mode/posture"),
    ("/rules", [], "WP724", "/rules"),
    ("/rules/0/name", "a/b", "WP724", "/rules/0/name"),
    ("/rules/1/rules", [], "WP724", "/rules/1/rules"),
    ("/rules/0/rules/0/effect", "allow", "WP724", "/rules/0/rules/0/effect"),
    ("/rules/0/rules/0/when/0/field", "message.to", "WP724", "/rules/0/rules/0/when/0/field"),
    ("/rules/0/rules/0/when/0/op", "matches", "WP724", "/rules/0/rules/0/when/0/op"),
    ("/rules/0/rules/0/when/0/op", "is", "WP723", "/rules/0/rules/0/when/0/value"),
    ("/rules/0/rules/0/when/0/value", [], "WP724", "/rules/0/rules/0/when/0/value"),
    ("/rules/0/rules/0/when/0/value", "ada", "WP723", "/rules/0/rules/0/when/0/value"),
    ("/rules/0/rules/0/when/0/value/1", 2, "WP723", "/rules/0/rules/0/when/0/value/1"),
    ("/rules/0/rules/0/when/1/op", "contains", "WP724", "/rules/0/rules/0/when/1/op"),
    ("/rules/0/rules/0/when/1/value", "3", "WP723", "/rules/0/rules/0/when/1/value"),
    ("/rules/0/rules/0/when/1/value", -1, "WP724", "/rules/0/rules/0/when/1/value"),
    ("/rules/1/rules/0/when/0/op", "contains", "WP724", "/rules/1/rules/0/when/0/op"),
    ("/rules/1/rules/0/when/0/value", "odd", "WP724", "/rules/1/rules/0/when/0/value"),
    ("/stub/anchors/0/extra", 1, "WP722", "/stub/anchors/0/extra"),
    ("/stub/replies/0/parts/0", "", "WP724", "/stub/replies/0/parts/0"),
    ("/stub/replies/0/parts/1/anchor", False, "WP724", "/stub/replies/0/parts/1/anchor"),
    ("/stub/replies/0/parts/1/anchor", 1, "WP724", "/stub/replies/0/parts/1/anchor"),
    ("/stub/replies/0/parts/0", 3, "WP723", "/stub/replies/0/parts/0"),
    ("/schedule/0", None, "WP723", "/schedule/0"),
    ("/schedule/0/channel", GONE, "WP721", "/schedule/0"),
    ("/schedule/0/channel", "outbox", "WP724", "/schedule/0/channel"),
    ("/schedule/0/channel", 3, "WP723", "/schedule/0/channel"),
    ("/schedule/0/at", GONE, "WP721", "/schedule/0"),
    ("/schedule/0/at", -1, "WP724", "/schedule/0/at"),
    ("/schedule/0/when", {"event": "sent", "work_id": "work:m1"}, "WP722", "/schedule/0/at"),
    ("/schedule/0/record/to", "bob", "WP722", "/schedule/0/record/to"),
    ("/schedule/0/record/at", GONE, "WP721", "/schedule/0/record"),
    ("/schedule/2/record/draft_id", "draft-1", "WP724", "/schedule/2/record/draft_id"),
    ("/schedule/2/record/forged", "copied", "WP724", "/schedule/2/record/forged"),
    ("/schedule/2/record/forged", GONE, "WP722", "/schedule/2/record/draft_id"),
    ("/schedule/3/record/draft_id", "ghost-1", "WP722", "/schedule/3/record/draft_id"),
    ("/schedule/5/record/decision", "maybe", "WP724", "/schedule/5/record/decision"),
    ("/schedule/5/record/at", 6, "WP722", "/schedule/5/record/at"),
    ("/schedule/5/record/match", {"draft_id": "d"}, "WP721", "/schedule/5/record/match"),
    ("/schedule/5/record/match/work_id", "m1", "WP724", "/schedule/5/record/match/work_id"),
    ("/schedule/7/record/fault", "restart", "WP724", "/schedule/7/record/fault"),
    ("/schedule/7/record/at", 8, "WP722", "/schedule/7/record/at"),
    ("/schedule/8/record/posture", "odd", "WP724", "/schedule/8/record/posture"),
    ("/schedule/10/record/target", 1, "WP723", "/schedule/10/record/target"),
    ("/schedule/10/record/signal_type", "RESTART", "WP724", "/schedule/10/record/signal_type"),
    ("/schedule/11/record/target", "work:m1", "WP724", "/schedule/11/record/target"),
    ("/schedule/12/record/to", GONE, "WP721", "/schedule/12/record"),
    ("/schedule/12/record/by", 3, "WP722", "/schedule/12/record/by"),
    ("/schedule/14/record/target", {"holder_of": "work:m2"}, "WP723", "/schedule/14/record/target"),
    ("/schedule/16/when/event", "approved", "WP724", "/schedule/16/when/event"),
    ("/schedule/17/record/by", 0, "WP724", "/schedule/17/record/by"),
    ("/schedule/17/record/to", 9, "WP722", "/schedule/17/record/to"),
    ("/schedule/19/record/at", 9, "WP722", "/schedule/19/record/at"),
    ("/invariants/0", "K.unheard", "WP724", "/invariants/0"),
    ("/catches", ["idle", "sleeps"], "WP724", "/catches/1"),
    ("/expect", {}, "WP723", "/expect"),
    ("/expect/0/within", "5", "WP723", "/expect/0/within"),
    ("/expect/0/within", -1, "WP724", "/expect/0/within"),
    ("/expect/0/within", GONE, "WP721", "/expect/0"),
    ("/expect/0/claim", "accepted", "WP724", "/expect/0/claim"),
    ("/expect/7/once", 1, "WP723", "/expect/7/once"),
    ("/expect/7/from", None, "WP723", "/expect/7/from"),
    ("/expect/10/reason", "tired", "WP724", "/expect/10/reason"),
    ("/expect/14/of", ["m1"], "WP724", "/expect/14/of"),
    ("/expect/14/of", ["m1", "m2", "m1"], "WP724", "/expect/14/of"),
    ("/expect/15/within", None, "WP723", "/expect/15/within"),
    ("/expect/17/of", [[{"claim": "state-agrees"}]], "WP724", "/expect/17/of"),
    ("/expect/17/of/1", [], "WP724", "/expect/17/of/1"),
    ("/expect/17/of/0/1/of", 1, "WP723", "/expect/17/of/0/1/of"),
    ("/expect/18/then", None, "WP723", "/expect/18/then"),
    ("/expect/18/then/of", GONE, "WP721", "/expect/18/then"),
    ("/seal", {"alg": "reserve-seal/1", "nonce": "0" * 63}, "WP724", "/seal/nonce"),
    ("/seal", {"alg": "reserve-seal/2", "nonce": "0" * 64}, "WP724", "/seal/alg"),
    ("/seal", None, "WP723", "/seal"),
]


@pytest.mark.parametrize(("pointer", "value", "code", "place"), SHAPE)
def test_shapes(pointer: str, value: Any, code: str, place: str) -> None:
    assert (code, place) in found(edited(pointer, value))


@pytest.mark.parametrize(("pointer", "value", "code", "place"), SHAPE)
def test_one_fault_of_shape_has_few_findings(pointer: str, value: Any, code: str, place: str) -> None:
    """One edit is one finding, or one per member that no longer fits; meaning is not looked at."""
    pairs = found(edited(pointer, value))
    assert len(pairs) <= 3
    assert {one for one, _ in pairs} <= {"WP721", "WP722", "WP723", "WP724"}


def test_faults_of_shape_are_reported_together() -> None:
    value = edited(
        "/level", 9, edited("/title", None, edited("/schedule/3/record/decision", "x", edited("/skin", GONE)))
    )
    assert found(value) == {
        ("WP724", "/level"),
        ("WP723", "/title"),
        ("WP724", "/schedule/3/record/decision"),
        ("WP721", ""),
    }


def test_messages_name_what_there_is() -> None:
    _, (finding,) = load(edited("/mode/since", 0))
    assert finding.message == "the mode has no member `since`; it has changed_at, posture"
    _, (finding,) = load(edited("/mode/posture", "vip"))
    assert finding.message == "'vip' is not normal or maintenance or vip-only"
    _, (finding,) = load(edited("/level", "3"))
    assert finding.message == "an integer is due here; this is a string"
    _, (finding,) = load(edited("/title", "x" * 9, edited("/id", "\u202e" + "x" * 99)))
    assert finding.message.startswith("'\\u202exxx")
    assert len(finding.message) < 250


def test_sealed_bundles_have_a_seal() -> None:
    assert found(edited("/seal", {"alg": "reserve-seal/1", "nonce": "0123456789abcdef" * 4})) == set()


def test_the_number_of_entries_is_bounded() -> None:
    value = document("l0-single-reply")
    crash = {"at": 5, "channel": "faults", "record": {"fault": "crash", "fault_id": ""}}
    for seq in range(1, MAX_ENTRIES + 1):
        value["schedule"].append({**crash, "seq": seq, "record": {"fault": "crash", "fault_id": f"crash.{seq}"}})
    assert [finding.code for finding in examine(value, "b.json")] == ["WP724"]
    del value["schedule"][-1]
    assert examine(value, "b.json") == ()


# Meaning

REST = {"id": "rest", "effect": "refuse", "when": []}
FAULT = {"fault_id": "x", "fault": "crash"}
MEANING = [
    ("/id", "nul", {("WP744", "/id")}),
    ("/id", "LPT1.x", {("WP744", "/id")}),
    ("/id", "a.", {("WP744", "/id")}),
    ("/id", "console", set()),
    ("/rules/1/name", "con", {("WP744", "/rules/1/name"), ("WP733", "/schedule/9/record/rules"), ("WP734", "/rules/1")}),
    ("/rules/0/rules/1/id", "Orders", {("WP730", "/rules/0/rules/1/id")}),
    ("/rules/-", {"name": "third", "rules": [REST]}, {("WP734", "/rules/2")}),
    ("/rules/-", {"name": "Strict", "rules": [REST]}, {("WP730", "/rules/2/name"), ("WP734", "/rules/2")}),
    ("/schedule/9/record/rules", "third", {("WP733", "/schedule/9/record/rules"), ("WP734", "/rules/1")}),
    ("/schedule/9/record/rules", "support-desk", {("WP734", "/rules/1")}),
    ("/schedule/15/record/rules", "strict", set()),
    ("/stub/anchors/-", {"anchor": "X", "conversation_id": "order"}, {("WP730", "/stub/anchors/1/conversation_id")}),
    ("/stub/anchors/-", {"anchor": "X", "conversation_id": "other"}, {("WP732", "/stub/anchors/1/conversation_id")}),
    ("/stub/anchors/-", {"anchor": "", "conversation_id": "refund"}, set()),
    ("/stub/replies/-", {"conversation_id": "ORDER", "parts": []}, {("WP730", "/stub/replies/2/conversation_id")}),
    ("/stub/replies/-", {"conversation_id": "more", "parts": []}, set()),
    ("/stub/replies/1/parts", ["a", "b"], {("WP743", "/stub/replies/1/parts")}),
    ("/stub/replies/1/parts", ["a", {"anchor": True}], {("WP743", "/stub/replies/1/parts")}),
    ("/stub/replies/0/parts", [{"anchor": True}, {"anchor": True}, "a"], set()),
    ("/schedule/1/record/conversation_id", "third", {("WP732", "/schedule/1/record/conversation_id")}),
    ("/schedule/4/record/body", "other", {("WP736", "/schedule/4/record")}),
    ("/schedule/4/record/conversation_id", "refund", {("WP736", "/schedule/4/record")}),
    ("/schedule/6/record/decision", "reject", {("WP736", "/schedule/6/record")}),
    ("/schedule/6/record/match/work_id", "work:m2", {("WP736", "/schedule/6/record")}),
    ("/schedule/3/seq", 4, {("WP737", "/schedule/3/seq")}),
    ("/schedule/5/at", 4, {("WP737", "/schedule/5/at")}),
    ("/schedule/19", GONE, set()),
    ("/schedule/0/record/at", 1, {("WP739", "/schedule/0/record/at")}),
    ("/schedule/14/record/at", 40, {("WP739", "/schedule/14/record/at")}),
    ("/horizon", 42, set()),
    ("/horizon", 41, {("WP738", "/schedule/15/at")}),
    ("/horizon", 29, {("WP738", f"/schedule/{n}/at") for n in (13, 14, 15)} | {("WP740", "/schedule/12/record/to")}),
    ("/schedule/12/record/to", 60, set()),
    ("/schedule/12/record/to", 61, {("WP740", "/schedule/12/record/to")}),
    ("/schedule/12/record/to", 13, set()),
    ("/schedule/12/record/to", 12, {("WP740", "/schedule/12/record/to")}),
    ("/schedule/12/record/to", 3, {("WP740", "/schedule/12/record/to")}),
    ("/schedule/17/record/by", 59, set()),
    ("/schedule/17/record/by", 60, {("WP740", "/schedule/17/record/by")}),
    ("/schedule/17/record", {"fault_id": "jump.2", "fault": "jump", "to": 60}, set()),
    ("/schedule/17/record", {"fault_id": "jump.2", "fault": "jump", "to": 61}, {("WP740", "/schedule/17/record/to")}),
    ("/schedule/16/record/fault_id", "crash.1", {("WP730", "/schedule/16/record/fault_id")}),
    ("/schedule/16/record/fault_id", "Crash.1", {("WP730", "/schedule/16/record/fault_id")}),
    ("/schedule/16/record/fault_id", "m1", {("WP730", "/schedule/16/record/fault_id")}),
    ("/schedule/16/record/fault_id", "go", {("WP730", "/schedule/16/record/fault_id")}),
    ("/schedule/10/record/signal_id", "a1.death.1", {("WP736", "/schedule/11/record")}),
    ("/schedule/13/record/approval_id", "GO", {("WP730", "/schedule/13/record/approval_id")}),
    ("/schedule/3/record/match/work_id", "work:m3", {("WP731", "/schedule/3/record/match/work_id")}),
    ("/schedule/10/record/target/holder_of", "work:m3", {("WP731", "/schedule/10/record/target/holder_of")}),
    ("/schedule/11/record/target", "m3", set()),
    ("/schedule/11/record/target", "ghost-a", {("WP741", "/schedule/11/record/target")}),
    ("/schedule/14/record/target", "work:M1", {("WP731", "/schedule/14/record/target")}),
    ("/schedule/18/when/work_id", "work:m3", {("WP731", "/schedule/18/when/work_id")}),
    ("/schedule/2/record/approval_id", "ghost-f", set()),
    ("/schedule/13/record/approval_id", "ghost-2", {("WP741", "/schedule/13/record/approval_id")}),
    ("/schedule/16/record/fault_id", "ghost-2", {("WP741", "/schedule/16/record/fault_id")}),
    ("/invariants", [], set()),
    ("/invariants", list(obligations_of_level(4)), {("WP742", "/invariants")}),
    ("/invariants", list(obligations_of_level(2)), {("WP742", "/invariants")}),
    ("/invariants", [row.id for row in OBLIGATIONS], {("WP742", "/invariants")}),
    ("/invariants", [*obligations_of_level(3)[::-1]], {("WP742", "/invariants")}),
    ("/level", 4, {("WP742", "/invariants")}),
    ("/catches", ["idle", "idle"], {("WP730", "/catches/1")}),
    ("/catches", ["late-by-one", "idle"], set()),
    ("/expect", [], set()),
    ("/expect/0/of", "m3", {("WP731", "/expect/0/of")}),
    ("/expect/0/of", "go", {("WP731", "/expect/0/of")}),
    ("/expect/0/within", MAX_INTEGER, set()),
    ("/expect/8/from", "m2", set()),
    ("/expect/8/from", "f", set()),
    ("/expect/8/from", "late", set()),
    ("/expect/8/from", "jump.2", set()),
    ("/expect/8/from", "stop", {("WP735", "/expect/8/from")}),
    ("/expect/9/after", "order", {("WP735", "/expect/9/after")}),
    ("/expect/12/conversation", "refund", set()),
    ("/expect/12/conversation", "m1", {("WP732", "/expect/12/conversation")}),
    ("/expect/13/conversation", "refund", {("WP743", "/expect/13/conversation")}),
    ("/expect/13/conversation", "third", {("WP732", "/expect/13/conversation")}),
    ("/expect/14/of", ["m1", "m9"], {("WP731", "/expect/14/of/1")}),
    ("/expect/17/of/0/1/of", "m9", {("WP731", "/expect/17/of/0/1/of")}),
    ("/expect/17/of/1/0/of", "m9", {("WP731", "/expect/17/of/1/0/of")}),
    ("/expect/18/if/of", "m9", {("WP731", "/expect/18/if/of")}),
    ("/expect/18/else", {"claim": "if", "if": {"claim": "open", "of": "m9"}, "then": {"claim": "open", "of": "m1"}, "else": {"claim": "open", "of": "m8"}}, {("WP731", "/expect/18/else/if/of"), ("WP731", "/expect/18/else/else/of")}),
    ("/schedule/-", entry(channel="inbox", record={"id": "m2", **{k: v for k, v in document()["schedule"][1]["record"].items() if k not in ("at", "id")}}), set()),
    ("/schedule/-", entry(channel="inbox", record={"id": "m9", "conversation_id": "order", "from": "", "subject": "", "body": ""}), {("WP731", "/schedule/20/record/id")}),
    ("/schedule/-", {"seq": 20, "at": 50, "channel": "faults", "record": FAULT}, {("WP737", "/schedule/20")}),
    ("/schedule/-", entry(channel="faults", record={"fault_id": "rules.3", "fault": "rules", "rules": "strict"}), set()),
]  # fmt: skip


@pytest.mark.parametrize(("pointer", "value", "due"), MEANING)
def test_meaning(pointer: str, value: Any, due: set[tuple[str, str]]) -> None:
    assert found(edited(pointer, value)) == due


HOLD = {"fault": "hold", "fault_id": "x"}
DEATH = {"signal_id": "y", "signal_type": "AGENT_DEATH", "target": {"holder_of": "work:m2"}}
WAITS: list[tuple[str, Any, set[tuple[str, str]]]] = [
    ("/schedule/3/record/fault", "release", {("WP746", "/schedule/3/record/fault"), ("WP746", "/schedule/5/record/fault")}),
    ("/schedule/5/record/fault", "hold", {("WP746", f"/schedule/{n}/record/fault") for n in (5, 6)}),
    ("/schedule/14/record/fault", "release", {("WP746", "/schedule/14/record/fault")}),
    ("/schedule/10/record", {"fault": "crash", "fault_id": "open-again"}, {("WP746", "/schedule/14/record/fault")}),
    ("/schedule/14/record", {"fault": "crash", "fault_id": "crash.1"}, set()),
    ("/schedule/3/record/until", 5, {("WP722", "/schedule/3/record/until")}),
    ("/schedule/4/record/deferred", False, {("WP724", "/schedule/4/record/deferred")}),
    ("/schedule/4/record/deferred", GONE, {("WP736", "/schedule/16/record")}),
    ("/schedule/16/record/deferred", GONE, {("WP736", "/schedule/16/record")}),
    ("/schedule/17/record/target/holder_of", "work:m1", {("WP736", "/schedule/17/record")}),
    ("/schedule/19/record/target", "a2", {("WP736", "/schedule/19/record")}),
    ("/schedule/19/record/at", 22, {("WP739", "/schedule/19/record/at")}),
    ("/schedule/18/record/deferred", True, {("WP723", "/schedule/18/record/target")}),
    ("/schedule/20/record/deferred", True, {("WP724", "/schedule/20/record/deferred"), ("WP736", "/schedule/21/record")}),
    ("/schedule/21/record", DEATH | {"deferred": True}, {("WP724", "/schedule/21/record/deferred")}),
    ("/schedule/21/record", DEATH, set()),
    ("/schedule/21/when/event", "admitted", {("WP745", "/schedule/21/when")}),
    ("/schedule/21/when/work_id", "work:m1", {("WP745", "/schedule/21/when")}),
    ("/schedule/20", entry(channel="faults", record=HOLD), {("WP724", "/schedule/20/record/fault")}),
    ("/schedule/11/record/match/draft", "newest", {("WP724", "/schedule/11/record/match/draft")}),
    ("/schedule/13/record/match/draft", GONE, {("WP736", "/schedule/13/record")}),
    ("/schedule/12/record/match/draft", "oldest", set()),
    ("/expect/0/of", [], {("WP724", "/expect/0/of")}),
    ("/expect/0/of", ["m9"], {("WP731", "/expect/0/of/0")}),
    ("/expect/0/of", "m1", {("WP723", "/expect/0/of")}),
    ("/expect/0/ordered", True, {("WP724", "/expect/0/ordered")}),
    ("/expect/0/ordered", GONE, {("WP721", "/expect/0")}),
    ("/expect/1/ordered", True, set()),
    ("/expect/1/of", ["m1", "m2", "m1"], {("WP730", "/expect/1/of/2")}),
    ("/expect/3/else/ordered", True, {("WP724", "/expect/3/else/ordered")}),
    ("/expect/4/of/0/0/of", ["m2", "m2"], {("WP730", "/expect/4/of/0/0/of/1")}),
    ("/expect/5/from", "stop", set()),
]  # fmt: skip


@pytest.mark.parametrize(("pointer", "value", "due"), WAITS)
def test_meaning_of_holds_waits_and_repeats(pointer: str, value: Any, due: set[tuple[str, str]]) -> None:
    base = document("holds-and-waits")
    if pointer == "/schedule/20":  # its repeat is one of nothing then
        del base["schedule"][21]
        base["expect"] = []
    assert found(edited(pointer, value, base)) == due


def test_a_repeat_under_when_may_have_a_deferred_original() -> None:
    base = document("holds-and-waits")
    base["schedule"][21]["record"] = {**base["schedule"][15]["record"]}
    del base["schedule"][21]["record"]["at"]
    assert found(base) == {("WP745", "/schedule/21/when")}
    base["schedule"][15]["at"] = base["schedule"][15]["record"]["at"] = 2
    moved = base["schedule"].pop(15)
    base["schedule"].insert(3, moved)
    for seq, one in enumerate(base["schedule"]):
        one["seq"] = seq
    assert found(base) == set()


def test_rules_stand_in_the_order_of_their_first_use() -> None:
    value = edited("/rules/-", {"name": "third", "rules": [REST]})
    change = {"fault_id": "rules.0", "fault": "rules", "rules": "third"}
    value["schedule"].insert(9, {"at": 10, "channel": "faults", "record": change})
    for seq, one in enumerate(value["schedule"]):
        one["seq"] = seq
    assert found(value) == {("WP734", "/rules")}
    value["rules"][1:] = value["rules"][:0:-1]
    assert found(value) == set()


@pytest.mark.parametrize(
    ("jumps", "due"),
    [
        ([(10, 40), (20, 41)], set()),  # the second fires at 40
        ([(10, 40), (20, 40)], {2}),
        ([(10, 40), (20, 30)], {2}),
        ([(10, 40), (10, 30)], set()),  # both fire at 10; together they lead to 40
        ([(10, 30), (10, 40), (35, 40)], {3}),
        ([(10, 40), (40, 50), (45, 50)], {3}),
        ([(10, 40), (30, 50), (35, 45), (39, 50)], set()),
        ([(10, 40), (40, 41), (41, 60)], set()),
    ],
)
def test_jumps_lead_forward_from_where_they_fire(jumps: list[tuple[int, int]], due: set[int]) -> None:
    value = document("l0-single-reply")
    value["horizon"] = 60
    for seq, (at, to) in enumerate(jumps, start=1):
        record = {"fault_id": f"jump.{seq}", "fault": "jump", "to": to}
        value["schedule"].append({"seq": seq, "at": at, "channel": "faults", "record": record})
    assert found(value) == {("WP740", f"/schedule/{seq}/record/to") for seq in due}


def test_independent_faults_of_meaning_are_reported_together() -> None:
    value = edited("/expect/0/of", "m9", edited("/invariants", ["K.declared"], edited("/id", "con")))
    assert found(value) == {("WP731", "/expect/0/of"), ("WP742", "/invariants"), ("WP744", "/id")}


def test_findings_are_capped() -> None:
    value = document("l0-single-reply")
    value["expect"] = [{"claim": "completed", "of": f"x{n}"} for n in range(MAX_FINDINGS + 37)]
    _, findings = load(value)
    assert len(findings) == MAX_FINDINGS
    assert findings[-1].notes == ("37 more findings of this bundle are not shown",)
    assert all(finding.notes == () for finding in findings[:-1])
    assert [finding.place for finding in findings] == [
        Pointer("b.json", f"/expect/{n}/of") for n in range(MAX_FINDINGS)
    ]
    del value["expect"][MAX_FINDINGS:]
    _, findings = load(value)
    assert len(findings) == MAX_FINDINGS
    assert findings[-1].notes == ()


def test_findings_name_the_scenario() -> None:
    _, (finding,) = load(edited("/expect/0/of", "m9"))
    assert finding.scenario == "every-form"
    assert finding.severity is BY_ID[finding.code].severity


# Places


def test_places_are_spans_where_the_map_knows_them() -> None:
    spans = {f"/schedule/{n}": Span("a.scenario", n, n + 1, n + 1, 1, n + 1, 2) for n in range(3)} | {
        "/expect/17/of/0/1": Span("a.scenario", 90, 95, 9, 1, 9, 6)
    }
    bundle = bundle_of(document(), SourceMap(spans), "a.scenario")
    assert bundle.place("/schedule/2") == spans["/schedule/2"]
    assert bundle.place("/schedule/2/record/body") == spans["/schedule/2"]
    assert bundle.place("/schedule/20") == Pointer("a.scenario", "/schedule/20")
    assert bundle.place("/expect/17/of/0/1/of") == spans["/expect/17/of/0/1"]
    assert bundle.place("/expect/17/of/0") == Pointer("a.scenario", "/expect/17/of/0")
    assert bundle.place("") == Pointer("a.scenario", "")
    whole = Span("a.scenario", 0, 99, 1, 1, 9, 1)
    assert bundle_of(document(), SourceMap({**spans, "": whole}), "a.scenario").place("/level") == whole


def test_findings_point_through_the_map() -> None:
    span = Span("a.scenario", 3, 4, 1, 4, 1, 5)
    raw = file_bytes(edited("/expect/8/from", "stop"))
    _, (finding,) = load_bundle(raw, "bundle.json", SourceMap({"/expect/8": span}))
    assert finding.place == span


# The trusted constructor


def test_bundle_of_refuses_what_is_outside_the_profile() -> None:
    value = document()
    value["horizon"] = 40.0
    with pytest.raises(CanonicalError):
        bundle_of(value, None, "a.scenario")


def test_loading_does_not_touch_its_input() -> None:
    value = document()
    before = copy.deepcopy(value)
    examine(value, "b.json")
    assert value == before


def test_loading_imports_no_schema_validator() -> None:
    path = VECTORS / "every-form.json"
    script = (
        "import sys\nfrom wellposed.compiler.load import load_bundle\n"
        "bundle, findings = load_bundle(open(sys.argv[1], 'rb').read(), 'b.json')\n"
        "assert bundle and not findings\nload_bundle(b'{}', 'b.json')\nprint('jsonschema' in sys.modules, 'lark' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_nothing_depends_on_the_hash_seed(seed: str, tmp_path: Path) -> None:
    """Hash, findings in their order, and every derived byte, in a process of its own and another working directory."""
    value = edited("/x", 1, edited("/y", 2, edited("/z", 3, edited("/mode/a", 1, edited("/mode/b", 1)))))
    (tmp_path / "bad.json").write_bytes(file_bytes(value))
    script = (
        "import sys\nfrom wellposed.compiler.load import load_bundle\nfrom wellposed.compiler.folder import derive\n"
        "bundle, _ = load_bundle(open(sys.argv[1], 'rb').read(), 'b.json')\nprint(bundle.hash)\n"
        "for name, raw in derive(bundle).items(): print(name, raw)\n"
        "for finding in load_bundle(open('bad.json', 'rb').read(), 'b.json')[1]: print(finding.message, finding.place)\n"
    )
    command = [sys.executable, "-c", script, str((VECTORS / "every-form.json").resolve())]
    runs = [
        subprocess.run(
            command, cwd=tmp_path, env={"PYTHONHASHSEED": one}, capture_output=True, text=True, check=True
        ).stdout
        for one in ("random", seed)
    ]
    assert runs[0] == runs[1]
    assert runs[0].count("\n") == 1 + 10 + 5
