"""What to write instead: help for slips that are made often.

Each kind is one function of the `WrongToken`; the first that knows something speaks. Those of `_FOUND` look at the
wrong token, those of `_MISSING` only at what stands before it, which is all that can be known at the end of a line.
"""

from __future__ import annotations

from wellposed.dsl import advice_only, advice_prose, advice_statements
from wellposed.dsl.constructs import misspelt
from wellposed.dsl.place import WrongToken
from wellposed.dsl.wording import LONGEST_SHOWN, quoted

_UNITS = frozenset({"tick", "ticks", "t", "s", "sec", "secs", "second", "seconds", "ms", "min", "minute", "minutes"})
_CLAIMS = frozenset({"expectation", "guarded"})


def advice(place: WrongToken) -> str | None:
    """The help for a wrong token, if there is one."""
    return next((text for kind in (*_FOUND, *_MISSING) if (text := kind(place)) is not None), None)


def advice_on_missing(place: WrongToken) -> str | None:
    """The help for what is missing before a wrong token that is innocent, if there is one."""
    return next((text for kind in _MISSING if (text := kind(place)) is not None), None)


def advice_on_name(place: WrongToken) -> str | None:
    """The help for a word that could be a name, but says something else in the place where it stands."""
    return next((text for kind in (*advice_prose.AS_NAMES, _unit) if (text := kind(place)) is not None), None)


def _quotes_too_many(place: WrongToken) -> str | None:
    if place.token.type == "STRING" and "NAME" in place.possible and "STRING" not in place.possible:
        return "names stand without quotes"
    return None


def _quotes_missing(place: WrongToken) -> str | None:
    if place.token.type in ("NAME", "NUMBER", "DOTTED") and set(place.possible) == {"STRING", "LONG_STRING"}:
        return 'text stands in quotes: "…"'
    return None


def _dots(place: WrongToken) -> str | None:
    if place.token.type == "DOTTED" and "NAME" in place.possible:
        return "a name has no dots; its words are joined by hyphens"
    return None


def _sign(place: WrongToken) -> str | None:
    if place.token.type == "MINUS" and "NUMBER" in place.possible:
        return "a tick is never negative"
    return None


def _unit(place: WrongToken) -> str | None:
    before = place.before
    if before is not None and before.type == "NUMBER" and str(place.token).lower() in _UNITS:
        return f"all times are in ticks, and no unit is written: `{before}`"
    return None


def _level(place: WrongToken) -> str | None:
    if place.token.type != "NUMBER" or "level" not in place.rules:
        return None
    return f"write `level L{place.token}`" if len(place.token) == 1 and place.token < "7" else "levels are L0 to L6"


def _loop(place: WrongToken) -> str | None:
    if place.following(3)[::2] != ["FOR", "IN"]:
        return None
    return "loops stand around `at` and other items, and in the blocks of `at`, `when`, `expect` and `stub`"


def _range(place: WrongToken) -> str | None:
    if place.token.type == "LSQB" and place.before is not None and place.before.type == "IN":
        return "a loop runs over a range such as `1..3`"
    return None


def _comparison(place: WrongToken) -> str | None:
    if place.token.type == "COMPARISON" and {"PLUS", "MINUS"} & place.possible.keys():
        return "times are not compared; they are computed with `+`, `-` and `*`"
    return None


def _list(place: WrongToken) -> str | None:
    if place.token.type == "STRING" and set(place.possible) == {"LSQB"}:
        return f"a list stands in brackets: `in [{place.token}]`" if len(place.token) <= LONGEST_SHOWN else None
    return None


def _nested(place: WrongToken) -> str | None:
    if place.token.type in ("AT", "WHEN") and place.rules & {"part", "statement", "action"}:
        return "`at` and `when` do not nest"
    return None


def _verb(place: WrongToken) -> str | None:
    if place.token.type == "IS" and "predicate" in place.rules:
        return f"no `is` is written: `{place.before} sent`"
    return None


def _joined_claims(place: WrongToken) -> str | None:
    kind = place.token.type
    if kind == "AND" and set(place.possible) == {"OR"}:
        return "what all must hold stands in one block; blocks are alternatives, joined by `or`"
    if not place.rules & _CLAIMS:
        return None
    if kind in ("AND", "COMMA"):
        return "all expectations of a block must hold; they stand one after the other, with nothing between them"
    return "alternatives are written `any of { … } or { … }`" if kind == "OR" else None


def _joined_conditions(place: WrongToken) -> str | None:
    if "AND" not in place.possible:
        return None
    if place.token.type == "OR":
        return "conditions are joined by `and`; an alternative is another rule"
    return "conditions are joined by `and`" if place.token.type == "COMMA" else None


def _negation(place: WrongToken) -> str | None:
    if place.token.type == "NOT" and place.rules & _CLAIMS:
        return "`not` stands behind the message: `m1 not admitted`; the opposite of `m1 sent` is `m1 never sent`"
    return None


def statement_as_name(place: WrongToken) -> str | None:
    """The help where a name is asked for and a statement is written, if that is so."""
    asks = "of" if "moment" in place.rules and place.before is not None else "repeat"
    if not place.rules & {"moment", "original"} or place.token.type not in place.grammar.first["action"]:
        return None
    word = str(place.before) if asks == "of" else asks
    return f"give the statement a name, as in `approve m1 as go`, and write `{word} go`"


def _label_before_tick(place: WrongToken) -> str | None:
    if "item" not in place.rules or place.following(3)[1:] not in (["COLON", "AT"], ["COLON", "WHEN"]):
        return None
    name = str(place.token)
    return f"the name of a statement stands behind the tick: `at 20 {name}: approve m1`, or `approve m1 as {name}`"


def _missing_of(place: WrongToken) -> str | None:
    if place.token.type != "NAME" or "OF" not in place.possible:
        return None
    if place.possible["OF"] == "since":
        return f"the moment from which the window counts stands behind `of`: {quoted(f'of {place.token}')}"
    if place.before is not None and place.before.type == "AGENT":
        return f"whose agent it is stands behind `of`: {quoted(f'kill agent of {place.token}')}"
    return None


def _spelling(place: WrongToken) -> str | None:
    word = misspelt(place.grammar, place.token, place.possible)
    return None if word is None else f"did you mean `{place.grammar.patterns[word]}`?"


def _not_sent(place: WrongToken) -> str | None:
    if set(place.possible) == {"AFTER"}:
        return "`m1 not sent after x` is about the time from x on; for the whole run, write `m1 never sent`"
    return None


def _forged_id(place: WrongToken) -> str | None:
    if place.before is None or place.before.type not in ("APPROVAL", "REJECTION") or "STRING" not in place.possible:
        return None
    return f'its id comes first: `forge {place.before} "f" for m1 with wrong hash`'


def _one_alternative(place: WrongToken) -> str | None:
    if set(place.possible) == {"OR"} and place.before is not None and place.before.type == "RBRACE":
        return "`any of` has two blocks or more: `any of { … } or { … }`"
    return None


def _parts_of_if(place: WrongToken) -> str | None:
    if place.possible.keys() & {"THEN", "ELSE"}:
        return "all three parts are needed: `if … then … else …`"
    return None


_FOUND = (
    _spelling,
    *advice_statements.FOUND,
    *advice_only.FOUND,
    *advice_prose.FOUND,
    _quotes_too_many,
    _quotes_missing,
    _dots,
    _sign,
    _unit,
    _level,
    _loop,
    _range,
    _list,
    _comparison,
    _nested,
    _verb,
    _joined_claims,
    _joined_conditions,
    _negation,
    statement_as_name,
    _label_before_tick,
    _missing_of,
)
_MISSING = (
    *advice_statements.MISSING,
    *advice_only.MISSING,
    _not_sent,
    _forged_id,
    _one_alternative,
    _parts_of_if,
)
