"""The answers under which the specification is read: the budgets, and every choice that changes what a run may do.

The table of readings (`readings/`) says which question of the specification each choice answers; an alternative reading
is the base answers with one of them changed. Source: the obligation table of `docs/model.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.verifier.amr.budgets import Budgets


@dataclass(frozen=True, slots=True)
class Answers(Budgets):
    """One way to read the specification. The defaults are the base readings.

    - `reply_from_arrival`: L0.reply of a gated item, too, runs from the start of owed work, not from an approval.
    - `waiting_is_pending`: a crash finds pending also what waits for a decision: drafted, unsent, unresolved, not escalated.
    - `draft_due`: L0.draft is in force.
    - `open_windows`: "within N" ends one tick earlier, in expectations as in the budgets (`narrowed` has shortened those).
    - `interleaved`: a send may lie anywhere among the events of its tick, instead of behind all of them.
    - `deferred_at_draft`: a deferred decision or forgery fires at the tick of the first draft itself, not at the next one.
    - `item_per_conversation`: a message whose conversation has had one delivered before matches no rule.
    - `due_at_horizon`: a response whose deadline lies beyond the horizon is due at the horizon.
    - `claims_always`: from level 3 on every admitted item is won by an agent within `claims` of its admission, unless it
      is resolved by then.
    - `condemns_finished`: L4.resolve also holds for an item that was sent or resolved before the escalation.
    - `jumps_cost_all`: budgets and windows count the ticks that a jump removes.
    - `one_item_per_agent`: no two items share a holder: a death touches only the item that it aims at, the death of an
      agent given by name at most one.
    - `always_gated`: every item is gated and L2.authority is in force at every level.
    - `same_tick_is_before`: a send in the tick of an escalation was made before it.
    - `arrival_decides`: the rules and posture in force at its delivery alone decide on a message.
    - `all_resolved`: L3.terminal holds for every admitted item, decided or not.
    - `crash_keeps_send_due`: a crash is no excuse of L2.send.
    - `reject_is_final`: a reject takes an item's standing, and a draft's authority, for good.
    - `all_answered`: every delivered message is owed work, from its delivery, whether the rules admit it or not.
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
