"""The closed table of shapes: the lines of the ledger by type, and the manifest of an application's logs.

A type or member that is not here is refused, never skipped: a reader that passes over what it does not know can be shown
another story than one that knows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellposed.compiler.shape import Checker, Integer, ListOf, OneOf, Record, Shape, Tagged, Text, schema
from wellposed.dsl.vocabulary import LEVELS
from wellposed.verifier.judged import FAIL, INCONCLUSIVE, PASS, RUNS_FOR_A_PASS, UNTESTED

LEDGER_FORMAT = "reserve-ledger/1"
LOGS_FORMAT = "reserve-logs/1"
CHECKPOINT_FORMAT = "reserve-checkpoint/1"
SEAL_ALGORITHM = "reserve-seal/1"

RUNS = RUNS_FOR_A_PASS
"""Scored runs of each entry."""
RUN_FILES = (
    "approvals.jsonl",
    "audit.jsonl",
    "drafts.jsonl",
    "inbox.jsonl",
    "model-calls.jsonl",
    "outbox.jsonl",
    "run.jsonl",
    "signals.jsonl",
    "state.jsonl",
)
"""What a run leaves (docs/runs.md)."""
PROOFS = ("ots", "rfc3161", "sigsum", "swh")
FORFEIT_CLASSES = ("lost", "leaked", "superseded", "defective")

_HEX = "[0-9a-f]"
_DATE = "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
HASH = Text("`sha256:` and 64 lowercase hexadecimal digits", f"sha256:{_HEX}{{64}}")
RULES_HASH = Text("64 lowercase hexadecimal digits", f"{_HEX}{{64}}")
SALT = Text("64 lowercase hexadecimal digits", f"{_HEX}{{64}}")
NAME = Text("a name (1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)", "[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
DATE = Text("a date such as 2026-01-02", _DATE)
STAMP = Text("a UTC time such as 2026-01-02T00:00:00Z", f"{_DATE}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z")
REVISION = Text("a git object id (40 or 64 lowercase hexadecimal digits)", f"(?:{_HEX}{{40}}|{_HEX}{{64}})")
PROOF_PATH = Text("a path such as proofs/000004.tsr", "proofs/[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
REVEALED_PATH = Text("a path such as revealed/0123456789abcdef.json", f"revealed/{_HEX}{{16}}\\.json")
LOGS_PATH = Text("a path such as logs/0123456789abcdef/12", f"logs/{_HEX}{{16}}/[0-9]{{1,6}}")
WHY = Text("a reason", least=1)
SEQ = Integer(0, 1_000_000)

OUTCOME = Record(
    "an outcome",
    {f"L{level.number}": OneOf((PASS, FAIL, UNTESTED, INCONCLUSIVE)) for level in LEVELS},
    optional=frozenset(f"L{level.number}" for level in LEVELS[1:]),
)
_POLICY = Record(
    "the policy",
    {
        "max_reveal_days": Integer(1, 36600),
        "logs": OneOf(("committed", "open")),
        "anchor": OneOf(("required", "optional")),
    },
)
_SUBMISSION = Record("a submission", {"name": NAME, "repo": WHY, "commit": REVISION, "tree": REVISION})
_LOGS = Record("the logs of an application", {"apply": SEQ, "path": LOGS_PATH})

BODIES: Mapping[str, Record] = {
    "genesis": Record(
        "the body of a genesis line",
        {
            "ledger": Text("32 lowercase hexadecimal digits", f"{_HEX}{{32}}"),
            "title": WHY,
            "policy": _POLICY,
            "holders": ListOf(WHY, least=1),
        },
    ),
    "seal": Record(
        "the body of a seal line",
        {"batch": NAME, "count": Integer(1, 100_000), "commits": ListOf(HASH, least=1), "reveal_by": DATE},
    ),
    "anchor": Record(
        "the body of an anchor line",
        {"of": SEQ, "head": HASH, "kind": OneOf(PROOFS), "path": PROOF_PATH, "proof": HASH},
    ),
    "announce": Record(
        "the body of an announce line",
        {
            "batch": NAME,
            "pool": ListOf(HASH, least=1),
            "submissions": ListOf(_SUBMISSION, least=1),
            "harness": HASH,
            "runs": OneOf((RUNS,)),
            "until": DATE,
        },
    ),
    "apply": Record(
        "the body of an apply line",
        {
            "announce": SEQ,
            "commit": HASH,
            "submission": NAME,
            "impl": REVISION,
            "logs": HASH,
            "outcome": OUTCOME,
            "origin": OneOf(("model-based", "model-free", "mixed", "none")),
        },
    ),
    "void": Record(
        "the body of a void line",
        {
            "announce": SEQ,
            "commit": HASH,
            "submission": NAME,
            "class": OneOf(("fixture-defect",)),
            "justification": WHY,
        },
    ),
    "reveal": Record(
        "the body of a reveal line",
        {"commit": HASH, "path": REVEALED_PATH, "logs": ListOf(_LOGS), "authors": ListOf(NAME)},
    ),
    "leak": Record("the body of a leak line", {"commit": HASH, "justification": WHY}),
    "forfeit": Record(
        "the body of a forfeit line", {"commit": HASH, "class": OneOf(FORFEIT_CLASSES), "justification": WHY}
    ),
}
"""The body of each type of line. Dates are days in UTC, `logs` of an application the hash of its salted manifest."""

LINE = Tagged(
    "a line of the ledger",
    "type",
    {
        kind: Record(
            "a line of the ledger",
            {
                "format": OneOf((LEDGER_FORMAT,)),
                "seq": SEQ,
                "prev": HASH,
                "t": STAMP,
                "type": OneOf((kind,)),
                "body": body,
            },
        )
        for kind, body in BODIES.items()
    },
)

_RUN = Record(
    "a run",
    {
        "files": Record("the files of a run", dict.fromkeys(RUN_FILES, HASH)),
        "outcome": OUTCOME,
        "forced_advances": Integer(),
    },
)
MANIFEST = Record(
    "a manifest of logs",
    {
        "format": OneOf((LOGS_FORMAT,)),
        "salt": SALT,
        "commit": HASH,
        "submission": NAME,
        "impl": REVISION,
        "rules_hash": RULES_HASH,
        "runs": ListOf(_RUN, least=1, most=RUNS),
        "outcome": OUTCOME,
    },
)

_SCHEMAS: Mapping[str, tuple[str, Shape]] = {
    "reserve-ledger": ("A line of reserve/ledger.jsonl", LINE),
    "reserve-logs": ("The salted manifest of the logs of an application", MANIFEST),
}


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schemas of these shapes by name: what the files that are shipped hold."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    return {name: {"$schema": draft, "title": title, **schema(shape)} for name, (title, shape) in _SCHEMAS.items()}


def faults(shape: Shape, value: Any) -> list[str]:
    """What departs from a shape, each as a sentence with the JSON pointer of the place."""
    told: list[str] = []
    Checker({}, lambda code, message, pointer: told.append(f"{message} (at {pointer or 'the top'})")).check(shape, value)
    return told
