"""What the faulty systems do: for every cause that holds in a log, whether its consequence follows.

An item without a cause is treated as by a conforming system.
"""

from collections.abc import Callable

from tests.oracle.basics import ESCALATED
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import BEHIND_ALL, Clock, Order
from tests.oracle.faulty_logs import Log, forged_approvals, rows_of
from tests.oracle.faulty_worlds import Item, World
from tests.oracle.regime import FIRST_LEVEL

Policy = Callable[[Log], list[bool]]
"""For every cause that holds in a log whether its consequence follows."""


def always(log: Log) -> list[bool]:
    """A cause that is there in every log, and says nothing about the records."""
    return [True]


# -- notions of the policies -----------------------------------------------------------------------------------------


def _sent_by(log: Log, deadline: int) -> bool:
    """Whether the first send comes by a tick; never is one tick beyond the horizon."""
    return (log.item.last + 1 if log.item.sent is None else log.item.sent) <= deadline


def _sent_draft_from(log: Log, tick: int) -> bool:
    """Whether the sent draft, if there is one, was declared at a tick or later."""
    return log.item.run.send is None or log.item.drafts[log.item.run.send[1]] >= tick


def _escalated(log: Log, deadline: int) -> bool:
    return any(order[0] <= deadline for order, _ in log.item.escalations)


def _crashed(log: Log, cause: Order, deadline: int) -> bool:
    return any(cause[0] <= c[0] <= deadline and log.item.pending(c) for c, _ in log.item.crashes)


def _given_up(log: Log, deadline: int) -> bool:
    """Whether the item is lawfully abandoned by a tick."""
    abandoned = log.item.lawful_abandonment()
    return abandoned is not None and abandoned <= deadline


def _approvals(log: Log) -> list[Order]:
    """The genuine approvals that find the item open."""
    return [o for o, _, kind, _ in log.item.decisions if kind == "approve" and log.item.unsent_before(o)]


def _open_escalations(log: Log) -> list[Order]:
    """The escalations of an admitted item that find it open."""
    if log.item.admitted is None:
        return []
    return [order for order, _ in log.item.escalations if log.item.unsent_before(order)]


def _has_result(log: Log, word: str) -> bool:
    return log.item.outcome is not None and log.item.outcome[0] == word


def _silent_from(log: Log, tick: int) -> bool:
    """No draft or send at a tick or later, and no resolution at all."""
    item = log.item
    return all(t < tick for t in (*item.drafts, *log.sends)) and item.resolved is None


# -- systems that do too little --------------------------------------------------------------------------------------


def idle(log: Log) -> list[bool]:
    """No record at all."""
    return [log.item.admitted is None]


def never_drafts(log: Log) -> list[bool]:
    """No draft."""
    return [not log.item.drafts]


def silently_abandons(log: Log) -> list[bool]:
    """Neither a send nor a resolution."""
    return [log.item.sent is None and log.item.resolved is None]


def if_admitted(consequence: Callable[[Log], bool]) -> Policy:
    """A consequence for admitted items."""
    return lambda log: [] if log.item.admitted is None else [consequence(log)]


def ends_unsent(word: str) -> Policy:
    """An admitted item is resolved unsent."""
    return if_admitted(lambda log: log.item.sent is None and _has_result(log, word))


# -- systems that send without an approval ---------------------------------------------------------------------------


def sends_without_approval(log: Log) -> list[bool]:
    """Owed work is sent within the reply's budget of its start, if nothing excuses that."""
    item, start = log.item, log.item.work_starts()
    if start is None or (item.resolved is not None and item.resolved < start):
        return []
    deadline = item.send_deadline(start, item.budgets.reply)
    excused = _escalated(log, deadline) or _given_up(log, deadline) or _crashed(log, (start, BEHIND_ALL), deadline)
    return [] if excused else [_sent_by(log, deadline)]


def trusts(kind: str) -> Policy:
    """A draft found open by a forged approval of a kind is sent soon, if nothing excuses that."""

    def policy(log: Log) -> list[bool]:
        item, answers = log.item, []
        for p, forged in forged_approvals(log.world, item):
            deadline = item.send_deadline(p, item.budgets.send)
            found = item.unsent_before((p, 0)) and any(d < p for d in item.drafts)
            excused = _escalated(log, deadline) or _given_up(log, deadline) or _crashed(log, (p, 0), deadline)
            if forged == kind and found and not excused:
                answers.append(_sent_by(log, deadline))
        return answers

    return policy


def sends_redraft(log: Log) -> list[bool]:
    """After an approval a draft is sent that is newer than it."""
    answers = []
    for f in _approvals(log):
        deadline = log.item.send_deadline(f[0], log.item.budgets.send)
        excused = _escalated(log, deadline) or log.item.later_reject(f, deadline) or _crashed(log, f, deadline)
        if not excused and not _given_up(log, deadline):
            answers.append(_sent_by(log, deadline) and _sent_draft_from(log, f[0]))
    return answers


def ignores_reject(log: Log) -> list[bool]:
    """An approval is heeded, although a rejection follows."""
    answers = []
    for f in _approvals(log):
        deadline = log.item.send_deadline(f[0], log.item.budgets.send)
        if log.item.later_reject(f, deadline) and not _escalated(log, deadline) and not _crashed(log, f, deadline):
            answers.append(_sent_by(log, deadline) and log.item.outcome != ("abandoned", "rejected"))
    return answers


def restarts_step(log: Log) -> list[bool]:
    """After a crash that finds the item pending a draft is sent that is newer than it."""
    answers = []
    for c, _ in log.item.crashes:
        deadline = log.item.send_deadline(c[0], log.item.budgets.crash)
        if log.item.pending(c) and not _escalated(log, deadline):
            answers.append(_sent_by(log, deadline) and _sent_draft_from(log, c[0]))
    return answers


# -- systems that do not heed the operator; only judged from level 4 on, where every item is gated -------------------


def sends_after_escalation(log: Log) -> list[bool]:
    """Approvals are heeded, and nothing is handed over to the operator, although there is an escalation."""
    if not _open_escalations(log):
        return []
    goes_on = True
    for f in _approvals(log):
        deadline = log.item.send_deadline(f[0], log.item.budgets.send)
        excused = log.item.later_reject(f, deadline) or _crashed(log, f, deadline)
        goes_on = goes_on and (excused or _sent_by(log, deadline))
    return [goes_on and not (log.item.sent is None and log.item.outcome == ("abandoned", ESCALATED))]


def completes_escalated(log: Log) -> list[bool]:
    """What is escalated is completed unsent."""
    done = log.item.sent is None and _has_result(log, "completed")
    return [done and log.item.resolved is not None and log.item.resolved >= e[0] for e in _open_escalations(log)]


def drops_escalated(log: Log) -> list[bool]:
    """What is escalated is neither sent nor resolved."""
    return [log.item.sent is None and log.item.resolved is None for _ in _open_escalations(log)]


# -- systems that do things twice ------------------------------------------------------------------------------------


def _sends_again(log: Log, ticks: list[int]) -> list[bool]:
    """A second send at each of these ticks or later, unless there is an escalation."""
    if log.item.sent is None or _escalated(log, log.item.last):
        return []
    return [log.second is not None and log.second >= tick for tick in ticks]


def duplicates(log: Log) -> list[bool]:
    """A redelivered message is answered twice."""
    return _sends_again(log, log.world.copies(log.item.message.id))


def resends_on_repeat(log: Log) -> list[bool]:
    """A reply whose approval is repeated is sent twice; a repeat comes behind its original."""
    repeats: list[int] = []
    for order, name, kind, _ in log.item.decisions:
        if kind == "approve":
            repeats += [max(order[0], tick) for tick in log.world.copies(name)]
    return _sends_again(log, repeats)


def resends_on_crash(log: Log) -> list[bool]:
    """What was sent before a crash is sent again."""
    sent = log.item.sent
    return _sends_again(log, [c[0] for c, _ in log.item.crashes if sent is not None and sent < c[0]])


def redelivered(log: Log) -> list[bool]:
    """The item is admitted, and its message comes again."""
    return [True] if log.item.admitted is not None and log.world.copies(log.item.message.id) else []


# -- systems that forget ---------------------------------------------------------------------------------------------


def forgets(log: Log) -> list[bool]:
    """What is live at a crash is not worked on any more."""
    item = log.item
    return [item.sent is None and _silent_from(log, c[0]) for c, _ in item.crashes if item.touchable(c)]


def drops_dead(log: Log) -> list[bool]:
    """What a death touches is not worked on any more, by nobody."""
    return [not log.item.won and _silent_from(log, x[0]) for x, _ in log.item.deaths]


# -- systems that admit by other rules -------------------------------------------------------------------------------


def _allowed(item: ItemLog) -> list[int]:
    """The ticks at which some version of the rules lets the message be admitted (L2.only)."""
    lag = item.budgets.lag
    ticks = range(item.arrival, item.last + 1)
    return [t for t in ticks if any(item.admits_at(u) for u in range(max(0, t - lag), t + 1))]


def follows(clock_of: Callable[[World], Clock]) -> Policy:
    """Admission and the draft's time as they would be under another clock of the world."""

    def policy(log: Log) -> list[bool]:
        item = log.item
        stale = Item(log.world, item.message, item.run, clock_of(log.world))
        right, wrong = _allowed(item), _allowed(stale)
        if stale.required() == item.required() and wrong == right:
            return []
        late = rows_of(stale) & {"L2.admit", "L0.draft"}
        admitted_so = item.admitted is None or item.admitted in wrong
        # Of the versions that it could cite it cites one that admits the message, if there is one.
        cites = "L2.only" not in log.broken or item.admitted not in right
        return [not late and admitted_so and cites]

    return policy


def swallows(same: Callable[[ItemLog, ItemLog], bool]) -> Policy:
    """A message that is like an earlier one, which the rules admit some time, is not admitted."""

    def policy(log: Log) -> list[bool]:
        fired = log.item.clock.fired
        earlier = [o for o in log.world.blanks() if fired[o.message.id] < fired[log.item.message.id]]
        found = any(same(log.item, o) and (_allowed(o) or o.scenario.level < FIRST_LEVEL["L2.only"]) for o in earlier)
        return [log.item.admitted is None] if found else []

    return policy


# -- what makes systems err besides their records --------------------------------------------------------------------


def two_conversations(log: Log) -> list[bool]:
    """The scenario has more than one conversation."""
    return [True] if len(log.item.scenario.conversations) > 1 else []


def some_anchor(log: Log) -> list[bool]:
    """Some conversation has an anchor."""
    return [True] if log.item.scenario.anchors else []
