"""Conditions of rules: which operators a field has, and which kind of value."""

from __future__ import annotations

from wellposed.compiler.reporting import Reporter, listed
from wellposed.compiler.scenario import Condition
from wellposed.compiler.texts import literal
from wellposed.dsl import tree
from wellposed.dsl.vocabulary import NUMBER_FIELDS, NUMBER_OPERATORS, POSTURES, TEXT_FIELDS, TEXT_OPERATORS

POSTURE = "posture"
POSTURE_OPERATORS = ("is", "is not", "in", "not in")
_LIST_OPERATORS = ("in", "not in")


def condition(node: tree.Condition, reporter: Reporter) -> Condition | None:
    """The condition in the bundle's words, or None after reporting what is wrong with it."""
    field = node.field.text
    if field == POSTURE:
        return _posture(node, reporter)
    if field in TEXT_FIELDS:
        return _text(node, reporter)
    if field in NUMBER_FIELDS:
        return _number(node, reporter)
    known = (*TEXT_FIELDS, *NUMBER_FIELDS, POSTURE)
    reporter.add(
        "WP205",
        node.field.span,
        f"a rule cannot ask for `{field}`",
        help=reporter.meant(field, known, f"it can ask for {listed(known)}"),
    )
    return None


def _operator(node: tree.Condition, kind: str, operators: tuple[str, ...], reporter: Reporter) -> bool:
    if node.operator in operators:
        return True
    reporter.add(
        "WP223",
        node.span,
        f"`{node.field.text}` is {kind}, `{node.operator}` does not apply to it",
        help=f"use {listed(operators)}",
    )
    return False


def _posture(node: tree.Condition, reporter: Reporter) -> Condition | None:
    fine = _operator(node, "a posture", POSTURE_OPERATORS, reporter)
    values: list[str] = []
    for value in node.values:
        if not isinstance(value, tree.Name):
            reporter.add("WP223", value.span, "a posture is a word", help=f"write {listed(POSTURES)} without quotes")
            fine = False
        elif value.text not in POSTURES:
            unknown_posture(value, reporter)
            fine = False
        else:
            values.append(value.text)
    return _made(node, POSTURE, TEXT_OPERATORS[node.operator], values) if fine else None


def unknown_posture(name: tree.Name, reporter: Reporter) -> None:
    """Report a posture that the benchmark does not have."""
    reporter.add(
        "WP205",
        name.span,
        f"there is no posture `{name.text}`",
        help=reporter.meant(name.text, POSTURES, f"postures are {listed(POSTURES, 'and')}"),
    )


def _text(node: tree.Condition, reporter: Reporter) -> Condition | None:
    fine = _operator(node, "text", tuple(TEXT_OPERATORS), reporter)
    values: list[str] = []
    for value in node.values:
        if isinstance(value, tree.Text):
            values.append(literal(value))
            continue
        written = value.text if isinstance(value, tree.Name) else str(value.value)
        reporter.add(
            "WP223", value.span, f"`{node.field.text}` is text, its value stands in quotes", help=f'write "{written}"'
        )
        fine = False
    return _made(node, TEXT_FIELDS[node.field.text], TEXT_OPERATORS[node.operator], values) if fine else None


def _number(node: tree.Condition, reporter: Reporter) -> Condition | None:
    fine = _operator(node, "a number", NUMBER_OPERATORS, reporter)
    for value in node.values:
        if isinstance(value, tree.Number):
            if fine:
                return Condition(node.field.text, node.operator, value.value, node.span)
        elif fine:
            reporter.add(
                "WP223",
                value.span,
                f"`{node.field.text}` counts, its value is a number",
                help=f"write for example `{node.field.text} >= 1`",
            )
    return None


def _made(node: tree.Condition, field: str, operator: str, values: list[str]) -> Condition:
    if node.operator in _LIST_OPERATORS:
        return Condition(field, operator, tuple(values), node.span)
    return Condition(field, operator, values[0], node.span)
