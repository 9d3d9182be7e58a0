"""The answers to the open questions of the specification under which a scenario is explored and judged."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answers:
    """The readings of the model with one flag per question that can be answered otherwise; the defaults are the base.

    ``reply_from_arrival``: L0.reply of a gated item runs from the start of the owed work too, not from its approvals.
    ``waiting_is_pending``: an item that waits for an approval is pending at a crash as well.
    ``draft_due``: L0.draft is in force (in the base it is).
    ``open_windows``: ``within N`` in expectations is one smaller; the budgets handed in are the smaller ones already.
    ``interleaved``: a send may lie between two events of the environment in its tick.
    ``deferred_at_draft``: a decision that waits for a draft fires in the tick of that draft, before the sends.
    ``item_per_conversation``: only the first message of a conversation matches any rule.
    ``due_at_horizon``: a deadline beyond the horizon is due at the horizon.
    ``claims_always``: an admitted item is to be won by an agent, contested or not.
    ``condemns_finished``: an escalation demands the abandonment of a finished item too.
    ``jumps_cost_all``: budgets and windows count removed ticks.
    ``one_item_per_agent``: a death touches the one item that it aims at; that of a named agent at most one.
    ``always_gated``: a send needs an approval at every level.
    ``same_tick_is_before``: a send in the tick of an escalation was made before it.
    ``arrival_decides``: posture and rules at the first delivery decide about a message, and nothing later.
    ``all_resolved``: every admitted item is to be resolved by the horizon, decided or not.
    ``crash_keeps_send_due``: a crash excuses no send that L2.send demands.
    ``reject_is_final``: no approval stands beside a rejection, earlier or later.
    ``all_answered``: every delivered message is owed work from its delivery.
    """

    reply_from_arrival: bool = False
    waiting_is_pending: bool = False
    draft_due: bool = True
    open_windows: bool = False
    interleaved: bool = False
    deferred_at_draft: bool = False
    item_per_conversation: bool = False
    due_at_horizon: bool = False
    claims_always: bool = False
    condemns_finished: bool = False
    jumps_cost_all: bool = False
    one_item_per_agent: bool = False
    always_gated: bool = False
    same_tick_is_before: bool = False
    arrival_decides: bool = False
    all_resolved: bool = False
    crash_keeps_send_due: bool = False
    reject_is_final: bool = False
    all_answered: bool = False


BASE = Answers()
