"""Expectations as they are written in the language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from wellposed.compiler.decompile.names import Names

_WIDTH = 116
"""Columns of its own after which a claim that is made of claims is written on several lines."""
_PLAIN = {
    "not-admitted": "not admitted",
    "never-sent": "never sent",
    "completed": "completed",
    "open": "open",
    "reassigned-or-orphaned": "reassigned or orphaned",
}

Claim = Mapping[str, Any]


def claim_lines(claim: Claim, names: Names) -> list[str]:
    """The lines of one expectation; only what is made of claims has more than one."""
    whole = claim_text(claim, names)
    if len(whole) <= _WIDTH or claim["claim"] not in ("any", "if"):
        return [whole]
    if claim["claim"] == "if":
        condition, then, otherwise = (claim_lines(claim[part], names) for part in ("if", "then", "else"))
        return [*_after("if", condition), *_indented(_after("then", then)), *_indented(_after("else", otherwise))]
    lines = ["any of {"]
    for number, alternative in enumerate(claim["of"]):
        if number:
            lines.append("} or {")
        lines += _indented(line for one in alternative for line in claim_lines(one, names))
    return [*lines, "}"]


def _after(word: str, lines: list[str]) -> list[str]:
    return [f"{word} {lines[0]}", *lines[1:]]


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def claim_text(claim: Claim, names: Names) -> str:
    """One expectation on one line."""
    form = claim["claim"]
    if form == "state-agrees":
        return "state agrees"
    if form == "any":
        parts = ("  ".join(claim_text(one, names) for one in alternative) for alternative in claim["of"])
        return "any of " + " or ".join(f"{{ {part} }}" for part in parts)
    if form == "if":
        condition, then, otherwise = (claim_text(claim[part], names) for part in ("if", "then", "else"))
        return f"if {condition} then {then} else {otherwise}"
    if form == "distinct":
        return f"{', '.join(map(names.record, claim['of']))} distinct"
    if form == "only-sent":
        return f"only {(' then ' if claim['ordered'] else ', ').join(map(names.record, claim['of']))} sent"
    message = names.record(claim["of"])
    if form == "claims-settle":
        return f"claims on {message} settle within {claim['within']}"
    return f"{message} {_predicate(claim, names)}"


def _predicate(claim: Claim, names: Names) -> str:
    form: str = claim["claim"]
    match form:
        case "admitted" | "drafted":
            return form + _within(claim)
        case "sent":
            since = "" if claim["from"] == claim["of"] else f" of {names.record(claim['from'])}"
            return "sent" + (" exactly once" if claim["once"] else "") + _within(claim) + since
        case "not-sent-after":
            return f"not sent after {names.record(claim['after'])}"
        case "abandoned":
            return "abandoned" + ("" if claim["reason"] is None else f" because {claim['reason']}")
        case "reply-in":
            return f"reply in {names.conversation(claim['conversation'])}"
        case "reply-anchor":
            return f"reply carries anchor of {names.conversation(claim['conversation'])}"
    return _PLAIN[form]


def _within(claim: Claim) -> str:
    return "" if claim["within"] is None else f" within {claim['within']}"


def nested(claims: Iterable[Claim], pointer: str) -> Iterator[tuple[str, Claim]]:
    """Every claim with its JSON pointer, those inside others included."""
    for index, claim in enumerate(claims):
        yield from _nested(claim, f"{pointer}/{index}")


def _nested(claim: Claim, pointer: str) -> Iterator[tuple[str, Claim]]:
    yield pointer, claim
    if claim["claim"] == "any":
        for index, alternative in enumerate(claim["of"]):
            yield from nested(alternative, f"{pointer}/of/{index}")
    elif claim["claim"] == "if":
        for part in ("if", "then", "else"):
            yield from _nested(claim[part], f"{pointer}/{part}")
