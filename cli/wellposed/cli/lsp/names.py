"""Every name in a text: where it stands, what kind of thing it stands for, and what declares it.

What kind is told by the part of the tree that a name stands in (`message`, `conversation`, `rules`), so that a new
statement with such parts needs nothing here. Names are of the text: one that is indexed stands for all its indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from wellposed.dsl import tree
from wellposed.dsl.findings import Span

RECORD, CONVERSATION, VARIABLE, RULES, SKIN = "record", "conversation", "variable", "rules", "skin"
SCENARIO, RULE, TIME = "scenario", "rule", "time"
POSTURE, LEVEL, SYSTEM, VERDICT, CODE, REASON = "posture", "level", "system", "verdict", "code", "reason"
PLACEHOLDER, OTHER = "placeholder", "other"

SHARED = (RULES, SKIN)
"""Kinds whose names are known in every file that imports them."""

_BY_PART = {
    "message": RECORD,
    "messages": RECORD,
    "first": RECORD,
    "second": RECORD,
    "original": RECORD,
    "anchor": RECORD,
    "label": RECORD,
    "conversation": CONVERSATION,
    "conversations": CONVERSATION,
    "rules": RULES,
    "posture": POSTURE,
    "systems": SYSTEM,
    "verdict": VERDICT,
    "code": CODE,
    "reason": REASON,
    "variable": VARIABLE,
    "tick": TIME,
    "within": TIME,
    "amount": TIME,
    "low": TIME,
    "high": TIME,
    "left": TIME,
    "right": TIME,
    "indices": TIME,
}
_DECLARES = {
    tree.Scenario: SCENARIO,
    tree.Family: SCENARIO,
    tree.Conversation: CONVERSATION,
    tree.Rules: RULES,
    tree.Skin: SKIN,
    tree.Rule: RULE,
    tree.Parameter: VARIABLE,
}
_HEADERS = {"rules": RULES, "skin": SKIN, "posture": POSTURE, "level": LEVEL}
_FORGERIES = (tree.ForgeDangling, tree.ForgeWrongHash)


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One name. `start` and `end` are code point offsets, without indices; `owner` is the node that it is a part of.

    `scope` is the start of the construct in which the name is known, None for what whole files share. A name that is
    `written` in a string has no backquotes.
    """

    kind: str
    name: str
    start: int
    end: int
    declares: bool
    scope: int | None
    owner: object
    in_string: bool = False

    @property
    def key(self) -> tuple[str, str, int | None]:
        """What it has in common with the other names of the same thing."""
        return self.kind, self.name, self.scope


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a text in its order."""

    all: tuple[Occurrence, ...]

    def at(self, offset: int) -> Occurrence | None:
        """The name at an offset, also right behind its last character."""
        found = [one for one in self.all if one.start <= offset <= one.end]
        return min(found, key=lambda one: (offset == one.end, one.end - one.start), default=None)

    def declarations(self, kind: str, scope: int | None = None) -> Iterator[Occurrence]:
        """What is declared of a kind in a scope."""
        return (one for one in self.all if one.declares and one.kind == kind and one.scope == scope)


@dataclass(frozen=True, slots=True)
class _Around:
    """What a node stands in: a declaration, and the variables that are known there with their scopes."""

    declaration: int | None = None
    variables: tuple[tuple[str, int], ...] = ()

    def scope_of(self, name: str) -> int | None:
        return next((scope for variable, scope in reversed(self.variables) if variable == name), None)


def names_of(file: tree.File, text: str) -> Names:
    """The names of a file whose text is `text`."""
    found: list[Occurrence] = []
    waiting: list[tuple[Any, _Around]] = [(file, _Around())]
    while waiting:
        node, around = waiting.pop()
        inside = _inside(node, around)
        for one in fields(node):
            # The bounds of a loop do not know its variable.
            there = around if isinstance(node, tree.For) and one.name in ("low", "high") else inside
            value = getattr(node, one.name)
            for part in value if isinstance(value, tuple) else (value,):
                found += _found(node, one.name, part, there, text)
                # An alternative is a tuple of claims in a tuple.
                waiting += ((it, there) for it in (part if isinstance(part, tuple) else (part,)) if _is_node(it))
    return Names(tuple(sorted(found, key=lambda one: (one.start, one.end))))


def _is_node(value: object) -> bool:
    return is_dataclass(value) and not isinstance(value, Span)


def _inside(node: object, around: _Around) -> _Around:
    if isinstance(node, tree.Family):
        variables = tuple((one.name.text, node.span.start) for one in node.parameters)
        return _Around(node.span.start, variables)
    if isinstance(node, tree.Scenario | tree.Rules | tree.Skin):
        return _Around(node.span.start)
    if isinstance(node, tree.For):
        return _Around(around.declaration, (*around.variables, (node.variable.text, node.span.start)))
    return around


def _found(owner: object, part: str, value: object, around: _Around, text: str) -> Iterator[Occurrence]:
    if isinstance(value, tree.Placeholder):
        scope = around.scope_of(value.name)
        kind = PLACEHOLDER if scope is None else VARIABLE
        start = value.span.start + text[value.span.start : value.span.end].find(value.name)
        yield Occurrence(kind, value.name, start, start + len(value.name), False, scope, owner, in_string=True)
    elif isinstance(owner, _FORGERIES) and part == "id" and isinstance(value, tree.Text):
        name = text[value.span.start + 1 : value.span.end - 1]
        if value.parts == (name,):
            start = value.span.start + 1
            yield Occurrence(RECORD, name, start, start + len(name), True, around.declaration, owner, in_string=True)
    elif isinstance(value, tree.Name):
        yield _named(owner, part, value, around, text)


def _named(owner: object, part: str, name: tree.Name, around: _Around, text: str) -> Occurrence:
    kind, declares = _role(owner, part)
    scope = around.scope_of(name.text)
    if not declares and scope is not None and kind in (TIME, RULES, SKIN, POSTURE, LEVEL):
        kind = VARIABLE
    elif kind == TIME:
        kind = RECORD
    if kind != VARIABLE:
        scope = around.declaration if kind in (RECORD, CONVERSATION, RULE) else None
    start = name.span.start
    closed = text.find("`", start + 1) if text.startswith("`", start) else -1
    end = closed + 1 if closed > 0 else min(start + len(name.text), name.span.end)
    return Occurrence(kind, name.text, start, end, declares, scope, owner)


def _role(owner: object, part: str) -> tuple[str, bool]:
    """What kind of name stands in a part of a node, and whether it is declared there."""
    if part == "name":
        return _DECLARES.get(type(owner), OTHER), type(owner) in _DECLARES
    if isinstance(owner, tree.Header):
        return _HEADERS.get(owner.word, TIME), False
    if isinstance(owner, tree.ReplyAnchor | tree.ReplyIn) and part == "anchor":
        return CONVERSATION, False
    declares = part in ("label", "variable") or (isinstance(owner, tree.Deliver) and part == "message")
    return _BY_PART.get(part, OTHER), declares
