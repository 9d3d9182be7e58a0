"""The author's expectations, evaluated on a finished run.

Windows are closed and count visible ticks, those of sends only the ones at which effects are not held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from wellposed.verifier.amr.checker.case import Case
from wellposed.verifier.amr.checker.item import Item
from wellposed.verifier.amr.run import Violation

Claim = Mapping[str, Any]

EXPECT = "expect"
"""The obligation id of a violated expectation."""


def expectation(number: int) -> str:
    """The JSON pointer of an expectation in the bundle document."""
    return f"/expect/{number}"


def expectations(case: Case) -> tuple[Violation, ...]:
    """The expectations that the run fails, each at `/expect/i`. Raises ValueError for an unknown form."""
    found = []
    for number, claim in enumerate(case.document["expect"]):
        why = refute(case, claim)
        if why is not None:
            message = claim.get("of")
            found.append(Violation(EXPECT, expectation(number), message if isinstance(message, str) else None, why))
    return tuple(found)


def refute(case: Case, claim: Claim) -> str | None:
    """Why a claim is false in the run, in ticks; None if it is true. Raises ValueError for an unknown form."""
    form = claim["claim"]
    if form in COMPOUND:
        return COMPOUND[form](case, claim)
    if form not in SIMPLE:
        raise ValueError(f"unknown claim {form}")
    return SIMPLE[form](case, case.items[claim["of"]], claim)


def _listed(case: Case, what: str, indexes: Iterable[int]) -> str:
    """ "sent at 12 and 15", or "never sent"."""
    ticks = [str(case.tick(index)) for index in indexes]
    return f"{what} at {' and '.join(ticks)}" if ticks else f"never {what}"


def _window(case: Case, item: Item, claim: Claim) -> tuple[int, int] | str | None:
    """The window of a claim in indexes: None without one, or why it cannot exist."""
    if claim.get("within") is None:
        return None
    name = claim.get("from") or item.message
    start = case.named.get(name)
    if start is None:
        return f"{name} never happens"
    width = _width(case, claim)
    if width < 0:
        return f"within {claim['within']} there is no tick"
    is_send = claim["claim"] == "sent"
    return start.index, case.effects.until(start.index, width) if is_send else start.index + width


def _width(case: Case, claim: Claim) -> int:
    """How many ticks the window `within N` of a claim goes on behind the tick that it starts with."""
    return int(claim["within"]) - (1 if case.answers.open_windows else 0)


def _exists(case: Case, item: Item, claim: Claim, what: str, indexes: tuple[int, ...]) -> str | None:
    window = _window(case, item, claim)
    if isinstance(window, str):
        return f"{window}; {_listed(case, what, indexes)}"
    if window is None:
        return None if indexes else f"never {what}"
    if any(window[0] <= index <= window[1] for index in indexes):
        return None
    return f"not {what} in {case.tick(window[0])}..{case.tick(window[1])}; {_listed(case, what, indexes)}"


def _admitted(case: Case, item: Item, claim: Claim) -> str | None:
    return _exists(case, item, claim, "admitted", () if item.admitted is None else (item.admitted,))


def _drafted(case: Case, item: Item, claim: Claim) -> str | None:
    return _exists(case, item, claim, "drafted", item.drafts)


def _sent(case: Case, item: Item, claim: Claim) -> str | None:
    if claim.get("once") and len(item.sends) > 1:
        return f"sent {len(item.sends)} times: {_listed(case, 'sent', item.sends)}"
    return _exists(case, item, claim, "sent", item.sends)


def _not_admitted(case: Case, item: Item, claim: Claim) -> str | None:
    return None if item.admitted is None else f"admitted at {case.tick(item.admitted)}"


def _never_sent(case: Case, item: Item, claim: Claim) -> str | None:
    return _listed(case, "sent", item.sends) if item.sends else None


def _not_sent_after(case: Case, item: Item, claim: Claim) -> str | None:
    start = case.named.get(claim["after"])
    late = () if start is None else item.sends_behind(start)
    if start is None or not late:
        return None
    return f"{_listed(case, 'sent', late)}, not before {claim['after']} at {case.tick(start.index)}"


def _resolution(case: Case, item: Item) -> str:
    if item.resolved is None:
        return "never resolved"
    because = f" because of {item.reason}" if item.reason else ""
    return f"{item.outcome} at {case.tick(item.resolved)}{because}"


def _completed(case: Case, item: Item, claim: Claim) -> str | None:
    return None if item.outcome == "completed" else _resolution(case, item)


def _abandoned(case: Case, item: Item, claim: Claim) -> str | None:
    reason = claim.get("reason")
    if item.outcome == "abandoned" and reason in (None, item.reason):
        return None
    return _resolution(case, item)


def _open(case: Case, item: Item, claim: Claim) -> str | None:
    if item.sends:
        return _listed(case, "sent", item.sends)
    return None if item.resolved is None else _resolution(case, item)


def _reassigned_or_orphaned(case: Case, item: Item, claim: Claim) -> str | None:
    if not item.deaths:
        return "no death touches the item"
    first = item.deaths[0].index
    if any(won >= first for won in item.won) or item.abandoned_in(first, case.last):
        return None
    return f"its agent died at {case.tick(first)}; never reassigned, {_resolution(case, item)}"


def _reply_in(case: Case, item: Item, claim: Claim) -> str | None:
    if not item.sends:
        return "never sent"
    for tick, draft in item.run.sends:
        conversation = item.run.drafts[draft].conversation
        if conversation != claim["conversation"]:
            return f"the reply sent at {tick} is in {conversation}"
    return None


def _reply_anchor(case: Case, item: Item, claim: Claim) -> str | None:
    if not item.sends:
        return "never sent"
    for tick, draft in item.run.sends:
        if claim["conversation"] not in item.run.drafts[draft].carries:
            return f"the reply sent at {tick} does not carry the anchor of {claim['conversation']}"
    return None


def _claims_settle(case: Case, item: Item, claim: Claim) -> str | None:
    contention = item.run.contention
    if contention is None:
        return None
    deadline = case.clock.index(contention.claimed) + _width(case, claim)
    if deadline > case.last:
        return None
    if contention.settled is not None and case.clock.index(contention.settled) <= deadline:
        return None
    settled = "never settled" if contention.settled is None else f"settled at {contention.settled}"
    return f"claimed twice at {contention.claimed}, so to settle by {case.tick(deadline)}; {settled}"


def _distinct(case: Case, claim: Claim) -> str | None:
    missing = [message for message in claim["of"] if case.items[message].admitted is None]
    return f"{' and '.join(missing)} not admitted" if missing else None


def _only_sent(case: Case, claim: Claim) -> str | None:
    for message in claim["of"]:
        sends = case.items[message].sends
        if len(sends) != 1:
            return f"{message} is {_listed(case, 'sent', sends)}"
    for message, item in case.items.items():
        if item.sends and message not in claim["of"]:
            return f"{message}, which is not named, is {_listed(case, 'sent', item.sends)}"
    if claim["ordered"]:
        for earlier, later in pairwise(claim["of"]):
            first, second = case.items[earlier].sends[0], case.items[later].sends[0]
            if first > second:
                return f"{earlier} is sent at {case.tick(first)}, after {later} at {case.tick(second)}"
    return None


def _state_agrees(case: Case, claim: Claim) -> str | None:
    return None if case.run.state_agrees else "a state snapshot disagrees with the logs"


def _any(case: Case, claim: Claim) -> str | None:
    failures = []
    for branch in claim["of"]:
        whys = [why for inner in branch if (why := refute(case, inner)) is not None]
        if not whys:
            return None
        failures.append(whys[0])
    return "no alternative holds: " + "; or ".join(failures)


def _if(case: Case, claim: Claim) -> str | None:
    condition = refute(case, claim["if"])
    if condition is None:
        why = refute(case, claim["then"])
        return None if why is None else f"the condition holds, but: {why}"
    why = refute(case, claim["else"])
    return None if why is None else f"the condition fails ({condition}), and: {why}"


COMPOUND: dict[str, Callable[[Case, Claim], str | None]] = {
    "any": _any,
    "if": _if,
    "distinct": _distinct,
    "only-sent": _only_sent,
    "state-agrees": _state_agrees,
}

SIMPLE: dict[str, Callable[[Case, Item, Claim], str | None]] = {
    "admitted": _admitted,
    "not-admitted": _not_admitted,
    "drafted": _drafted,
    "sent": _sent,
    "never-sent": _never_sent,
    "not-sent-after": _not_sent_after,
    "completed": _completed,
    "abandoned": _abandoned,
    "open": _open,
    "reassigned-or-orphaned": _reassigned_or_orphaned,
    "reply-in": _reply_in,
    "reply-anchor": _reply_anchor,
    "claims-settle": _claims_settle,
}
