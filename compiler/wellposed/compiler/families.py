"""Scenarios and families: from a declaration to the plain scenarios that it stands for, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from wellposed.compiler.counting import Budget, Counter
from wellposed.compiler.duplicates import Names
from wellposed.compiler.expand import Expansion
from wellposed.compiler.outline import Outline, outline_of
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.suggest import Suggester
from wellposed.compiler.texts import check_id
from wellposed.compiler.variables import Value, Values, around, names_in, number
from wellposed.dsl import tree
from wellposed.dsl.findings import Finding


@dataclass(frozen=True, slots=True)
class Instance:
    """A scenario as it is to be resolved: plain text. `node` is None where it cannot be expanded.

    `id` is that of the declaration where there is no member to name. What is found of a whole family is among the
    findings of its first member, under the family's name.
    """

    id: str
    node: tree.Scenario | None
    findings: tuple[Finding, ...]
    variables: frozenset[str] = frozenset()


def instances(node: tree.Scenario | tree.Family, budget: Budget, suggester: Suggester) -> Iterator[Instance]:
    """The scenarios of a declaration in order, the right-most parameter fastest; each is expanded when it is due.

    One instance without a node where something keeps all of them from being expanded.
    """
    reporter = Reporter(suggester, node.name.text)
    outline = outline_of(node, reporter)
    if isinstance(node, tree.Scenario):
        yield _scenario(node, outline, budget, reporter, suggester)
        return
    check_id(node.name.text, node.name.span, reporter, "name of a family")
    values = [_values(one, reporter) for one in node.parameters]
    total = prod(map(len, values))
    if reporter.failed:
        yield Instance(node.name.text, None, reporter.findings())
        return
    _check_parameters(node, outline, reporter)
    counter = Counter(budget, reporter)
    place = around(node.parameters[0].span, node.parameters[-1].span)
    members: list[Values] = []
    if counter.members_fit(total, place):
        names = [one.name.text for one in node.parameters]
        members = [dict(zip(names, one, strict=True)) for one in product(*values)]
    if not members or not counter.family_fits(outline, members, place):
        yield Instance(node.name.text, None, reporter.findings())
        return
    for index, member in enumerate(members):
        name = tree.Name(member_id(node.name.text, member), node.name.span)
        one = _expanded(node, name, member, outline, suggester)
        yield one if index else replace(one, findings=(*reporter.findings(), *one.findings))


def member_id(family: str, values: Values) -> str:
    """`l1-follow-up.gap-10.posture-normal`."""
    return ".".join((family, *(f"{name}-{value}" for name, value in values.items())))


def _scenario(
    node: tree.Scenario, outline: Outline, budget: Budget, reporter: Reporter, suggester: Suggester
) -> Instance:
    if not reporter.failed and outline.plain:
        return Instance(node.name.text, node, reporter.findings())
    if reporter.failed or not Counter(budget, reporter).scenario_fits(outline):
        return Instance(node.name.text, None, reporter.findings())
    return _expanded(node, node.name, {}, outline, suggester)


def _expanded(
    node: tree.Scenario | tree.Family, name: tree.Name, values: Values, outline: Outline, suggester: Suggester
) -> Instance:
    reporter = Reporter(suggester, name.text)
    expansion = Expansion(reporter)
    plain = expansion.scenario(node, name, values)
    for loop in outline.loops():
        if id(loop) not in expansion.run:
            place = around(loop.variable.span, loop.high.span)
            message = f"`{loop.variable.text}` has no value here, so nothing of this loop happens"
            reporter.add("WP231", place, message, help="write the smaller end of the range first, or remove the loop")
    return Instance(name.text, None if reporter.failed else plain, reporter.findings(), outline.variables)


def _check_parameters(node: tree.Family, outline: Outline, reporter: Reporter) -> None:
    for one in node.parameters:
        if one.name.text not in outline.used:
            message = f"nothing in this family depends on the parameter `{one.name.text}`"
            reporter.add("WP236", one.name.span, message, help="use it, or remove it: its scenarios are all alike")


def _values(parameter: tree.Parameter, reporter: Reporter) -> Sequence[Value]:
    """The values of a parameter; wrong ones are reported."""
    if isinstance(parameter.values, tree.Range):
        return _range(parameter.values, reporter)
    seen: Names[Value] = Names(reporter)
    for one in parameter.values:
        text = one.text if isinstance(one, tree.Name) else str(one.value)
        if isinstance(one, tree.Number) or check_id(text, one.span, reporter, "value of a parameter"):
            value = one.value if isinstance(one, tree.Number) else text
            seen.declare("value", text, one.span, value, code="WP219", help="remove one of the two")
    return list(seen.entries.values())


def _range(node: tree.Range, reporter: Reporter) -> Sequence[Value]:
    names = [name for end in (node.low, node.high) for name in names_in(end)]
    for name in names:
        message = f"`{name.text}` is a name, here a number is needed"
        help = "the values of a parameter depend on nothing; a loop inside may go up to one"
        reporter.add("WP204", name.span, message, help=help)
    if names:
        return ()
    low, high = number(node.low, {}, None, reporter), number(node.high, {}, None, reporter)
    if low is None or high is None:
        return ()
    if low < 0:
        message = f"this value is {low}, it cannot be less than 0"
        reporter.add("WP209", node.low.span, message, help="values stand in ids, which have no sign")
    if low > high:
        message = f"there is no number from {low} to {high}, so this family has no scenario"
        reporter.add("WP230", node.span, message, help="write the smaller end of the range first")
    return range(low, high + 1)
