"""Budgets, traces and the one exception: the small vocabulary that every module of the oracle shares."""

from dataclasses import dataclass
from typing import Any, NamedTuple

Document = dict[str, Any]
Instance = tuple[str, str, str]
"""One constraint: (obligation id, message id, id of the element that causes it), or ("expect", "", index)."""


class TooLarge(Exception):
    """The scenario has more traces or states than the caller allowed; nothing is known about it."""


@dataclass(frozen=True)
class Budgets:
    """The budgets of the model, all in visible ticks.

    ``lag`` is the look-back of L2.only (one pair in force within [t - lag, t]) and, less one, the look-back of the
    grace of L2.admit. ``crash`` serves L1.crash and L0.abandon, ``death`` serves L3.death and L0.abandon.
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


class MessageTrace(NamedTuple):
    """What a run did with one message; every tick is a real tick of the clock."""

    admitted: int | None
    rules: str | None
    drafts: tuple[int, ...]
    send: tuple[int, int] | None
    resolution: tuple[int, str, str | None] | None
    won: tuple[int, ...]
    held: tuple[str, ...]


Trace = tuple[MessageTrace, ...]
"""A whole run: one entry per message, in the order of first delivery."""

ABANDON_REASONS = ("operator_escalation", "rejected", "agent_death", "crash")
ESCALATED = "operator_escalation"

APPROVE = 1
REJECT = 2
