"""The words of a limit (`inexpressible.py`) where the parser cannot go on, as the finding that explains the limit.

The parser notices many words late: `pause m1` could be a statement of the name `pause` up to its second word. So phrases
are looked for from the wrong token and from up to three before it, on one line, and have to reach up to the wrong one.
Only what is told depends on it; where the run goes on does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from lark import Token

from wellposed.dsl import tree
from wellposed.dsl.findings import Finding, Severity, Span
from wellposed.dsl.inexpressible import LIMITS, PAGE, Limit, Where
from wellposed.dsl.lexing import span_between
from wellposed.dsl.place import WrongToken, is_word
from wellposed.dsl.wording import quoted

EVENT = "WP128"
EXPECTATION = "WP129"
INEXPRESSIBLE = frozenset({EVENT, EXPECTATION})

_PARTS = re.compile(r"[^-_.]+")
_ANY = "*"
_MOST = 12
"""How many tokens before a place are looked at for the word of a decision."""

_Asked = tuple[int, int, Limit, Where]
"""The index of the first token of a phrase, that behind its last, and what it asks for and where."""


def asked_for(place: WrongToken) -> Finding | None:
    """WP128 or WP129 where the words around a wrong token ask for what cannot be expressed."""
    found = max(_around(place), key=lambda one: one[1] - one[0], default=None)
    if found is None:
        return None
    begin, end, limit, where = found
    first, last = place.tokens[begin], place.tokens[end - 1]
    written = place.source.text[first.start_pos or 0 : last.end_pos or 0]
    return _finding(limit, where, written, span_between(first, last, place.source.path))


def asked_by_field(field: tree.Name) -> Finding | None:
    """WP128 where the field of a rule asks for what cannot be expressed."""
    words = tuple(_PARTS.findall(field.text.lower()))
    limit = next((limit for phrase, limit in _phrases()[Where.FIELD] if phrase == words), None)
    return None if limit is None else _finding(limit, Where.FIELD, field.text, field.span)


def _finding(limit: Limit, where: Where, written: str, at: Span) -> Finding:
    code = EXPECTATION if where in (Where.EXPECTATION, Where.PREDICATE) else EVENT
    message = f"{quoted(written)} asks for {limit.wants}, which cannot be expressed"
    notes = (limit.why, f"{PAGE} explains this limit under {limit.entry}")
    return replace(Finding(code, Severity.ERROR, message, at), notes=notes, help=limit.instead)


def _around(place: WrongToken) -> Iterator[_Asked]:
    """The phrases that begin at the wrong token or up to three before it, the longest of each place first."""
    here: WrongToken | None = place
    while here is not None and here.token.line == place.tokens[max(place.wrong - 1, 0)].line or here is place:
        for where, holds in _PLACES.items():
            if not holds(here):
                continue
            for phrase, limit in _phrases()[where]:
                end = _end_of(phrase, here)
                if end is not None and end >= place.wrong and not (where is Where.STATEMENT and _names(here, end)):
                    yield here.wrong, end, limit, where
        here = here.one_before()


def _names(place: WrongToken, end: int) -> bool:
    """Whether a word that could be asked for is the name of a statement, with or without its `:`."""
    behind = place.tokens[end]
    is_action = behind.type in place.grammar.first["action"] and behind.line == place.token.line
    return end == place.wrong + 1 and not is_word(place.token) and (behind.type == "COLON" or is_action)


def _end_of(phrase: tuple[str, ...], place: WrongToken) -> int | None:
    """The index behind the tokens that are the words of a phrase, if those at a place are, on one line."""
    at, waiting = place.wrong, list(phrase)
    while waiting:
        token = place.tokens[at]
        words = _words(token)
        if token.line != place.token.line or not words:
            return None
        if waiting[0] == _ANY:
            words = [_ANY]
        if waiting[: len(words)] != words:
            return None
        del waiting[: len(words)]
        at += 1
    return at


def _words(token: Token) -> list[str]:
    """What a token adds to a phrase; nothing if it is neither a word nor a name nor a string."""
    if token.type == "STRING":
        return [_ANY]
    return _PARTS.findall(str(token).lower()) if is_word(token) or token.type in ("NAME", "DOTTED") else []


def _behind_decision(place: WrongToken) -> bool:
    before = place.tokens[max(0, place.wrong - _MOST) : place.wrong]
    types = [token.type for token in before if token.line == place.token.line]
    return "AS" in place.possible and not {"APPROVE", "REJECT"}.isdisjoint(types[_last(types, "LBRACE") + 1 :])


def _last(types: list[str], kind: str) -> int:
    return len(types) - 1 - types[::-1].index(kind) if kind in types else -1


def _begins(*rules: str) -> Callable[[WrongToken], bool]:
    return lambda place: not place.rules.isdisjoint(rules)


_PLACES: Mapping[Where, Callable[[WrongToken], bool]] = {
    Where.STATEMENT: _begins("item", "plain_item", "body", "part", "statement", "plain_statement", "action"),
    Where.DECIDED: _behind_decision,
    Where.DELIVERED: _begins("place"),
    Where.ATTRIBUTE: _begins("override", "conversation_line"),
    Where.HASH: _begins("_wrong_hash"),
    Where.EXPECTATION: _begins("expectation", "guarded", "claim"),
    Where.PREDICATE: _begins("predicate"),
}


@cache
def _phrases() -> Mapping[Where, tuple[tuple[tuple[str, ...], Limit], ...]]:
    return {where: tuple((phrase, limit) for limit in LIMITS for phrase in limit.phrases(where)) for where in Where}
