"""Decompiling: every bundle that a source can mean comes back, every other ends in a finding that says what has no words."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from tests.compiler.documents import Json, documents
from tests.oracle.generate import sample

from wellposed.compiler.bundle import Bundle
from wellposed.compiler.canonical import file_bytes
from wellposed.compiler.compilation import compile_source
from wellposed.compiler.decompile import decompile
from wellposed.compiler.decompile.claims import nested
from wellposed.compiler.imports import Importer
from wellposed.compiler.inputs import FolderReader
from wellposed.compiler.load import load_bundle
from wellposed.dsl.findings import Pointer
from wellposed.dsl.format import format_source
from wellposed.dsl.source import SourceFile, read_source
from wellposed.dsl.vocabulary import obligations_of_level

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for folder in ("scenarios", "examples") for path in (ROOT / folder).rglob("*.scenario"))


def _load(document: Json) -> Bundle:
    bundle, findings = load_bundle(file_bytes(document), "bundle.json")
    assert bundle is not None, findings
    return bundle


def _source(document: Json) -> str:
    """The source of a document, held to the hash once more from outside."""
    bundle = _load(document)
    text, findings = decompile(bundle)
    assert text is not None, findings
    assert findings == ()
    assert format_source(SourceFile("x.scenario", text)) == (text, ())
    (compiled,) = compile_source(SourceFile("x.scenario", text)).scenarios
    assert compiled.bundle is not None
    assert compiled.bundle.hash == bundle.hash
    return text


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_library_comes_back(path: Path) -> None:
    source, _ = read_source(path.relative_to(ROOT).as_posix(), path.read_bytes())
    assert source is not None
    for scenario in compile_source(source, Importer(FolderReader(ROOT))).scenarios:
        if scenario.bundle is not None:
            text = _source(dict(scenario.bundle.document))
            assert all(len(line) <= 120 for line in text.splitlines())


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(documents())
def test_every_document_that_has_a_source_comes_back(document: Json) -> None:
    _source(document)


@pytest.mark.slow
@settings(deadline=None, max_examples=3000, suppress_health_check=list(HealthCheck))
@given(documents())
def test_every_document_that_has_a_source_comes_back_slowly(document: Json) -> None:
    _source(document)


def _completed(document: Json) -> Json:
    """A generated document with everything written that a bundle has written."""
    if document["invariants"]:
        document["invariants"] = list(obligations_of_level(document["level"]))
    for entry in document["schedule"]:
        if "at" in entry["record"]:
            entry["record"] = entry["record"] | {"at": entry["at"]}
    for _, claim in nested(document["expect"], ""):
        if claim["claim"] == "sent" and claim["from"] is None:
            cast(Json, claim)["from"] = claim["of"]
    return document


@pytest.mark.parametrize("seed", range(40))
def test_generated_scenarios_come_back(seed: int) -> None:
    document, _ = sample(seed)
    _source(_completed(document))


HELLO: Json = {
    "format": "wellposed-bundle/1",
    "spec": "amr/0.14",
    "readings": "amr/0.14-base.1",
    "id": "hello",
    "title": "hello",
    "level": 2,
    "skin": "support-desk",
    "horizon": 40,
    "mode": {"changed_at": 0, "posture": "normal"},
    "rules": [{"name": "all", "rules": [{"id": "all", "effect": "admit", "when": []}]}],
    "stub": {"anchors": [], "replies": [{"conversation_id": "order", "parts": ["Noted."]}]},
    "schedule": [
        {
            "seq": 0,
            "at": 0,
            "channel": "inbox",
            "record": {"id": "m1", "conversation_id": "order", "from": "ada@example.test", "subject": "Hi", "body": "Hello.", "at": 0},
        }
    ],
    "invariants": list(obligations_of_level(2)),
    "expect": [],
    "catches": [],
}  # fmt: skip


def _with(**members: Any) -> Json:
    return copy.deepcopy(HELLO) | members


def _decided(*ids: str, **more: Any) -> Json:
    """HELLO with an approval of m1 under each id, from tick 12 on."""
    entries = [
        {
            "seq": number,
            "at": 11 + number,
            "channel": "approvals",
            "record": {"approval_id": id, "decision": "approve", "match": {"work_id": "work:m1"}},
        }
        for number, id in enumerate(ids, 1)
    ]
    return _with(schedule=[*HELLO["schedule"], *entries], **more)


def test_the_shortest_source() -> None:
    assert _source(HELLO) == (
        "scenario hello {\n"
        "  level   L2\n"
        "  horizon 40\n"
        "\n"
        "  conversation order {\n"
        '    from    "ada@example.test"\n'
        '    subject "Hi"\n'
        "  }\n"
        "\n"
        '  at 0 deliver m1 in order "Hello."\n'
        "}\n"
    )


def test_everything_at_once() -> None:
    message = HELLO["schedule"][0]["record"]
    second = {**message, "id": "at", "from": "bob@example.test", "body": 'About ORD-1:\n\n  "where"?', "at": 0}
    schedule: list[Json] = [
        {"at": 0, "channel": "inbox", "record": message},
        {"at": 0, "channel": "inbox", "record": second},
        {"at": 3, "channel": "inbox", "record": message | {"at": 3}},
        {"at": 12, "channel": "approvals", "record": {"approval_id": "go", "decision": "approve", "match": {"work_id": "work:at"}}},
        {"at": 13, "channel": "approvals", "record": {"approval_id": "go", "decision": "approve", "match": {"work_id": "work:at"}}},
        {"at": 14, "channel": "faults", "record": {"fault_id": "rules.1", "fault": "rules", "rules": "strict"}},
        {"channel": "faults", "record": {"fault_id": "crash.1", "fault": "crash"}, "when": {"event": "sent", "work_id": "work:m1"}},
    ]  # fmt: skip
    condition = {"field": "message.subject", "op": "not-in", "value": ['a "b"', "{c}"]}
    document = _with(
        title="Everything",
        horizon=100,
        skin="desk",
        mode={"changed_at": 0, "posture": "maintenance"},
        rules=[
            {"name": "first", "rules": [{"id": "polite", "effect": "admit", "when": [condition]}]},
            {"name": "strict", "rules": [{"id": "rest", "effect": "refuse", "when": []}]},
        ],
        stub={
            "anchors": [{"anchor": "ORD-1", "conversation_id": "order"}],
            "replies": [{"conversation_id": "order", "parts": [{"anchor": True}, " is there."]}],
        },
        schedule=[{"seq": seq, **entry} for seq, entry in enumerate(schedule)],
        invariants=[],
        expect=[{"claim": "sent", "of": "at", "once": True, "within": 5, "from": "go"}],
        catches=["idle", "late-by-one"],
    )
    assert (
        _source(document)
        == '''scenario hello {
  title   "Everything"
  level   L2
  horizon 100
  rules   first
  posture maintenance
  skin    desk
  invariants only expect

  conversation order {
    from    "ada@example.test"
    subject "Hi"
    anchor  "ORD-1"
  }

  stub {
    reply order "{anchor} is there."
  }

  at 0 {
    deliver m1 in order "Hello."
    deliver `at` in order """
      About {anchor}:

        "where"?
      """ with { from "bob@example.test" }
  }
  at 3  redeliver m1
  at 12 approve `at` as go
  at 13 repeat go
  at 14 rules strict
  when m1 sent crash

  expect {
    `at` sent exactly once within 5 of go
  }

  catches idle, late-by-one
}

rules first {
  admit polite when subject not in ["a \\"b\\"", "{c}"]
}

rules strict {
  refuse rest
}

# A bundle has the name of its skin only; these are the benchmark's own words.
skin desk {
  message   "message"
  work-item "work item"
  agent     "agent"
  effect    "effect"
  draft     "draft"
  approval  "approval"
}
'''
    )


@pytest.mark.parametrize(
    ("ids", "lines"),
    [
        (("m1.approve.1", "m1.approve.2"), ["approve m1", "approve m1"]),
        (("go", "m1.approve.1"), ["approve m1 as go", "approve m1"]),
        (("m1.approve.2", "m1.approve.1"), ["approve m1 as `m1.approve.2`", "approve m1"]),
        (("crash.1",), ["approve m1 as `crash.1`"]),
        (("m1.approve.1", "m1.approve.1"), ["approve m1 as `m1.approve.1`", "repeat `m1.approve.1`"]),
        # What is named is not counted, so the next one cannot be without a name either.
        (("m1.approve.1", "m1.approve.1", "m1.approve.2"), ["approve m1 as `m1.approve.1`", "repeat `m1.approve.1`", "approve m1 as `m1.approve.2`"]),
    ],
)  # fmt: skip
def test_names_are_written_where_they_are_needed(ids: tuple[str, ...], lines: list[str]) -> None:
    written = [line.split(maxsplit=2)[2] for line in _source(_decided(*ids)).splitlines() if line.startswith("  at 1")]
    assert written == lines


def test_a_name_that_a_claim_uses_is_written() -> None:
    claims = [{"claim": "not-sent-after", "of": "m1", "after": "m1.approve.1"}]
    text = _source(_decided("m1.approve.1", expect=claims))
    assert "approve m1 as `m1.approve.1`" in text
    assert "m1 not sent after `m1.approve.1`" in text


def test_long_claims_take_several_lines() -> None:
    sent = {"claim": "sent", "of": "m1", "once": True, "within": 5, "from": "a-rather-long-name-for-an-approval"}
    gone = {"claim": "abandoned", "of": "m1", "reason": "operator_escalation"}
    choice = {"claim": "if", "if": sent, "then": {"claim": "any", "of": [[sent, sent], [gone]]}, "else": gone}
    text = _source(_decided("a-rather-long-name-for-an-approval", expect=[choice]))
    assert text[text.index("    if ") : text.index("  }\n}")] == (
        "    if m1 sent exactly once within 5 of a-rather-long-name-for-an-approval then any of {\n"
        "      m1 sent exactly once within 5 of a-rather-long-name-for-an-approval\n"
        "      m1 sent exactly once within 5 of a-rather-long-name-for-an-approval\n"
        "    } or {\n"
        "      m1 abandoned because operator_escalation\n"
        "    } else m1 abandoned because operator_escalation\n"
    )


def test_the_stub_is_left_out_where_it_says_nothing_new() -> None:
    default = {"anchors": [{"anchor": "A", "conversation_id": "order"}], "replies": []}
    default["replies"] = [{"conversation_id": "order", "parts": ["Regarding ", {"anchor": True}, "."]}]
    assert "stub" not in _source(_with(stub=default))
    two = [{"conversation_id": name, "parts": ["Regarding ", {"anchor": True}, "."]} for name in ("order", "b")]
    anchors = [{"anchor": "B", "conversation_id": "b"}, {"anchor": "A", "conversation_id": "order"}]
    assert "  stub {\n    anchors [b, order]\n  }\n" in _source(_with(stub={"anchors": anchors, "replies": two}))
    assert '    reply order ""\n' in _source(_with(stub={"anchors": [], "replies": [{"conversation_id": "order", "parts": []}]}))  # fmt: skip


def test_a_heading_is_a_comment() -> None:
    text, _ = decompile(_load(HELLO), ["One", "", "two"])
    assert text is not None
    assert text.startswith("# One\n#\n# two\n\nscenario hello {")


def _nested_if(depth: int) -> Json:
    claim: Json = {"claim": "open", "of": "m1"}
    for _ in range(depth):
        claim = {
            "claim": "if",
            "if": {"claim": "open", "of": "m1"},
            "then": {"claim": "open", "of": "m1"},
            "else": claim,
        }
    return claim


RULE = {"id": "everything", "effect": "admit", "when": []}
REFUSED: list[tuple[Callable[[], Json], str, str]] = [
    (lambda: _with(seal={"alg": "reserve-seal/1", "nonce": "0" * 64}), "/seal", "a seal is put on a bundle, it is not written"),
    (lambda: _with(rules=[{"name": "strict", "rules": [RULE]}]), "/rules/0/rules/0", "a rule without conditions is called `rest`, not `everything`"),
    (lambda: _with(rules=[{"name": "ALL", "rules": [{**RULE, "id": "rest"}]}]), "/rules/0/name", "the rules `all` are built in and admit every message"),
    (lambda: _decided("go", expect=[{"claim": "sent", "of": "m1", "once": True, "within": None, "from": "go"}]), "/expect/0/from", "only a window has a start, and this `sent` has none"),
    (lambda: _with(expect=[{"claim": "any", "of": [[{"claim": "distinct", "of": ["m1", "m1"]}], [{"claim": "open", "of": "m1"}]]}]), "/expect/0", "the message `m1` is compared with itself"),
    (lambda: _with(stub={"anchors": [{"anchor": "", "conversation_id": "order"}], "replies": HELLO["stub"]["replies"]}), "/stub/anchors/0", "an anchor has at least one character"),
    (lambda: _decided("x" * 129), "/schedule/1", "this name of a statement has 129 characters"),
    (lambda: _with(title="x" * 100_001), "/title", "this string has 100001 characters, at most 100000 are possible"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "pointer", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_what_has_no_words_is_a_finding(document: Callable[[], Json], pointer: str, reason: str) -> None:
    text, findings = decompile(_load(document()))
    assert text is None
    assert {finding.code for finding in findings} == {"WP760"}
    assert findings[0].place == Pointer("bundle.json", pointer)
    assert reason in findings[0].message
    assert findings[0].scenario == "hello"


def test_a_source_has_at_most_a_mebibyte() -> None:
    message = HELLO["schedule"][0]["record"]
    schedule = [
        {"seq": seq, "at": 0, "channel": "inbox", "record": message | {"id": f"m{seq}", "body": "x" * 50_000}}
        for seq in range(21)
    ]
    assert decompile(_load(_with(schedule=schedule[:20])))[0] is not None
    text, findings = decompile(_load(_with(schedule=schedule)))
    assert text is None
    assert "more than the 1,048,576 bytes of a source file" in findings[0].message


def test_findings_are_capped() -> None:
    version = {"name": "many", "rules": [{"id": f"r{n}", "effect": "admit", "when": []} for n in range(150)]}
    _, findings = decompile(_load(_with(rules=[version])))
    assert len(findings) == 100
    assert findings[-1].notes == ("50 more findings of this bundle are not shown",)


def test_what_loops_and_families_make_is_written_with_indices() -> None:
    source = SourceFile(
        "x.scenario",
        """
        family f(gap in [10, 50], posture in [normal, vip-only]) {
          level L2
          horizon 100
          posture posture
          for i in 1..2 {
            conversation c[i] { from "u{i}@example.test" subject "Order {anchor}" anchor "ORD-{i}" }
            at i deliver m[i] in c[i] "Where is {anchor}?"
            at gap + i approve m[i] as go[i]
          }
          at 3 deliver `m.1.1` in c[1] "Hello?"
          stub { anchors [c[2], c[1]] }
          expect { for i in 1..2 { m[i] sent exactly once within 5 of go[i] } }
        }
        """,
    )
    for scenario in compile_source(source).scenarios:
        assert scenario.bundle is not None, scenario.findings
        text = _source(dict(scenario.bundle.document))
        assert text.startswith(f"scenario `{scenario.id}` {{")
        assert '  at 1  deliver `m.1` in c[1] "Where is {anchor}?"\n' in text
        assert "  stub {\n    anchors [c[2], c[1]]\n  }\n" in text
        assert "    `m.2` sent exactly once within 5 of go[2]\n" in text


@pytest.mark.parametrize(("depth", "codes"), [(8, []), (9, ["WP724"])])
def test_a_bundle_nests_if_no_deeper_than_a_source(depth: int, codes: list[str]) -> None:
    _, findings = load_bundle(file_bytes(_with(expect=[_nested_if(depth)])), "bundle.json")
    assert [finding.code for finding in findings] == codes
