"""Readings of crashes: what they find, and what is due after them."""

from __future__ import annotations

from wellposed.verifier.amr.readings.row import Alternative, Reading, but

TOPIC = "Crash"

ROWS = (
    Reading(
        "pending-at-crash",
        TOPIC,
        "Must work that waits for an approval be settled within 20 ticks of a crash?",
        "No: pending is what was ready to be sent, that is drafted and, if it waits for decisions, approved. "
        "Everything else must keep waiting.",
        "section 4, L1 and L2, liveness",
        why="The specification also wants a send after an approval that comes 100 ticks late over two restarts.",
        places=(48,),
        hazards=(2,),
        alternatives=(
            Alternative(
                "pending-at-crash=waiting",
                "Pending is whatever was drafted before the crash and is not sent, resolved or escalated, approved or "
                "not.",
                but(waiting_is_pending=True),
            ),
        ),
    ),
    Reading(
        "crash-before-send",
        TOPIC,
        "Which budget governs if a crash falls into the 5 ticks for a send?",
        "The 20 ticks after the crash, if it finds the item pending; so also within the 10 ticks for a reply.",
        "section 4, L1 and L2, liveness",
        places=(49,),
        hazards=(21,),
        alternatives=(
            Alternative(
                "crash-before-send=send-budget",
                "A crash does not excuse the send that L2 wants within 5 ticks of an approval; it still excuses the "
                "reply of L0.",
                but(crash_keeps_send_due=True),
            ),
        ),
    ),
    Reading(
        "second-crash",
        TOPIC,
        "From which crash do the 20 ticks run if there are two?",
        "From the last one that finds the item pending.",
        "section 4, L1, liveness",
        places=(50,),
    ),
    Reading(
        "crash-point",
        TOPIC,
        "Can a crash fall between an effect and its record?",
        "No: a crash lies before all records of its tick. A system that sends twice around a crash has forgotten what "
        "it recorded.",
        "section 2, clock driving semantics; section 4, L1",
        why="Faults fire at quiescent points, when everything has been written.",
        places=(51,),
    ),
    Reading(
        "restart-time",
        TOPIC,
        "How many ticks does a restart take?",
        "None: the tick of the crash is that of the restart. An admission or a first draft is due as if there had been "
        "no crash.",
        "section 4, L1 and L2; section 7, crash-recovery timing",
        why="The restart is immediate, and no tick passes while the process is down.",
        places=(52,),
        hazards=(21,),
    ),
    Reading(
        "crash-order",
        TOPIC,
        "Does a crash come before or after the other events of its tick?",
        "It makes no difference: it sees the decisions and the escalations of its own tick, wherever they stand in it.",
        "section 2, fault schedule",
        why="The events of a tick reach the system as one.",
        places=(53,),
    ),
)
