"""What a log does with a message besides its records: what faulty systems do there, and what that breaks."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.oracle.declarative import ItemLog
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


Besides = Callable[[Log], Iterator[Facts]]


def plain(log: Log) -> Facts:
    """The facts of an item that is treated as by a conforming system."""
    own = log.item.message.conversation
    return Facts(own, frozenset([own]) if own in log.item.scenario.anchors else frozenset())


def only_plain(log: Log) -> Iterator[Facts]:
    """The facts of a system that errs in its records only."""
    yield plain(log)


def forked(log: Log) -> Iterator[Facts]:
    """There is a second admission."""
    yield replace(plain(log), forked=True)


def elsewhere(log: Log) -> Iterator[Facts]:
    """All drafts lie in one other conversation."""
    for conversation in log.item.scenario.conversations:
        if conversation != log.item.message.conversation:
            yield replace(plain(log), conversation=conversation)


def first_anchor(log: Log) -> Iterator[Facts]:
    """All drafts carry the anchor that is declared first."""
    yield replace(plain(log), anchors=frozenset(list(log.item.scenario.anchors)[:1]))


def never_settled(log: Log) -> Iterator[Facts]:
    """Claimed by two agents, at some tick from the admission on, and never settled."""
    for first in range(log.item.admitted or 0, log.item.last + 1):
        yield replace(plain(log), contention=(first, None))


def contended(log: Log) -> Iterator[Facts]:
    """An admitted item is claimed by two agents; settled at any tick, or never."""
    if log.item.admitted is None:
        yield plain(log)
        return
    for first in range(log.item.admitted, log.item.last + 1):
        for settlement in (None, *range(first, log.item.last + 1)):
            yield replace(plain(log), contention=(first, settlement))


def disagreeing(log: Log) -> Iterator[Facts]:
    """The snapshots disagree."""
    yield replace(plain(log), agrees=False)
