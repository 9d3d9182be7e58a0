"""Readings of the clock: order within a tick, windows and budgets, jumps, the horizon."""

from __future__ import annotations

from dataclasses import replace

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.readings.row import Alternative, Reading, but

TOPIC = "Clock and order"
NARROWED = ("admit", "draft", "reply", "send", "crash", "death", "claims")


def narrowed(answers: Answers) -> Answers:
    """Every window without its last tick. `lag` and `terminal` are no windows of the text: they stay."""
    shorter = {budget: max(0, getattr(answers, budget) - 1) for budget in NARROWED}
    return replace(answers, open_windows=True, **shorter)


ROWS = (
    Reading(
        "stability-window",
        TOPIC,
        "The clock advances after a stability window of 2 ticks, but ticks pass only when it advances: in what is the "
        "window measured?",
        "In real time, by polls of the log files. No verdict depends on it.",
        "section 2, clock driving semantics; section 7, clock semantics",
        why="A tick cannot measure its own length, and section 7 speaks of stability polls.",
        places=(1,),
    ),
    Reading(
        "open-model-call",
        TOPIC,
        "May the clock advance while a call to the stub model is open?",
        "No: an open call holds the clock like a write. No verdict depends on it.",
        "section 2, clock; section 2, clock driving semantics",
        why="Model calls are exempt from tick time, but they write nothing, so silence would pass for quiescence.",
        places=(2,),
    ),
    Reading(
        "order-in-tick",
        TOPIC,
        "Who acts first within one tick, the environment or the system?",
        "The environment: first the events written for the tick, then decisions that waited for a draft, then "
        "triggered events; the system's records of the tick stand behind them all.",
        "section 2, clock",
        places=(3,),
        hazards=(4,),
    ),
    Reading(
        "order-across-files",
        TOPIC,
        "Which of two events of one tick comes first if they stand in different files?",
        "The one that stands first in the scenario: its schedule is one list for all channels, and the files are "
        "derived from it.",
        "section 2, the list of files; section 5",
        places=(5,),
        hazards=(4,),
    ),
    Reading(
        "atomic-tick",
        TOPIC,
        "Can a system act between two events of one tick?",
        "No: the events of a tick reach the system as one.",
        "section 2, clock; section 4, L6",
        why="Otherwise an approval and an escalation in one tick could never be judged, and L6 is about exactly that.",
        places=(4,),
        hazards=(3, 4),
        alternatives=(
            Alternative(
                "atomic-tick=interleaved",
                "The events of a tick reach the system one after the other, and the send of an item that was drafted "
                "before that tick may lie between two of them.",
                but(interleaved=True),
            ),
        ),
    ),
    Reading(
        "changes-in-one-tick",
        TOPIC,
        "What is in force if the posture or the rules change several times in one tick?",
        "What is in force behind the last event of the tick; the changes count as one.",
        "section 2, mode.json",
    ),
    Reading(
        "self-written-ticks",
        TOPIC,
        "Which tick does a record have whose stamp the system under test writes itself?",
        "The one at which the harness first sees it. A stamp that differs is a fault of the system, tolerated by one "
        "tick across a forced advance. In the runs of a static check the two are the same.",
        "section 2, clock; section 2, audit.jsonl",
        why="By its own stamps a system could meet every budget, whenever it acted.",
        places=(6,),
        hazards=(10,),
    ),
    Reading(
        "window-end",
        TOPIC,
        'Does the last tick of "within N ticks" belong to the window?',
        "Yes: the window is closed, from the tick of the cause over N further visible ticks.",
        "section 4, every liveness line",
        places=(8,),
        hazards=(4,),
        alternatives=(
            Alternative(
                "window-end=exclusive",
                '"Within N" ends one tick earlier, in expectations and in every budget but `lag` and `terminal`.',
                narrowed,
            ),
        ),
    ),
    Reading(
        "jump-cost",
        TOPIC,
        "Do the ticks that a jump of the clock skips count against a budget?",
        "No: budgets and windows count visible ticks, so a jump costs one tick, whatever its length.",
        "section 2, fault schedule; section 2, liveness",
        why="A system cannot act in a tick that it never sees.",
        places=(9,),
        hazards=(6,),
        alternatives=(
            Alternative(
                "jump-cost=every-tick",
                "Budgets and windows count the ticks that a jump removes.",
                but(jumps_cost_all=True),
            ),
        ),
    ),
    Reading(
        "events-in-jump",
        TOPIC,
        "What becomes of an event that is written for a tick which a jump skips?",
        "It happens at the tick where the jump lands, in the order of the schedule and stamped with that tick; the "
        "lint warns of it (WP321).",
        "section 2, fault schedule",
        places=(10,),
        hazards=(6,),
    ),
    Reading(
        "forced-advance",
        TOPIC,
        "How do forced advances of the clock count against a budget?",
        "A static check assumes none. In the log of a run, the ticks that forced advances add to a window are added to "
        "its budget.",
        "section 2, clock driving semantics",
        why='"Assessed against the recorded timeline" is no rule, and a system must not fail for what the harness did.',
        places=(11,),
    ),
    Reading(
        "late-deadline",
        TOPIC,
        "Is a response due if its deadline lies beyond the horizon?",
        "No: nothing is due after the end of what is seen.",
        "section 4, liveness lines; section 4, L3",
        why="Otherwise a run would be judged by what nobody has recorded.",
        places=(12,),
        alternatives=(
            Alternative(
                "late-deadline=due",
                "An admission, a draft, a reply, a send, the settlement of claims and the response to a crash or a "
                "death are due at the horizon if their deadline lies beyond it.",
                but(due_at_horizon=True),
            ),
        ),
    ),
    Reading(
        "unknown-horizon",
        TOPIC,
        "May an obligation depend on the horizon, if nothing tells it to the system?",
        "Only as the end of what is seen, and in the two rows for which the specification names it: `L3.terminal`, "
        "which asks nothing for a decision less than 10 ticks before it, and `L4.resolve`.",
        "section 4, L3, L4 and L6",
        places=(13,),
    ),
    Reading(
        "records-at-horizon",
        TOPIC,
        "Do records at the tick of the horizon count?",
        "Yes: the horizon is the last tick of the run.",
        "section 4, L3",
        places=(14,),
    ),
    Reading(
        "lucky-timing",
        TOPIC,
        "Is a scenario valid if a system's timing, lawful either way, decides whether it passes?",
        "No: it is ambiguous, which is an error, and five runs in a row do not mend it.",
        "section 5, level results",
        why="What it scores is luck.",
        places=(15,),
    ),
)
