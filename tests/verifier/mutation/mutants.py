"""Every mutant of a module: one small change of its source, as operators of cosmic-ray and a few of our own make them.

Of cosmic-ray's operators those are taken that give a different but sensible program: arithmetic becomes other arithmetic, not
a shift of bits, and a comparison by identity becomes its negation or one of values. Left alone is what nothing evaluates or
what only guards against misuse: annotations, `@final`, `@dataclass`, `__slots__`, and identity with None or with a class, which
is the same as equality with it.
"""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from tests.verifier.mutation.operators import OWN
from tests.verifier.mutation.sources import Name, definitions, text

Position = tuple[int, int]
Stretch = tuple[Position, Position]

BINARY = {
    "Add": ("Sub", "Mul"),
    "Sub": ("Add", "Mul"),
    "Mul": ("Add", "FloorDiv"),
    "FloorDiv": ("Mul", "Add"),
    "Mod": ("Mul", "Add"),
    "RShift": ("LShift",),
    "LShift": ("RShift",),
    "BitOr": ("BitAnd", "BitXor"),
    "BitAnd": ("BitOr", "BitXor"),
}
ORDER = ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
IDENTITY = {"Is": ("Eq", "IsNot"), "IsNot": ("NotEq", "Is")}


class Mutant(NamedTuple):
    """A change with its name, which survives edits elsewhere in the file, and the whole source that results."""

    name: Name
    source: str


def mutants(module: str) -> Iterator[Mutant]:
    """The mutants of a module, each source once, in the order of the operators."""
    source = text(module)
    tree = get_ast(source)
    inert, kinds = _inert(source), _kinds(source)
    scopes = definitions(source)
    seen = {source}
    known: Counter[Name] = Counter()
    for operator in _operators():
        left_alone = inert + kinds if type(operator).__name__.endswith(("_Is_Eq", "_IsNot_NotEq")) else inert
        starts = [start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
        for occurrence, start in enumerate(starts):
            if any(first <= start < last for first, last in left_alone):
                continue
            made = mutate_code(source, operator, occurrence)
            if made is None or made in seen or not _compiles(made):
                continue
            seen.add(made)
            name = Name(module, scopes[start[0]], *_change(source, made))
            known[name] += 1
            yield Mutant(name if known[name] == 1 else name._replace(after=f"{name.after} ({known[name]})"), made)


def _operators() -> Iterator[Operator]:
    """Those of cosmic-ray that need no arguments (the others replace variables by random numbers), and our own."""
    for operator_class in (*map(get_operator, filter(_sensible, operator_names())), *OWN):
        if not operator_class.arguments():
            yield operator_class()


def _sensible(name: str) -> bool:
    kind, _, change = name.rpartition("/")[2].partition("_")
    old, _, new = change.partition("_")
    if kind == "ReplaceBinaryOperator":
        return new in BINARY.get(old, ())
    if kind == "ReplaceComparisonOperator":
        return new in IDENTITY.get(old, ORDER)
    return True


def _compiles(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _inert(source: str) -> list[Stretch]:
    """Annotations, and what only guards against misuse."""
    found: list[ast.expr] = []
    for node in ast.walk(ast.parse(source)):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.expr):
                found.append(annotation)
        if isinstance(node, ast.ClassDef):
            found += [one for one in node.decorator_list if ast.unparse(one).startswith(("final", "dataclass"))]
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__":
            found.append(node.value)
    stretches = []
    for one in found:
        assert one.end_lineno is not None and one.end_col_offset is not None
        at = source.splitlines()[one.lineno - 1][: one.col_offset].endswith("@")
        stretches.append(((one.lineno, one.col_offset - at), (one.end_lineno, one.end_col_offset)))
    return stretches


def _kinds(source: str) -> list[Stretch]:
    """Between the sides of comparisons that ask of what class something is."""
    stretches = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare) and ast.unparse(node.left).startswith("type("):
            left, right = node.left, node.comparators[0]
            assert left.end_lineno is not None and left.end_col_offset is not None
            stretches.append(((left.end_lineno, left.end_col_offset), (right.lineno, right.col_offset)))
    return stretches


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
