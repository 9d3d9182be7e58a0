"""How long a system takes its time over what it may do: every choice of timing that a seed makes.

What is allowed is done after a wait, drawn when it becomes allowed and drawn anew when it was not allowed in between.
What is due is done whatever the wait says. So every lawful tick has a chance, the first and the last a good one.
"""

from __future__ import annotations

from random import Random

NEVER = 1 << 60
"""A wait that only a deadline ends."""

SOON = 12
"""Ticks: a little longer than most budgets."""

RESTLESS = frozenset({"redraft", "contest"})
"""What nobody ever asks of a system: done by restless ones only, and then soon."""


class Pace:
    """The waits of one system. Some are prompt throughout, some do everything in the last moment, most vary.

    `lazy` are acts that it mostly leaves to the last moment, whatever its mood.
    """

    def __init__(self, chance: Random, horizon: int, lazy: frozenset[str]) -> None:
        self._chance = chance
        self._horizon = horizon
        self._lazy = lazy
        self._mood = chance.choice(("prompt", "late", "mixed", "mixed"))
        self._restless = chance.random() < 0.25
        self._waits: dict[tuple[str, str], int] = {}

    def ready(self, item: str, act: str, allowed: bool) -> bool:
        """Whether an act is done in this tick; to be asked in every tick, once for each act of an item."""
        if not allowed:
            self._waits.pop((item, act), None)
            return False
        wait = self._waits.get((item, act))
        if wait is None:
            wait = self._drawn(act)
        self._waits[item, act] = wait - 1
        return wait == 0

    def _drawn(self, act: str) -> int:
        chance = self._chance
        if act in RESTLESS:
            return chance.randrange(self._horizon + 1 if chance.random() < 0.3 else 3) if self._restless else NEVER
        if act in self._lazy and chance.random() < 0.8:
            return NEVER
        mood = self._mood if self._mood != "mixed" else chance.choice(("prompt", "late", "soon", "soon", "any"))
        if mood == "soon":
            return chance.randrange(min(SOON, self._horizon // 2 + 2))
        if mood == "any":
            return chance.randrange(self._horizon + 1)
        return 0 if mood == "prompt" else NEVER
