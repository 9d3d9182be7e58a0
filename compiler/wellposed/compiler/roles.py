"""What the parts of syntax nodes are: one table that every walk over expandable text goes by."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import Any

from wellposed.dsl import tree


class Role(Enum):
    """How a name in a field of a node is to be read; other values say by their type what they are."""

    SPAN = "span"
    BODY = "body"
    """A tuple in which loops may stand."""
    TIME = "time"
    """A name in a calculation: a variable, or something that happens."""
    RECORD = "record"
    """A message or a named statement, perhaps with indices."""
    CONVERSATION = "conversation"
    """A conversation, perhaps with indices."""
    WORD = "word"
    """A word or a name of the library, for which a parameter can stand."""
    FIXED = "fixed"
    """A word as it is written."""


_BY_FIELD = {
    "span": Role.SPAN,
    "items": Role.BODY,
    "statements": Role.BODY,
    "lines": Role.BODY,
    "tick": Role.TIME,
    "amount": Role.TIME,
    "within": Role.TIME,
    "conversation": Role.CONVERSATION,
    "conversations": Role.CONVERSATION,
    "posture": Role.WORD,
    "rules": Role.WORD,
    **dict.fromkeys(("verdict", "code", "systems", "reason"), Role.FIXED),
}
_BY_NODE: dict[tuple[type[Any], str], Role] = {
    (tree.Expect, "claims"): Role.BODY,
    (tree.Conversation, "name"): Role.CONVERSATION,
    (tree.Header, "value"): Role.WORD,
    (tree.Scenario, "name"): Role.FIXED,
    (tree.Family, "name"): Role.FIXED,
}


_PARTS: dict[type[Any], tuple[tuple[str, Role], ...]] = {}


def parts_of(kind: type[Any]) -> tuple[tuple[str, Role], ...]:
    """The fields of a kind of node with their roles, in the order in which its constructor takes them."""
    if kind not in _PARTS:
        names = [one.name for one in fields(kind)]
        _PARTS[kind] = tuple((name, _BY_NODE.get((kind, name), _BY_FIELD.get(name, Role.RECORD))) for name in names)
    return _PARTS[kind]
