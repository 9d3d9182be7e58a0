"""One failing cause, one failure: which broken obligation of an item explains which others, and what is left as a root.

The rows are not independent: what was never admitted is never drafted, sent or resolved either. So of the things that
one run breaks with one item, those that another one leads to are told as following from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wellposed.verifier.amr.checker import EXPECT, WELL_FORMED
from wellposed.verifier.amr.judge.told import FORM, Broken

_UNSENT = ("L0.reply", "L2.send", "L1.crash", "L3.terminal")
_AFTER_SEND = ("K.closed", "L0.abandon", "L4.resolve", "L6.stop")

LEADS_TO: Mapping[str, Sequence[str]] = {
    FORM: (
        WELL_FORMED,
        "K.declared",
        "K.admitted",
        "K.completed",
        "L2.admit",
        "L0.draft",
        "L3.claims",
        "L3.death",
        "L3.state",
        *_UNSENT,
    ),
    WELL_FORMED: (
        "K.closed",
        "L1.once",
        "L5.identity",
        "L1.anchor",
        "L2.authority",
        "L2.forged",
        "L2.send",
        "L0.reply",
    ),
    "K.admitted": ("L2.admit", "L0.draft", "L3.claims", "L3.state", *_UNSENT),
    "K.declared": ("L2.authority", "L2.forged"),
    "K.completed": _UNSENT,
    "L1.fork": ("L1.once", "L2.authority", "K.closed", "L5.identity", "L3.state"),
    "L5.identity": ("L1.once", "L1.anchor", "L2.authority", "L2.send", "L0.reply", "K.closed"),
    "L2.only": ("L0.draft", *_UNSENT),
    "L2.admit": ("K.admitted", "L2.only", "L0.draft", "L3.death", *_UNSENT),
    "L0.draft": _UNSENT,
    "L0.abandon": ("K.reason", "K.closed", "L0.draft", *_UNSENT),
    "K.reason": ("L0.abandon", "L4.resolve", "L6.stop"),
    "L4.stop": ("L1.once", *_AFTER_SEND),
    "L4.resolve": ("L3.terminal", "L6.stop"),
    "L1.once": ("L2.authority", "L2.forged", "L4.stop", *_AFTER_SEND),
    "L2.forged": ("L2.authority", "L4.stop"),
    "L2.authority": ("L4.stop",),
    "L3.death": ("L0.draft", *_UNSENT),
    "L1.crash": ("L0.reply", "L2.send", "L3.terminal"),
    "L2.send": ("L0.reply", "L3.terminal"),
    "L0.reply": ("L3.terminal",),
    "L3.claims": ("L3.death", "L3.state"),
}
"""The obligations that breaking one of these explains, for the same item; of two rows the earlier one explains the later."""

_RANK = {obligation: rank for rank, obligation in enumerate(LEADS_TO)}


@dataclass(frozen=True, slots=True)
class Cluster:
    """A root and what follows from it. `id` is the root's obligation and its message, the same in every run."""

    id: str
    root: Broken
    more: tuple[Broken, ...]
    """Further breaches of the root's own obligation with the same item."""
    follows: tuple[Broken, ...]

    @property
    def all(self) -> tuple[Broken, ...]:
        """Everything in the cluster."""
        return (self.root, *self.more, *self.follows)


def clusters(broken: Sequence[Broken], messages_of: Mapping[str, frozenset[str]]) -> tuple[Cluster, ...]:
    """The failures of one run. `messages_of` maps the pointers of expectations to the messages that they speak of."""
    groups: dict[str, list[Broken]] = {}
    for one in broken:
        groups.setdefault(_identity(one), []).append(one)
    roots: dict[str, str] = {}
    for identity, members in groups.items():
        above = [other for other, those in groups.items() if _explains(those[0], members[0], messages_of)]
        roots[identity] = min(above, key=lambda other: _rank(groups[other][0]), default=identity)
    # What explains something may itself follow from something else.
    return tuple(
        Cluster(
            identity,
            groups[identity][0],
            tuple(groups[identity][1:]),
            tuple(
                one
                for other in groups
                if other != identity and _root(roots, other) == identity
                for one in groups[other]
            ),
        )
        for identity in groups
        if roots[identity] == identity
    )


def _identity(one: Broken) -> str:
    if one.obligation == EXPECT:
        return one.pointer.removeprefix("/")
    if one.obligation == FORM:
        return f"{FORM}/{one.file}"
    return one.obligation if one.message is None else f"{one.obligation}/{one.message}"


def _rank(one: Broken) -> int:
    return _RANK.get(one.obligation, len(_RANK))


def _explains(one: Broken, other: Broken, messages_of: Mapping[str, frozenset[str]]) -> bool:
    """Whether the first leads to the second, which has a later row."""
    if other.obligation == EXPECT:
        concerned = messages_of.get(other.pointer, frozenset())
        return one.obligation != EXPECT and (one.message is None or not concerned or one.message in concerned)
    if one.message is not None and one.message != other.message and other.message not in one.beside:
        return False
    if one.beside and one.obligation == other.obligation:
        return not other.beside
    return other.obligation in LEADS_TO.get(one.obligation, ()) and _rank(one) < _rank(other)


def _root(roots: Mapping[str, str], identity: str) -> str:
    while roots[identity] != identity:
        identity = roots[identity]
    return identity


def messages_of(document: Mapping[str, object]) -> dict[str, frozenset[str]]:
    """The messages that each expectation speaks of, by its pointer; none where it speaks of all."""
    expect = document["expect"]
    assert isinstance(expect, list)
    return {f"/expect/{number}": _messages(claim) for number, claim in enumerate(expect)}


def _messages(claim: object) -> frozenset[str]:
    found: set[str] = set()
    waiting = [claim]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if value.get("claim") == "only-sent":  # of the others as well
                return frozenset()
            of = value.get("of")
            found |= {one for one in (of if isinstance(of, list) else [of]) if isinstance(one, str)}
            waiting += [inner for inner in value.values() if isinstance(inner, dict | list)]
        elif isinstance(value, list):
            waiting += value
    return frozenset(found)
