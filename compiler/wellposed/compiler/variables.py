"""Values of loop variables and parameters, and calculations over them alone: the bounds of loops, indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from wellposed.compiler.passes import Pass, in_pass
from wellposed.compiler.reporting import Reporter
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import MAX_INTEGER

Value = int | str
"""A parameter can also be a word."""
Values = Mapping[str, Value]

OPERATIONS = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}


def number(node: tree.Expression, values: Values, during: Pass | None, reporter: Reporter) -> int | None:
    """The value of an expression whose names are all variables; None after reporting that it has none."""
    if isinstance(node, tree.Number):
        return node.value
    if isinstance(node, tree.Name):
        return value_of(node, values, during, reporter)
    left, right = number(node.left, values, during, reporter), number(node.right, values, during, reporter)
    if left is None or right is None:
        return None
    value = OPERATIONS[node.operator](left, right)
    if abs(value) <= MAX_INTEGER:
        return value
    message = "this number is too large: at most 2^53 - 1 is possible"
    reporter.add("WP209", in_pass(node.span, during), message, help="use smaller numbers")
    return None


def value_of(name: tree.Name, values: Values, during: Pass | None, reporter: Reporter) -> int | None:
    """The number that a variable stands for, or None after reporting that it is a word."""
    value = values[name.text]
    if isinstance(value, int):
        return value
    message = f"`{name.text}` is the word `{value}`, here a number is needed"
    help = "give the parameter numbers, or use it only where a posture, level, rules version or skin is named"
    reporter.add("WP204", in_pass(name.span, during), message, help=help)
    return None


def names_in(node: tree.Expression) -> Iterator[tree.Name]:
    """The names of an expression, from left to right."""
    if isinstance(node, tree.Name):
        yield node
    elif isinstance(node, tree.Operation):
        yield from names_in(node.left)
        yield from names_in(node.right)


def around(first: Span, last: Span) -> Span:
    """The span from the start of one to the end of the other."""
    return Span(first.path, first.start, last.end, first.line, first.column, last.end_line, last.end_column)
