"""Faulty systems that lose their work: in a crash, or with an agent."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair
from wellposed.verifier.formula import all_of, any_of, negate


def forgets(suspect: Suspect) -> Iterator[Pair]:
    """Whatever a crash finds unfinished is never touched again."""
    item = suspect.item
    for event, tick in item.crashes:
        lost = all_of((suspect.undrafted_from(tick), suspect.unsent(), suspect.unresolved()))
        yield all_of((item.happens(tick), item.live_at(event, tick))), lost


def restarts(suspect: Suspect) -> Iterator[Pair]:
    """What a crash finds pending is drafted anew, and the new draft is sent."""
    item, budget = suspect.item, suspect.item.answers.crash
    for event, tick in item.crashes:
        redrafted = any_of((suspect.unsent(), item.space.le(tick, item.sent_draft)))
        cause = all_of((item.pending(event, tick), negate(item.escalated_by(item.send_by(tick, budget)))))
        yield cause, all_of((suspect.sent_within(tick, budget), redrafted))


def drops_with_agent(suspect: Suspect) -> Iterator[Pair]:
    """What a dying agent holds is never touched again."""
    item = suspect.item
    for touch in item.touches:
        taken = (any_of((item.space.lt(other.won, touch.tick), item.absent(other.won))) for other in item.touches)
        yield touch.touched, all_of((*taken, suspect.undrafted_from(touch.tick), suspect.unsent(), suspect.unresolved()))


LOST = ("L0.draft", "L0.reply", "L1.crash", "L2.send", "L3.death", "L3.terminal", "L4.resolve", "L6.stop")

SYSTEMS = (
    FaultySystem(
        "forgets-on-crash",
        "loses in a crash what it had not finished",
        forgets,
        ("L0.draft", "L0.reply", "L1.crash", "L2.send"),
        LOST,
    ),
    FaultySystem(
        "restarts-step-on-crash",
        "drafts anew after a crash and sends that draft, whatever was approved",
        restarts,
        ("L2.authority",),
        ("L2.authority", "L2.forged"),
    ),
    FaultySystem("drops-dead-agents-work", "loses what a dying agent held", drops_with_agent, ("L3.death",), LOST),
)
