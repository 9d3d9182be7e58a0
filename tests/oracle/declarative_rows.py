"""Every obligation row stated over a finished run: which instances does it breach?"""

from tests.oracle.basics import ESCALATED, Budgets, Instance, Trace
from tests.oracle.declarative import ItemLog, Order, item_logs
from tests.oracle.document import Scenario

Found = set[tuple[str, str]]
"""(obligation id, id of the causing element)."""


def breaches(scenario: Scenario, budgets: Budgets, trace: Trace) -> set[Instance]:
    """Every instance that a finished run breaches, whatever the level; NotARun when it is none."""
    found: set[Instance] = set()
    for log in item_logs(scenario, budgets, trace):
        rows = _work(log) | _approvals(log) | _crashes(log) | _permissions(log) | _escalations(log) | _deaths(log)
        found |= {(row, log.message.id, cause) for row, cause in rows}
    return found


def _late(log: ItemLog, deadline: int, response: int | None) -> bool:
    """Whether a response that is due by the horizon came late or never."""
    return deadline <= log.last and (response is None or response > deadline)


def _work(log: ItemLog) -> Found:
    """L2.admit, L0.draft and the ungated L0.reply."""
    found: Found = set()
    name, b, required = log.message.id, log.budgets, log.required()
    if required and _late(log, log.arrival + b.admit, log.admitted):
        found.add(("L2.admit", name))
    start = log.arrival if required else log.admitted
    if start is None:
        return found
    deadline = start + b.draft
    abandoned = log.lawful_abandonment()
    excused = any(order[0] <= deadline for order, _ in log.escalations)
    excused = excused or (abandoned is not None and abandoned <= deadline)
    if _late(log, deadline, log.drafts[0] if log.drafts else None) and not excused:
        found.add(("L0.draft", name))
    deadline = start + b.reply
    if not log.gated and _late(log, deadline, log.sent) and not log.excused((start, -1, -1), deadline):
        found.add(("L0.reply", name))
    return found


def _approvals(log: ItemLog) -> Found:
    """The gated L0.reply, L2.send and L3.terminal."""
    found: Found = set()
    b = log.budgets
    for order, name, kind, _ in log.decisions:
        if kind == "approve" and log.unsent_before(order[0]):
            for row, budget in (("L0.reply", b.reply), ("L2.send", b.send)):
                if _late(log, order[0] + budget, log.sent) and not log.excused(order, order[0] + budget):
                    found.add((row, name))
        running = any(log.pending(c[0]) and c[0] + b.crash > log.last for c, _ in log.crashes)
        if order[0] + b.terminal <= log.last and log.resolved is None and not running:
            found.add(("L3.terminal", name))
    return found


def _crashes(log: ItemLog) -> Found:
    """L1.crash."""
    found: Found = set()
    for order, name in log.crashes:
        c, deadline = order[0], order[0] + log.budgets.crash
        if not log.pending(c) or deadline > log.last:
            continue
        abandoned = log.resolved if log.outcome is not None and log.outcome[0] == "abandoned" else None
        answered = any(t is not None and c <= t <= deadline for t in (log.sent, abandoned))
        behind_the_tick: Order = (c, 9, 0)
        excused = any(e[0] <= deadline for e, _ in log.escalations) or log.later_reject(behind_the_tick, deadline)
        excused = excused or any(c < o[0] <= deadline and log.pending(o[0]) for o, _ in log.crashes)
        if not answered and not excused:
            found.add(("L1.crash", name))
    return found


def _permissions(log: ItemLog) -> Found:
    """L0.abandon, L2.authority and L2.only."""
    found: Found = set()
    name = log.message.id
    if log.outcome is not None and log.outcome[0] == "abandoned" and log.lawful_abandonment() is None:
        found.add(("L0.abandon", name))
    if log.sent is not None and log.run.send is not None:
        draft = log.run.send[1]
        bound = [kind for order, _, kind, d in log.decisions if d == draft and order[0] <= log.sent]
        if not bound or bound[-1] != "approve":
            found.add(("L2.authority", name))
    if log.admitted is not None:
        look = range(log.looks_from(), log.admitted + 1)
        if not any(log.clock.versions[u] == log.run.rules and log.admits_at(u) for u in look):
            found.add(("L2.only", name))
    return found


def _escalations(log: ItemLog) -> Found:
    """L4.stop, L4.resolve and L6.stop."""
    found: Found = set()
    for order, name in log.escalations:
        e = order[0]
        sent_after = log.sent is not None and log.sent >= e
        handed_over = log.outcome == ("abandoned", ESCALATED)
        live = log.unsent_before(e)
        if sent_after:
            found.add(("L4.stop", name))
        if log.admitted is not None and live and not handed_over:
            found.add(("L4.resolve", name))
        before = [kind for o, _, kind, _ in log.decisions if o < order]
        if before and before[-1] == "approve" and live and (sent_after or not handed_over):
            found.add(("L6.stop", name))
    return found


def _deaths(log: ItemLog) -> Found:
    """L3.death."""
    ends = [*log.won, *([] if log.resolved is None else [log.resolved])]
    return {
        ("L3.death", name)
        for x, name in log.deaths
        if x + log.budgets.death <= log.last and not any(x <= t <= x + log.budgets.death for t in ends)
    }
