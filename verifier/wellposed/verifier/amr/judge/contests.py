"""Claims of one item: who contends for it from when to when, who wins it, and who takes it over from a dead agent.

A contest begins with the first claim of an item that nobody has won, or with one that challenges its owner, and counts
once a second agent takes part. It is settled when one agent has won and all others have stood down. The death of one of
several absolves nobody: whoever keeps the claims can write that a dead agent stands down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wellposed.verifier.amr.judge.logs import Claim
from wellposed.verifier.amr.run import Contention


@dataclass(frozen=True, slots=True)
class Death:
    """The death of an agent that held the item."""

    tick: int
    agent: str


@dataclass(slots=True)
class _Contest:
    start: int
    agents: dict[str, str] = field(default_factory=dict)
    counts: bool = False

    def settled(self) -> bool:
        return sorted(set(self.agents.values())) in (["won"], ["stood_down", "won"]) and self.owners() == 1

    def owners(self) -> int:
        return sum(outcome == "won" for outcome in self.agents.values())


def contests(claims: Sequence[Claim], deaths: Iterable[Death]) -> list[Contention]:
    """The contests of an item in order; deaths come before the claims of their tick."""
    found: list[Contention] = []
    contest: _Contest | None = None
    owner: str | None = None
    events: list[Death | Claim] = [*deaths, *claims]
    for event in sorted(events, key=lambda one: one.tick):  # stable: deaths first
        if isinstance(event, Death):
            if owner == event.agent:
                owner = None
            if contest is not None and set(contest.agents) == {event.agent}:
                contest = None
        else:
            if contest is None:
                contest = _Contest(event.tick, {} if owner is None else {owner: "won"})
            if event.outcome == "won":
                owner = event.agent
            contest.agents[event.agent] = event.outcome
            contest.counts |= event.outcome != "stood_down" and len(contest.agents) > 1
        if contest is not None and contest.settled():
            if contest.counts:
                found.append(Contention(contest.start, event.tick))
            contest = None
    if contest is not None and contest.counts:
        found.append(Contention(contest.start, None))
    return found


def worst(found: Sequence[Contention]) -> Contention | None:
    """The contest that took longest; one that was never settled counts as longest."""
    return max(found, key=lambda one: (one.settled is None, (one.settled or 0) - one.claimed), default=None)


def reassignments(deaths: Sequence[Death], takings: Iterable[tuple[int, str]], resolved: int | None) -> Iterator[int]:
    """Behind each death, before the next one, the first tick at which another agent has the item."""
    events = sorted(takings)
    for number, death in enumerate(deaths):
        until = deaths[number + 1].tick if number + 1 < len(deaths) else None
        for tick, agent in events:
            if tick < death.tick or agent == death.agent or (until is not None and tick >= until):
                continue
            if resolved is None or tick <= resolved:
                yield tick
            break
