"""The rows of the obligation table that demand a response by a deadline, unless an excuse comes by then.

A deadline beyond the horizon is not due. Excuses are causal: only what happened by the deadline counts. Where a send is
what is asked for, only ticks at which one could stand count towards the deadline (`Effects.until`).
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.checker.case import Case
from wellposed.verifier.amr.checker.item import Item, Moment
from wellposed.verifier.amr.checker.rows import Breach, Cause, Row, due, excused, missed, single, within


def _owed(case: Case, item: Item) -> list[Cause]:
    """Where L0's clock starts for work that is owed: the delivery if the message is required, else the admission."""
    if item.arrival is not None and (item.required or case.answers.all_answered):
        what, index = "delivered", item.arrival.index
    elif item.admitted is not None:
        what, index = "admitted", item.admitted
    else:
        return []
    return [Cause(index, case.place(index), item.pointer, f"{what} at {case.tick(index)}")]


def draft(case: Case, item: Item) -> Iterator[Breach]:
    """L0.draft: a draft within `draft` of the arrival of owed work. A reject is no excuse: it would need a draft."""
    for cause in _owed(case, item):
        deadline = due(case, cause.index + case.answers.draft)
        if deadline is None or within(item.drafts, cause.index, deadline) or item.escalated_by(deadline):
            continue
        if not item.lawfully_abandoned_by(deadline):
            yield cause.pointer, missed(case, cause.text, "a draft", deadline, item.drafts)


def reply(case: Case, item: Item) -> Iterator[Breach]:
    """L0.reply: a send within `reply` of the arrival, or for a gated item of each approve that finds it unsettled."""
    from_approves = item.gated and not case.answers.reply_from_arrival
    for cause in _open_approves(case, item) if from_approves else _owed(case, item):
        yield from _send_due(case, item, cause, case.answers.reply, crash_excuses=True)


def send(case: Case, item: Item) -> Iterator[Breach]:
    """L2.send: the item's send within `send` of each approve that finds it unsettled, on whichever draft."""
    for cause in _open_approves(case, item):
        yield from _send_due(case, item, cause, case.answers.send, crash_excuses=not case.answers.crash_keeps_send_due)


def _open_approves(case: Case, item: Item) -> list[Cause]:
    return [
        Cause.of(approve, f"approved at {case.tick(approve.index)}")
        for approve in item.approves
        if not item.settled_before(approve)
    ]


def _send_due(case: Case, item: Item, cause: Cause, budget: int, *, crash_excuses: bool) -> Iterator[Breach]:
    deadline = due(case, case.effects.until(cause.index, budget))
    if deadline is None or within(item.sends, cause.index, deadline) or excused(item, cause, deadline):
        return
    if not (crash_excuses and item.pending_crash_in(cause.index, deadline)):
        yield cause.pointer, missed(case, cause.text, "a send", deadline, item.sends)


def crash(case: Case, item: Item) -> Iterator[Breach]:
    """L1.crash: what a crash finds pending is sent or abandoned within `crash`; a further such crash restarts it."""
    for cause in item.crashes:
        deadline = due(case, case.effects.until(cause.index, case.answers.crash))
        if deadline is None or not item.pending(cause):
            continue
        if within(item.sends, cause.index, deadline) or item.abandoned_in(cause.index, deadline):
            continue
        # A crash sees the decisions of its own tick, so only rejects of later ticks are later ones.
        rejected = item.rejected_later(case.place(cause.index), deadline)
        if item.escalated_by(deadline) or rejected or item.pending_crash_in(cause.index + 1, deadline):
            continue
        text = f"pending at the crash at {case.tick(cause.index)}"
        yield cause.pointer, missed(case, text, "a send or an abandonment", deadline, item.sends)


def admit(case: Case, item: Item) -> Iterator[Breach]:
    """L2.admit: a message that matches at its delivery, and stays so around it, is admitted within `admit`."""
    if item.arrival is None or not item.required:
        return
    start = item.arrival.index
    deadline = due(case, start + case.answers.admit)
    admissions = single(item.admitted)
    if deadline is not None and not within(admissions, start, deadline):
        text = f"delivered at {case.tick(start)}"
        yield item.pointer, missed(case, text, "the admission", deadline, admissions)


def claims(case: Case, item: Item) -> Iterator[Breach]:
    """L3.claims: contested claims settle in time; under `claims_always` every item is claimed in time, too."""
    yield from _contested(case, item)
    if case.answers.claims_always:
        yield from _first_claim(case, item)


def _contested(case: Case, item: Item) -> Iterator[Breach]:
    """Settlement within `claims` of the first of several claims; a death in the window restarts it."""
    contention = item.run.contention
    if contention is None:
        return
    claimed = case.clock.index(contention.claimed)
    end = claimed + case.answers.claims
    for death in item.deaths:
        if claimed <= death.index <= end:
            end = max(end, death.index + case.answers.claims)
    deadline = due(case, end)
    settled = single(None if contention.settled is None else case.clock.index(contention.settled))
    if deadline is not None and not within(settled, claimed, deadline):
        yield item.pointer, missed(case, f"claimed twice at {contention.claimed}", "the settlement", deadline, settled)


def _first_claim(case: Case, item: Item) -> Iterator[Breach]:
    """An agent wins the item within `claims` of its admission, unless it is resolved by then."""
    if item.admitted is None:
        return
    deadline = due(case, item.admitted + case.answers.claims)
    claimed = single(item.claimed)
    if deadline is None or within(claimed, item.admitted, deadline) or item.resolved_before(deadline + 1):
        return
    text = f"admitted at {case.tick(item.admitted)}"
    yield item.pointer, missed(case, text, "the first claim", deadline, claimed)


def death(case: Case, item: Item) -> Iterator[Breach]:
    """L3.death: after the death of its holder an item is reassigned or resolved within `death`."""
    for cause in item.deaths:
        deadline = due(case, cause.index + case.answers.death)
        answers = (*item.won, *single(item.resolved))
        if deadline is not None and not within(answers, cause.index, deadline):
            text = f"its agent died at {case.tick(cause.index)}"
            yield cause.pointer, missed(case, text, "a reassignment or a resolution", deadline, answers)


def terminal(case: Case, item: Item) -> Iterator[Breach]:
    """L3.terminal: an item decided `terminal` before the horizon is resolved by it, but for a crash still running."""
    if item.admitted is None or item.resolved is not None:
        return
    running = [mishap for mishap in item.crashes if item.pending(mishap)]
    if any(case.effects.until(mishap.index, case.answers.crash) > case.last for mishap in running):
        return
    if case.answers.all_resolved:
        text = f"admitted at {case.tick(item.admitted)}"
        yield item.pointer, missed(case, text, "a resolution", case.last, ())
        return
    # Decisions are in order: if the first came too late, all did.
    for cause in item.decisions[:1]:
        if case.effects.until(cause.index, case.answers.terminal) <= case.last:
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
        if case.answers.condemns_finished or not item.settled_before(escalation):
            yield from _resolution_by_operator(case, item, escalation)


def post_approval(case: Case, item: Item) -> Iterator[Breach]:
    """L6.stop: an escalation stops a send approved before it in order; the resolution is as for L4.resolve."""
    for escalation in item.escalations:
        before = [decision for decision in item.decisions if decision.order < escalation.order]
        if not item.approved_by(before) or item.settled_before(escalation):
            continue
        approved = f"approved at {case.tick(before[-1].index)} and escalated at {case.tick(escalation.index)}"
        for sent in item.sends_behind(escalation):
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
