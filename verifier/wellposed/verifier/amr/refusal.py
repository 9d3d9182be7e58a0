"""Why the rules do not admit a message, in the words of the language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.compiler.decompile.rules import condition_words
from wellposed.compiler.spelling import literal
from wellposed.verifier.amr.admission import holds_of, value_of
from wellposed.verifier.amr.environment import Environment, Message, Segment

RULES = 3
"""How many rules, at most, are told one by one."""
TEXT = 40
"""How much of a text is quoted, in characters."""


def refusal(environment: Environment, message: Message) -> str:
    """What became of the message under the posture and rules in force at its delivery."""
    segment = next(one for one in environment.segments if one.first <= message.at <= one.last)
    version = next(one for one in environment.document["rules"] if one["name"] == segment.rules)
    told = list(_told(version["rules"], message, segment))
    more = [f"and {len(told) - RULES} more rules do not apply"] if len(told) > RULES else []
    return "; ".join([*told[:RULES], *more]) or "no rule admits anything"


def _told(rules: list[Mapping[str, Any]], message: Message, segment: Segment) -> Iterator[str]:
    for rule in rules:
        failing = next((one for one in rule["when"] if not holds_of(one, message, segment.posture)), None)
        if failing is None:
            if rule["effect"] == "refuse" and rule["when"]:
                yield f"`{rule['id']}` refuses it"
            return
        if rule["effect"] == "admit":
            value = value_of(failing, message, segment.posture)
            yield f"`{rule['id']}` asks for `{condition_words(failing)}`, and that is {_shown(failing, value)}"


def _shown(condition: Mapping[str, Any], value: str | int) -> str:
    if condition["field"] == "posture" or isinstance(value, int):
        return str(value)
    return literal(value if len(value) <= TEXT else value[: TEXT - 1] + "…")
