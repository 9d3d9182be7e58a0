"""Every obligation row stated over a finished run: which instances does it breach?"""

from tests.oracle.basics import ESCALATED, Budgets, Instance, Trace
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import BEHIND_ALL, Unseen
from tests.oracle.declarative_runs import item_logs
from tests.oracle.document import Scenario

Found = set[tuple[str, str]]
"""(obligation id, id of the causing element)."""


def breaches(
    scenario: Scenario, budgets: Budgets, trace: Trace, unseen: tuple[Unseen, ...] | None = None
) -> set[Instance]:
    """Every instance that a finished run breaches, whatever the level; NotARun when it is none.

    Without ``unseen`` every send lies behind all events of its tick, and nobody claims an item.
    """
    found: set[Instance] = set()
    for log in item_logs(scenario, budgets, trace, unseen):
        rows = _work(log) | _approvals(log) | _crashes(log) | _permissions(log) | _escalations(log) | _deaths(log)
        rows |= _ends(log) | _claims(log)
        found |= {(row, log.message.id, cause) for row, cause in rows}
    return found


def _late(log: ItemLog, deadline: int, response: int | None) -> bool:
    """Whether a response that is due by the horizon came late or never."""
    return deadline <= log.last and (response is None or response > deadline)


def _work(log: ItemLog) -> Found:
    """L2.admit, L0.draft and the ungated L0.reply."""
    found: Found = set()
    name, b, required = log.message.id, log.budgets, log.required()
    if required and _late(log, log.deadline(log.arrival, b.admit), log.admitted):
        found.add(("L2.admit", name))
    start = log.work_starts()
    if start is None:
        return found
    deadline = log.deadline(start, b.draft)
    abandoned = log.lawful_abandonment()
    excused = any(order[0] <= deadline for order, _ in log.escalations)
    excused = excused or (abandoned is not None and abandoned <= deadline)
    if _late(log, deadline, log.drafts[0] if log.drafts else None) and not excused:
        found.add(("L0.draft", name))
    deadline = log.send_deadline(start, b.reply)
    binds = log.answers.reply_from_arrival or not log.gated
    if binds and _late(log, deadline, log.sent) and not log.excused((start, BEHIND_ALL), deadline, by_crash=True):
        found.add(("L0.reply", name))
    return found


def _approvals(log: ItemLog) -> Found:
    """The gated L0.reply, and L2.send."""
    found: Found = set()
    rows = [("L2.send", log.budgets.send, not log.answers.crash_keeps_send_due)]
    if not log.answers.reply_from_arrival:
        rows.append(("L0.reply", log.budgets.reply, True))
    for order, name, kind, _ in log.decisions:
        if kind != "approve" or not log.unsent_before(order):
            continue
        for row, budget, by_crash in rows:
            deadline = log.send_deadline(order[0], budget)
            if _late(log, deadline, log.sent) and not log.excused(order, deadline, by_crash):
                found.add((row, name))
    return found


def _ends(log: ItemLog) -> Found:
    """L3.terminal."""
    running = any(log.pending(c) and log.clock.until_open(c[0], log.budgets.crash) > log.last for c, _ in log.crashes)
    if log.resolved is not None or running:
        return set()
    if log.answers.all_resolved:
        return set() if log.admitted is None else {("L3.terminal", log.message.id)}
    budget = log.budgets.terminal
    return {
        ("L3.terminal", name)
        for order, name, _, _ in log.decisions
        if log.clock.until_open(order[0], budget) <= log.last
    }


def _claims(log: ItemLog) -> Found:
    """L3.claims of an item that nobody contests."""
    if not log.answers.claims_always or log.admitted is None:
        return set()
    deadline = log.deadline(log.admitted, log.budgets.claims)
    ended = log.resolved is not None and log.resolved <= deadline
    return {("L3.claims", log.message.id)} if _late(log, deadline, log.claimed) and not ended else set()


def _crashes(log: ItemLog) -> Found:
    """L1.crash."""
    found: Found = set()
    for order, name in log.crashes:
        c, deadline = order[0], log.send_deadline(order[0], log.budgets.crash)
        if not log.pending(order) or deadline > log.last:
            continue
        abandoned = log.resolved if log.outcome is not None and log.outcome[0] == "abandoned" else None
        answered = any(t is not None and c <= t <= deadline for t in (log.sent, abandoned))
        excused = any(e[0] <= deadline for e, _ in log.escalations) or log.later_reject(order, deadline)
        excused = excused or any(c < o[0] <= deadline and log.pending(o) for o, _ in log.crashes)
        if not answered and not excused:
            found.add(("L1.crash", name))
    return found


def _permissions(log: ItemLog) -> Found:
    """L0.abandon, L2.authority and L2.only."""
    found: Found = set()
    name = log.message.id
    if log.outcome is not None and log.outcome[0] == "abandoned" and log.lawful_abandonment() is None:
        found.add(("L0.abandon", name))
    if log.send_order is not None and log.run.send is not None and not log.approved(log.run.send[1], log.send_order):
        found.add(("L2.authority", name))
    justified = any(log.clock.versions[u] == log.run.rules and log.admits_at(u) for u in log.decisive())
    if log.admitted is not None and not justified:
        found.add(("L2.only", name))
    return found


def _escalations(log: ItemLog) -> Found:
    """L4.stop, L4.resolve and L6.stop."""
    found: Found = set()
    for order, name in log.escalations:
        sent_after = log.sent_behind_escalation(order)
        live = log.live_at_escalation(order)
        handed_over = log.outcome == ("abandoned", ESCALATED)
        in_time = handed_over and log.resolved is not None and log.resolved >= order[0]
        if sent_after:
            found.add(("L4.stop", name))
        if log.admitted is not None and (live or log.answers.condemns_finished) and not in_time:
            found.add(("L4.resolve", name))
        if log.approved_before(order) and live and (sent_after or not in_time):
            found.add(("L6.stop", name))
    return found


def _deaths(log: ItemLog) -> Found:
    """L3.death."""
    found: Found = set()
    ends = [*log.won, *([] if log.resolved is None else [log.resolved])]
    for (x, *_), name in log.deaths:
        deadline = log.deadline(x, log.budgets.death)
        if deadline <= log.last and not any(x <= t <= deadline for t in ends):
            found.add(("L3.death", name))
    return found
