"""A second, declarative formulation of the model: a finished run seen as a whole.

There is no state, no guess and no pruning here: the environment is played against a finished trace, and the notions of
the model are stated over its ticks. The explorer is tested against it, on all candidate traces of tiny scenarios and
on mutants of conforming traces.
"""

from dataclasses import dataclass

from tests.oracle.basics import ESCALATED, Budgets, MessageTrace, Trace
from tests.oracle.document import Message, Scenario, Statement
from tests.oracle.rules import admits, fields_of

Order = tuple[int, int, int]
"""(index of a visible tick, class within the tick: timed 0, deferred 1, triggered 2; seq)."""


class NotARun(Exception):
    """The trace breaks K or a harness rule, or writes at a tick that is jumped over."""


@dataclass
class Clock:
    """The visible ticks of a run and what the environment does at them, as indices."""

    real: list[int]
    fired: dict[str, Order]
    postures: list[str]
    versions: list[str]


def clock_of(scenario: Scenario, trace: Trace) -> Clock:
    """Play the environment against a finished trace."""
    names = [m.id for m in scenario.messages]
    clock = Clock([], {}, [], [])
    posture, version = scenario.posture, scenario.first_rules
    tick, before = 0, -1
    while True:
        index = len(clock.real)
        clock.real.append(tick)
        due: list[tuple[int, int, Statement]] = []
        for statement in scenario.statements:
            if statement.at is not None and before < statement.at <= tick:
                due.append((0, statement.seq, statement))
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
        clock.postures.append(posture)
        clock.versions.append(version)
        if tick == scenario.horizon:
            return clock
        before, tick = tick, landing


class ItemLog:
    """One message in one finished run. All attributes are indices of visible ticks."""

    def __init__(self, scenario: Scenario, budgets: Budgets, clock: Clock, message: Message, run: MessageTrace) -> None:
        self.scenario, self.budgets, self.clock, self.message, self.run = scenario, budgets, clock, message, run
        self.last = len(clock.real) - 1
        ticks = [run.admitted, *run.drafts, *run.won]
        ticks += [run.send[0]] if run.send else []
        ticks += [run.resolution[0]] if run.resolution else []
        if any(t is not None and t not in clock.real for t in ticks):
            raise NotARun("a record at an invisible tick")
        where = {tick: index for index, tick in enumerate(clock.real)}
        self.arrival = clock.fired[message.id][0]
        self.admitted = None if run.admitted is None else where[run.admitted]
        self.drafts = [where[t] for t in run.drafts]
        self.sent = None if run.send is None else where[run.send[0]]
        self.resolved = None if run.resolution is None else where[run.resolution[0]]
        self.outcome = None if run.resolution is None else run.resolution[1:]
        self.won = [where[t] for t in run.won]
        self.decisions = self._decisions()
        self.escalations = self._fired("escalate")
        self.crashes = self._fired("crash", everywhere=True)
        self.deaths = [(clock.fired[name][0], name) for name in run.held if name in clock.fired]
        self.gated = scenario.gated(message.id)

    def _fired(self, kind: str, everywhere: bool = False) -> list[tuple[Order, str]]:
        statements = [s for s in self.scenario.statements if s.kind == kind]
        mine = [s for s in statements if everywhere or s.target == self.message.id]
        return sorted((self.clock.fired[s.id], s.id) for s in mine if s.id in self.clock.fired)

    def _decisions(self) -> list[tuple[Order, str, str, int]]:
        """(order of firing, id, kind, bound draft) of every genuine decision that fires."""
        fired = []
        for statement in self.scenario.decisions_on(self.message.id):
            due = self.fires(statement)
            if due is not None and statement.kind != "wrong-hash":
                bound = max(i for i, declared in enumerate(self.drafts) if declared < due[0])
                fired.append((due, statement.id, statement.kind, bound))
        return sorted(fired)

    def fires(self, decision: Statement) -> Order | None:
        """When a decision on this message, genuine or with a wrong hash, binds a draft (C2)."""
        due = self.clock.fired.get(decision.id)
        if due is None or not self.drafts:
            return None
        if self.drafts[0] >= due[0]:
            due = (self.drafts[0] + 1, 1, decision.seq)
        return due if due[0] <= self.last else None

    # -- notions of the model ----------------------------------------------------------------------------------------

    def standing(self, tick: int) -> bool:
        """C8."""
        kinds = [kind for order, _, kind, _ in self.decisions if order[0] <= tick]
        return bool(kinds) and kinds[-1] == "approve"

    def unsent_before(self, tick: int) -> bool:
        """No send and no resolution at an earlier tick."""
        return not (self.sent is not None and self.sent < tick) and not (
            self.resolved is not None and self.resolved < tick
        )

    def pending(self, crash: int) -> bool:
        """C7."""
        drafted = any(d < crash for d in self.drafts)
        escalated = any(order[0] <= crash for order, _ in self.escalations)
        return drafted and self.unsent_before(crash) and not escalated and (not self.gated or self.standing(crash))

    def lawful_abandonment(self) -> int | None:
        """The index of an abandonment that C11 allows, whatever its reason says."""
        if self.resolved is None or self.outcome is None or self.outcome[0] != "abandoned":
            return None
        t = self.resolved
        lawful = any(order[0] <= t for order, _ in self.escalations)
        if self.sent is None or self.sent > t:
            rejects = [order for order, _, kind, _ in self.decisions if kind == "reject" and order[0] <= t]
            lawful = lawful or (bool(rejects) and not self.standing(t))
            lawful = lawful or any(
                t - self.budgets.death <= x <= t and not any(x <= w <= t for w in self.won) for x, _ in self.deaths
            )
            lawful = lawful or any(t - self.budgets.crash <= c[0] <= t and self.pending(c[0]) for c, _ in self.crashes)
        return t if lawful else None

    def admits_at(self, tick: int) -> bool:
        """C3: the match under what is in force at a visible tick."""
        before = [m for m in self.scenario.messages if self.clock.fired[m.id][0] < self.arrival]
        rules = self.scenario.rules[self.clock.versions[tick]]
        return admits(rules, fields_of(self.message, before), self.clock.postures[tick])

    def required(self) -> bool:
        """C3."""
        a, b = self.arrival, self.budgets
        window = [u for u in range(a - (b.lag - 1), a + b.admit + 1) if 1 <= u <= self.last]
        return self.admits_at(a) and all(self.admits_at(u) == self.admits_at(u - 1) for u in window)

    def excused(self, cause: Order, deadline: int) -> bool:
        """What L0.reply and L2.send excuse (C6, C9, C10, C11)."""
        abandoned = self.lawful_abandonment()
        return (
            any(order[0] <= deadline for order, _ in self.escalations)
            or (abandoned is not None and abandoned <= deadline)
            or self.later_reject(cause, deadline)
            or any(cause[0] <= c[0] <= deadline and self.pending(c[0]) for c, _ in self.crashes)
        )

    def later_reject(self, cause: Order, deadline: int) -> bool:
        """C9; ungated items have no decision, hence no excuse."""
        return any(
            kind == "reject" and order > cause and order[0] <= deadline and not self.standing(order[0])
            for order, _, kind, _ in self.decisions
        )

    # -- K and the harness rules -------------------------------------------------------------------------------------

    def check_kernel(self) -> None:
        """Raise NotARun when the log breaks K or C13, C14."""
        admitted, resolved, sent = self.admitted, self.resolved, self.sent
        late = [t for t in (*self.drafts, sent) if t is not None and resolved is not None and t > resolved]
        early = [t for t in (*self.drafts, resolved) if t is not None and (admitted is None or t < admitted)]
        if late or early or (admitted is not None and admitted < self.arrival):
            raise NotARun("admission, draft, send, resolution")
        if admitted is not None and self.run.rules not in self.clock.versions[self.looks_from() : admitted + 1]:
            raise NotARun("C4: a rules version that was not in force")
        if len(set(self.drafts)) < len(self.drafts) or self.drafts != sorted(self.drafts):
            raise NotARun("one draft per tick")
        if sent is not None and self.run.send is not None and self.drafts[self.run.send[1]] > sent:
            raise NotARun("K.declared")
        if self.outcome is not None and resolved is not None:
            self._check_reason(self.outcome, resolved)
        self._check_holders()

    def _check_reason(self, outcome: tuple[str, str | None], resolved: int) -> None:
        if outcome[0] == "completed":
            if outcome[1] is not None or self.sent is None or self.sent > resolved:
                raise NotARun("K.completed")
            return
        causes = {
            "operator_escalation": [order[0] for order, _ in self.escalations],
            "rejected": [order[0] for order, _, kind, _ in self.decisions if kind == "reject"],
            "agent_death": [x for x, _ in self.deaths],
            "crash": [order[0] for order, _ in self.crashes],
        }
        if outcome[1] is None or not any(cause <= resolved for cause in causes[outcome[1]]):
            raise NotARun("K.reason")
        if self.sent is not None and self.sent <= resolved and outcome[1] != ESCALATED:
            raise NotARun("K.closed")

    def looks_from(self) -> int:
        """The first index at which L2.only looks for a pair."""
        return max(0, (self.admitted or 0) - self.budgets.lag)

    def touchable(self, death: int) -> bool:
        """C13: admitted before, neither sent nor resolved before."""
        return self.admitted is not None and self.admitted < death and self.unsent_before(death)

    def _check_holders(self) -> None:
        """C13 for this message alone (see ``check_holders``), and C14."""
        if len(self.deaths) < len(self.run.held) or not all(self.touchable(x) for x, _ in self.deaths):
            raise NotARun("a death touches what it cannot")
        if list(self.run.held) != sorted(self.run.held, key=lambda name: self.clock.fired[name]):
            raise NotARun("deaths are listed in the order in which they fire")
        for statement in self.scenario.statements:
            if statement.kind != "kill" or statement.target != self.message.id or statement.id not in self.clock.fired:
                continue
            if self.touchable(self.clock.fired[statement.id][0]) != (statement.id in self.run.held):
                raise NotARun("the holder of the target")
        starts = [x for x, _ in self.deaths]
        for won in self.won:
            since = [x for x in starts if x <= won]
            if not since or (self.resolved is not None and won > self.resolved):
                raise NotARun("a won without a death, or after the end")
            if any(other != won and max(since) <= other < won for other in self.won) or self.won.count(won) > 1:
                raise NotARun("one won per death")


def item_logs(scenario: Scenario, budgets: Budgets, trace: Trace) -> list[ItemLog]:
    """The messages of a finished run; NotARun when it breaks K or a harness rule."""
    clock = clock_of(scenario, trace)
    pairs = zip(scenario.messages, trace, strict=True)
    logs = [ItemLog(scenario, budgets, clock, message, run) for message, run in pairs]
    for log in logs:
        log.check_kernel()
    by_name = {log.message.id: log for log in logs}
    for log in logs:
        for x, name in log.deaths:
            death = scenario.by_id[name]
            if death.kind == "kill" and not by_name[death.target or ""].touchable(x):
                raise NotARun("a death that finds no holder touches nothing")
    return logs
