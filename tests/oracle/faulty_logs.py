"""Every log of one message, lawful or not, and the rows that it breaks."""

from dataclasses import dataclass

from tests.oracle.basics import ESCALATED, TooLarge
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import BEHIND_ALL
from tests.oracle.declarative_rows import _approvals, _crashes, _deaths, _ends, _escalations, _permissions, _work
from tests.oracle.document import Message
from tests.oracle.faulty_runs import open_ticks, runs_of
from tests.oracle.faulty_worlds import World
from tests.oracle.regime import FIRST_LEVEL

ROWS = (_work, _approvals, _crashes, _permissions, _escalations, _deaths, _ends)


def in_force(row: str, level: int) -> bool:
    """Whether a row, physics included, binds a scenario of a level."""
    return FIRST_LEVEL.get(row, 0) <= level


def rows_of(item: ItemLog) -> set[str]:
    """The rows in force, physics left out, that a run breaks."""
    return {row for rows in ROWS for row, _ in rows(item) if in_force(row, item.scenario.level)}


@dataclass(frozen=True, slots=True, eq=False)
class Log:
    """One message in one log: its records, a second send of the same draft, and the rows in force that it breaks.

    What is not in here (a second admission, contention, the reply's conversation and anchors) is a fact of its own.
    """

    world: World
    item: ItemLog
    second: int | None
    broken: frozenset[str]

    @property
    def sends(self) -> list[int]:
        """The ticks of all sends."""
        return [tick for tick in (self.item.sent, self.second) if tick is not None]


def logs_of(world: World, message: Message, max_logs: int) -> list[Log]:
    """All logs of one message in one world that tell different stories."""
    found: list[Log] = []
    again = _may_send_again(world, message)
    for run in runs_of(world, message):
        item = world.item(message, run)
        kernel = _broken_kernel(item)
        if kernel is None:
            continue
        rows = rows_of(item) | kernel
        if _next_draft_matters(item, item.sent):
            found.append(Log(world, item, None, frozenset(rows | _forged(world, item, item.sent))))
        if item.sent is not None and again:
            for second in open_ticks(world, item.sent, item.last if item.resolved is None else item.resolved):
                if _next_draft_matters(item, second):
                    broken = rows | _broken_by_second(item, second)
                    broken |= _forged(world, item, item.sent) | _forged(world, item, second)
                    found.append(Log(world, item, second, frozenset(broken)))
        if len(found) > max_logs:
            raise TooLarge("too many logs")
    return found


def _may_send_again(world: World, message: Message) -> bool:
    """Whether there is anything that makes some system send twice: a copy of a record, or a crash."""
    mine = [message.id, *(s.id for s in world.story.scenario.decisions_on(message.id))]
    crashes = any(s.kind == "crash" and s.id in world.clock.fired for s in world.story.scenario.statements)
    return crashes or any(world.copies(name) for name in mine)


def _broken_kernel(item: ItemLog) -> set[str] | None:
    """The rows of K that a run made here can break; None if a sent item ends as none can."""
    if item.outcome is None or item.resolved is None:
        return set()
    word, reason = item.outcome
    if word == "completed":
        return set() if item.sent is not None else {"K.completed"}
    causes = {
        ESCALATED: [order[0] for order, _ in item.escalations],
        "rejected": [order[0] for order, _, kind, _ in item.decisions if kind == "reject"],
        "agent_death": [order[0] for order, _ in item.deaths],
        "crash": [order[0] for order, _ in item.crashes],
    }
    happened = any(cause <= item.resolved for cause in causes[str(reason)])
    if item.sent is not None and not (reason == ESCALATED and happened):
        return None
    return set() if happened else {"K.reason"}


def _approved(item: ItemLog, send: int) -> bool:
    """L2.authority for one send."""
    return item.run.send is not None and item.approved(item.run.send[1], (send, BEHIND_ALL))


def _forged(world: World, item: ItemLog, send: int | None) -> set[str]:
    """L2.forged: a send without authority at or after a forged approval of this item, or a dangling one."""
    if send is None or not in_force("L2.forged", world.story.scenario.level) or _approved(item, send):
        return set()
    return {"L2.forged"} if any(p <= send for p, _ in forged_approvals(world, item)) else set()


def forged_approvals(world: World, item: ItemLog) -> list[tuple[int, str]]:
    """(fire tick, kind) of every forged approval that is dangling, or has a wrong hash for this item and fires."""
    found = []
    for name in world.story.forged_approvals:
        statement = world.story.scenario.by_id[name]
        if statement.kind == "dangling":
            order = world.clock.fired.get(name)
        else:
            order = item.fires(statement) if statement.target == item.message.id else None
        if order is not None:
            found.append((order[0], statement.kind))
    return found


def _broken_by_second(item: ItemLog, second: int) -> set[str]:
    """What a second send breaks."""
    rows = {"L1.once"}
    if not _approved(item, second):
        rows.add("L2.authority")
    if any(order[0] <= second for order, _ in item.escalations):
        rows.add("L4.stop")
    return {row for row in rows if in_force(row, item.scenario.level)}


def _next_draft_matters(item: ItemLog, send: int | None) -> bool:
    """Whether some decision falls between the draft behind the sent one, if there is one, and a send."""
    if item.run.send is None or len(item.drafts) == item.run.send[1] + 1:
        return True
    return any(item.drafts[-1] < order[0] <= (send or 0) for order, _, _, _ in item.decisions)
