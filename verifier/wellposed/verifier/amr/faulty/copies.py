"""Faulty systems that do again what they have done: for a copy of a record, or after a crash."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair
from wellposed.verifier.formula import Term, all_of, negate


def duplicates(suspect: Suspect) -> Iterator[Pair]:
    return _sends_again(suspect, suspect.redelivered())


def resends_for_approval(suspect: Suspect) -> Iterator[Pair]:
    return _sends_again(suspect, suspect.approved_again())


def _sends_again(suspect: Suspect, copies: Iterator[tuple[Term, ...]]) -> Iterator[Pair]:
    """A second send behind the copy of a record, if there is a first one and no escalation."""
    item = suspect.item
    for ticks in copies:
        copied = all_of(item.happens(tick) for tick in ticks)
        behind = all_of(item.space.le(tick, suspect.second) for tick in ticks)
        cause = all_of((copied, item.happens(suspect.first), negate(suspect.escalated())))
        yield cause, all_of((item.happens(suspect.second), behind))


def resends_after_crash(suspect: Suspect) -> Iterator[Pair]:
    """What was sent before a crash is sent again behind it, unless escalated."""
    item = suspect.item
    for event, tick in item.crashes:
        sent = item.precedes(suspect.first, event, tick)
        cause = all_of((item.happens(tick), sent, negate(suspect.escalated())))
        yield cause, all_of((item.happens(suspect.second), item.space.le(tick, suspect.second)))


def forks(suspect: Suspect) -> Iterator[Pair]:
    """A message that is delivered again is admitted again."""
    item = suspect.item
    for (tick,) in suspect.redelivered():
        yield all_of((item.happens(tick), item.happens(item.admitted))), suspect.says(suspect.forked)


ONCE = ("L1.once",)
SENDS = ("second send",)

SYSTEMS = (
    FaultySystem("duplicates-on-redelivery", "replies again to a message that is delivered again", duplicates, ONCE, ONCE, uses=SENDS),
    FaultySystem("forks-on-redelivery", "opens a second item for a message that is delivered again", forks, ("L1.fork",), ("L1.fork",), uses=("fork",)),
    FaultySystem("resends-on-repeated-approval", "sends again when an approval is repeated", resends_for_approval, ONCE, ONCE, uses=SENDS),
    FaultySystem("resends-on-crash", "sends again after a crash what it had sent before it", resends_after_crash, ONCE, ONCE, uses=SENDS),
)
