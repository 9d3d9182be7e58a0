"""What a starting point of each level consists of without any fault, in the order of the levels."""

from __future__ import annotations

from wellposed.cli.skeletons.parts import Ending, Shape, Statement

AT_ONCE = "The reply is due within 10 ticks of the delivery, and so is the draft that it sends. No approval is needed at this level."
GATED = "m1 is admitted within 5 ticks, drafted within 10, and then waits for a decision, however long."
APPROVED = "m1 sent exactly once within 5 of go"
TAKEN_OVER = "m1 abandoned because operator_escalation"
NEVER = ("m1 admitted within 5", "m1 never sent")

SHAPES = (
    Shape(
        title="One message, one reply",
        arrival=AT_ONCE,
        endings=(Ending((), ("m1 sent exactly once within {reply}",)),),
    ),
    Shape(
        title="A follow-up in the same thread",
        arrival=AT_ONCE,
        endings=(
            Ending((), ("m1 sent exactly once within {reply}",)),
            Ending(("m2 sent exactly once within 10", "m2 reply carries anchor of order"), (), exposed=False),
        ),
        comment="The customer writes again and does not say about what: the anchor that the reply must carry is in the thread.",
        closing=(Statement(0, 'deliver m2 in order "It still has not come. Any news?"'),),
        room=20,
    ),
    Shape(
        title="A reply that waits for its approval",
        arrival=GATED,
        endings=(Ending(("m1 admitted within 5",), (APPROVED,)),),
        comment="By now the draft is declared in every run, so the approval binds it, and the reply is due within 5 ticks.",
        closing=(Statement(0, "approve m1 as go"),),
        room=20,
    ),
    Shape(
        title="An agent dies while its work waits",
        arrival=GATED,
        endings=(Ending(("m1 admitted within 5",), (APPROVED, "m1 completed")),),
        comment="Whoever holds m1 now: with the approval the reply is due within 5 ticks, and the item is to be completed.",
        closing=(Statement(0, "approve m1 as go"),),
        together=("state agrees",),
        faults=("death",),
        room=20,
    ),
    Shape(
        title="The operator takes an item over",
        arrival=GATED,
        endings=(Ending(NEVER, (TAKEN_OVER,)),),
        comment="The operator takes m1 over: from now on nothing is sent, and m1 is abandoned. The approval that follows is "
        "genuine and comes too late.",
        closing=(Statement(0, "escalate m1"), Statement(5, "approve m1{go}")),
        together=("state agrees",),
        room=20,
    ),
    Shape(
        title="Two messages that look alike",
        arrival="Two customers write the same words under the same subject: only the identifiers differ. Both messages are admitted "
        "within 5 ticks, drafted within 10, and then wait for a decision, however long.",
        endings=(
            Ending(
                ("m1 admitted within 5",),
                (APPROVED, "m1 reply in order", "m1 reply carries anchor of order", "m1 completed"),
            ),
            Ending(("m2 never sent",), ("m2 abandoned because operator_escalation",)),
        ),
        comment="One is approved and the other taken over, in one tick: a system that has mixed them up is wrong whatever it does.",
        closing=(Statement(0, "approve m1 as go"), Statement(0, "escalate m2")),
        more=(Statement(1, 'deliver m2 in twin "Hello, where is {anchor}?"'),),
        conversations="""\
  conversation twin {
    from "bob@example.test"
    subject "Where is my order?"
    anchor "ORD-1002"
  }
""",
        together=("m1, m2 distinct", "state agrees"),
        room=20,
    ),
    Shape(
        title="Approved and taken over in one tick",
        arrival=GATED,
        endings=(Ending(NEVER, (TAKEN_OVER,)),),
        comment="The operator approves m1 and takes it over in the same tick, in this order: the two reach the system as one, so "
        "no reply can have left in between. One tick later a quick system would lawfully have sent.",
        closing=(Statement(0, "approve m1{go}"), Statement(0, "escalate m1")),
        together=("state agrees",),
        room=20,
    ),
)
