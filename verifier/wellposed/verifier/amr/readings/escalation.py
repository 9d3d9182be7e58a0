"""Readings of the operator's escalation: when it takes hold, what it stops, and what it excuses."""

from __future__ import annotations

from wellposed.verifier.amr.readings.row import Alternative, Reading, but

TOPIC = "Escalation"

ROWS = (
    Reading(
        "escalation-before-item",
        TOPIC,
        "What does an escalation do that comes before its item exists?",
        "It waits for the item. The admission is still due, and the abandonment with it.",
        "section 4, L4",
        why="L4's own scenario escalates 2 ticks after a delivery, and an admission may take 5.",
        places=(17,),
        hazards=(8,),
    ),
    Reading(
        "escalation-tick",
        TOPIC,
        "Is a send in the tick of an escalation after the escalation?",
        'Yes: "after" includes the tick itself.',
        "section 4, L4 and L6, safety",
        why="A record of that tick was written by a system that had seen the escalation.",
        places=(7,),
        hazards=(4,),
        alternatives=(
            Alternative(
                "escalation-tick=before",
                "A send in the tick of an escalation was made before it, for the obligations as for `not sent after`.",
                but(same_tick_is_before=True),
            ),
        ),
    ),
    Reading(
        "escalation-after-end",
        TOPIC,
        "What is owed if an escalation comes after the reply has left, or after the item was resolved?",
        "Nothing: what was lawfully sent stays sent, and either resolution is accepted.",
        "section 4, L4 and L6, falsifier",
        why="The literal text condemns a fast system for what it could not know.",
        places=(63,),
        hazards=(3,),
        alternatives=(
            Alternative(
                "escalation-after-end=condemned",
                "Every admitted item that is ever escalated ends abandoned for `operator_escalation`, also one that "
                "was sent or resolved before.",
                but(condemns_finished=True),
            ),
        ),
    ),
    Reading(
        "draft-after-escalation",
        TOPIC,
        "Is a draft after an escalation a failure?",
        "No: only a send is, and another end than the one due.",
        "section 4, L4",
        why='"All automated work" is to stop, but the falsifier names sends and terminal states alone.',
        places=(64,),
    ),
    Reading(
        "escalation-and-authority",
        TOPIC,
        "Does an escalation take the authority of an approval away?",
        "No: that nothing is sent is the business of `L4.stop` and `L6.stop`.",
        "section 4, L2, L4 and L6",
        why="So one fault is one failure.",
    ),
    Reading(
        "escalation-as-excuse",
        TOPIC,
        "What becomes of the other deadlines of an escalated item?",
        "A draft, a reply, a send and what a crash makes due are excused by an escalation that comes by their "
        "deadline, even one before their cause. The admission stays due.",
        "section 4, L4",
    ),
    Reading(
        "escalation-below-l4",
        TOPIC,
        "What does an escalation mean in a scenario below level 4?",
        "It excuses, and allows an abandonment, as at every level, but prohibits nothing. The lint warns of it "
        "(WP332).",
        "section 2, signals.jsonl; section 4",
    ),
    Reading(
        "repeated-signal",
        TOPIC,
        "Are signals delivered more than once, as messages and decisions are?",
        "No: two escalations of one item are two signals, as are two deaths.",
        "section 2, inbox.jsonl and signals.jsonl",
        hazards=(16,),
    ),
)
