"""Readings of drafts and decisions: when a reply is due, what a decision binds, when an item may be given up."""

from __future__ import annotations

from wellposed.verifier.amr.readings.row import Alternative, Reading, but

TOPIC = "Drafts and decisions"

ROWS = (
    Reading(
        "reply-clock",
        TOPIC,
        "When do the 10 ticks of L0 for a reply start, if the item waits for a human?",
        "At each approval that finds the item neither sent nor resolved. An item that waits for no decision has them "
        "from its delivery, or from its admission if none was required.",
        "section 2, approvals.jsonl; section 4, L0",
        why="Read literally, with all lower levels reported, no late, rejected or escalated item could ever be passed.",
        places=(29,),
        hazards=(1,),
        alternatives=(
            Alternative(
                "reply-clock=arrival",
                "The 10 ticks of every item run from its delivery, or from its admission if none was required, and no "
                "approval starts them.",
                but(reply_from_arrival=True),
            ),
        ),
    ),
    Reading(
        "draft-budget",
        TOPIC,
        "By when must a draft be declared?",
        "Within 10 ticks of the delivery, or of the admission if none was required.",
        "section 4, L0 and L2",
        why="An approval waits for a draft, so a system that never drafts would never owe anything.",
        places=(31,),
        hazards=(5,),
        alternatives=(
            Alternative(
                "draft-budget=none",
                "No draft is ever due: `L0.draft` is not in force.",
                but(draft_due=False),
            ),
        ),
    ),
    Reading(
        "approval-level",
        TOPIC,
        "From which level on does a send need an approval?",
        "From level 2 on. Below it, a decision moves the clock of the reply and gives no permission.",
        "section 3; section 4, L0 and L2",
        why="The support desk sends only after approval, but L0 asks for declared drafts and nothing else.",
        places=(30,),
        alternatives=(
            Alternative(
                "approval-level=every",
                "Every item waits for decisions at every level, and `L2.authority` is in force from level 0 on.",
                but(always_gated=True),
            ),
        ),
    ),
    Reading(
        "one-reply-level",
        TOPIC,
        "From which level on is a second send of an item, or a second admission of a message, a failure?",
        "From level 0 on.",
        "section 4, L0 and L1",
        why="L0 says: one message, one reply.",
    ),
    Reading(
        "deferred-decision",
        TOPIC,
        "When does a decision fire that waits for a draft, and what is its decided_at?",
        "At the first visible tick after the first draft, which it binds; decided_at is that tick.",
        "section 2, approvals.jsonl",
        why="A decision binds a draft declared at an earlier tick, since the environment comes first within a tick.",
        places=(32,),
        hazards=(8,),
        alternatives=(
            Alternative(
                "deferred-decision=draft-tick",
                "A decision or forgery that waits for a draft fires in the tick of the first draft itself, and the "
                "sends of that tick come behind it.",
                but(deferred_at_draft=True),
            ),
        ),
    ),
    Reading(
        "overtaken-decision",
        TOPIC,
        "Can an event that is written for a later tick overtake an approval that waits for a draft?",
        "Yes: what counts is the tick at which the approval fires. Behind an escalation it fires all the same, but the "
        "escalation excuses its send and, from level 4 on, prohibits it.",
        "section 2, approvals.jsonl; section 4, L4",
        places=(33,),
    ),
    Reading(
        "unfired-decision",
        TOPIC,
        "What if the draft for which a decision waits never comes?",
        "The decision never fires and obliges nobody. If that is so in every conforming run, the scenario is vacuous.",
        "section 2, approvals.jsonl",
        places=(34,),
    ),
    Reading(
        "drafts-in-one-tick",
        TOPIC,
        "Which of two drafts of one tick is the latest?",
        "In a log the one that stands last. A static check looks at runs with at most one draft of an item in a tick.",
        "section 2, approvals.jsonl",
        places=(35,),
    ),
    Reading(
        "superseded-draft",
        TOPIC,
        "May an approved draft be sent after a newer one was declared?",
        "Yes: each draft has decisions of its own, and the send that is due is the item's one send, of whichever "
        "approved draft.",
        "section 2, approvals.jsonl; section 4, L2",
        places=(36,),
    ),
    Reading(
        "approved-unit",
        TOPIC,
        'What is the "approved unit of work" that may have one effect: an approval, a draft or an item?',
        "The item: it is sent once, however many of its drafts are approved.",
        "section 4, L1, safety",
        places=(37,),
    ),
    Reading(
        "repeated-decision",
        TOPIC,
        "Does a decision that is delivered again bind anew?",
        "No: it is the same record about the same draft. It changes no authority, starts no clock and is the cause of "
        "nothing, and so is a repeated rejection.",
        "section 4, L2, approval redelivery",
        places=(38,),
    ),
    Reading(
        "repeat-of-waiting",
        TOPIC,
        "What does a repeat do while its original still waits for a draft?",
        "It waits as well and fires right behind its original.",
        "section 2, approvals.jsonl; section 4, L2, approval redelivery",
        places=(39,),
    ),
    Reading(
        "contradictory-decisions",
        TOPIC,
        "Which decision counts if a draft is both approved and rejected?",
        "The last one that fired by the tick of the send. Likewise an item stands approved if the last decision on it "
        "is an approval, and a further approval is a new cause.",
        "section 2, approvals.jsonl; section 4, L2",
        places=(40,),
        hazards=(16,),
        alternatives=(
            Alternative(
                "contradictory-decisions=reject-final",
                "A rejection is final: no approval gives a rejected draft authority, or lets an item stand of which "
                "one draft was rejected.",
                but(reject_is_final=True),
            ),
        ),
    ),
    Reading(
        "after-rejection",
        TOPIC,
        "What must a system do after a rejection?",
        "Nothing by a deadline of its own: it may abandon the item for something that has happened, or draft again and "
        "wait for an approval. From level 3 on `L3.terminal` has the item resolved by the horizon.",
        "section 1.1; section 4, L2 and L3",
        places=(41,),
    ),
    Reading(
        "dangling-decision",
        TOPIC,
        "Does a decision on an undeclared draft count once the draft is declared?",
        "No: it is forged and never authority. In a scenario such a draft's id begins with `ghost-`, which no real one "
        "does.",
        "section 2, fault schedule",
        places=(42,),
    ),
    Reading(
        "content-hash",
        TOPIC,
        "What does a content hash bind, if nobody computes it again and an outbox line has none?",
        "The draft's id: to declare that again with other content is a failure (`K.redeclare`). What is changed behind "
        "an honest id is not modelled, and a forged record's wrong hash is any that differs.",
        "section 2, approvals.jsonl and outbox.jsonl",
        places=(43,),
        hazards=(9, 11),
    ),
    Reading(
        "forged-rejection",
        TOPIC,
        "Must a system ignore a forged rejection, too?",
        "Yes: a forged decision of either kind binds nothing and takes no authority away.",
        "section 2, fault schedule",
        places=(44,),
    ),
    Reading(
        "cited-forgery",
        TOPIC,
        "How does an audit record cite a forged approval, if none has a field for authority?",
        "By holding its id anywhere in the line. This binds a system and shapes no verdict on a scenario.",
        "section 2, fault schedule; section 2, audit.jsonl",
        places=(45,),
    ),
    Reading(
        "draft-reference",
        TOPIC,
        "Can a scenario decide on a draft by the draft's id?",
        "No: a genuine decision names the work item and binds its latest draft. Only a dangling forgery names a draft.",
        "section 1.2; section 2, approvals.jsonl",
        why="A draft's id is the system's own, and no fixture can know it.",
        places=(46,),
    ),
    Reading(
        "send-clock",
        TOPIC,
        "Do the 5 ticks for the send start at decided_at, or when the system sees the approval?",
        "At decided_at: a decision can be seen in the tick at which it fires.",
        "section 4, L2, liveness",
        places=(47,),
    ),
    Reading(
        "giving-up",
        TOPIC,
        "When may a system abandon an item?",
        "Only for a cause: after an escalation; or, unsent, after a rejection while it does not stand approved, within "
        "5 ticks of its agent's death unless it was reassigned since, or within 20 of a crash that found it pending.",
        "section 2, audit.jsonl; section 4, L1 to L4",
        why="A system that abandons everything would fulfil every level.",
        hazards=(18,),
    ),
    Reading(
        "reason-and-cause",
        TOPIC,
        "Must the reason of an abandonment be the cause that allows it?",
        "No: it must be one of operator_escalation, rejected, agent_death and crash, and that must have happened. Only "
        "`L4.resolve` and `L6.stop` ask for a certain one.",
        "section 2, audit.jsonl; section 4, L4",
    ),
)
