"""What is mutated, and how a mutant is named. Needs no mutation program."""

from __future__ import annotations

import ast
import hashlib
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
RESULTS = FOLDER / "results.json"
EQUIVALENT = FOLDER / "equivalent.toml"
VERIFIER = "verifier/wellposed/verifier"
PARTS = {
    "kernel": (
        "solver",
        "formula",
        "prover",
        "cores",
        "satisfiable",
        "ambiguous",
        "pairs",
        "vacuous",
        "outcomes",
        "judgement",
        "verdict",
    ),
    "rows": (
        "amr/obligations/reply",
        "amr/obligations/continuity",
        "amr/obligations/authority",
        "amr/obligations/fleet",
        "amr/obligations/escalation",
        "amr/obligations/identity",
        "amr/obligations/instance",
        "amr/obligations/__init__",
    ),
    "binding": ("amr/decisions", "amr/items", "amr/admission", "amr/outbox"),
    "environment": ("amr/clock", "amr/environment"),
}
"""The modules in the order in which they are run: what every verdict passes through comes first."""

SEED = 14
"""Of the order in which the mutants of a module are tried, so that those tried so far are a sample at random."""

MODULES = {name: f"{VERIFIER}/{name}.py" for names in PARTS.values() for name in names}


class Name(NamedTuple):
    """The module, the function or class around the change, and the changed lines with single spaces."""

    module: str
    definition: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}.{self.definition}: {self.before} -> {self.after or 'nothing'}"


def text(module: str) -> str:
    """The source of a module."""
    return (ROOT / MODULES[module]).read_text(encoding="utf-8")


def digest(module: str) -> str:
    """SHA-256 of the file of a module, in hexadecimal: results hold for this content alone."""
    return hashlib.sha256((ROOT / MODULES[module]).read_bytes()).hexdigest()


def definitions(source: str) -> dict[int, str]:
    """Per line of a module, the qualified name of the innermost definition that it belongs to."""
    tree = ast.parse(source)
    names = dict.fromkeys(range(1, source.count("\n") + 2), "")
    _mark(tree, "", names)
    return names


def _mark(node: ast.AST, prefix: str, names: dict[int, str]) -> None:
    for child in ast.iter_child_nodes(node):
        name = prefix
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            name = f"{prefix}.{child.name}" if prefix else child.name
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            assert child.end_lineno is not None
            names.update(dict.fromkeys(range(first, child.end_lineno + 1), name))
        _mark(child, name, names)
