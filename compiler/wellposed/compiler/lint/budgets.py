"""The time budgets of the obligations that the checks count with, in visible ticks.

They repeat the base budgets of the level model, which this layer cannot import; a test compares the two. Source: the
obligation table of `docs/model.md`.
"""

from __future__ import annotations

ADMIT = 5
"""L2.admit: delivery to admission; and how long after a delivery a change may still excuse it."""
LAG = 5
"""L2.only: how old the posture and the rules of an admission may be."""
DRAFT = 10
"""L0.draft: arrival to draft."""
REPLY = 10
"""L0.reply: arrival, or the approval of an item that waits for one, to the send."""
SEND = 5
"""L2.send: approval to send."""
CRASH = 20
"""L1.crash: a crash to the end of the work that it found pending."""
DEATH = 5
"""L3.death: the death of a holder to a reassignment or an end."""
TERMINAL = 10
"""L3.terminal: how long before the horizon a decision has to come for its item to be resolved by then."""
