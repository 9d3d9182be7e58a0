"""The rules of a fixture: neutral condition lists in one of several spellings.

Which messages are work depends on every rule, so nothing here is dropped: what the language cannot say is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count as count_from
from typing import Any

from wellposed.compiler.adopt import words
from wellposed.compiler.adopt.files import Fixture
from wellposed.compiler.adopt.ids import Ids
from wellposed.compiler.adopt.report import (
    MISSING,
    WRONG_VALUE,
    AdoptReport,
    Item,
    count,
    drop_others,
    member,
    required,
    text,
    word,
)
from wellposed.compiler.builtin import ALL_RULES
from wellposed.compiler.declarations import REST
from wellposed.compiler.decompile.rules import is_built_in
from wellposed.dsl.vocabulary import BUILT_IN_RULES, NUMBER_FIELDS

Version = dict[str, Any]
_FIRST = "fixture"
_ALL: Version = {"name": ALL_RULES.name, "rules": [{"effect": "admit", "id": ALL_RULES.rules[0].id, "when": []}]}


def rules_of(fixture: Fixture, used: list[str], report: AdoptReport) -> tuple[list[Version], dict[str, Item]]:
    """The rules versions in the order of their use, and where the rules of each stand.

    `used` are the names that changes of rules give, in the order of the schedule.
    """
    places: dict[str, Item] = {}
    later = {name: _rules(item, report) for name, item in fixture.versions.items()}
    unknown = [name for name in dict.fromkeys(used) if name not in later]
    first_item = fixture.documents.get("rules.json")
    if first_item is None:
        report.guess("there is no rules.json, so every message is admitted")
        first: list[Version] = _ALL["rules"]
    else:
        first = _rules(first_item, report)
    name = _unlike(later)
    if is_built_in({"name": ALL_RULES.name, "rules": first}):
        name = BUILT_IN_RULES
    elif len(unknown) == 1:
        name = unknown[0]
        report.guess(f"the rules of rules.json are those that a later change calls {name!a}", first_item)
    elif first_item is not None:
        report.guess(f"the rules of rules.json are called `{name}`", first_item)
    versions = [{"name": name, "rules": first}]
    versions += [{"name": one, "rules": later[one]} for one in dict.fromkeys(used) if one in later and one != name]
    for one, item in fixture.versions.items():
        if one not in used:
            report.drop("these rules come into force at no tick", item)
        places[one] = item
    if first_item is not None:
        places[name] = first_item
    return versions, places


def _unlike(others: Iterable[str]) -> str:
    """A name for rules that have none."""
    taken = {one.casefold() for one in others}
    return next(name for n in count_from(1) if (name := _FIRST if n == 1 else f"{_FIRST}-{n}") not in taken)


def _rules(item: Item, report: AdoptReport) -> list[Version]:
    inside = item
    if isinstance(item.value, dict):
        drop_others(item, [("rules",)], report)
        found = required(item, ("rules",), "this file", report)
        if found is None:
            return []
        inside = found
    if not isinstance(inside.value, list):
        report.refuse(WRONG_VALUE, "rules are a list", inside)
        return []
    ids = Ids(report)
    rules: list[Version] = []
    for one in inside.items():
        rule = _rule(one, ids, report)
        if rule is not None:
            rules.append(rule)
    if not rules and not report.failed:
        report.guess("no rule at all admits nothing", inside)
        rules = [{"effect": "refuse", "id": REST, "when": []}]
    return _rest_named(rules, inside, report)


def _rest_named(rules: list[Version], item: Item, report: AdoptReport) -> list[Version]:
    """The rules with `rest` for the one without conditions; what stands behind such a one is never asked."""
    if is_built_in({"name": ALL_RULES.name, "rules": rules}):
        return rules
    kept: list[Version] = []
    decided = False
    for rule in rules:
        if rule["when"]:
            kept.append(rule)
        elif decided:
            report.drop(f"the rule {rule['id']!a} stands behind one that every message meets", item)
        else:
            decided = True
            if rule["id"] != REST:
                report.guess(f"the rule {rule['id']!a} has no conditions and is called `{REST}`", item)
            kept.append({**rule, "id": REST})
    return kept


def _rule(item: Item, ids: Ids, report: AdoptReport) -> Version | None:
    names = words.RULE
    if not isinstance(item.value, dict):
        report.refuse(WRONG_VALUE, "a rule is an object", item)
        return None
    known = {name for some in names.values() for name in some}
    for name in item.value:
        if name not in known:
            report.refuse(WRONG_VALUE, f"a rule has no `{name}` that could be taken over", item.at(name))
    effect = _effect(item, report)
    id_item = member(item, names["id"], report)
    id = text(id_item, report)
    if id is None or id_item is None:
        number = int(item.steps[-1]) + 1
        report.guess("a rule without an id is called after its place", item)
        id, id_item = f"rule-{number}", item
    name = ids.own("rule", id, id_item)
    conditions = _conditions(item, report)
    return None if effect is None or conditions is None else {"effect": effect, "id": name, "when": conditions}


def _effect(item: Item, report: AdoptReport) -> str | None:
    names = words.RULE
    flag = member(item, names["admit"], report)
    if flag is not None and isinstance(flag.value, bool):
        return "admit" if flag.value else "refuse"
    if flag is not None:
        report.refuse(WRONG_VALUE, "`admit` is true or false", flag)
        return None
    return word(required(item, names["effect"], "a rule", report), words.EFFECTS, report)


def _conditions(item: Item, report: AdoptReport) -> list[Version] | None:
    """The conditions of a rule, all of which must hold; None after reporting one that cannot be said."""
    found = member(item, words.RULE["when"], report)
    if found is None:
        return []
    if not isinstance(found.value, list):
        one = _condition(found, report)
        return None if one is None else [one]
    conditions = [_condition(one, report) for one in found.items()]
    return None if None in conditions else [one for one in conditions if one is not None]


def _condition(item: Item, report: AdoptReport) -> Version | None:
    names = words.CONDITION
    if not isinstance(item.value, dict):
        report.refuse(WRONG_VALUE, "a condition is an object with `field`, `op` and `value`", item)
        return None
    known = {name for some in names.values() for name in some}
    for name in item.value:
        if name not in known:
            help = "the language has conjunctions of plain conditions; write alternatives as further rules"
            report.refuse(WRONG_VALUE, f"a condition has no `{name}` that could be taken over", item.at(name), help)
    field = word(required(item, names["field"], "a condition", report), words.FIELDS, report)
    if field is None:
        return None
    operators = words.NUMBER_OPS if field in NUMBER_FIELDS else words.TEXT_OPS
    operator = word(required(item, names["op"], "a condition", report), operators, report)
    value = required(item, names["value"], "a condition", report)
    if operator is None or value is None:
        return None
    taken = _value(field, operator, value, report)
    return None if taken is None else {"field": field, "op": operator, "value": taken}


def _value(field: str, operator: str, item: Item, report: AdoptReport) -> Any:
    """The value of a condition, or None after reporting what is wrong with it."""
    if field in NUMBER_FIELDS:
        return count(item, report)
    if operator not in ("in", "not-in"):
        return _text(field, item, report)
    if not isinstance(item.value, list) or not item.value:
        report.refuse(MISSING, f"`{operator}` compares with a list", item)
        return None
    values = [_text(field, one, report) for one in item.items()]
    return None if None in values else values


def _text(field: str, item: Item, report: AdoptReport) -> str | None:
    return word(item, words.POSTURE_WORDS, report) if field == "posture" else text(item, report)
