"""The vocabulary of the Async Message Responder benchmark: levels, budgets, words and their texts, as data.

Source: the benchmark's specification v0.14, through design decisions recorded in `docs/model.md`. The language and the
compiler take their closed sets from here; `wellposed.verifier.amr` gives them meaning. Budgets are in visible ticks.
"""

from __future__ import annotations

from dataclasses import dataclass

SPEC = "amr/0.14"
READINGS = "amr/0.14-base.1"
BUNDLE_FORMAT = "wellposed-bundle/1"

MAX_HORIZON = 1_000_000
MAX_INTEGER = 2**53 - 1
MAX_IFS = 8
"""How deep `if` may be nested in an expectation."""
GHOST_PREFIX = "ghost-"

POSTURES = ("normal", "maintenance", "vip-only")
REASONS = ("operator_escalation", "rejected", "agent_death", "crash")
VERDICTS = ("invalid", "unsatisfiable", "ambiguous", "vacuous", "undecided", "well-posed")
TRIGGERS = ("admitted", "drafted", "sent")
BUILT_IN_SKIN = "support-desk"
BUILT_IN_RULES = "all"


@dataclass(frozen=True, slots=True)
class Level:
    """One rung of the benchmark's ladder (specification section 4)."""

    number: int
    name: str
    demands: str


LEVELS = (
    Level(0, "respond", "one message, one reply: a valid reply within 10 ticks"),
    Level(1, "continue", "threads that survive duplicates, crashes and time, each with its own anchor"),
    Level(2, "govern", "admission by rules and posture; no effect without an approval that binds its draft"),
    Level(3, "operate", "a fleet under observation: one owner per item, no silently dropped work"),
    Level(4, "operator authority", "after an escalation nothing is sent and the item is abandoned"),
    Level(5, "identity fallibility", "messages that look alike stay separate items in separate conversations"),
    Level(6, "post-approval escalation", "an approval in force is reversible until the effect has left"),
)


@dataclass(frozen=True, slots=True)
class Obligation:
    """One row of the obligation table of `docs/model.md`.

    `level` is the level from which it is in force (kernel rows, `K.*`, always are); `due` marks rows that demand a
    response by a deadline, the others prohibit.
    """

    id: str
    level: int
    due: bool
    text: str


OBLIGATIONS = (
    Obligation("K.declared", 0, False, "a sent draft was declared before, with an origin"),
    Obligation("K.redeclare", 0, False, "a draft id declared again has identical content"),
    Obligation("K.admitted", 0, False, "drafts, sends and resolutions belong to an item admitted before or in the same tick"),
    Obligation("K.completed", 0, False, "an item resolved as completed was sent"),
    Obligation("K.reason", 0, False, "an abandonment names a cause that has happened"),
    Obligation("K.closed", 0, False, "one resolution per item and no draft or send after it; a sent item is not abandoned but by escalation"),
    Obligation("L0.draft", 0, True, "a draft within 10 ticks of the arrival of work that is owed"),
    Obligation("L0.reply", 0, True, "a send within 10 ticks of the arrival, or of each genuine approval for a gated item"),
    Obligation("L0.abandon", 0, False, "an item is abandoned only after an escalation, a reject in force, its agent's death or a crash that found it pending"),
    Obligation("L1.once", 0, False, "at most one send per item"),
    Obligation("L1.fork", 0, False, "at most one admission per message"),
    Obligation("L1.anchor", 1, False, "every draft carries the anchor of its own conversation and no sibling's"),
    Obligation("L1.crash", 1, True, "work pending at a crash is sent or abandoned within 20 ticks of the restart"),
    Obligation("L2.admit", 2, True, "a message that the rules admit is admitted within 5 ticks of its delivery"),
    Obligation("L2.only", 2, False, "an admission follows a rule under a posture and rules version in force within the last 5 ticks"),
    Obligation("L2.authority", 2, False, "a send has an approval in force that binds its draft"),
    Obligation("L2.forged", 2, False, "a forged record is never authority"),
    Obligation("L2.send", 2, True, "an approved item is sent within 5 ticks of the approval"),
    Obligation("L3.claims", 3, True, "a contested item has one winner and the others stand down within 5 ticks"),
    Obligation("L3.death", 3, True, "the work of a dead agent is reassigned or visibly orphaned within 5 ticks"),
    Obligation("L3.terminal", 3, True, "an item that was decided in time is resolved by the horizon"),
    Obligation("L3.state", 3, False, "the state snapshot agrees with the logs"),
    Obligation("L4.stop", 4, False, "nothing is sent from the tick of an escalation on"),
    Obligation("L4.resolve", 4, True, "an escalated item is abandoned with reason operator_escalation by the horizon"),
    Obligation("L5.identity", 5, False, "two messages are two items, each replied to in its own conversation"),
    Obligation("L6.stop", 6, False, "an escalation stops a send that was already approved"),
)

OBLIGATION_BY_ID = {row.id: row for row in OBLIGATIONS}


def obligations_of_level(level: int) -> tuple[str, ...]:
    """The ids of the standing obligations of a scenario of this level, in table order."""
    return tuple(row.id for row in OBLIGATIONS if row.level <= level)


FAULTY_SYSTEMS = (
    "idle",
    "admits-never-drafts",
    "abandons-everything",
    "completes-unsent",
    "sends-without-approval",
    "sends-after-escalation",
    "completes-after-escalation",
    "drops-escalated-silently",
    "duplicates-on-redelivery",
    "forks-on-redelivery",
    "resends-on-repeated-approval",
    "forgets-on-crash",
    "resends-on-crash",
    "restarts-step-on-crash",
    "trusts-dangling",
    "trusts-wrong-hash",
    "sends-unapproved-redraft",
    "ignores-reject",
    "stale-posture",
    "stale-rules",
    "drops-dead-agents-work",
    "double-owner",
    "no-stand-down",
    "merges-by-subject",
    "ignores-follow-ups",
    "replies-in-wrong-conversation",
    "stuffs-context",
    "late-by-one",
    "back-dates",
    "silent-abandon",
    "state-lies",
)

TEXT_FIELDS = {
    "from": "message.from",
    "subject": "message.subject",
    "body": "message.body",
    "conversation": "message.conversation_id",
}
NUMBER_FIELDS = ("thread.length", "sender.messages", "sender.conversations")
TEXT_OPERATORS = {
    "is": "is",
    "is not": "is-not",
    "in": "in",
    "not in": "not-in",
    "contains": "contains",
    "starts with": "starts-with",
    "ends with": "ends-with",
}
NUMBER_OPERATORS = ("=", "!=", "<", "<=", ">", ">=")
SKIN_WORDS = ("message", "work-item", "agent", "effect", "draft", "approval")
