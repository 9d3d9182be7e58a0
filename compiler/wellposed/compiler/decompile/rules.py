"""Rules, skins and the stub as they are written in the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wellposed.compiler.builtin import ALL_RULES, SUPPORT_DESK
from wellposed.compiler.declarations import REST
from wellposed.compiler.decompile.names import Names
from wellposed.compiler.spelling import lines, literal, name
from wellposed.dsl.vocabulary import SKIN_WORDS, TEXT_FIELDS, TEXT_OPERATORS

_FIELDS = {neutral: word for word, neutral in TEXT_FIELDS.items()}
_OPERATORS = {neutral: words for words, neutral in TEXT_OPERATORS.items()}
_ALL = {
    "name": ALL_RULES.name,
    "rules": [{"id": rule.id, "effect": rule.effect, "when": list(rule.conditions)} for rule in ALL_RULES.rules],
}

Version = Mapping[str, Any]


def is_built_in(version: Version) -> bool:
    """Whether a rules version is the one that every file knows."""
    return version == _ALL


def rule_lines(version: Version) -> list[str]:
    """One line per rule."""
    return [_rule(rule) for rule in version["rules"]]


def _rule(rule: Mapping[str, Any]) -> str:
    if rule["id"] == REST and not rule["when"]:
        return f"{rule['effect']} {REST}"
    return f"{rule['effect']} {name(rule['id'])} when {' and '.join(map(condition_words, rule['when']))}"


def condition_words(one: Mapping[str, Any]) -> str:
    """A condition as it is written."""
    field, value = one["field"], one["value"]
    spell = str if field == "posture" or isinstance(value, int) else literal
    shown = f"[{', '.join(map(spell, value))}]" if isinstance(value, list) else spell(value)
    return f"{_FIELDS.get(field, field)} {_OPERATORS.get(one['op'], one['op'])} {shown}"


def skin_lines() -> list[str]:
    """The lines of a skin of which only the name is known: the benchmark's own words."""
    return [f"{word} {literal(word.replace('-', ' '))}" for word in SKIN_WORDS]


def is_built_in_skin(skin: str) -> bool:
    """Whether every file knows the skin of this name."""
    return skin == SUPPORT_DESK.name


def stub_lines(stub: Mapping[str, Any], names: Names) -> list[tuple[str, list[str]]]:
    """The lines of a `stub` block, each with the JSON pointer of what it says; none where the defaults say it all."""
    conversations = [one["conversation_id"] for one in stub["replies"]]
    anchored = [one["conversation_id"] for one in stub["anchors"]]
    written: list[tuple[str, list[str]]] = []
    if anchored != [one for one in conversations if one in set(anchored)]:
        written.append(("/stub/anchors", [f"anchors [{', '.join(map(names.conversation, anchored))}]"]))
    for index, reply in enumerate(stub["replies"]):
        if reply["parts"] != default_reply(reply["conversation_id"] in anchored):
            first, *inner = lines(reply_pieces(reply["parts"]))
            head = f"reply {names.conversation(reply['conversation_id'])} {first}"
            written.append((f"/stub/replies/{index}", [head, *(f"  {line}" if line else "" for line in inner)]))
    return written


def default_reply(anchored: bool) -> list[Any]:
    """The parts of the reply of a conversation for which no `stub` block gives one."""
    return ["Regarding ", {"anchor": True}, "."] if anchored else ["Noted."]


def reply_pieces(parts: Sequence[Any]) -> list[str]:
    """The texts before, between and behind the anchors of a reply."""
    pieces = [""]
    for part in parts:
        if isinstance(part, str):
            pieces[-1] += part
        else:
            pieces.append("")
    return pieces


def unconditional(versions: Iterable[Version]) -> list[tuple[str, str]]:
    """The rules that admit or refuse everything under a name of their own, as (JSON pointer, id)."""
    return [
        (f"/rules/{number}/rules/{index}", rule["id"])
        for number, version in enumerate(versions)
        if not is_built_in(version)
        for index, rule in enumerate(version["rules"])
        if not rule["when"] and rule["id"] != REST
    ]
