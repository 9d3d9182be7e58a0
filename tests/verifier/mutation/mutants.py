"""Every mutant of a module: one small change of its source, as the operators of cosmic-ray and a few of our own make them.

Annotations are left alone: nothing evaluates them.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from tests.verifier.mutation.operators import OWN
from tests.verifier.mutation.sources import Name, definitions

Position = tuple[int, int]


class Mutant(NamedTuple):
    """A change with its name, which survives edits elsewhere in the file, and the whole source that results."""

    name: Name
    source: str


def mutants(path: Path) -> Iterator[Mutant]:
    """The mutants of a file, each source once, in the order of the operators."""
    source = path.read_text(encoding="utf-8")
    tree = get_ast(source)
    inert = _annotations(source)
    scopes = definitions(source)
    seen = {source}
    known: Counter[Name] = Counter()
    for operator in _operators():
        starts = [start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
        for occurrence, start in enumerate(starts):
            if any(first <= start < last for first, last in inert):
                continue
            made = mutate_code(source, operator, occurrence)
            if made is None or made in seen or not _compiles(made):
                continue
            seen.add(made)
            name = Name(path.stem, scopes[start[0]], *_change(source, made))
            known[name] += 1
            yield Mutant(name if known[name] == 1 else name._replace(after=f"{name.after} ({known[name]})"), made)


def _operators() -> Iterator[Operator]:
    """Those of cosmic-ray that need no arguments (the others replace variables by random numbers), and our own."""
    for operator_class in (*map(get_operator, operator_names()), *OWN):
        if not operator_class.arguments():
            yield operator_class()


def _compiles(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _annotations(source: str) -> list[tuple[Position, Position]]:
    """The stretches of source that are annotations."""
    found = []
    for node in ast.walk(ast.parse(source)):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None:
                first = annotation.lineno, annotation.col_offset
                found.append((first, (annotation.end_lineno, annotation.end_col_offset)))
    return found


def _change(source: str, made: str) -> tuple[str, str]:
    """The lines that differ, before and after."""
    old, new = source.splitlines(), made.splitlines()
    sides: tuple[list[str], list[str]] = ([], [])
    for tag, first, last, other_first, other_last in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if tag != "equal":
            sides[0].extend(old[first:last])
            sides[1].extend(new[other_first:other_last])
    before, after = (re.sub(r"\s+", " ", " ".join(side)).strip() for side in sides)
    return before, after
