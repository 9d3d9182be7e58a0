"""What a log does besides its records, what that breaks, and the truth of the author's claims on it."""

from dataclasses import dataclass

from tests.oracle.claims import Claim
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import Order
from tests.oracle.faulty_logs import Log, in_force

Contention = tuple[int, int | None]
"""(tick of the first claim, tick of the settlement or None)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a log does with one message besides its records.

    ``conversation`` and ``anchors`` are those of every draft; ``agrees`` says that the snapshots agree with the logs.
    """

    conversation: str
    anchors: frozenset[str]
    contention: Contention | None = None
    forked: bool = False
    agrees: bool = True


def breaks(log: Log, facts: Facts) -> set[str]:
    """The rows in force that the facts break."""
    item, scenario = log.item, log.item.scenario
    own = item.message.conversation
    broken = {
        "L1.fork": facts.forked,
        "L1.anchor": bool(item.drafts) and own in scenario.anchors and facts.anchors != {own},
        "L3.claims": not settled(item, facts.contention, item.budgets.claims),
        "L3.state": not facts.agrees,
        "L5.identity": bool(item.drafts) and facts.conversation != own,
    }
    return {row for row, is_broken in broken.items() if is_broken and in_force(row, scenario.level)}


def settled(item: ItemLog, contention: Contention | None, budget: int) -> bool:
    """L3.claims: settled within so many ticks of the first claim, or of the last death in that time, if due at all."""
    if contention is None:
        return True
    first, settlement = contention
    deadline = first + budget
    for (death, *_), _ in item.deaths:
        if first <= death <= deadline:
            deadline = max(deadline, death + budget)
    return deadline > item.last or (settlement is not None and settlement <= deadline)


def truth(claim: Claim, log: Log, facts: Facts) -> bool:
    """The truth of an atomic claim about one message."""
    item, kind = log.item, claim["claim"]
    abandoned = item.outcome is not None and item.outcome[0] == "abandoned"
    if kind == "admitted":
        return item.admitted is not None and _within(item, item.admitted, item.arrival, claim["within"])
    if kind == "drafted":
        return any(_within(item, d, item.arrival, claim["within"]) for d in item.drafts)
    if kind == "sent":
        order = None if claim["from"] is None else order_of(log, claim["from"])
        start = item.arrival if claim["from"] is None else None if order is None else order[0]
        hit = start is not None and any(_within(item, s, start, claim["within"]) for s in log.sends)
        return hit and (not claim["once"] or len(log.sends) == 1)
    if kind == "not-sent-after":
        order = order_of(log, claim["after"])
        return order is None or all(send < order[0] for send in log.sends)
    if kind == "claims-settle":
        if facts.contention is None:
            return True
        end = facts.contention[0] + claim["within"]
        return end > item.last or (facts.contention[1] is not None and facts.contention[1] <= end)
    if kind == "abandoned":
        return abandoned and claim["reason"] in (None, item.run.resolution[2] if item.run.resolution else None)
    if kind == "reassigned-or-orphaned":
        resolved = item.resolved if abandoned and item.resolved is not None else -1
        return any(any(tick >= x for tick in (*item.won, resolved)) for (x, *_), _ in item.deaths)
    return {
        "not-admitted": item.admitted is None,
        "never-sent": item.sent is None,
        "completed": item.outcome is not None and item.outcome[0] == "completed",
        "open": item.sent is None and item.resolved is None,
        "reply-in": item.sent is not None and facts.conversation == claim.get("conversation"),
        "reply-anchor": item.sent is not None and claim.get("conversation") in facts.anchors,
    }[kind]


def _within(item: ItemLog, tick: int, start: int, within: int | None) -> bool:
    return within is None or start <= tick <= item.clock.until(start, within)


def order_of(log: Log, name: str) -> Order | None:
    """When a named message or statement happens in the log."""
    statement = log.item.scenario.by_id[name]
    if statement.kind not in ("approve", "reject", "wrong-hash"):
        return log.item.clock.fired.get(name)
    if statement.target == log.item.message.id:
        return log.item.fires(statement)
    return log.world.foreign_order(name)
