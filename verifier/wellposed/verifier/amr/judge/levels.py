"""Which levels a run exercises, and which level an obligation is reported under."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wellposed.dsl.vocabulary import LEVELS, OBLIGATION_BY_ID
from wellposed.verifier.amr.checker.case import Case

NAMES = tuple(f"L{level.number}" for level in LEVELS)


def level_of(obligation: str, top: int) -> str:
    """The level that an obligation is reported under: the one it is named after, if the scenario reaches it.

    The rows K and what is well formed belong to L0: no system is asked for them, and any can keep them.
    """
    if obligation not in OBLIGATION_BY_ID or obligation.startswith("K."):
        return "L0"
    own = int(obligation[1])
    return f"L{own if own <= top else OBLIGATION_BY_ID[obligation].level}"


def exercised(case: Case) -> frozenset[str]:
    """The levels that this run exercises, up to the scenario's own; the table of `docs/model.md`, of one run."""
    return frozenset(level for level in NAMES[: case.level + 1] if EXERCISED[level](case))


def _work(case: Case) -> bool:
    return any(item.required or item.admitted is not None for item in case.items.values())


def _again(case: Case) -> bool:
    arrived = [item for item in case.items.values() if item.arrival is not None]
    pending = any(item.pending(crash) for item in case.items.values() for crash in item.crashes)
    return pending or len(arrived) > 1 or len(case.anchored) > 1 or any(event.again for event in case.happenings)


def _ruled(case: Case) -> bool:
    return any(item.arrival is not None for item in case.items.values())


def _died(case: Case) -> bool:
    return any(item.deaths for item in case.items.values())


def _escalated(case: Case) -> bool:
    return any(
        item.admitted is not None and not item.settled_before(escalation)
        for item in case.items.values()
        for escalation in item.escalations
    )


def _alike(case: Case) -> bool:
    seen: dict[tuple[str, str], set[str]] = {}
    for item in case.items.values():
        if item.admitted is not None and item.arrival is not None:
            for member in ("subject", "from"):
                seen.setdefault((member, item.arrival.record[member]), set()).add(item.arrival.conversation)
    return any(len(conversations) > 1 for conversations in seen.values())


def _revoked(case: Case) -> bool:
    for item in case.items.values():
        for escalation in item.escalations:
            before = [decision for decision in item.decisions if decision.order < escalation.order]
            if item.approved_by(before) and not item.settled_before(escalation):
                return True
    return False


EXERCISED: Mapping[str, Callable[[Case], bool]] = {
    "L0": _work,
    "L1": _again,
    "L2": _ruled,
    "L3": _died,
    "L4": _escalated,
    "L5": _alike,
    "L6": _revoked,
}
