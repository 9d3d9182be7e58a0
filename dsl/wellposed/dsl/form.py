"""What the grammar lets through and the language does not: lines given twice, declarations in the wrong file, and rules
over what no message says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wellposed.dsl import tree
from wellposed.dsl.asked import asked_by_field
from wellposed.dsl.findings import Finding, Label, Severity

_ONLY = {".rules": (tree.Rules, "rules"), ".skin": (tree.Skin, "skin")}


def check_form(file: tree.File) -> Iterator[Finding]:
    """Findings about the form of a file: WP125, WP127 and WP128."""
    yield from _kinds(file)
    for declaration in file.declarations:
        if isinstance(declaration, tree.Scenario | tree.Family):
            owner = "a scenario" if isinstance(declaration, tree.Scenario) else "a family"
            yield from _once(declaration.headers, owner)
            yield from _items(declaration.items)
        elif isinstance(declaration, tree.Rules):
            fields = (condition.field for rule in declaration.rules for condition in rule.conditions)
            yield from (finding for field in fields if (finding := asked_by_field(field)) is not None)


def _items(items: Sequence[tree.Item | tree.For[tree.Item]]) -> Iterator[Finding]:
    for item in items:  # loops are few deep: the token pass has seen to it
        if isinstance(item, tree.For):
            yield from _items(item.body)
        elif isinstance(item, tree.Conversation):
            yield from _once(item.fields, "a conversation")
        elif isinstance(item, tree.At | tree.When):
            yield from _statements(item.statements)


def _statements(statements: Sequence[tree.Statement | tree.For[tree.Statement]]) -> Iterator[Finding]:
    for statement in statements:
        if isinstance(statement, tree.For):
            yield from _statements(statement.body)
        elif isinstance(statement, tree.Deliver):
            yield from _once(statement.overrides, "a delivery")


def _once(lines: Sequence[tree.Header | tree.Field], owner: str) -> Iterator[Finding]:
    first: dict[str, tree.Header | tree.Field] = {}
    for line in lines:
        before = first.setdefault(line.word, line)
        if before is not line:
            label = Label(before.span, "here it was given first")
            message = f"`{line.word}` is given twice; {owner} has at most one"
            yield Finding("WP125", Severity.ERROR, message, line.span, (label,))


def _kinds(file: tree.File) -> Iterator[Finding]:
    suffix = next((suffix for suffix in _ONLY if file.path.endswith(suffix)), None)
    if suffix is None:
        return
    kind, word = _ONLY[suffix]
    for declaration in file.declarations:
        if not isinstance(declaration, kind):
            message = f"a `{suffix}` file holds only `{word}` declarations"
            yield Finding("WP127", Severity.ERROR, message, declaration.name.span, help="move it to a `.scenario` file")
