"""What to write instead, in statements: which draft is decided on, what is deferred, what is held.

Functions of the `WrongToken`, as those of `advice.py`, which asks them.
"""

from __future__ import annotations

from wellposed.dsl.place import WrongToken
from wellposed.dsl.wording import quoted

_WHICH = frozenset({"NEWEST", "OLDEST"})
_DECIDES = frozenset({"APPROVE", "REJECT"})
_HOLDS = frozenset({"HOLD", "RELEASE"})
_WAITS = frozenset({"delayed", "later", "postponed", "queued", "wait", "waiting", "waits"})


def _kinds_before(place: WrongToken, count: int) -> list[str]:
    """The types of so many tokens before the wrong one, fewer at the beginning of the file."""
    return [token.type for token in place.tokens[max(0, place.wrong - count) : place.wrong]]


def which_draft(place: WrongToken) -> str | None:
    """`approve oldest m1`, `approve oldest draft m1`, `approve m1 oldest draft`, `approve latest draft of m1`."""
    match _kinds_before(place, 3):
        case [*_, verb, which] if verb in _DECIDES and which in _WHICH:
            which, name = str(place.before), str(place.token) if place.token.type == "NAME" else "m1"
            return f"the whole of it is {quoted(f'{place.tokens[place.wrong - 2]} {which} draft of {name}')}"
        case [*_, which, "DRAFT"] if which in _WHICH and place.token.type == "NAME":
            return f"whose draft it is stands behind `of`: {quoted(f'draft of {place.token}')}"
        case [*_, verb, "NAME"] if verb in _DECIDES and place.token.type in _WHICH:
            verb = str(place.tokens[place.wrong - 2])
            return f"which draft is meant stands first: {quoted(f'{verb} {place.token} draft of {place.before}')}"
        case [*_, verb, "NAME"] if verb in _DECIDES and place.token.type == "DRAFT":
            verb = str(place.tokens[place.wrong - 2])
            return f"a draft is called by its age: `{verb} newest draft of m1` or `{verb} oldest draft of m1`"
    return None


def deferred(place: WrongToken) -> str | None:
    """`deferred` where it cannot stand, or another word for it."""
    if "DEFERRED" in place.possible and str(place.token).lower() in _WAITS:
        return "a signal that waits for its item is `deferred`"
    if place.token.type != "DEFERRED":
        return None
    match _kinds_before(place, 2):
        case ["AGENT", "STRING"]:
            return "no item is named here that this death could wait for: write `kill agent of m1 deferred`"
        case ["AS", _]:
            return f"it stands before the name of the statement: {quoted(f'deferred as {place.before}')}"
        case [*_, "ESCALATE"] | ["AGENT", "OF"]:
            return "it stands behind the message: `escalate m1 deferred`, `kill agent of m1 deferred`"
    return (
        "only `escalate m1` and `kill agent of m1` are deferred; a decision waits for a draft without being told, and "
        "nothing else waits"
    )


def held(place: WrongToken) -> str | None:
    """`hold` and `release` of something else than effects."""
    if place.before is not None and place.before.type in _HOLDS and set(place.possible) == {"EFFECTS"}:
        return f"it is the effects of all items together that are held: `{place.before} effects`"
    return None


def length_of_hold(place: WrongToken) -> str | None:
    """`hold effects for 5`, `hold effects until 20`."""
    before = _kinds_before(place, 3)
    if place.same_line and (before[-2:] == ["HOLD", "EFFECTS"] or before == ["HOLD", "EFFECTS", "FOR"]):
        return "a hold goes on until effects are released: write `release effects` at the tick at which it ends"
    return None


FOUND = (which_draft, deferred, held, length_of_hold)
"""Those that look at the wrong token."""
MISSING = (which_draft, held)
"""Those that look at what stands before it."""
