"""Readings of the fleet: who holds an item, what an agent's death asks for, how claims are settled."""

from __future__ import annotations

from wellposed.verifier.amr.readings.row import Alternative, Reading, but

TOPIC = "Fleet"

ROWS = (
    Reading(
        "agent-reference",
        TOPIC,
        "How does a scenario name the agent that dies, if it cannot know agents' ids?",
        "By its work: `kill agent of m1` ends whoever holds m1's item at that tick. Nothing happens where nobody does, "
        "because the item is not admitted yet, or sent or resolved.",
        "section 2, signals.jsonl; section 4, L3",
        places=(54,),
        hazards=(8,),
    ),
    Reading(
        "shared-holder",
        TOPIC,
        "May one agent hold several items?",
        "Yes; its death touches all of them.",
        "section 1; section 4, L3",
        why="A system with a single agent is honest.",
        alternatives=(
            Alternative(
                "shared-holder=one-item",
                "No two items have one holder: a death touches the item at which it is aimed and no other, and the "
                "death of an agent given by its id touches one item at most.",
                but(one_item_per_agent=True),
            ),
        ),
    ),
    Reading(
        "visible-orphan",
        TOPIC,
        "Which record makes a dead agent's item visibly orphaned?",
        "A resolution `abandoned`; the state snapshot alone does not.",
        "section 4, L3, safety",
        places=(55,),
    ),
    Reading(
        "one-winner",
        TOPIC,
        "How can an item end with exactly one `won` and yet be reassigned?",
        "It has one `won` per tenure: each death that touches the item allows one more.",
        "section 2, audit.jsonl; section 4, L3",
        places=(56,),
    ),
    Reading(
        "death-deadline",
        TOPIC,
        "By when must a dead agent's work be taken up?",
        "Within 5 ticks, by a reassignment or a resolution. No other deadline moves.",
        "section 4, L3",
        why="The specification gives no deadline; 5 is that of claims.",
        places=(57,),
    ),
    Reading(
        "claim-window",
        TOPIC,
        "When do the 5 ticks for the settlement of claims start?",
        "At the first `claimed`; a death that touches the item within them starts them again.",
        "section 4, L3, liveness",
        places=(58,),
    ),
    Reading(
        "uncontested-claims",
        TOPIC,
        "Are claim records owed for an item that only one agent wants?",
        "No: they are owed where two or more agents claim it.",
        "section 2, audit.jsonl; section 4, L3",
        why='The records are for "every contested assignment".',
        places=(59,),
        hazards=(19,),
        alternatives=(
            Alternative(
                "uncontested-claims=owed",
                "From level 3 on an agent wins every admitted item within 5 ticks of its admission, unless it is "
                "resolved by then.",
                but(claims_always=True),
            ),
        ),
    ),
    Reading(
        "contention",
        TOPIC,
        "Can a schedule make two agents claim one item?",
        "No: so contention exercises no level, and `claims on m settle` holds where nobody contends.",
        "section 4, L3",
        hazards=(19,),
    ),
    Reading(
        "draft-of-dead-agent",
        TOPIC,
        "Can the draft of a dead agent still be sent?",
        "Yes, or the item is drafted again: both are allowed.",
        "section 1.2; section 4, L3",
        places=(60,),
    ),
    Reading(
        "approved-after-orphaning",
        TOPIC,
        "Must an item be sent that is approved only after it was orphaned?",
        "No, it may not even be: nothing is sent after a resolution, and an approval of a resolved item starts no "
        "clock.",
        "section 4, L2 and L3",
        why="So nobody can expect exactly one send of an item whose agent dies before the approval.",
        places=(61,),
    ),
    Reading(
        "undecided-item",
        TOPIC,
        "Must an item that nobody ever decides be resolved by the horizon?",
        "No: only an admitted item on which a decision fired at least 10 ticks before it.",
        "section 4, L3, liveness",
        why="Without a cause nothing may be abandoned, and systems do not know the horizon.",
        places=(62,),
        hazards=(18,),
        alternatives=(
            Alternative(
                "undecided-item=resolved",
                "Every admitted item is resolved by the horizon, decided or not.",
                but(all_resolved=True),
            ),
        ),
    ),
)
