"""What the members of a claim are, by kind: the one table that reading, the JSON Schema and `new claim` go by.

Source: specification section 0 (counterexamples), section 5 (failure taxonomy: `class`, `justification`) and section 6
(disclosure).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.shape import Having, ListOf, OneOf, Record, Shape, Tagged, Text, schema
from wellposed.dsl.vocabulary import LEVELS, OBLIGATIONS
from wellposed.verifier.judged import ADAPTER, MECHANISM

FORMAT = "wellposed-claim/1"

PASSES, FAILS, DEFECT = "mechanism-passes", "mechanism-fails", "fixture-defect"
NEW, CHANGE, READING = "new-scenario", "scenario-change", "spec-reading"

REJECTS_CONFORMING, ACCEPTS_VIOLATING = "rejects-conforming", "accepts-violating"

_PART = "[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?"
_PATH = Text(
    "a path below the folder of the claim, such as runs/1: names of A-Z a-z 0-9 . _ -, with `/` between them",
    f"{_PART}(?:/{_PART}){{0,7}}",
)
_NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"

MEMBERS: Mapping[str, Shape] = {
    "format": OneOf((FORMAT,)),
    "kind": Text("a kind of claim"),
    "scenario": Text("the id of a scenario", _NAME),
    "bundle": Text("the hash of a bundle: `sha256:` and 64 lowercase hexadecimal digits", "sha256:[0-9a-f]{64}"),
    "previous": Text(
        "the hash of the bundle before: `sha256:` and 64 lowercase hexadecimal digits", "sha256:[0-9a-f]{64}"
    ),
    "level": OneOf(tuple(f"L{level.number}" for level in LEVELS)),
    "obligations": ListOf(OneOf(tuple(row.id for row in OBLIGATIONS)), least=1, most=len(OBLIGATIONS)),
    "system": Text(
        "the name of a system (A-Z a-z 0-9 and . _ / + -, with single blanks)",
        "[A-Za-z0-9](?:[ ]?[A-Za-z0-9._/+-]){0,127}",
    ),
    "logs": ListOf(_PATH, least=1, most=LIMITS.claim_runs),
    "class": OneOf((MECHANISM, ADAPTER)),
    "shows": OneOf((REJECTS_CONFORMING, ACCEPTS_VIOLATING)),
    "witness": _PATH,
    "reading": Text("the id of a reading", "[a-z0-9]+(?:-[a-z0-9]+){0,15}"),
    "answer": Text("the word of an answer", "[a-z0-9]+(?:-[a-z0-9]+){0,15}"),
    "justification": Text("the reason for the claim", least=1),
    "disclosure": Text("what a reader has to know about whoever makes the claim, and about the system", least=1),
}
"""Every member that a claim can have, in the order in which `new claim` writes them."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of claim: what it says, in words that continue "it says that", and its members beside those of every claim.

    `about` says whether it is about one scenario, which then is named by its id, by the hash of its bundle, or by both.
    """

    name: str
    says: str
    about: bool
    required: tuple[str, ...]
    optional: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            PASSES,
            "a mechanism passes a level of a scenario",
            True,
            ("level", "system", "logs", "disclosure"),
            ("obligations",),
        ),
        Kind(
            FAILS,
            "a mechanism fails a level of a scenario, by breaking these obligations",
            True,
            ("level", "obligations", "system", "logs", "class", "disclosure"),
        ),
        Kind(
            DEFECT,
            "a scenario is wrong: it rejects a conforming run, or accepts a violating one",
            True,
            ("shows", "disclosure"),
            ("level", "obligations", "system", "witness"),
        ),
        Kind(NEW, "a scenario is worth having", False, ("scenario", "bundle"), ("level", "disclosure")),
        Kind(
            CHANGE,
            "a scenario has to become another one",
            False,
            ("scenario", "bundle", "previous"),
            ("level", "disclosure"),
        ),
        Kind(READING, "the specification is to be read otherwise", False, ("reading", "answer"), ("disclosure",)),
    )
}
_ALWAYS = ("format", "kind", "justification")


def _record(kind: Kind, scenario: tuple[str, ...], optional: tuple[str, ...]) -> Record:
    wanted = {*_ALWAYS, *kind.required, *kind.optional, *scenario, *optional}
    members = {
        name: OneOf((kind.name,)) if name == "kind" else shape for name, shape in MEMBERS.items() if name in wanted
    }
    return Record(f"a claim of kind {kind.name}", members, frozenset((*kind.optional, *optional)))


def _shape(kind: Kind) -> Shape:
    if not kind.about:
        return _record(kind, (), ())
    return Having("bundle", _record(kind, ("bundle",), ("scenario",)), _record(kind, ("scenario",), ()))


CLAIM = Tagged("a claim", "kind", {name: _shape(kind) for name, kind in KINDS.items()})


def claim_schema() -> dict[str, Any]:
    """The JSON Schema of a claim: what `schemas/claim.json` holds."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A claim: claims/<name>/claim.yaml, read as JSON",
        **schema(CLAIM),
    }
