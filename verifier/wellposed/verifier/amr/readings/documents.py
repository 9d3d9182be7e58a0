"""Readings of documents and scoring: record types, snapshots, anchors, hashes, and what a result means."""

from __future__ import annotations

from wellposed.verifier.amr.readings.row import Reading

TOPIC = "Documents and scoring"

ROWS = (
    Reading(
        "audit-event-types",
        TOPIC,
        "Which audit events are required, if the text says four and lists three?",
        "Three: admission, claim and resolution.",
        "section 2, audit.jsonl; section 7, the audit schema",
        why="Section 7 says three.",
        places=(65,),
        hazards=(14,),
    ),
    Reading(
        "abandonment-record",
        TOPIC,
        "Is an abandonment written to the outbox, as the diagrams draw it?",
        "No: it is a resolution in the audit log. A line of the outbox is a reply that has left.",
        "section 1.1; section 1.2; section 2, outbox.jsonl and audit.jsonl",
        places=(65,),
    ),
    Reading(
        "escalation-levels",
        TOPIC,
        "At which levels may an operator escalate, if the signal is said to be used by L4 and L5?",
        "At any; what has to follow is asked from level 4 on, and L6 rests on it.",
        "section 2, signals.jsonl; section 4, L6",
        places=(65,),
        hazards=(14,),
    ),
    Reading(
        "levels-in-force",
        TOPIC,
        "Which levels are there to test, if the roadmap stops at L2, the CI at L4 and the list of changes at L6?",
        "L0 to L6: the list of changes is the newest.",
        "list of changes; section 8",
        places=(65,),
    ),
    Reading(
        "lower-levels",
        TOPIC,
        "Is a scenario held to the levels below its own?",
        "Yes, to every obligation of level 0 to its own, and it reports each of them; one that no conforming run "
        "exercises is reported as untested, never as passed.",
        "section 4; section 5, level results",
        hazards=(1,),
    ),
    Reading(
        "outcome-classes",
        TOPIC,
        "What is the result where a fault lawfully never finds its target, or the tool itself fails?",
        "Never a pass. A scenario one of whose events finds its target in no conforming run is vacuous; undecided and "
        "an internal error are outcomes of their own, with exit statuses of their own.",
        "section 5, level results and failure taxonomy",
        hazards=(22,),
    ),
    Reading(
        "state-lag",
        TOPIC,
        "When must the state snapshot agree with the logs: always, at quiescent points, or within 2 ticks?",
        "At the end of every tick; only across a forced advance of the clock may it lag by 2.",
        "section 2, state; section 2, clock driving semantics",
        why="Every advance that is not forced happens at a quiescent point, and there full agreement is required.",
        places=(66,),
    ),
    Reading(
        "state-status",
        TOPIC,
        "Which words may the status of a work item be?",
        "One of six: admitted, drafted, approved, sent, completed and abandoned.",
        "section 2, state",
        places=(66,),
    ),
    Reading(
        "anchor-choice",
        TOPIC,
        'Does a request with two threads in it get the wrong anchor "as often as the right one"?',
        "No: always the first anchor in the fixture's list. So one that shows every thread is always right for the "
        "first one and always wrong for the others.",
        "section 2, model contract",
        why="The stub is deterministic.",
        places=(66,),
        hazards=(12,),
    ),
    Reading(
        "anchor-tokens",
        TOPIC,
        "When does a draft carry an anchor, if anchors may contain each other and messages may quote them?",
        "An anchor counts as one token: a draft carries that of its own conversation and no other. The lint warns of "
        "anchors inside one another and of quoted ones (WP324, WP325).",
        "section 2, model contract; section 4, L1",
        hazards=(12,),
    ),
    Reading(
        "what-was-sent",
        TOPIC,
        "By what is a sent reply judged, if a line of the outbox has neither text nor recipient?",
        "By the draft that it names: its item, conversation, anchor and decisions. Recipients and subjects of replies "
        "are not modelled.",
        "section 2, outbox.jsonl",
        hazards=(11,),
    ),
    Reading(
        "hashed-bytes",
        TOPIC,
        "Which bytes does a hash cover, if bundles are hashed as canonical JSON and rules as they stand in their file?",
        "Canonical JSON and one line feed, for both: every file of a bundle is written in that form, which is fixed.",
        "section 2, audit.jsonl; section 5, reserve set",
        why="A hash hides nothing that can be guessed, so what is published by its hash alone has to hold a nonce.",
        hazards=(20,),
    ),
)
