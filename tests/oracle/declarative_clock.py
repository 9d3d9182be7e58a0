"""The environment played against a finished trace: visible ticks, what fires in them, what is in force."""

from dataclasses import dataclass, field

from tests.oracle.basics import MessageTrace, Trace
from tests.oracle.document import Scenario, Statement

Order = tuple[int, ...]
"""(index of a visible tick, class within the tick: timed 0, what waited 1, triggered 2; seq). A send directly behind an event
has the order of that event and one thing more, a send before all events of a tick that of the tick."""

BEHIND_ALL = 9
"""The class of the records of a tick."""


@dataclass(frozen=True)
class Unseen:
    """What a run does with a message that its trace leaves out.

    ``before_last`` is the order of the send where some event of its tick comes after it, ``claimed`` the index at which
    an agent wins the item for the first time.
    """

    before_last: Order | None = None
    claimed: int | None = None


class NotARun(Exception):
    """The trace breaks K or a harness rule, or writes at a tick that is jumped over."""


@dataclass
class Clock:
    """The visible ticks of a run and what the environment does at them, as indices."""

    jumps_cost_all: bool
    real: list[int] = field(default_factory=list)
    fired: dict[str, Order] = field(default_factory=dict)
    postures: list[str] = field(default_factory=list)
    versions: list[str] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)

    def until(self, start: int, budget: int) -> int:
        """The last index of a window behind a tick; beyond the last one if it ends behind the horizon."""
        if not self.jumps_cost_all:
            return start + budget
        if self.real[start] + budget > self.real[-1]:
            return len(self.real)
        return max(i for i in range(len(self.real)) if self.real[i] - self.real[start] <= budget)

    def until_open(self, start: int, budget: int) -> int:
        """The last index of a window of sends behind a tick: it counts the ticks at which a send can stand."""
        if budget <= 0:
            return self.until(start, budget)
        closed = {tick for tick, held in zip(self.real, self.held, strict=True) if held}
        ticks = range(self.real[start] + 1, self.real[-1] + 1) if self.jumps_cost_all else self.real[start + 1 :]
        counted = [tick for tick in ticks if tick not in closed]
        if budget > len(counted):
            return len(self.real) - 1 + budget - len(counted)
        return sum(tick <= counted[budget - 1] for tick in self.real) - 1

    def back(self, end: int, budget: int) -> int:
        """The index from which on a window before a tick sees what is in force, that of a removed tick included."""
        if not self.jumps_cost_all:
            return max(0, end - budget)
        begin = self.real[end] - budget
        later = [i for i in range(end + 1) if self.real[i] > begin]
        return max(0, later[0] - 1) if later else end


def _admitted_before(run: MessageTrace, tick: int) -> bool:
    return run.admitted is not None and run.admitted < tick


def clock_of(scenario: Scenario, trace: Trace) -> Clock:
    """Play the environment against a finished trace."""
    names = [m.id for m in scenario.messages]
    clock = Clock(scenario.answers.jumps_cost_all)
    posture, version = scenario.posture, scenario.first_rules
    tick, before = 0, -1
    waiting: list[Statement] = []
    closed = False
    while True:
        index = len(clock.real)
        clock.real.append(tick)
        due: list[tuple[int, int, Statement]] = []
        for statement in scenario.statements:
            if statement.at is not None and before < statement.at <= tick:
                if statement.deferred and not _admitted_before(trace[names.index(statement.target or "")], tick):
                    waiting.append(statement)
                else:
                    due.append((0, statement.seq, statement))
            elif statement in waiting and _admitted_before(trace[names.index(statement.target or "")], tick):
                waiting.remove(statement)
                due.append((1, statement.seq, statement))
            if statement.trigger is not None and before >= 0:
                record = trace[names.index(statement.trigger[1])]
                first = {
                    "admitted": record.admitted,
                    "drafted": record.drafts[0] if record.drafts else None,
                    "sent": record.send[0] if record.send else None,
                }[statement.trigger[0]]
                if first == before:
                    due.append((2, statement.seq, statement))
        landing = tick + 1
        for place, seq, statement in sorted(due, key=lambda d: d[:2]):
            clock.fired[statement.id] = (index, place, seq)
            if statement.kind == "posture":
                posture = statement.value
            if statement.kind == "rules":
                version = statement.value
            if statement.kind == "jump":
                landing = max(landing, statement.value)
            if statement.kind in ("hold", "release"):
                closed = statement.kind == "hold"
        clock.held.append(closed)
        clock.postures.append(posture)
        clock.versions.append(version)
        if tick == scenario.horizon:
            return clock
        before, tick = tick, landing
