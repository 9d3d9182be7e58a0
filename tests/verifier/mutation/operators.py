"""Mutations that the operators of cosmic-ray lack: what goes wrong in code that builds formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import parso
from cosmic_ray.operators.operator import Operator

SWAPS = (
    ("le", "lt"),
    ("all_of", "any_of"),
    ("TRUE", "FALSE"),
    ("absent", "happens"),
    ("approves", "rejects"),
    ("standing", "not_standing"),
    ("min", "max"),
    ("first", "last"),
    ("any", "all"),
    ("lows", "highs"),
)
OTHER = {name: other for pair in SWAPS for name, other in (pair, pair[::-1])}


class SwapNames(Operator):
    """One of a pair of names for the other."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "name" and node.value in OTHER and not _declares(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        node.value = OTHER[node.value]
        return node

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()


def _declares(name: Any) -> bool:
    """Whether a name is being defined, imported or the keyword of an argument, rather than used."""
    parent = name.parent
    if parent.type in ("import_from", "import_as_names", "param"):
        return True
    if parent.type == "argument" and parent.children[0] is name and parent.children[1] == "=":
        return True
    return bool(name.is_definition())


class DropMember(Operator):
    """A tuple or list of several members without one of them."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "testlist_comp" and len(node.children) > 2 and node.children[1] == ",":
            for member in node.children[::2]:
                yield member.start_pos, member.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        kept = list(node.children)
        del kept[2 * index : 2 * index + 2]  # the member and the comma behind it
        if kept[-1] != ",":
            kept.append(parso.parse(","))
        node.children = kept
        return node

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()


class DropStatement(Operator):
    """`pass` instead of a call or a yield."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[Any, Any]]:
        if node.type == "simple_stmt" and node.children[0].type in ("atom_expr", "yield_expr", "del_stmt"):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        indent = node.get_first_leaf().prefix
        return parso.parse(f"{indent}pass\n")

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()


OWN = (SwapNames, DropMember, DropStatement)
