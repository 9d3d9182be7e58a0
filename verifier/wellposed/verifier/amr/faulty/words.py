"""When each faulty system errs with an item, and what it does then: its policy, in the words of `docs/mutants.md`.

`f` is the tick at which a genuine approval of the item fires; at `e` it is escalated, at `c` the process crashes, at
`r` a copy comes, at `p` a forgery.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Words(NamedTuple):
    """The cause, as it stands behind "errs with an item if", and the consequence."""

    cause: str
    consequence: str


ALWAYS, ADMITTED = "always", "it is admitted"
ESCALATED = "it is admitted, and an escalation at e finds it open"
UNSETTLED = "two agents claim it at some tick, and the claims are never settled"

WORDS: Mapping[str, Words] = {
    "idle": Words(ALWAYS, "there is no record of it"),
    "admits-never-drafts": Words(ALWAYS, "no draft"),
    "abandons-everything": Words(ADMITTED, "it is unsent, and abandoned for whatever reason"),
    "completes-unsent": Words(ADMITTED, "it is unsent, and resolved as completed"),
    "silent-abandon": Words(ALWAYS, "neither a send nor a resolution"),
    "state-lies": Words("the level is 3 or higher", "some snapshot contradicts the logs"),
    "sends-without-approval": Words(
        "the level is 2 or higher, its work is owed, it is not resolved before the start of that, and within "
        "reply of the start nothing excuses: no escalation, no lawful abandonment, no crash that finds it "
        "pending",
        "it is sent within reply of the start",
    ),
    "trusts-dangling": Words(
        "a forged approval of a draft that nobody declared comes at p, finds it drafted before p and open, "
        "and within send of p nothing excuses: no escalation, no lawful abandonment, no crash that finds it "
        "pending",
        "it is sent within send of p",
    ),
    "trusts-wrong-hash": Words(
        "a forged approval with a wrong hash, of its own draft, fires at p and finds it open, and within send "
        "of p nothing excuses: no escalation, no lawful abandonment, no crash that finds it pending",
        "it is sent within send of p",
    ),
    "sends-unapproved-redraft": Words(
        "an approval at f finds it open, and within send of f nothing excuses: no escalation, no later "
        "reject, no lawful abandonment, no crash that finds it pending",
        "it is sent within send of f; the draft that is sent was declared at f or later",
    ),
    "ignores-reject": Words(
        "an approval at f finds it open, a later reject comes within send of f, and no escalation by then nor "
        "a crash that finds it pending",
        "it is sent within send of f, and not abandoned as rejected",
    ),
    "sends-after-escalation": Words(
        ESCALATED,
        "it is sent within send of every f that finds it open (below level 2, undecided: within reply of the "
        "start of owed work) unless a later reject or a crash that finds it pending excuses; and it is not "
        "abandoned unsent for operator_escalation",
    ),
    "completes-after-escalation": Words(ESCALATED, "no send at e or later; resolved as completed at e or later"),
    "drops-escalated-silently": Words(ESCALATED, "neither a send nor a resolution"),
    "duplicates-on-redelivery": Words(
        "its message is delivered again at r, it is sent at some tick, and never escalated",
        "a second send at r or later",
    ),
    "forks-on-redelivery": Words("it is admitted, and its message is delivered again", "it is admitted a second time"),
    "resends-on-repeated-approval": Words(
        "a genuine approval of it is repeated at r, it is sent at some tick, and never escalated",
        "a second send at r or later",
    ),
    "resends-on-crash": Words("it was sent before a crash at c, and is never escalated", "a second send at c or later"),
    "forgets-on-crash": Words("it is live at a crash at c", "no draft at c or later, no send, no resolution"),
    "restarts-step-on-crash": Words(
        "a crash at c finds it pending, and it is not escalated within crash of c",
        "it is sent within crash of c; the draft that is sent was declared at c or later",
    ),
    "drops-dead-agents-work": Words(
        "an agent's death at x touches it", "no reassignment, no draft at x or later, no send, no resolution"
    ),
    "stale-posture": Words(
        "had the posture never changed, its admission would be required, or allowed at other ticks, than it is",
        "it is admitted, and drafted in time, by the posture of tick 0",
    ),
    "stale-rules": Words(
        "had the rules never changed, its admission would be required, or allowed at other ticks, than it is",
        "it is admitted, and drafted in time, by the rules of tick 0",
    ),
    "late-by-one": Words(
        ALWAYS,
        "one of the budgets admit, draft, reply, send, crash, death and claims is one tick longer for it than "
        "it is, and in every run some deadline is missed by that tick. For claims every admitted item is "
        "contended",
    ),
    "back-dates": Words(
        ALWAYS,
        "the budget send is one tick longer for it than it is, and in every run some send comes one tick late "
        "and is stamped in time; the tick that counts is the one at which it is seen",
    ),
    "double-owner": Words(ADMITTED, f"{UNSETTLED}: both win"),
    "no-stand-down": Words(ADMITTED, f"{UNSETTLED}: the loser never stands down"),
    "merges-by-subject": Words(
        "a message with the same subject, which some system may admit, comes before its own in the inbox",
        "it is never admitted",
    ),
    "ignores-follow-ups": Words(
        "a message of the same conversation, which some system may admit, comes before its own in the inbox",
        "it is never admitted",
    ),
    "replies-in-wrong-conversation": Words(
        "there are two conversations", "its reply lies in another conversation than its message"
    ),
    "stuffs-context": Words(
        "some conversation declares an anchor", "its reply carries the anchor that was declared first, and no other"
    ),
}
