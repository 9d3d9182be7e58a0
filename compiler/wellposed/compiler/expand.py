"""Expansion: from a text with loops, indices and parameters to the plain text that it stands for.

Loops are unrolled in place. Whatever a variable does not touch is shared, not copied; what a loop repeats carries its
pass in its spans. Expansion has been counted before, so it always fits.
"""

from __future__ import annotations

from typing import Any

from wellposed.compiler.passes import Pass, in_pass
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.roles import Role, parts_of
from wellposed.compiler.variables import OPERATIONS, Values, number, value_of
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import MAX_INTEGER


class Expansion:
    """Expands the text of one scenario. `run` collects the loops that had a pass, by identity."""

    def __init__(self, reporter: Reporter) -> None:
        self.reporter = reporter
        self.run: set[int] = set()

    def scenario(self, node: tree.Scenario | tree.Family, name: tree.Name, values: Values) -> tree.Scenario:
        """The scenario `name` with values for the parameters; what cannot be replaced is reported."""
        copy = _Copy(self, values, None)
        headers = tuple(copy.header(line) for line in node.headers)
        return tree.Scenario(name, headers, copy.body(node.items), node.span)


class _Copy:
    """Copies nodes with the variables of one pass replaced by their values."""

    def __init__(self, expansion: Expansion, values: Values, during: Pass | None) -> None:
        self._expansion = expansion
        self._reporter = expansion.reporter
        self._values = values
        self._during = during

    def header(self, line: tree.Header) -> tree.Header:
        value = self._part(line.value, Role.TIME if line.word == "horizon" else Role.WORD)
        return line if value is line.value else tree.Header(line.word, value, line.span)

    def body(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """The parts with loops unrolled; the same tuple where nothing changes."""
        copied: list[Any] = []
        for part in parts:
            if isinstance(part, tree.For):
                copied += self._loop(part)
            else:
                copied.append(self.node(part))
        return _same_or(parts, tuple(copied))

    def _loop(self, node: tree.For[Any]) -> list[Any]:
        low = number(node.low, self._values, self._during, self._reporter)
        high = number(node.high, self._values, self._during, self._reporter)
        assert low is not None and high is not None, "a loop is counted before it is expanded"
        parts: list[Any] = []
        name = node.variable.text
        if low <= high:
            self._expansion.run.add(id(node))
        for value in range(low, high + 1):
            one = _Copy(self._expansion, {**self._values, name: value}, Pass(name, value, self._during))
            parts += one.body(node.body)
        return parts

    def node(self, node: Any) -> Any:
        kind = type(node)
        old = [getattr(node, name) for name, _ in parts_of(kind)]
        new = [self._part(part, role) for part, (_, role) in zip(old, parts_of(kind), strict=True)]
        return node if all(one is other for one, other in zip(old, new, strict=True)) else kind(*new)

    def _part(self, part: Any, role: Role) -> Any:
        if role is Role.SPAN:
            return self._span(part)
        if role is Role.BODY:
            return self.body(part)
        if isinstance(part, tree.Name):
            return self._name(part, role)
        if isinstance(part, tree.Number | tree.Operation):
            return self._calculation(part)
        if isinstance(part, tree.Text):
            return self._text(part)
        if isinstance(part, tuple):
            return _same_or(part, tuple(self._part(one, role) for one in part))
        return part if part is None or isinstance(part, str | bool) else self.node(part)

    def _span(self, span: Span) -> Span:
        return in_pass(span, self._during)

    def _name(self, name: tree.Name, role: Role) -> tree.Expression:
        if role is Role.TIME and name.text in self._values:
            value = value_of(name, self._values, self._during, self._reporter)
            return tree.Number(value or 0, self._span(name.span))
        text = name.text
        if role is Role.WORD:
            text = str(self._values.get(text, text))
        elif name.indices:
            text = ".".join((text, *map(self._index, name.indices)))
        if self._during is None and text is name.text:
            return name
        return tree.Name(text, self._span(name.span))

    def _index(self, node: tree.Expression) -> str:
        value = number(node, self._values, self._during, self._reporter)
        if value is not None and value < 0:
            message, help = f"this index is {value}, it cannot be less than 0", "count from 0 or 1"
            self._reporter.add("WP209", self._span(node.span), message, help=help)
        return str(value)

    def _calculation(self, node: tree.Expression) -> tree.Expression:
        """The expression with variables replaced, and what is then known calculated."""
        if isinstance(node, tree.Name):
            return self._name(node, Role.TIME)
        span = self._span(node.span)
        if isinstance(node, tree.Number):
            return node if span is node.span else tree.Number(node.value, span)
        left, right = self._calculation(node.left), self._calculation(node.right)
        if isinstance(left, tree.Number) and isinstance(right, tree.Number):
            value = OPERATIONS[node.operator](left.value, right.value)
            if abs(value) <= MAX_INTEGER:
                return tree.Number(value, span)
        if left is node.left and right is node.right and span is node.span:
            return node
        return tree.Operation(node.operator, left, right, span)

    def _text(self, text: tree.Text) -> tree.Text:
        parts = tuple(self._piece(part) for part in text.parts)
        if self._during is None:
            return (
                text
                if all(one is other for one, other in zip(parts, text.parts, strict=True))
                else tree.Text(parts, text.span)
            )
        return tree.Text(parts, self._span(text.span))

    def _piece(self, part: str | tree.Placeholder) -> str | tree.Placeholder:
        if isinstance(part, str):
            return part
        if part.name in self._values:
            return str(self._values[part.name])
        return part if self._during is None else tree.Placeholder(part.name, self._span(part.span))


def _same_or(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """The old tuple where the new one has the very same elements."""
    same = len(old) == len(new) and all(one is other for one, other in zip(old, new, strict=True))
    return old if same else new
