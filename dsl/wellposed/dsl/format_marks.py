"""Where the constructs begin that have a line of their own, read off the syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wellposed.dsl import tree


def entry_starts(file: tree.File) -> set[int]:
    """The offsets at which the constructs begin that have a line of their own, unless their block stays on one line.

    These are imports, declarations, whatever braces hold several of, and the `allow`s before all of these. The
    statement of an `at` or `when` without braces is not among them, nor is an `allow` before it.
    """
    starts: set[int] = set()
    inline: set[int] = set()
    waiting: list[Any] = [*file.imports, *file.declarations]
    starts.update(one.span.start for one in waiting)
    while waiting:
        node = waiting.pop()
        parts_of = _PARTS.get(type(node))
        if parts_of is None:
            continue
        parts = parts_of(node)
        waiting += parts
        if isinstance(node, tree.If):
            continue  # its claims stand in its line; what these hold in braces does not
        if isinstance(node, tree.At | tree.When) and node.span.end == parts[-1].span.end:
            inline.add(parts[0].span.start)
        else:
            starts.update(one.span.start for one in parts)
    starts.update(allow.span.start for allow in file.allows if allow.covers.start not in inline)
    return starts


def _of_scenario(node: tree.Scenario | tree.Family) -> list[Any]:
    return [*node.headers, *node.items]


def _of_any(node: tree.AnyOf) -> list[Any]:
    return [claim for alternative in node.alternatives for claim in alternative]


def _of_if(node: tree.If) -> list[Any]:
    return [node.condition, node.then, node.otherwise]


_PARTS: Mapping[type, Callable[[Any], list[Any]]] = {
    tree.Scenario: _of_scenario,
    tree.Family: _of_scenario,
    tree.Rules: lambda node: list(node.rules),
    tree.Skin: lambda node: list(node.entries),
    tree.Conversation: lambda node: list(node.fields),
    tree.Stub: lambda node: list(node.lines),
    tree.At: lambda node: list(node.statements),
    tree.When: lambda node: list(node.statements),
    tree.Deliver: lambda node: list(node.overrides),
    tree.Expect: lambda node: list(node.claims),
    tree.AnyOf: _of_any,
    tree.If: _of_if,
    tree.For: lambda node: list(node.body),
}
