"""What can be said of a text before its loops are unrolled: which names are variables, how names are indexed, and what
there is to count.

Variables are lexical: a loop variable is known in its loop, a parameter in its family. All of this is looked at once,
however often the text is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from wellposed.compiler.limits import LIMITS
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.roles import Role, parts_of
from wellposed.compiler.texts import check_name, subtraction
from wellposed.compiler.variables import names_in
from wellposed.dsl import tree
from wellposed.dsl.findings import Span

_RECORDS = frozenset(
    (
        *get_args(tree.Statement),
        *get_args(tree.Claim),
        *(tree.Conversation, tree.Reply, tree.InvariantsOnlyExpect, tree.Rejected),
    )
)
# Characters that stand for what is put in at a placeholder or behind a name.
_FILLED = 16


@dataclass(slots=True)
class Body:
    """What a stretch of text holds apart from its loops, and these.

    `bounds` are the names on which it depends how many passes the loops have, inner ones included.
    """

    records: int = 0
    characters: int = 0
    loops: list[Loop] = field(default_factory=list)
    bounds: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop with what it holds."""

    node: tree.For[Any]
    body: Body


@dataclass(frozen=True, slots=True)
class Outline:
    """`plain` says that there is nothing to expand, `used` are the variables and parameters that something names."""

    body: Body
    plain: bool
    variables: frozenset[str]
    used: frozenset[str]

    def loops(self) -> Iterator[tree.For[Any]]:
        """All loops, outer ones before inner ones."""
        waiting = list(self.body.loops)
        for loop in waiting:
            yield loop.node
            waiting += loop.body.loops


def outline_of(node: tree.Scenario | tree.Family, reporter: Reporter) -> Outline:
    """The outline of a scenario or family. What is reported here as an error keeps it from being expanded."""
    parameters = node.parameters if isinstance(node, tree.Family) else ()
    walk = _Walk(reporter)
    known: dict[str, Span] = {}
    for one in parameters:
        walk.declare(one.name, "parameter", known)
    body = Body()
    for header in node.headers:
        walk.node(header, known, body)
    walk.body(node.items, known, body)
    walk.check_variables()
    return Outline(body, not walk.expandable and not parameters, frozenset(walk.variables), frozenset(walk.used))


class _Walk:
    """Goes through a text once, with the variables that are known where it is."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._indices: dict[tuple[Role, str], tree.Name] = {}
        self._declared: dict[str, Span] = {}
        self.expandable = False
        self.variables: dict[str, Span] = {}
        self.used: set[str] = set()

    def declare(self, name: tree.Name, what: str, known: dict[str, Span]) -> None:
        """Enter a loop variable or a parameter, which may not hide another one."""
        check_name(name, self._reporter, f"name of a {what}")
        if name.text == "anchor":
            message = f"a {what} cannot be called `anchor`"
            help = "in strings, {anchor} is the anchor of the conversation; choose another name"
            self._reporter.add("WP202", name.span, message, help=help)
        elif name.text in known:
            self._reporter.add(
                "WP202",
                name.span,
                f"`{name.text}` is the name of a variable already",
                labels=((known[name.text], "it is known from here on"),),
                help="choose another name",
            )
        known.setdefault(name.text, name.span)
        self.variables.setdefault(name.text, name.span)

    def check_variables(self) -> None:
        """Report variables that are called as a message or a statement: in a calculation either could be meant."""
        for name, span in self.variables.items():
            if name in self._declared:
                self._reporter.add(
                    "WP202",
                    span,
                    f"`{name}` is the name of something that happens already, a variable needs another one",
                    labels=((self._declared[name], f"`{name}` is declared here"),),
                    help="choose another name for one of the two",
                )

    def body(self, parts: tuple[Any, ...], known: dict[str, Span], body: Body) -> None:
        """Add what stands in a tuple of parts and loops to `body`."""
        for part in parts:
            if isinstance(part, tree.For):
                self._loop(part, known, body)
            else:
                self.node(part, known, body)

    def _loop(self, node: tree.For[Any], known: dict[str, Span], outer: Body) -> None:
        self.expandable = True
        self._calculation(node.low, known)
        self._calculation(node.high, known)
        inner = dict(known)
        self.declare(node.variable, "loop variable", inner)
        body = Body()
        self.body(node.body, inner, body)
        outer.loops.append(Loop(node, body))
        outer.bounds |= body.bounds.union(name.text for end in (node.low, node.high) for name in names_in(end))

    def node(self, node: Any, known: dict[str, Span], body: Body) -> None:
        """Look at a node that is no loop, and at all that is below it."""
        kind = type(node)
        if kind in _RECORDS:
            body.records += 1
            self._declaration(node)
        for name, role in parts_of(kind):
            if role is Role.BODY:
                self.body(getattr(node, name), known, body)
            elif role is not Role.SPAN:
                is_time = kind is tree.Header and node.word == "horizon"
                self._part(getattr(node, name), Role.TIME if is_time else role, known, body)

    def _part(self, part: Any, role: Role, known: dict[str, Span], body: Body) -> None:
        if isinstance(part, tree.Name):
            self._name(part, role, known, body)
        elif isinstance(part, tree.Operation):
            for name in names_in(part):
                self._name(name, Role.TIME, known, body)
        elif isinstance(part, tree.Text):
            self._text(part, known, body)
        elif isinstance(part, tuple):
            body.records += sum(isinstance(one, tree.Name) for one in part)  # of a list that can be long
            for one in part:
                self._part(one, role, known, body)
        elif hasattr(part, "span") and not isinstance(part, tree.Number):
            self.node(part, known, body)

    def _text(self, text: tree.Text, known: Mapping[str, Span], body: Body) -> None:
        for part in text.parts:
            body.characters += len(part) if isinstance(part, str) else _FILLED
            if isinstance(part, tree.Placeholder) and part.name in known:
                self.used.add(part.name)

    def _declaration(self, node: Any) -> None:
        name = node.message if isinstance(node, tree.Deliver) else getattr(node, "label", None)
        if name is not None and not name.indices:
            self._declared.setdefault(name.text, name.span)

    def _name(self, name: tree.Name, role: Role, known: Mapping[str, Span], body: Body) -> None:
        if role is Role.FIXED:
            return
        if role in (Role.WORD, Role.TIME) and name.text in known:
            self.used.add(name.text)
            self._not_indexed(name)
            return
        if role is Role.WORD:
            return
        body.characters += _FILLED * len(name.indices)
        self._check_indices(name, Role.CONVERSATION if role is Role.CONVERSATION else Role.RECORD)
        for index in name.indices:
            self.expandable = True
            self._calculation(index, known)

    def _check_indices(self, name: tree.Name, kind: Role) -> None:
        first = self._indices.setdefault((kind, name.text), name)
        if len(first.indices) != len(name.indices):
            self._reporter.add(
                "WP228",
                name.span,
                f"`{name.text}` has {_indices(name)} here and {_indices(first)} elsewhere",
                labels=((first.span, f"here it has {_indices(first)}"),),
                help="write the same number of indices wherever the name stands, or choose another name",
            )
        elif name.indices and first is name and len(name.text) > LIMITS.id_length:
            check_name(name, self._reporter, "name")

    def _calculation(self, node: tree.Expression, known: Mapping[str, Span]) -> None:
        """Bounds and indices are known before anything happens: they are made of numbers and variables."""
        for name in names_in(node):
            if name.text in known:
                self.used.add(name.text)
                self._not_indexed(name)
                continue
            help = subtraction(name.text, known) or self._reporter.meant(
                name.text, known, "bounds and indices are made of numbers, loop variables and parameters"
            )
            self._reporter.add("WP201", name.span, f"no variable is called `{name.text}` here", help=help)

    def _not_indexed(self, name: tree.Name) -> None:
        if name.indices:
            message = f"`{name.text}` is a variable, it has no indices"
            self._reporter.add("WP204", name.span, message, help="remove the indices, or name something else")


def _indices(name: tree.Name) -> str:
    count = len(name.indices)
    return "no index" if count == 0 else f"{count} {'index' if count == 1 else 'indices'}"
