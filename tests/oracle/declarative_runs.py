"""The messages of a finished run together, and everything that such a run may have done unseen."""

from collections.abc import Iterator
from itertools import product

from tests.oracle.basics import Budgets, Trace
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import NotARun, Order, Unseen, clock_of
from tests.oracle.document import Scenario


def item_logs(
    scenario: Scenario, budgets: Budgets, trace: Trace, unseen: tuple[Unseen, ...] | None = None
) -> list[ItemLog]:
    """The messages of a finished run; NotARun when it breaks K or a harness rule."""
    logs = _logs_of(scenario, budgets, trace, unseen)
    for log in logs:
        log.check_kernel()
    by_name = {log.message.id: log for log in logs}
    for log in logs:
        for order, name in log.deaths:
            death = scenario.by_id[name]
            if death.kind == "kill" and not by_name[death.target or ""].touchable(order):
                raise NotARun("a death that finds no holder touches nothing")
    if scenario.answers.one_item_per_agent:
        _check_single_holders(scenario, logs)
    return logs


def _logs_of(scenario: Scenario, budgets: Budgets, trace: Trace, unseen: tuple[Unseen, ...] | None) -> list[ItemLog]:
    clock = clock_of(scenario, trace)
    parts = zip(scenario.messages, trace, unseen or [Unseen()] * len(trace), strict=True)
    return [ItemLog(scenario, budgets, clock, message, run, hidden) for message, run, hidden in parts]


def _check_single_holders(scenario: Scenario, logs: list[ItemLog]) -> None:
    """Every agent holds one item: that of its target, or for a literal name any one."""
    for statement in scenario.statements:
        touched = [log.message.id for log in logs if statement.id in log.run.held]
        if len(touched) > 1 or (statement.kind == "kill" and touched not in ([], [statement.target])):
            raise NotARun("an agent with two items")


def unseen_choices(scenario: Scenario, budgets: Budgets, trace: Trace) -> Iterator[tuple[Unseen, ...]]:
    """Everything that a run with this trace may have done besides, lawful or not; the plainest choice first."""
    if not scenario.answers.interleaved and not scenario.answers.claims_always:
        yield (Unseen(),) * len(trace)
        return
    logs = _logs_of(scenario, budgets, trace, None)
    events = _events(scenario, logs)
    yield from product(*(_choices(log, events) for log in logs))


def _choices(log: ItemLog, events: list[Order]) -> list[Unseen]:
    places: list[Order | None] = [None]
    if log.answers.interleaved and log.sent is not None and log.run.send is not None:
        of_tick = [order for order in events if order[0] == log.sent]
        if of_tick and log.drafts[log.run.send[1]] < log.sent:
            places += [(log.sent, -1), *((*order, -1) for order in of_tick[:-1])]
    claims: list[int | None] = [None]
    if log.answers.claims_always and log.admitted is not None:
        claims += range(log.admitted, (log.last if log.resolved is None else log.resolved) + 1)
    return [Unseen(place, claimed) for place in places for claimed in claims]


def _events(scenario: Scenario, logs: list[ItemLog]) -> list[Order]:
    """The order of everything that fires; repeats and redeliveries, which nothing is compared with, left out."""
    by_name = {log.message.id: log for log in logs}
    events: list[Order | None] = []
    for statement in scenario.statements:
        waits = statement.kind in ("approve", "reject", "wrong-hash")
        fired = logs[0].clock.fired.get(statement.id)
        events.append(by_name[statement.target or ""].fires(statement) if waits else fired)
    return sorted(order for order in events if order is not None)
