"""Readings of admission and identity: which message becomes which work item, under which rules."""

from __future__ import annotations

from wellposed.verifier.amr.readings.row import Alternative, Reading, but

TOPIC = "Admission and identity"

ROWS = (
    Reading(
        "work-reference",
        TOPIC,
        "How does a scenario name a work item whose id the system under test invents?",
        "By its message: `work:m1` is the item of the admission record that cites m1.",
        "section 2, approvals.jsonl and signals.jsonl",
        places=(16,),
        hazards=(8,),
    ),
    Reading(
        "rules-in-force",
        TOPIC,
        "Which posture and rules version decide on a message: those at its delivery, or those at its admission?",
        "An admission is allowed by any pair that was in force at its own tick or in the 5 ticks before; it is due if "
        "the pair at the delivery admits the message and no change nearby alters that.",
        "section 4, L2, safety and liveness",
        why='"In force when it happened" and "within 5 ticks" of a change have to hold together.',
        places=(18,),
        hazards=(7,),
        alternatives=(
            Alternative(
                "rules-in-force=at-delivery",
                "The posture and rules version in force at a message's first delivery decide alone: whether an "
                "admission is due and, however late it comes, whether it is allowed and which version it cites.",
                but(arrival_decides=True),
            ),
            Alternative(
                "rules-in-force=at-admission",
                "An admission is allowed only by the posture and rules version in force at its own tick, and only a "
                "change in the 5 ticks after a delivery leaves it open whether the message is admitted.",
                but(lag=0),
            ),
        ),
    ),
    Reading(
        "change-nearby",
        TOPIC,
        "What is owed to mail that arrives around a change of the posture or the rules at p?",
        "Delivered from p-5 to p+4 it may be treated either way, if the change alters the match of this very message; "
        "up to p-6 and from p+5 on it may not. The lint warns of such deliveries (WP331).",
        "section 4, L2, liveness",
        why="A change may take 5 ticks to apply, and so may an admission.",
        places=(18,),
        hazards=(7,),
    ),
    Reading(
        "mixed-versions",
        TOPIC,
        "May an admission rest on new rules and the old posture?",
        "Only if the two were in force together at one tick: a pair that never was justifies nothing.",
        "section 4, L2, safety",
    ),
    Reading(
        "later-match",
        TOPIC,
        "Must a message that the rules refused be admitted when a later change makes it match?",
        "It may be, it need not.",
        "section 4, L2, liveness",
        why='The text speaks of "subsequent admissions", and of no second look at old mail.',
        places=(19,),
    ),
    Reading(
        "rules-change",
        TOPIC,
        "Where does the change of rules come from that L2 speaks of, if the fault schedule lists none and a bundle has "
        "one rules.json?",
        "From the schedule: a scenario may bring another rules version into force, and the bundle holds every version, "
        "each with a file and a hash of its own.",
        "section 2, fault schedule; section 4, L2",
        places=(20,),
        hazards=(13,),
    ),
    Reading(
        "posture-of-admission",
        TOPIC,
        "How is an admission traced to the posture in force, if its record has no field for one?",
        "By its tick and the history of the posture.",
        "section 2, audit.jsonl; section 4, L2",
        places=(21,),
    ),
    Reading(
        "rule-order",
        TOPIC,
        "Which rule decides if several apply to a message?",
        "The first in the list; a message to which none applies is refused.",
        "section 5, rules format",
    ),
    Reading(
        "work-item",
        TOPIC,
        "Is a follow-up in a known conversation a work item of its own?",
        "Yes: one admitted message is one work item, and the thread is the conversation.",
        "section 3; section 4, L1 and L5",
        why="The ticket of the support desk spans a thread, but L5 makes one item for two messages a failure.",
        places=(22,),
        hazards=(15,),
        alternatives=(
            Alternative(
                "work-item=conversation",
                "A work item is a conversation: a message matches no rule if another message of its conversation was "
                "delivered before it.",
                but(item_per_conversation=True),
            ),
        ),
    ),
    Reading(
        "forked-thread",
        TOPIC,
        "What is a forked thread?",
        "A second admission of one message. A draft in a foreign conversation is the business of `L5.identity`.",
        "section 4, L1, safety",
        places=(23,),
    ),
    Reading(
        "altered-redelivery",
        TOPIC,
        "May a message come again with other content?",
        "No: a redelivery is the same record once more, and a second delivery under a used id is an error of the "
        "fixture (WP304).",
        "section 2, inbox.jsonl",
        places=(24,),
    ),
    Reading(
        "admission-below-l2",
        TOPIC,
        "Are admission records needed below level 2?",
        "Yes: at every level the item of a draft, a send or a resolution was admitted by then (`K.admitted`). By when, "
        "and under which rules, is asked from level 2 on.",
        "section 2, audit.jsonl; section 4, L0 to L2",
        places=(25,),
    ),
    Reading(
        "unmatched-message",
        TOPIC,
        "Does L0 owe a reply to a message that no rule admits?",
        "No: owed is what the rules require to be admitted and what the system admits. From level 2 on a message that "
        "no rule admits may not even be admitted.",
        "section 4, L0 and L2",
        why="Otherwise level 0 would demand what level 2 prohibits.",
        places=(26,),
        alternatives=(
            Alternative(
                "unmatched-message=owed",
                "Every delivered message is owed a draft and a reply from its delivery on, whether it matches, or is "
                "admitted, or not.",
                but(all_answered=True),
            ),
        ),
    ),
    Reading(
        "counted-history",
        TOPIC,
        "Which messages count in the sender's history and in the length of a thread?",
        "Distinct messages that were first delivered at earlier ticks, admitted or not; duplicates, replies and other "
        "mail of the same tick do not. What a message finds is fixed at its first delivery.",
        "section 3; section 5, rules format",
        places=(27,),
        hazards=(17,),
    ),
    Reading(
        "merged-messages",
        TOPIC,
        "How does a log show one work item for two messages, if an admission record names one message?",
        "By two admissions that cite one work id, or by an admission that is missing; `m1, m2 distinct` asks for both.",
        "section 2, audit.jsonl; section 4, L5",
        places=(28,),
    ),
)
