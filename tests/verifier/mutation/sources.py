"""What is mutated, and how a mutant is named. Needs no mutation program."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]
RESULTS = FOLDER / "results.json"
VERIFIER = ROOT / "verifier" / "wellposed" / "verifier"
KERNEL = (
    "formula",
    "solver",
    "prover",
    "cores",
    "satisfiable",
    "ambiguous",
    "pairs",
    "vacuous",
    "outcomes",
    "judgement",
    "verdict",
)
MODEL = ("clock", "admission", "decisions", "items", "environment")
ROWS = ("authority", "continuity", "escalation", "fleet", "identity", "instance", "reply")
MODULES = {
    **{name: VERIFIER / f"{name}.py" for name in KERNEL},
    **{name: VERIFIER / "amr" / f"{name}.py" for name in MODEL},
    **{name: VERIFIER / "amr" / "obligations" / f"{name}.py" for name in ROWS},
}


class Name(NamedTuple):
    """The module, the function or class around the change, and the changed lines with single spaces."""

    module: str
    definition: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}.{self.definition}: {self.before} -> {self.after or 'nothing'}"


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
