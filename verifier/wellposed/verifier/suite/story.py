"""What a system is shown of a scenario, tick by tick, and when the stories of two scenarios part.

A system knows neither the level, nor the horizon, nor what is expected; until two stories part it cannot tell them apart,
so what it does before that tick it does in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

END = "the end"
"""Stands at the tick behind the horizon: from there on nothing is known of a scenario."""


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that a system is shown. Ticks count from `start`, which is a tick of the scenario's clock.

    `told` has the digest of what is shown at each tick that shows anything, in order, and END last. `first` is the tick
    of the first item (None: there is none). `items` gives the ids of items as the story has them; `names` is the model's
    own.
    """

    start: int
    told: tuple[tuple[int, str], ...]
    first: int | None
    items: Mapping[str, str]
    names: object

    @property
    def plot(self) -> tuple[tuple[int, str], ...]:
        """What is told, whenever it ends."""
        return self.told[:-1]

    @property
    def end(self) -> int:
        """The first tick of which nothing is known."""
        return self.told[-1][0]


def parting(one: Story, other: Story) -> int:
    """The first tick at which two stories differ; where they never do, the tick behind the earlier horizon.

    Among stories in the order of `told`, the first and the last of any stretch part where the earliest two neighbours do.
    """
    for (tick, shown), (other_tick, other_shown) in zip(one.told, other.told, strict=False):
        if tick != other_tick or shown != other_shown:
            return min(tick, other_tick)
    return min(one.end, other.end)


def share(one: Story, other: Story) -> bool:
    """Whether some item is there before the stories part: if not, nothing that a system does can be the same thing."""
    return one.first is not None and one.first < parting(one, other)
