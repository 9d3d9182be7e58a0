"""Faulty systems that send what nobody approved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wellposed.verifier.amr.environment import Event
from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair
from wellposed.verifier.amr.items import REJECTED
from wellposed.verifier.amr.obligations.reply import arrival
from wellposed.verifier.formula import Term, all_of, any_of, negate


def sends_at_once(suspect: Suspect) -> Iterator[Pair]:
    """Owed work is sent as if nobody had to approve it."""
    item = suspect.item
    start, _ = arrival(item)
    budget = item.answers.reply
    end = item.send_by(start, budget)
    if item.environment.level >= 2:
        excused = (item.escalated_by(end), item.abandoned_by(end), suspect.crashed_within(start, budget))
        open_ = negate(any_of((item.absent(start), item.space.lt(item.resolved, start), *excused)))
        yield open_, suspect.sent_within(start, budget)


def _trusts(suspect: Suspect, forged: Iterable[tuple[Event, Term]]) -> Iterator[Pair]:
    """A forged approval of a drafted item is taken for a genuine one."""
    item, budget = suspect.item, suspect.item.answers.send
    for event, tick in forged:
        end = item.send_by(tick, budget)
        excused = (item.escalated_by(end), item.abandoned_by(end), suspect.crashed_within(tick, budget))
        found = all_of((negate(suspect.closed_at(event, tick)), item.space.lt(item.draft, tick)))
        yield all_of((found, negate(any_of(excused)))), suspect.sent_within(tick, budget)


def trusts_dangling(suspect: Suspect) -> Iterator[Pair]:
    return _trusts(suspect, suspect.dangling())


def trusts_wrong_hash(suspect: Suspect) -> Iterator[Pair]:
    return _trusts(suspect, suspect.forged())


def sends_redraft(suspect: Suspect) -> Iterator[Pair]:
    """An approved item is drafted anew, and the new draft is sent."""
    item, budget = suspect.item, suspect.item.answers.send
    for fire in item.approves():
        end = item.send_by(fire.tick, budget)
        redrafted = any_of((suspect.unsent(), item.space.le(fire.tick, item.sent_draft)))
        excused = (
            suspect.closed_at(fire.decision.event, fire.tick),
            item.escalated_by(end),
            suspect.rejected_within(fire, budget),
            suspect.crashed_within(fire.tick, budget),
            item.abandoned_by(end),
        )
        yield negate(any_of(excused)), all_of((suspect.sent_within(fire.tick, budget), redrafted))


def ignores_reject(suspect: Suspect) -> Iterator[Pair]:
    """What was approved is sent, rejected since or not; and no reject is a reason to give up."""
    item, budget = suspect.item, suspect.item.answers.send
    for fire in item.approves():
        excused = (
            suspect.closed_at(fire.decision.event, fire.tick),
            item.escalated_by(item.send_by(fire.tick, budget)),
            suspect.crashed_within(fire.tick, budget),
        )
        cause = all_of((suspect.rejected_within(fire, budget), negate(any_of(excused))))
        kept = any_of((suspect.unresolved(), negate(item.ends(REJECTED))))
        yield cause, all_of((suspect.sent_within(fire.tick, budget), kept))


AUTHORITY = ("L2.authority", "L2.forged")

SYSTEMS = (
    FaultySystem("sends-without-approval", "sends without waiting for an approval", sends_at_once, ("L2.authority",), AUTHORITY),
    FaultySystem("trusts-dangling", "takes an approval of a draft that nobody declared for its own", trusts_dangling, AUTHORITY, AUTHORITY),
    FaultySystem("trusts-wrong-hash", "takes an approval of other content for its own", trusts_wrong_hash, AUTHORITY, AUTHORITY),
    FaultySystem(
        "sends-unapproved-redraft",
        "drafts anew after the approval and sends the new draft",
        sends_redraft,
        ("L2.authority",),
        (*AUTHORITY, "L2.send", "L0.reply"),
    ),
    FaultySystem(
        "ignores-reject",
        "sends what was approved and then rejected",
        ignores_reject,
        ("L2.authority",),
        (*AUTHORITY, "L2.send", "L0.reply"),
    ),
)
