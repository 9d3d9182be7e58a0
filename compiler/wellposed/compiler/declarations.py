"""Rules and skins: from their declarations to the values that scenarios use."""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.compiler.conditions import condition
from wellposed.compiler.duplicates import Names
from wellposed.compiler.reporting import Reporter, listed
from wellposed.compiler.scenario import Rule, RuleSet, Skin
from wellposed.compiler.texts import check_file_name, check_name, literal
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import BUILT_IN_RULES, SKIN_WORDS

REST = "rest"


@dataclass(frozen=True, slots=True)
class Declared:
    """A rules version or a skin that a file brings, with the span of its name. `value` is None when it has errors."""

    kind: str
    name: str
    span: Span
    value: RuleSet | Skin | None


def declarations_of(file: tree.File, reporter: Reporter) -> tuple[Declared, ...]:
    """The rules and skins that a file declares itself, in order; duplicates inside the file are reported.

    The built-in rules cannot be declared again, for that would change meaning; a skin may be called as the built-in
    one.
    """
    rules: Names[Declared] = Names(reporter)
    skins: Names[Declared] = Names(reporter)
    for node in file.declarations:
        if isinstance(node, tree.Rules):
            rules.declare("rules version", node.name.text, node.name.span, _rules(node, reporter))
        elif isinstance(node, tree.Skin):
            skins.declare("skin", node.name.text, node.name.span, _skin(node, reporter))
    return (*rules.entries.values(), *skins.entries.values())


def _rules(node: tree.Rules, outer: Reporter) -> Declared:
    reporter = outer.nested()
    check_file_name(node.name, reporter, "name of rules")
    if node.name.text.casefold() == BUILT_IN_RULES:
        reporter.add(
            "WP202",
            node.name.span,
            f"the rules `{BUILT_IN_RULES}` are built in, they admit every message",
            help="choose another name for these rules",
        )
    seen: Names[Rule] = Names(reporter)
    for rule in node.rules:
        name = tree.Name(REST, rule.span) if rule.name is None else rule.name
        check_name(name, reporter, "name of a rule")
        conditions = [condition(one, reporter) for one in rule.conditions]
        known = tuple(one for one in conditions if one is not None)
        seen.declare(
            "rule", name.text, name.span, Rule(id=name.text, effect=rule.effect, conditions=known, span=rule.span)
        )
    value = None if reporter.failed else RuleSet(node.name.text, tuple(seen.entries.values()), node.name.span)
    outer.extend(reporter.findings())
    return Declared("rules", node.name.text, node.name.span, value)


def _skin(node: tree.Skin, outer: Reporter) -> Declared:
    reporter = outer.nested()
    check_name(node.name, reporter, "name of a skin")
    seen: Names[str] = Names(reporter)
    for entry in node.entries:
        word = entry.word
        if word.text not in SKIN_WORDS:
            reporter.add(
                "WP205",
                word.span,
                f"a skin has no word `{word.text}`",
                help=reporter.meant(word.text, SKIN_WORDS, f"it can name {listed(SKIN_WORDS, 'and')}"),
            )
            continue
        seen.declare("word", word.text, word.span, literal(entry.text), code="WP219")
    value = None if reporter.failed else Skin(node.name.text, tuple(seen.entries.items()), node.name.span)
    outer.extend(reporter.findings())
    return Declared("skin", node.name.text, node.name.span, value)
