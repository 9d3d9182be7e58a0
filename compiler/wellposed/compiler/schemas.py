"""The JSON Schemas (2020-12) that are shipped, and one compiled validator for each.

Those of the bundle and of the lines of its derived files are written from the table of shapes, and a test compares them;
`claims`, `diff`, `judgement`, `pr`, `report` and `trace-event` are written by hand. `jsonschema` is imported when a validator is first asked for,
which neither compiling nor loading ever does: the loader has its own checks. Those of the reserve and of a claim are written from
tables of shapes of their own, which are above this portion.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellposed.compiler.shape import Shape, schema
from wellposed.compiler.shapes import BUNDLE, DEFINITIONS, LINES

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

FOLDER = Path(__file__).with_name("schemas")
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TITLES = {
    "bundle": "A bundle: one scenario as one canonical JSON document",
    "inbox": "A line of inbox.jsonl: a delivery of a message",
    "approvals": "A line of approvals.jsonl: a scheduled decision, genuine or forged",
    "signals": "A line of signals.jsonl: an escalation or the death of an agent",
    "faults": "A line of faults.jsonl: a crash, a clock jump, a change of posture or of rules",
}
NAMES = (*_TITLES, "claim", "claims", "diff", "judgement", "pr", "report", "reserve-ledger", "reserve-logs", "trace-event")
"""What `load_schema` and `validator` know."""


def load_schema(name: str) -> dict[str, Any]:
    """The schema of this name (one of `NAMES`)."""
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_bytes())
    return loaded


def derived_schemas() -> dict[str, dict[str, Any]]:
    """The schemas that the table of shapes gives, by name: what the shipped files must hold."""
    shapes: Mapping[str, Shape] = {"bundle": BUNDLE, **LINES}
    found = {}
    for name, shape in shapes.items():
        definitions = {one: schema(below) for one, below in DEFINITIONS.items()} if name == "bundle" else {}
        found[name] = {
            "$schema": _DRAFT,
            "title": _TITLES[name],
            **schema(shape),
            **({"$defs": definitions} if definitions else {}),
        }
    return found


@cache
def validator(name: str) -> Validator:
    """The compiled validator of a schema, one per process."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(load_schema(name))


def violations(name: str, value: Any) -> Iterator[str]:
    """What a value violates of the schema of this name, each with the JSON path of the place."""
    for error in validator(name).iter_errors(value):
        yield f"{error.json_path}: {error.message}"
