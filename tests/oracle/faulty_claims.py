"""The truth of the author's claims on a log of one message."""

from tests.oracle.claims import Claim
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import Order
from tests.oracle.faulty_facts import Facts
from tests.oracle.faulty_logs import Log


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
        hit = start is not None and any(_sent_within(item, s, start, claim["within"]) for s in log.sends)
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


def _sent_within(item: ItemLog, tick: int, start: int, within: int | None) -> bool:
    return within is None or start <= tick <= item.clock.until_open(start, within)


def order_of(log: Log, name: str) -> Order | None:
    """When a named message or statement happens in the log."""
    statement = log.item.scenario.by_id[name]
    if statement.kind not in ("approve", "reject", "wrong-hash"):
        return log.item.clock.fired.get(name)
    if statement.target == log.item.message.id:
        return log.item.fires(statement)
    return log.world.foreign_order(name)
