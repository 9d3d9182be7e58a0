"""What to write instead of the words and signs of other languages: `at tick 13`, `sent once`, `level: L6`, `m1 should …`.

Functions of the `WrongToken`, as those of `advice.py`, which asks them. A word that could be a name is noticed one token
late; `AS_NAMES` are therefore asked about the token before the wrong one as well (`mistakes.py`).
"""

from __future__ import annotations

from wellposed.dsl.place import WrongToken
from wellposed.dsl.wording import quoted

_ARTICLES = frozenset({"a", "an", "the"})
_CLOCK = frozenset({"t", "tick", "time"})
_LIMITS = frozenset({"after", "before", "by", "in", "until"})
_CHOICES = frozenset({"either", "one", "oneof"})
_DUTIES = frozenset({"be", "gets", "has", "must", "shall", "should", "was", "will"})
_BEHAVIOUR = frozenset(
    {"abandon", "admit", "answer", "complete", "draft", "orphan", "reassign", "reply", "respond", "send"}
)
_CLAIM_BEGINS = "an expectation begins with the message and says what becomes of it: `m1 sent`, `m1 never sent`"


def _word(place: WrongToken) -> str:
    return str(place.token).lower()


def _reason(place: WrongToken) -> str | None:
    if "BECAUSE" not in place.possible or _word(place) not in ("with", "for", "due", "by", "reason"):
        return None
    return "the reason stands behind `because`: `m1 abandoned because crash`"


def _once(place: WrongToken) -> str | None:
    return "write `exactly once`" if "EXACTLY" in place.possible and _word(place) == "once" else None


def _limit(place: WrongToken) -> str | None:
    if "WITHIN" not in place.possible or not place.same_line or _word(place) not in _LIMITS:
        return None
    return (
        "a limit is a number of ticks: `within 5`, or `within 5 of go`, counted from the statement that is named `go`"
    )


def _moment(place: WrongToken) -> str | None:
    if _word(place) not in _ARTICLES or "moment" not in place.rules or place.before is None:
        return None
    return f"give the statement a name, as in `approve m1 as go`, and write `{place.before} go`"


def _tick(place: WrongToken) -> str | None:
    if place.before is None or place.before.type != "AT" or _word(place) not in _CLOCK:
        return None
    number = place.tokens[place.wrong + 1]
    return f"a tick is its number alone: {quoted(f'at {number}')}" if number.type == "NUMBER" else None


def _either(place: WrongToken) -> str | None:
    if _word(place) not in _CHOICES or not place.rules & {"expectation", "guarded"}:
        return None
    return "alternatives are written `any of { … } or { … }`" if place.following(2)[1:] == ["LBRACE"] else None


def _assignment(place: WrongToken) -> str | None:
    if str(place.token) not in ("=", ":") or place.before is None or not place.same_line:
        return None
    if place.before.type not in place.grammar.first["header"] | place.grammar.first["conversation_line"]:
        return None
    value = place.tokens[place.wrong + 1]
    example = f"{place.before} {value if value.type in ('NAME', 'NUMBER') else '…'}"
    return f"nothing stands between a word and its value: {quoted(example)}"


def _duty(place: WrongToken) -> str | None:
    if "predicate" not in place.rules or not place.same_line:
        return None
    if _word(place) in _DUTIES:
        return "what is expected is said plainly: `m1 sent`, `m1 never sent`"
    return _CLAIM_BEGINS if _word(place).removesuffix("s") in _BEHAVIOUR else None


def _behaviour(place: WrongToken) -> str | None:
    if not place.rules & {"body", "part", "statement", "action"} or _word(place).removesuffix("s") not in _BEHAVIOUR:
        return None
    return "a schedule has what happens to the system; what the system does is expected: `expect { m1 sent }`"


def _delivery(place: WrongToken) -> str | None:
    if place.token.type != "STRING" or not place.same_line or place.before is None:
        return None
    if place.before.type == "DELIVER" and not place.fits("NAME", *place.following(4)[1:]):
        return 'the name of the message comes first, its text last: `deliver m1 in order "…"`'
    if "place" in place.rules and place.tokens[max(0, place.wrong - 2)].type == "DELIVER":
        message = f'deliver {place.before} in order "…"'
        return f"a message belongs to a conversation: {quoted(message)}"
    return None


def _name_of_two_words(place: WrongToken) -> str | None:
    if place.token.type != "NAME" or set(place.possible) != {"LBRACE"} or place.before is None:
        return None
    if place.before.type != "NAME" or not place.same_line:
        return None
    return f"a name is one word, joined by hyphens: {quoted(f'{place.before}-{place.token}')}"


AS_NAMES = (_moment, _tick, _either, _limit)
"""Those about a word that the parser may have taken for a name."""
FOUND = (*AS_NAMES, _reason, _once, _assignment, _duty, _behaviour, _delivery, _name_of_two_words)
"""Those that look at the wrong token."""
