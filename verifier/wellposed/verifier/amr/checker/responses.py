"""The rows of the obligation table that demand a response by a deadline, unless an excuse comes by then.

A deadline beyond the horizon is not due. Excuses are causal: only what happened by the deadline counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.checker.case import Case, Item, Moment
from wellposed.verifier.amr.checker.rows import Breach, Row, due, excused, missed, unsettled, within


def _arrival_of_work(case: Case, item: Item) -> tuple[Moment, str] | None:
    """Where L0's clock starts for work that is owed: the delivery if the message is required, else the admission."""
    if item.arrival is not None and item.required:
        index = item.arrival.index
        return Moment(index, -1, item.pointer), f"delivered at {case.tick(index)}"
    if item.admitted is not None:
        return Moment(item.admitted, -1, item.pointer), f"admitted at {case.tick(item.admitted)}"
    return None


def draft(case: Case, item: Item) -> Iterator[Breach]:
    """L0.draft: a draft within `draft` of the arrival of owed work. A reject is no excuse: it would need a draft."""
    start = _arrival_of_work(case, item)
    if start is None:
        return
    cause, text = start
    deadline = due(case, cause.index, case.budgets.draft)
    if deadline is None or within(item.drafts, cause.index, deadline) or item.escalated_by(deadline):
        return
    if not item.lawfully_abandoned_by(deadline, case.budgets):
        yield cause.pointer, missed(case, text, "a draft", deadline, item.drafts)


def reply(case: Case, item: Item) -> Iterator[Breach]:
    """L0.reply: a send within `reply` of the arrival, or for a gated item of each approve that finds it unsettled."""
    if not item.gated:
        start = _arrival_of_work(case, item)
        causes = [start] if start else []
    else:
        causes = _open_approves(case, item)
    yield from _sends_due(case, item, causes, case.budgets.reply)


def send(case: Case, item: Item) -> Iterator[Breach]:
    """L2.send: the item's send within `send` of each approve that finds it unsettled, on whichever draft."""
    yield from _sends_due(case, item, _open_approves(case, item), case.budgets.send)


def _open_approves(case: Case, item: Item) -> list[tuple[Moment, str]]:
    return [
        (approve, f"approved at {case.tick(approve.index)}")
        for approve in item.approves
        if unsettled(item, approve.index)
    ]


def _sends_due(case: Case, item: Item, causes: list[tuple[Moment, str]], budget: int) -> Iterator[Breach]:
    for cause, text in causes:
        deadline = due(case, cause.index, budget)
        if deadline is None or within(item.sends, cause.index, deadline) or excused(case, item, cause, deadline):
            continue
        if not item.pending_crash_in(cause.index, deadline):
            yield cause.pointer, missed(case, text, "a send", deadline, item.sends)


def crash(case: Case, item: Item) -> Iterator[Breach]:
    """L1.crash: what a crash finds pending is sent or abandoned within `crash`; a further such crash restarts it."""
    for cause in item.crashes:
        deadline = due(case, cause.index, case.budgets.crash)
        if deadline is None or not item.pending(cause.index):
            continue
        if within(item.sends, cause.index, deadline) or item.abandoned_in(cause.index, deadline):
            continue
        rejected = item.rejected_later(deadline, index=cause.index)
        if item.escalated_by(deadline) or rejected or item.pending_crash_in(cause.index + 1, deadline):
            continue
        text = f"pending at the crash at {case.tick(cause.index)}"
        yield cause.pointer, missed(case, text, "a send or an abandonment", deadline, item.sends)


def admit(case: Case, item: Item) -> Iterator[Breach]:
    """L2.admit: a message that matches at its delivery, and stays so around it, is admitted within `admit`."""
    if item.arrival is None or not item.required:
        return
    start = item.arrival.index
    deadline = due(case, start, case.budgets.admit)
    admissions = () if item.admitted is None else (item.admitted,)
    if deadline is not None and not within(admissions, start, deadline):
        text = f"delivered at {case.tick(start)}"
        yield item.pointer, missed(case, text, "the admission", deadline, admissions)


def claims(case: Case, item: Item) -> Iterator[Breach]:
    """L3.claims: contested claims settle within `claims` of the first; a death in the window restarts it."""
    contention = item.run.contention
    if contention is None:
        return
    claimed = case.clock.index(contention.claimed)
    end = claimed + case.budgets.claims
    for death in item.deaths:
        if claimed <= death.index <= end:
            end = max(end, death.index + case.budgets.claims)
    settled = () if contention.settled is None else (case.clock.index(contention.settled),)
    if end <= case.last and not within(settled, claimed, end):
        yield item.pointer, missed(case, f"claimed twice at {contention.claimed}", "the settlement", end, settled)


def death(case: Case, item: Item) -> Iterator[Breach]:
    """L3.death: after the death of its holder an item is reassigned or resolved within `death`."""
    for cause in item.deaths:
        deadline = due(case, cause.index, case.budgets.death)
        resolved = () if item.resolved is None else (item.resolved,)
        answers = (*item.won, *resolved)
        if deadline is not None and not within(answers, cause.index, deadline):
            text = f"its agent died at {case.tick(cause.index)}"
            yield cause.pointer, missed(case, text, "a reassignment or a resolution", deadline, answers)


def terminal(case: Case, item: Item) -> Iterator[Breach]:
    """L3.terminal: an item decided `terminal` before the horizon is resolved by it, but for a crash still running."""
    if item.admitted is None or item.resolved is not None:
        return
    running = [mishap for mishap in item.crashes if item.pending(mishap.index)]
    if any(mishap.index + case.budgets.crash > case.last for mishap in running):
        return
    # Decisions are in order: if the first came too late, all did.
    for cause in item.decisions[:1]:
        if due(case, cause.index, case.budgets.terminal) is not None:
            text = f"decided at {case.tick(cause.index)}"
            yield cause.pointer, missed(case, text, "a resolution", case.last, ())


def _resolution_by_operator(case: Case, item: Item, escalation: Moment) -> Iterator[Breach]:
    if item.admitted is None:
        return
    if item.reason == "operator_escalation" and item.abandoned_in(escalation.index, case.last):
        return
    tail = f"; {item.outcome} at {case.tick(item.resolved)}" if item.resolved is not None else "; none"
    if item.outcome == "abandoned":
        tail += f" because of {item.reason}"
    due_by = f"so abandoned because of operator_escalation is due by {case.tick(case.last)}"
    yield escalation.pointer, f"escalated at {case.tick(escalation.index)}, {due_by}{tail}"


def resolve(case: Case, item: Item) -> Iterator[Breach]:
    """L4.resolve: an escalated item, neither sent nor resolved before, is abandoned by the operator by H."""
    for escalation in item.escalations:
        if unsettled(item, escalation.index):
            yield from _resolution_by_operator(case, item, escalation)


def post_approval(case: Case, item: Item) -> Iterator[Breach]:
    """L6.stop: an escalation stops a send approved before it in order; the resolution is as for L4.resolve."""
    for escalation in item.escalations:
        before = [decision for decision in item.decisions if decision.order < escalation.order]
        if not before or not before[-1].approve or not unsettled(item, escalation.index):
            continue
        at = case.tick(escalation.index)
        for sent in item.sends:
            if sent >= escalation.index:
                approved = f"approved at {case.tick(before[-1].index)} and escalated at {at}"
                yield escalation.pointer, f"{approved}, yet sent at {case.tick(sent)}"
        yield from _resolution_by_operator(case, item, escalation)


RESPONSES: dict[str, Row] = {
    "L0.draft": draft,
    "L0.reply": reply,
    "L1.crash": crash,
    "L2.admit": admit,
    "L2.send": send,
    "L3.claims": claims,
    "L3.death": death,
    "L3.terminal": terminal,
    "L4.resolve": resolve,
    "L6.stop": post_approval,
}
