"""Faulty systems that do not stop for an operator."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair
from wellposed.verifier.amr.items import COMPLETED, ESCALATED
from wellposed.verifier.amr.obligations.escalation import met
from wellposed.verifier.amr.obligations.reply import arrival
from wellposed.verifier.formula import all_of, any_of, negate


def sends_on(suspect: Suspect) -> Iterator[Pair]:
    """What is due is sent, escalated or not; an unsent item is not abandoned for an escalation."""
    item = suspect.item
    consequences = [any_of((suspect.unresolved(), negate(item.ends(ESCALATED)), item.happens(suspect.first)))]
    if item.gated:
        budget = item.answers.send
        for fire in item.approves():
            excused = (suspect.rejected_within(fire, budget), suspect.crashed_within(fire.tick, budget))
            closed = suspect.closed_at(fire.decision.event, fire.tick)
            consequences.append(any_of((suspect.sent_within(fire.tick, budget), closed, *excused)))
    else:
        start, _ = arrival(item)
        budget = item.answers.reply
        excused = (item.space.lt(item.resolved, start), suspect.crashed_within(start, budget))
        consequences.append(any_of((suspect.sent_within(start, budget), *excused)))
    for event, tick in item.escalations:
        yield met(item, event, tick), all_of(consequences)


def completes(suspect: Suspect) -> Iterator[Pair]:
    """An item that is escalated in time is reported as completed."""
    item = suspect.item
    for event, tick in item.escalations:
        done = all_of((item.happens(item.resolved), item.ends(COMPLETED), item.space.le(tick, item.resolved)))
        yield met(item, event, tick), all_of((suspect.unsent_from(event, tick), done))


def drops(suspect: Suspect) -> Iterator[Pair]:
    """An item that is escalated in time is never heard of again."""
    item = suspect.item
    for event, tick in item.escalations:
        yield met(item, event, tick), all_of((suspect.unsent(), suspect.unresolved()))


STOPS = ("L4.resolve", "L6.stop")

SYSTEMS = (
    FaultySystem(
        "sends-after-escalation",
        "sends what an operator has taken away",
        sends_on,
        ("L4.stop", "L6.stop"),
        ("L4.stop", *STOPS, "L0.reply", "L2.send", "L1.crash"),
    ),
    FaultySystem(
        "completes-after-escalation",
        "reports as completed what an operator has taken away",
        completes,
        STOPS,
        STOPS,
        ("K.completed",),
    ),
    FaultySystem(
        "drops-escalated-silently",
        "stops for an operator and never says that it gave up",
        drops,
        STOPS,
        (*STOPS, "L3.death", "L3.terminal"),
    ),
)
