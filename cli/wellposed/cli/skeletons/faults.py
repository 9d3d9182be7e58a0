"""The faults that a starting point can have, one row each; a fault that differs by level has a row per range.

Their order is that in which they strike. Every row leaves time for what it starts, so that rows can be put one after
the other in any selection.
"""

from __future__ import annotations

from wellposed.cli.skeletons.parts import Fault, Statement, Turn
from wellposed.dsl.vocabulary import LEVELS

TOP = len(LEVELS)

FAULTS = (
    Fault(
        name="redelivery",
        levels=range(TOP),
        what="the inbox delivers the message again",
        comment="The same message comes a second time. It must not become a second item, nor get a second reply.",
        turn=Turn.OPENING,
        statements=(Statement(3, "redeliver m1"),),
    ),
    Fault(
        name="crash",
        levels=range(1, 2),
        what="the process is killed and restarted while work is open",
        comment="The process is killed and restarted in the first tick after the draft. If the reply has not left by then, it is "
        "due within 20 ticks of the crash, or an abandonment on record; never both, and never silence.",
        turn=Turn.OPENING,
        statements=(Statement(0, "crash", when="m1 drafted"),),
        delay=20,
        reason="crash",
    ),
    Fault(
        name="death",
        levels=range(3, TOP),
        what="the agent that holds the item dies",
        comment="The agent that holds m1 dies while the draft waits. Its work is reassigned or visibly orphaned within 5 ticks; "
        "what is orphaned stays abandoned, and no later decision wakes it.",
        turn=Turn.WAITING,
        statements=(Statement(0, "kill agent of m1"),),
        length=6,
        reason="agent_death",
        expect=("m1 reassigned or orphaned",),
    ),
    Fault(
        name="crash",
        levels=range(2, TOP),
        what="the process is killed and restarted while work is open",
        comment="The process is killed and restarted while the draft waits for a decision. Nothing is due, and nothing may be lost.",
        turn=Turn.WAITING,
        statements=(Statement(0, "crash"),),
        length=1,
    ),
    Fault(
        name="forged",
        levels=range(2, TOP),
        what="approvals that nobody gave",
        comment="Two approvals that nobody gave: one of a draft that does not exist, one with a hash that is not that of the "
        "draft. A reply that leaves now has believed them.",
        turn=Turn.WAITING,
        statements=(
            Statement(0, 'forge approval "forged-1" for draft "ghost-1"'),
            Statement(2, 'forge approval "forged-2" for m1 with wrong hash'),
        ),
        length=3,
    ),
    Fault(
        name="rules",
        levels=range(2, TOP),
        what="the admission rules change",
        comment="The rules change. Mail of the 5 ticks around a change may be judged by either version, so the mail that shows "
        "the difference comes 5 ticks later: the first version would admit it.",
        turn=Turn.WAITING,
        statements=(
            Statement(0, "rules desk-v2"),
            Statement(5, 'deliver wholesale-1 in wholesale "When will they arrive?"'),
        ),
        length=11,
        rules="""\
rules desk-v2 {
  refuse resellers when from ends with "@reseller.test"
  admit orders when subject contains "order" and posture is normal
  refuse rest
}
""",
        conversations="""\
  conversation wholesale {
    from "buyer@reseller.test"
    subject "Our order of forty chairs"
  }
""",
        expect=("wholesale-1 not admitted",),
    ),
    Fault(
        name="jump",
        levels=range(1, TOP),
        what="the clock jumps forward",
        comment="The clock jumps a hundred ticks forward, and those between are never seen. Nothing is due across the jump, so "
        "no deadline can be missed because of it.",
        turn=Turn.WAITING,
        statements=(Statement(0, "jump by 100"),),
        length=101,
    ),
    Fault(
        name="posture",
        levels=range(2, TOP),
        what="the desk goes into maintenance",
        comment="The desk goes into maintenance and stays there. The rules admit only in normal posture, so mail that comes 5 "
        "ticks later, when every system knows, is refused; what was admitted before goes on.",
        turn=Turn.WAITING,
        statements=(
            Statement(0, "posture maintenance"),
            Statement(5, 'deliver late-1 in order "Are you there?"'),
        ),
        length=6,
        expect=("late-1 not admitted",),
    ),
    Fault(
        name="repeat",
        levels=range(2, TOP),
        what="the approval is delivered again",
        comment="The approval comes a second time. It is the same approval: it authorises nothing new and moves no deadline.",
        turn=Turn.CLOSING,
        statements=(Statement(3, "repeat go"),),
    ),
)


def offered(level: int) -> dict[str, Fault]:
    """The faults that a scenario of this level can have, by name, in the order in which they strike."""
    return {fault.name: fault for fault in FAULTS if level in fault.levels}


def lowest_level(name: str) -> int | None:
    """The lowest level that has this fault; None for a name that no fault has."""
    return min((fault.levels.start for fault in FAULTS if fault.name == name), default=None)
