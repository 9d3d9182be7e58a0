"""A starting point for a claim: every member that its kind has, with a comment, and TODO where only its author can write."""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.cli.skeletons.parts import comment
from wellposed.verifier.claims.members import (
    ACCEPTS_VIOLATING,
    CHANGE,
    DEFECT,
    FAILS,
    FORMAT,
    KINDS,
    MEMBERS,
    NEW,
    PASSES,
    READING,
    REJECTS_CONFORMING,
    Kind,
)
from wellposed.verifier.claims.read import TO_DO
from wellposed.verifier.judged import RUNS_FOR_A_PASS

NO_HASH, NOR_THIS = (f"sha256:{digit * 64}" for digit in "01")
WHAT: Mapping[str, str] = {
    PASSES: "a mechanism passes a level, with its logs",
    FAILS: "a mechanism fails a level, with the run that shows it",
    DEFECT: "a scenario rejects a conforming run, or accepts a violating one",
    NEW: "a scenario that is worth having",
    CHANGE: "a published scenario that has to change",
    READING: "another answer where the specification is silent or contradicts itself",
}
_COMMENTS: Mapping[str, str] = {
    "scenario": "The scenario by its id, or by the hash of its bundle (`wellposed build` prints it), or by both: then they have to agree.",
    "previous": "The hash of the scenario as it is published.",
    "level": "The level that is passed or failed; a scenario reports every level up to its own.",
    "obligations": "What is broken. `wellposed spec levels` lists the obligations.",
    "system": "The system, and its run directories in this folder (docs/runs.md).",
    "class": "mechanism: the architecture broke an invariant. adapter: the translation of rules or of approvals did.",
    "shows": f"What is wrong with the scenario: {REJECTS_CONFORMING} or {ACCEPTS_VIOLATING}.",
    "witness": "The run that shows it: a run directory in this folder, or a JSON file with the events of a run as reports have it. "
    "Without one the tool looks for a run itself.",
    "reading": "`wellposed spec readings` lists the readings, and the answers that can be computed.",
    "justification": "Public, and for a reader who does not know you.",
    "disclosure": "What you have to do with the system and with the scenario; adapters, shortcuts, known gaps.",
}
_ASKS: Mapping[str, str] = {
    PASSES: "which mechanism passes that is thought to fail, and why do these logs show it?",
    FAILS: "which mechanism fails that is thought to pass, and why is it the mechanism?",
    DEFECT: "why is the scenario wrong, and not the system?",
    NEW: "what does it test that no published scenario tests?",
    CHANGE: "what is wrong with it, and what becomes of the results under it?",
    READING: "why does the text of the specification say this?",
}
_VALUES: Mapping[str, str] = {
    "format": f" {FORMAT}",
    "previous": f" {NOR_THIS}",
    "obligations": "\n  - L0.reply",
    "system": " my-system",
    "class": " mechanism",
    "shows": f" {REJECTS_CONFORMING}",
    "reading": " reply-clock",
    "answer": " arrival",
    "disclosure": f" |\n  {TO_DO}: what do you have to do with it?",
}
_COMMENTED_OUT = {"witness": "# witness: runs/1"}


def skeleton(kind: Kind, scenario: str | None, bundle: str | None, level: str | None) -> str:
    """The text of a claim of this kind about a scenario, as far as it is known; with it nothing is left to do but TODO."""
    values = {
        **_VALUES,
        "kind": f" {kind.name}",
        "scenario": f" {scenario or 'my-scenario'}",
        "bundle": f" {bundle or NO_HASH}",
        "level": f" {level or 'L0'}",
        "logs": "".join(f"\n  - runs/{number + 1}" for number in range(RUNS_FOR_A_PASS if kind.name == PASSES else 1)),
        "justification": f" |\n  {TO_DO}: {_ASKS[kind.name]}",
    }
    due = {"format", "kind", "justification", *kind.required}
    if kind.about:
        due |= {"scenario"} | ({"bundle"} if bundle is not None else set())
    lines = comment(
        f"A claim of kind {kind.name}: {kind.says}. docs/claims.md says what each member is, and how it is checked."
    )
    for name in MEMBERS:
        if name in due or (name in _COMMENTED_OUT and name in kind.optional):
            if name in _COMMENTS:
                lines += ["", *comment(_COMMENTS[name])]
            lines.append(f"{name}:{values[name]}" if name in due else _COMMENTED_OUT[name])
    return "\n".join(lines) + "\n"


def kinds() -> list[tuple[str, str]]:
    """The kinds to choose from, each with a few words."""
    return [(name, WHAT[name]) for name in KINDS]
