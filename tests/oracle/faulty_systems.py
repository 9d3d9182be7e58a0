"""The faulty systems: what each one does, which rows it may break by it, and which of them it is judged by."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import BEHIND_ALL, Clock, Order
from tests.oracle.declarative_rows import _permissions, _work
from tests.oracle.faulty_claims import Facts
from tests.oracle.faulty_logs import Item, Log, World, forged_approvals
from tests.oracle.regime import FIRST_LEVEL, RESPONSES

Policy = Callable[[Log], bool]
Besides = Callable[[Log], Iterator[Facts]]


def plain(log: Log) -> Facts:
    """The facts of a log of a system with no policy about them."""
    own = log.item.message.conversation
    return Facts(own, frozenset([own]) if own in log.item.scenario.anchors else frozenset())


def only_plain(log: Log) -> Iterator[Facts]:
    """The facts of an ordinary system."""
    yield plain(log)


def anything(log: Log) -> bool:
    """No policy about the records."""
    return True


@dataclass(frozen=True)
class System:
    """One faulty system, or one variant of it.

    ``without`` are the rows, physics included, that it need not keep. Of these ``late`` is kept with a budget that is
    one tick longer, and broken.
    """

    attacks: frozenset[str]
    without: frozenset[str]
    policy: Policy = anything
    besides: Besides = only_plain
    late: str | None = None


def _system(attacks: str, without: str, policy: Policy = anything, besides: Besides = only_plain) -> System:
    return System(frozenset(attacks.split()), frozenset(without.split()), policy, besides)


def _late(row: str, further: str = "", besides: Besides = only_plain) -> System:
    return System(frozenset([row]), frozenset([row, *further.split()]), anything, besides, row)


# -- notions of the policies -----------------------------------------------------------------------------------------


def _sent_by(log: Log, deadline: int) -> bool:
    """Whether the first send comes by a tick; never is one tick beyond the horizon."""
    return (log.item.last + 1 if log.item.sent is None else log.item.sent) <= deadline


def _sent_draft_from(log: Log, tick: int) -> bool:
    """Whether the sent draft, if there is one, was declared at a tick or later."""
    return log.item.run.send is None or log.item.drafts[log.item.run.send[1]] >= tick


def _escalated(log: Log, deadline: int) -> bool:
    return any(order[0] <= deadline for order, _ in log.item.escalations)


def _excused(log: Log, cause: Order, deadline: int, excuses: str) -> bool:
    """Whether one of the excuses E (escalation), R (later reject), C (crash) or A (lawful abandonment) holds by then."""
    item = log.item
    abandoned = item.lawful_abandonment()
    return (
        ("E" in excuses and _escalated(log, deadline))
        or ("R" in excuses and item.later_reject(cause, deadline))
        or ("C" in excuses and any(cause[0] <= c[0] <= deadline and item.pending(c) for c, _ in item.crashes))
        or ("A" in excuses and abandoned is not None and abandoned <= deadline)
    )


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


def _abandons_unsent(log: Log, reason: str) -> bool:
    return log.item.sent is None and log.item.outcome == ("abandoned", reason)


def _silent_from(log: Log, tick: int) -> bool:
    """No draft or send at a tick or later, and no resolution at all."""
    item = log.item
    return all(t < tick for t in (*item.drafts, *log.sends)) and item.resolved is None


# -- systems that do too little --------------------------------------------------------------------------------------


def _idle(log: Log) -> bool:
    return log.item.admitted is None


def _never_drafts(log: Log) -> bool:
    return not log.item.drafts


def _abandons(log: Log) -> bool:
    return log.item.admitted is None or (log.item.sent is None and _has_result(log, "abandoned"))


def _completes_unsent(log: Log) -> bool:
    return log.item.admitted is None or (log.item.sent is None and _has_result(log, "completed"))


def _silently_abandons(log: Log) -> bool:
    return log.item.sent is None and log.item.resolved is None


# -- systems that send without an approval ---------------------------------------------------------------------------


def _sends_without_approval(log: Log) -> bool:
    item, start = log.item, log.item.work_starts()
    if start is None or (item.resolved is not None and item.resolved < start):
        return True
    deadline = start + item.budgets.reply
    return _sent_by(log, deadline) or _excused(log, (start, BEHIND_ALL), deadline, "EAC")


def _trusts(kind: str) -> Policy:
    def policy(log: Log) -> bool:
        item = log.item
        for p, forged in forged_approvals(log.world, item):
            found = item.unsent_before((p, 0)) and any(d < p for d in item.drafts)
            deadline = p + item.budgets.send
            if forged == kind and found and not _sent_by(log, deadline):
                if not _excused(log, (p, 0), deadline, "EAC"):
                    return False
        return True

    return policy


def _sends_redraft(log: Log) -> bool:
    budget = log.item.budgets.send
    return all(
        (_sent_by(log, f[0] + budget) and _sent_draft_from(log, f[0])) or _excused(log, f, f[0] + budget, "ERCA")
        for f in _approvals(log)
    )


def _ignores_reject(log: Log) -> bool:
    budget = log.item.budgets.send
    heeds = all(_sent_by(log, f[0] + budget) or _excused(log, f, f[0] + budget, "EC") for f in _approvals(log))
    return heeds and log.item.outcome != ("abandoned", "rejected")


def _restarts_step(log: Log) -> bool:
    for c, _ in log.item.crashes:
        deadline = c[0] + log.item.budgets.crash
        done = _sent_by(log, deadline) and _sent_draft_from(log, c[0])
        if log.item.pending(c) and not done and not _escalated(log, deadline):
            return False
    return True


# -- systems that do not heed the operator; only judged from level 4 on, where every item is gated -------------------


def _sends_after_escalation(log: Log) -> bool:
    budget = log.item.budgets.send
    heeds = all(_sent_by(log, f[0] + budget) or _excused(log, f, f[0] + budget, "RC") for f in _approvals(log))
    return heeds and not _abandons_unsent(log, "operator_escalation")


def _completes_escalated(log: Log) -> bool:
    return all(
        log.item.sent is None and _has_result(log, "completed") and (log.item.resolved or 0) >= e[0]
        for e in _open_escalations(log)
    )


def _drops_escalated(log: Log) -> bool:
    return not _open_escalations(log) or (log.item.sent is None and log.item.resolved is None)


# -- systems that do things twice ------------------------------------------------------------------------------------


def _sends_again(log: Log, ticks: list[int]) -> bool:
    """A second send at each of these ticks or later, unless there is an escalation."""
    again = all(log.second is not None and log.second >= tick for tick in ticks)
    return log.item.sent is None or again or _escalated(log, log.item.last)


def _duplicates(log: Log) -> bool:
    return _sends_again(log, log.world.copies(log.item.message.id))


def _resends_on_repeat(log: Log) -> bool:
    repeats: list[int] = []
    for order, name, kind, _ in log.item.decisions:
        if kind == "approve":
            repeats += [max(order[0], tick) for tick in log.world.copies(name)]
    return _sends_again(log, repeats)


def _resends_on_crash(log: Log) -> bool:
    sent = log.item.sent
    return _sends_again(log, [c[0] for c, _ in log.item.crashes if sent is not None and sent < c[0]])


def _forks(log: Log) -> Iterator[Facts]:
    redelivered = bool(log.world.copies(log.item.message.id))
    yield replace(plain(log), forked=redelivered and log.item.admitted is not None)


# -- systems that forget ---------------------------------------------------------------------------------------------


def _forgets(log: Log) -> bool:
    item = log.item
    for c, _ in item.crashes:
        if item.admitted is not None and item.admitted < c[0] and item.unsent_before(c):
            if item.sent is not None or not _silent_from(log, c[0]):
                return False
    return True


def _drops_dead(log: Log) -> bool:
    return all(not log.item.won and _silent_from(log, x[0]) for x, _ in log.item.deaths)


# -- systems that admit by other rules -------------------------------------------------------------------------------


def _follows(clock_of: Callable[[World], Clock]) -> Policy:
    """Admission and the draft's time as they would be under another clock of the world."""

    def policy(log: Log) -> bool:
        stale = Item(log.world, log.item.message, log.item.run, clock_of(log.world))
        broken = {row for row, _ in _work(stale) | _permissions(stale)}
        return not broken & {"L2.admit", "L2.only", "L0.draft"}

    return policy


def _swallows(same: Callable[[ItemLog, ItemLog], bool]) -> Policy:
    """Whether a message that is like an earlier one, which the rules admit some time, is not admitted."""

    def policy(log: Log) -> bool:
        fired = log.item.clock.fired
        earlier = [o for o in log.world.blanks() if fired[o.message.id] < fired[log.item.message.id]]
        return log.item.admitted is None or not any(same(log.item, o) and _may_be_admitted(o) for o in earlier)

    return policy


def _may_be_admitted(item: ItemLog) -> bool:
    if item.scenario.level < FIRST_LEVEL["L2.only"]:
        return True
    return any(item.admits_at(u) for u in range(item.clock.back(item.arrival, item.budgets.lag), item.last + 1))


# -- systems whose replies or claims are wrong -----------------------------------------------------------------------


def _elsewhere(log: Log) -> Iterator[Facts]:
    own = log.item.message.conversation
    others = [c for c in log.item.scenario.conversations if c != own]
    for conversation in others or [own]:
        yield replace(plain(log), conversation=conversation)


def _first_anchor(log: Log) -> Iterator[Facts]:
    yield replace(plain(log), anchors=frozenset(list(log.item.scenario.anchors)[:1]))


def _never_settled(log: Log) -> Iterator[Facts]:
    if log.item.admitted is None:
        yield plain(log)
        return
    for first in range(log.item.admitted, log.item.last + 1):
        yield replace(plain(log), contention=(first, None))


def _contended(log: Log) -> Iterator[Facts]:
    if log.item.admitted is None:
        yield plain(log)
        return
    for first in range(log.item.admitted, log.item.last + 1):
        for settlement in (None, *range(first, log.item.last + 1)):
            yield replace(plain(log), contention=(first, settlement))


def _disagreeing(log: Log) -> Iterator[Facts]:
    yield replace(plain(log), agrees=False)


UNSENT = "L0.draft L0.reply L1.crash L2.send"
UNHEEDED = "L4.resolve L6.stop"
AUTHORITY = "L2.authority L2.forged"

SYSTEMS: dict[str, tuple[System, ...]] = {
    "idle": (System(frozenset(("L0.draft", "L0.reply", "L2.admit")), RESPONSES, _idle),),
    "admits-never-drafts": (_system("L0.draft", f"{UNSENT} L3.terminal", _never_drafts),),
    "abandons-everything": (
        _system("L0.abandon K.reason", f"L0.abandon {UNSENT} {UNHEEDED} K.reason", _abandons),
    ),
    "completes-unsent": (
        _system("K.completed", f"L0.reply L1.crash L2.send {UNHEEDED} K.completed", _completes_unsent),
    ),
    "silent-abandon": (
        _system(
            "L0.reply L1.crash L2.send L3.terminal",
            f"L0.reply L1.crash L2.send L3.death L3.terminal {UNHEEDED}",
            _silently_abandons,
        ),
    ),
    "sends-without-approval": (_system("L2.authority", AUTHORITY, _sends_without_approval),),
    "trusts-dangling": (_system(AUTHORITY, AUTHORITY, _trusts("dangling")),),
    "trusts-wrong-hash": (_system(AUTHORITY, AUTHORITY, _trusts("wrong-hash")),),
    "sends-unapproved-redraft": (_system("L2.authority", f"{AUTHORITY} L2.send L0.reply", _sends_redraft),),
    "ignores-reject": (_system("L2.authority", f"{AUTHORITY} L2.send L0.reply", _ignores_reject),),
    "sends-after-escalation": (
        _system("L4.stop L6.stop", f"L4.stop {UNHEEDED} L0.reply L2.send L1.crash", _sends_after_escalation),
    ),
    "completes-after-escalation": (_system(UNHEEDED, f"{UNHEEDED} K.completed", _completes_escalated),),
    "drops-escalated-silently": (_system(UNHEEDED, f"{UNHEEDED} L3.death L3.terminal", _drops_escalated),),
    "duplicates-on-redelivery": (_system("L1.once", "L1.once", _duplicates),),
    "resends-on-repeated-approval": (_system("L1.once", "L1.once", _resends_on_repeat),),
    "resends-on-crash": (_system("L1.once", "L1.once", _resends_on_crash),),
    "forks-on-redelivery": (_system("L1.fork", "L1.fork", besides=_forks),),
    "forgets-on-crash": (_system(UNSENT, f"{UNSENT} L3.death L3.terminal {UNHEEDED}", _forgets),),
    "restarts-step-on-crash": (_system("L2.authority", AUTHORITY, _restarts_step),),
    "stale-posture": (_system("L2.admit L2.only", "L2.admit L2.only L0.draft L0.reply", _follows(lambda world: world.old_posture)),),
    "stale-rules": (_system("L2.admit L2.only", "L2.admit L2.only L0.draft L0.reply", _follows(lambda world: world.old_rules)),),
    "merges-by-subject": (
        _system(
            "L2.admit L0.draft L0.reply",
            "L2.admit L0.draft L0.reply",
            _swallows(lambda a, b: a.message.subject == b.message.subject),
        ),
    ),
    "ignores-follow-ups": (
        _system(
            "L2.admit L0.draft L0.reply",
            "L2.admit L0.draft L0.reply",
            _swallows(lambda a, b: a.message.conversation == b.message.conversation),
        ),
    ),
    "replies-in-wrong-conversation": (_system("L5.identity", "L5.identity", besides=_elsewhere),),
    "stuffs-context": (_system("L1.anchor", "L1.anchor", besides=_first_anchor),),
    "drops-dead-agents-work": (
        _system("L3.death", f"{UNSENT} L3.death L3.terminal {UNHEEDED}", _drops_dead),
    ),
    "double-owner": (_system("L3.claims", "L3.claims", besides=_never_settled),),
    "no-stand-down": (_system("L3.claims", "L3.claims", besides=_never_settled),),
    "late-by-one": (
        _late("L2.admit"),
        _late("L0.draft"),
        _late("L0.reply", "L2.send"),
        _late("L2.send"),
        _late("L1.crash"),
        _late("L3.death"),
        _late("L3.claims", besides=_contended),
    ),
    "back-dates": (_late("L2.send"),),
    "state-lies": (_system("L3.state", "L3.state", besides=_disagreeing),),
}
