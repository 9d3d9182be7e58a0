"""Reading a claim: the table of members, the schema that is shipped for it, and what is told of each fault."""

from __future__ import annotations

import copy
import os
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wellposed.compiler.canonical import pretty
from wellposed.compiler.schemas import FOLDER, load_schema, violations
from wellposed.compiler.shape import Checker
from wellposed.dsl.findings import Finding, Span
from wellposed.dsl.source import SourceFile
from wellposed.verifier.claims import KINDS, Claim, claim_folders, read_claim
from wellposed.verifier.claims.members import CLAIM, MEMBERS, claim_schema

PATH = "claims/example/claim.yaml"
HASH = "sha256:" + "1" * 64
VALUES: dict[str, Any] = {
    "format": "wellposed-claim/1",
    "scenario": "hello",
    "bundle": HASH,
    "previous": "sha256:" + "2" * 64,
    "level": "L0",
    "obligations": ["L0.reply"],
    "system": "pollster",
    "logs": ["runs/1"],
    "class": "mechanism",
    "shows": "rejects-conforming",
    "witness": "runs/1",
    "reading": "reply-clock",
    "answer": "arrival",
    "justification": "It is so.",
    "disclosure": "Nobody pays for it.",
}


def value(kind: str) -> dict[str, Any]:
    """A claim of this kind with every member that it can have."""
    row = KINDS[kind]
    names = {"format", "justification", *row.required, *row.optional, *(("scenario", "bundle") if row.about else ())}
    return {name: copy.deepcopy(VALUES.get(name, kind)) for name in MEMBERS if name == "kind" or name in names}


def written(claim: Any) -> bytes:
    return yaml.safe_dump(claim, sort_keys=False, width=10_000, allow_unicode=True).encode()


def read(claim: Any, path: str = PATH) -> tuple[Claim | None, list[str]]:
    found, findings = read_claim(written(claim), path)
    assert (found is None) == bool(findings)
    return found, [finding.code for finding in findings]


def only(claim: Any) -> Finding:
    found, findings = read_claim(written(claim), PATH)
    assert found is None
    (finding,) = findings
    return finding


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: str) -> None:
    claim, _ = read(value(kind))
    assert claim is not None and (claim.kind, claim.name, claim.folder) == (kind, "example", "claims/example")
    assert list(violations("claim", value(kind))) == []
    for name, written_so in value(kind).items():
        if name not in ("format", "class"):
            assert getattr(claim, name) == (tuple(written_so) if isinstance(written_so, list) else written_so)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_required_is_missed(kind: str) -> None:
    row = KINDS[kind]
    for name in value(kind):
        less = {other: text for other, text in value(kind).items() if other != name}
        required = name in ("format", "kind", "justification", *row.required)
        assert read(less)[1] == (["WP911"] if required else []), name
        assert bool(list(violations("claim", less))) == required
    if row.about:
        neither = {name: text for name, text in value(kind).items() if name not in ("scenario", "bundle")}
        assert read(neither)[1] == ["WP911"] and list(violations("claim", neither))


def test_the_schema_is_what_the_table_says() -> None:
    """UPDATE_EXPECTED=1 writes it."""
    text = pretty(claim_schema()) + "\n"
    if os.environ.get("UPDATE_EXPECTED"):
        (FOLDER / "claim.json").write_text(text)
    assert (FOLDER / "claim.json").read_text() == text
    Draft202012Validator.check_schema(load_schema("claim"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "L0", "x y", "../x", "a/b", HASH, "hello\n"]),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.sampled_from([*MEMBERS, "more"]), below, max_size=2),
    max_leaves=3,
)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(list(KINDS)), st.sampled_from([*MEMBERS, "more"]), json_values)
def test_checker_and_schema_refuse_the_same(kind: str, member: str, given: Any) -> None:
    claim = {**value(kind), member: given}
    told: list[str] = []
    Checker({}, lambda code, message, pointer: told.append(code)).check(CLAIM, claim)
    assert bool(told) == bool(list(violations("claim", claim)))


@pytest.mark.parametrize(
    ("member", "given"),
    [
        ("format", "wellposed-claim/2"),
        ("kind", "counterexample"),
        ("kind", ["fixture-defect"]),
        ("scenario", "a b"),
        ("scenario", "héllo"),
        ("scenario", ["hello"]),
        ("bundle", HASH.upper()),
        ("bundle", HASH[:-1]),
        ("level", "l0"),
        ("level", "L7"),
        ("obligations", []),
        ("obligations", ["L9.reply"]),
        ("obligations", "L0.reply"),
        ("obligations", ["L0.reply", "L0.reply"]),
        ("system", "two  blanks"),
        ("system", "x" * 129),
        ("logs", []),
        ("logs", ["../runs/1"]),
        ("logs", ["/runs/1"]),
        ("logs", ["runs//1"]),
        ("logs", ["runs/1/"]),
        ("logs", [".hidden"]),
        ("logs", ["runs\\1"]),
        ("logs", ["runs/1."]),
        ("logs", ["runs/1", "runs/1"]),
        ("logs", [f"runs/{number}" for number in range(101)]),
        ("class", "fixture-defect"),
    ],
)
def test_values_that_are_none(member: str, given: Any) -> None:
    finding = only({**value("mechanism-fails"), member: given})
    assert finding.code == "WP912" and isinstance(finding.place, Span) and finding.place.line > 1 or member == "format"
    assert f"`{member}`" in finding.message


def test_a_finding_points_at_the_item() -> None:
    text = "\n".join(
        line.replace("runs/1", "runs/..") for line in written(value("mechanism-fails")).decode().split("\n")
    )
    _, (finding,) = read_claim(text.encode(), PATH)
    assert isinstance(finding.place, Span) and SourceFile(PATH, text).text_of(finding.place) == "runs/.."


def test_an_unknown_member_and_what_was_meant() -> None:
    finding = only({**value("mechanism-passes"), "obligation": "L0.reply", "obligations": ["L0.reply"]})
    assert (finding.code, finding.help) == ("WP910", None)
    claim = value("mechanism-passes")
    del claim["obligations"]
    finding = only({**claim, "obligation": "L0.reply"})
    assert finding.help == "did you mean `obligations`?"


def test_many_unknown_members_are_cut() -> None:
    _, findings = read_claim(written({**value("spec-reading"), **{f"m{number}": "x" for number in range(500)}}), PATH)
    assert len(findings) == 100 and findings[-1].notes == ("400 more findings of this claim are not shown",)


@pytest.mark.parametrize("member", ["justification", "disclosure"])
@pytest.mark.parametrize("given", ["", "...", " - ", "TODO: write it", "It is so. TODO"])
def test_a_text_that_says_nothing(member: str, given: str) -> None:
    finding = only({**value("fixture-defect"), member: given})
    assert finding.code == "WP913" and f"`{member}`" in finding.message


def test_a_change_to_the_same() -> None:
    assert read({**value("scenario-change"), "previous": HASH})[1] == ["WP912"]


@pytest.mark.parametrize(
    "path",
    ["claim.yaml", "claims/claim.yaml", "claims/A/claim.yaml", "claims/a_b/claim.yaml", "claims/-a/claim.yaml", "claims/é/claim.yaml",
     f"claims/{'a' * 65}/claim.yaml", "claims/a\n/claim.yaml", "claims/a/claim.yml", "claim/a/claim.yaml"],
)  # fmt: skip
def test_places_that_are_none(path: str) -> None:
    assert read(value("spec-reading"), path)[1] == ["WP915"]


def test_all_independent_faults_are_told() -> None:
    claim = {**value("mechanism-fails"), "level": "L9", "more": "x", "justification": ""}
    del claim["system"]
    assert sorted(read(claim, "claim.yaml")[1]) == ["WP910", "WP911", "WP912", "WP913", "WP915"]


def test_folders() -> None:
    paths = [
        "claims/b/claim.yaml",
        "claims/a/runs/1/x",
        "claims/README.md",
        "more/claims/c/claim.yaml",
        "claims/b/x\ny",
    ]
    assert claim_folders(paths) == ("claims/a", "claims/b")
    assert claim_folders([]) == ()
