"""`state.jsonl`: whether each snapshot agrees with the logs, and who holds what when an agent dies."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wellposed.verifier.amr.checker.clock import Clock
from wellposed.verifier.amr.judge.folder import STATE, RunFiles
from wellposed.verifier.amr.judge.stream import records
from wellposed.verifier.amr.judge.told import SHAPE, Told

STATUSES = ("admitted", "drafted", "approved", "sent", "completed", "abandoned")
FINAL = frozenset(("sent", "completed", "abandoned"))
LAG = 2
"""How many visible ticks a snapshot may lie behind at the end of a tick at which the clock was forced on."""


@dataclass(frozen=True, slots=True)
class Course:
    """How the status of an item goes, by the logs: ticks in ascending order, and the status from each on."""

    work: str
    ticks: Sequence[int]
    statuses: Sequence[str]
    won: Sequence[int]
    """The ticks at which an agent has won the item, in ascending order."""
    owners: Sequence[str]
    """Who it was."""
    fork: bool
    """Whether it is a second item of a message, which nobody needs to hold."""

    def at(self, tick: int) -> str | None:
        """The status at the end of a tick; None before the admission."""
        place = bisect_right(self.ticks, tick)
        return self.statuses[place - 1] if place else None

    def owner(self, tick: int) -> str | None:
        """Who won it last by the end of a tick."""
        place = bisect_right(self.won, tick)
        return self.owners[place - 1] if place else None


@dataclass(slots=True)
class Observed:
    """What the snapshots show. `holders` are, per death asked about, the agent of each item in the snapshot before it."""

    disagreements: list[tuple[int, int, str]] = field(default_factory=list)
    """Line, tick and what is contradicted; the first few."""
    holders: list[Mapping[str, str]] = field(default_factory=list)
    takings: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """Per work item, the ticks at which the assigned agent changed."""


class SnapshotReader:
    """Reads the snapshots. `deaths` are the ticks and agents of all deaths, in order; `forced` the ticks forced on.

    `blamed` hears of a snapshot that the harness should have taken and did not.
    """

    def __init__(
        self,
        told: Told,
        blamed: Told,
        courses: Mapping[str, Course],
        deaths: Sequence[tuple[int, str]],
        forced: frozenset[int],
        clock: Clock,
    ) -> None:
        self._told = told
        self._blamed = blamed
        self._courses = courses
        self._deaths = deaths
        self._forced = forced
        self._clock = clock
        self._landings = {landing: start for start, landing in clock.jumps}
        self._changes = sorted({(tick, work) for work, course in courses.items() for tick in course.ticks})
        self._asked = 0
        self._held: dict[str, str] = {}
        self.observed = Observed()

    def read(self, folder: RunFiles) -> Observed:
        expected: dict[str, str] = {}
        done, before = 0, -1
        for line, record in records(folder, STATE, self._told):
            tick, state = record.get("tick"), record.get("state")
            if type(tick) is not int or tick < before:
                self._told.unreadable(SHAPE, "a snapshot has a `tick`, which never goes back", STATE, line)
                continue
            if not self._clock.visible(tick):
                self._blamed.blame_harness(f"a snapshot of {tick}, a tick that the run does not have", STATE, line)
                continue
            self._before(tick)
            skipped = [change for change, _ in self._changes[done : done + 1] if before < change < tick]
            if skipped:
                text = f"there is no snapshot of tick {skipped[0]}, at which the logs change"
                self._blamed.blame_harness(text, STATE, line)
            while done < len(self._changes) and self._changes[done][0] <= tick:
                change, work = self._changes[done]
                expected[work] = self._courses[work].at(change) or ""
                done += 1
            before = tick
            try:
                shown = _shown(state)
            except ValueError as wrong:
                self._disagrees(line, tick, str(wrong))
                continue
            self._compare(line, tick, shown, expected)
            for work, agent in shown.assigned.items():
                if self._held.get(work) != agent:
                    self.observed.takings.setdefault(work, []).append((tick, agent))
            self._held = shown.assigned
        if done < len(self._changes):
            text = f"there is no snapshot of tick {self._changes[done][0]}, at which the logs change"
            self._blamed.blame_harness(text, STATE)
        self._before(None)
        return self.observed

    def _before(self, tick: int | None) -> None:
        """Answers for the deaths up to a tick with the last snapshot before it."""
        while self._asked < len(self._deaths) and (tick is None or self._deaths[self._asked][0] <= tick):
            self.observed.holders.append(self._held)
            self._asked += 1

    def _compare(self, line: int, tick: int, shown: _Shown, expected: Mapping[str, str]) -> None:
        wrong = self._difference(tick, shown, expected)
        if wrong is None:
            return
        earlier = tick
        for _ in range(LAG if tick in self._forced else 0):
            earlier = self._landings.get(earlier, earlier - 1)
            statuses = {work: status for work, one in self._courses.items() if (status := one.at(earlier))}
            if self._difference(earlier, shown, statuses) is None:
                return
        self._disagrees(line, tick, wrong)

    def _difference(self, tick: int, shown: _Shown, expected: Mapping[str, str]) -> str | None:
        """The first thing in which a snapshot and the logs differ."""
        if shown.statuses != expected:
            return _of_items(shown.statuses, expected)
        dead = {agent for when, agent in self._deaths if when <= tick}
        for agent, alive in shown.alive.items():
            if alive is (agent in dead):
                return f"the agent {agent} is shown {'alive' if alive else 'dead'}, and is not"
        for work, status in expected.items():
            if status in FINAL or self._courses[work].fork:
                continue
            holder, owner = shown.assigned.get(work), self._courses[work].owner(tick)
            if holder is None or holder != shown.agents.get(work):
                return f"{work} is live and not assigned to one agent"
            if holder not in shown.alive:
                return f"{work} is assigned to {holder}, which is no agent of the snapshot"
            if owner is not None and owner != holder:
                return f"{work} is assigned to {holder}, and {owner} has won it"
        return None

    def _disagrees(self, line: int, tick: int, text: str) -> None:
        if len(self.observed.disagreements) < self._told.limits.findings_per_file:
            self.observed.disagreements.append((line, tick, text))


@dataclass(frozen=True, slots=True)
class _Shown:
    """A snapshot: status and agent of each item, whether each agent is alive, and who is assigned each item."""

    statuses: dict[str, str]
    agents: dict[str, str]
    alive: dict[str, bool]
    assigned: dict[str, str]


def _shown(state: Any) -> _Shown:
    """Reads a snapshot. Raises ValueError with what is wrong about its form."""
    try:
        items, agents, assignments = state["work_items"], state["agents"], state["assignments"]
        statuses = {row["work_id"]: row["status"] for row in items}
        by_item = {row["work_id"]: row["assigned_agent"] for row in items}
        alive = {row["id"]: row["alive"] for row in agents}
        assigned = {row["work_id"]: row["agent_id"] for row in assignments}
        strange = sorted({str(status) for status in statuses.values()} - set(STATUSES))
    except (KeyError, TypeError):
        raise ValueError("a snapshot has `work_items`, `agents` and `assignments`, with their members") from None
    if (len(statuses), len(alive), len(assigned)) != (len(items), len(agents), len(assignments)):
        raise ValueError("an item, an agent or an assignment stands twice in the snapshot")
    if strange:
        raise ValueError(f"{strange[0]} is no status of a work item; these are {', '.join(STATUSES)}")
    if not all(type(value) is bool for value in alive.values()):
        raise ValueError("`alive` of an agent is true or false")
    return _Shown(statuses, by_item, alive, assigned)


def _of_items(shown: Mapping[str, str], expected: Mapping[str, str]) -> str:
    texts: Iterator[str] = (
        f"{work} is shown {status}, and the logs say {expected.get(work) or 'that it was never admitted'}"
        for work, status in shown.items()
        if expected.get(work) != status
    )
    missing = (
        f"{work} is missing, and the logs say {status}" for work, status in expected.items() if work not in shown
    )
    return next(iter((*texts, *missing)))
