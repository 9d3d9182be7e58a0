"""Expectations that a scenario may have: every form of claim, over its items and the names of its statements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from wellposed.dsl.vocabulary import REASONS
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Json, is_written
from wellposed.verifier.amr.repairs.ends import accepting


def expectations(case: Case) -> Iterator[Json]:
    """The claims, the most telling forms first; windows are the shortest that lawful runs keep."""
    for message in case.deliveries:
        yield from accepting(case, message)
    for message in case.deliveries:
        yield from _of_item(case, message)
    yield from _exact(case)
    yield from ({"claim": "distinct", "of": list(pair)} for pair in combinations(case.deliveries, 2))
    yield {"claim": "state-agrees"}


def _of_item(case: Case, message: str) -> Iterator[Json]:
    for record in ("admitted", "drafted"):
        window = case.window(message, record)
        if window is not None:
            start = case.clock.index(case.deliveries[message]["at"])
            yield {"claim": record, "of": message, "within": window.last - start}
    for form in ("not-admitted", "never-sent", "completed", "open", "reassigned-or-orphaned"):
        yield {"claim": form, "of": message}
    yield {"claim": "sent", "of": message, "once": True, "within": None, "from": message}
    for reason in (*REASONS, None):
        yield {"claim": "abandoned", "of": message, "reason": reason}
    for name in _names(case):
        yield {"claim": "not-sent-after", "of": message, "after": name}
    own = case.deliveries[message]["record"]["conversation_id"]
    yield {"claim": "reply-in", "of": message, "conversation": own}
    if any(one["conversation_id"] == own for one in case.document["stub"]["anchors"]):
        yield {"claim": "reply-anchor", "of": message, "conversation": own}
    yield {"claim": "claims-settle", "of": message, "within": BUDGETS.claims * (1 + len(list(_deaths(case))))}


def _exact(case: Case) -> Iterator[Json]:
    """Exactly the sends that lawful runs always have, in any order and in that of their last ticks."""
    spans = {message: case.outcome(message, "sent") for message in case.deliveries if len(case.outcomes(message)) == 1}
    last = {message: span.last for message, span in spans.items() if span is not None}
    for ordered in (False, True) if len(last) > 1 else (False,):
        if last:
            of = sorted(last, key=lambda message: last[message]) if ordered else list(last)
            yield {"claim": "only-sent", "of": of, "ordered": ordered}


def _names(case: Case) -> Iterator[str]:
    """What the author named and what happens: decisions, signals and faults."""
    members = ("approval_id", "signal_id", "fault_id")
    found = (entry["record"].get(member) for entry in case.document["schedule"] for member in members)
    yield from dict.fromkeys(name for name in found if name is not None and is_written(name))


def _deaths(case: Case) -> Iterator[Json]:
    return (one for one in case.document["schedule"] if one["record"].get("signal_type") == "AGENT_DEATH")
