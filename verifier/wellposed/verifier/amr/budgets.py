"""The time budgets of the obligation table, as parameters: every row reads its bound here, none writes a number.

All budgets are in visible ticks (a jump from t to u costs one). Source: the obligation table of `docs/model.md`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budgets:
    """The bounds of the obligations, in visible ticks.

    - `admit`: L2.admit, delivery to admission. Also the far end of its grace window [a-(lag-1), a+admit], in which a
      change of posture or rules that alters the match of a message delivered at a excuses it either way.
    - `lag`: L2.only, how old the posture-and-rules pair of an admission at t may be: [t-lag, t]; and the near end of
      the grace window of L2.admit.
    - `draft`: L0.draft, arrival (or admission) to the first draft.
    - `reply`: L0.reply, arrival, or a genuine approve of a gated item, to the send.
    - `send`: L2.send, a genuine approve to the send.
    - `crash`: L1.crash, a crash to the send or abandonment of the work that it found pending; and L0.abandon, how long
      such a crash allows an abandonment.
    - `death`: L3.death, the death of a holder to a reassignment or a resolution; and L0.abandon, how long the death
      allows an abandonment.
    - `claims`: L3.claims, the first of two claims of one item to the settlement.
    - `terminal`: L3.terminal, how long before the horizon a decision must have fired for its item to be resolved by it.
    """

    admit: int = 5
    lag: int = 5
    draft: int = 10
    reply: int = 10
    send: int = 5
    crash: int = 20
    death: int = 5
    claims: int = 5
    terminal: int = 10


