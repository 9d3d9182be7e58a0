"""A second, declarative formulation of the model: a finished run seen as a whole.

There is no state, no guess and no pruning here: the environment is played against a finished trace, and the notions of
the model are stated over its ticks. The explorer is tested against it, on all candidate traces of tiny scenarios and
on mutants of conforming traces.
"""

from tests.oracle.basics import ESCALATED, Budgets, MessageTrace
from tests.oracle.declarative_clock import BEHIND_ALL, Clock, NotARun, Order, Unseen
from tests.oracle.document import Message, Scenario, Statement
from tests.oracle.rules import admits, fields_of


class ItemLog:
    """One message in one finished run. All attributes are indices of visible ticks."""

    def __init__(
        self,
        scenario: Scenario,
        budgets: Budgets,
        clock: Clock,
        message: Message,
        run: MessageTrace,
        unseen: Unseen,
    ) -> None:
        self.scenario, self.budgets, self.clock, self.message, self.run = scenario, budgets, clock, message, run
        self.answers, self.claimed = scenario.answers, unseen.claimed
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
        self.send_order: Order | None = None if self.sent is None else (self.sent, BEHIND_ALL)
        if unseen.before_last is not None:
            self.send_order = unseen.before_last
        self.resolved = None if run.resolution is None else where[run.resolution[0]]
        self.outcome = None if run.resolution is None else run.resolution[1:]
        self.won = [where[t] for t in run.won]
        self.decisions = self._decisions()
        self.escalations = self._fired("escalate")
        self.crashes = self._fired("crash", everywhere=True)
        self.deaths = [(clock.fired[name], name) for name in run.held if name in clock.fired]
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
                earlier = [i for i, declared in enumerate(self.drafts) if declared < due[0]]
                bound = 0 if due[1] == 1 or statement.oldest else earlier[-1]
                fired.append((due, statement.id, statement.kind, bound))
        return sorted(fired)

    def fires(self, decision: Statement) -> Order | None:
        """When a decision on this message, genuine or with a wrong hash, binds a draft (C2)."""
        due = self.clock.fired.get(decision.id)
        if due is None or not self.drafts:
            return None
        if self.drafts[0] >= due[0]:
            wait = 0 if self.answers.deferred_at_draft else 1
            due = (self.drafts[0] + wait, 1, decision.seq)
        return due if due[0] <= self.last else None

    # -- notions of the model ----------------------------------------------------------------------------------------

    def deadline(self, start: int, budget: int) -> int:
        """Until when something is due; beyond ``last`` it is not."""
        end = self.clock.until(start, budget)
        return min(end, self.last) if self.answers.due_at_horizon else end

    def send_deadline(self, start: int, budget: int) -> int:
        """Until when a send is due, which no held tick counts for."""
        end = self.clock.until_open(start, budget)
        return min(end, self.last) if self.answers.due_at_horizon else end

    def _amount_to_approval(self, kinds: list[str]) -> bool:
        """Whether decisions in this order amount to an approval."""
        if self.answers.reject_is_final:
            return "approve" in kinds and "reject" not in kinds
        return bool(kinds) and kinds[-1] == "approve"

    def standing(self, tick: int) -> bool:
        """C8."""
        return self._amount_to_approval([kind for order, _, kind, _ in self.decisions if order[0] <= tick])

    def approved(self, draft: int, before: Order) -> bool:
        """Whether the decisions that bound a draft before something amount to an approval."""
        return self._amount_to_approval([kind for o, _, kind, bound in self.decisions if o < before and bound == draft])

    def approved_before(self, order: Order) -> bool:
        """Whether the decisions on the item before something amount to an approval, on whichever drafts."""
        return self._amount_to_approval([kind for fired, _, kind, _ in self.decisions if fired < order])

    def unsent_before(self, order: Order) -> bool:
        """No send before an event, and no resolution at an earlier tick."""
        return not (self.send_order is not None and self.send_order < order) and not (
            self.resolved is not None and self.resolved < order[0]
        )

    def live_at_escalation(self, order: Order) -> bool:
        """Whether an escalation finds the item neither sent nor resolved."""
        if self.answers.same_tick_is_before and self.sent is not None and self.sent <= order[0]:
            return False
        return self.unsent_before(order)

    def sent_behind_escalation(self, order: Order) -> bool:
        """Whether a send comes after an escalation."""
        if self.sent is None or self.send_order is None:
            return False
        return self.sent > order[0] if self.answers.same_tick_is_before else self.send_order > order

    def pending(self, crash: Order) -> bool:
        """C7."""
        drafted = any(d < crash[0] for d in self.drafts)
        escalated = any(order[0] <= crash[0] for order, _ in self.escalations)
        waits = self.gated and not self.standing(crash[0]) and not self.answers.waiting_is_pending
        return drafted and self.unsent_before(crash) and not escalated and not waits

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
                x <= t <= self.clock.until(x, self.budgets.death) and not any(x <= w <= t for w in self.won)
                for (x, *_), _ in self.deaths
            )
            lawful = lawful or any(
                c[0] <= t <= self.clock.until_open(c[0], self.budgets.crash) and self.pending(c)
                for c, _ in self.crashes
            )
        return t if lawful else None

    def admits_at(self, tick: int) -> bool:
        """C3: the match under what is in force at a visible tick."""
        mine = self.clock.fired[self.message.id]
        if self.answers.item_per_conversation:
            mates = [m for m in self.scenario.messages if m.conversation == self.message.conversation]
            if any(self.clock.fired[m.id] < mine for m in mates):
                return False
        before = [m for m in self.scenario.messages if self.clock.fired[m.id][0] < self.arrival]
        rules = self.scenario.rules[self.clock.versions[tick]]
        return admits(rules, fields_of(self.message, before), self.clock.postures[tick])

    def required(self) -> bool:
        """C3."""
        a, b = self.arrival, self.budgets
        if self.answers.arrival_decides:
            return self.admits_at(a)
        window = range(self.clock.back(a, b.lag), min(self.clock.until(a, b.admit), self.last) + 1)
        return self.admits_at(a) and all(self.admits_at(u) for u in window)

    def work_starts(self) -> int | None:
        """The index at which the work on the message is owed, None if it is not."""
        return self.arrival if self.required() or self.answers.all_answered else self.admitted

    def decisive(self) -> range:
        """The indices of which one must justify the admission."""
        if self.answers.arrival_decides:
            return range(self.arrival, self.arrival + 1)
        admitted = self.admitted or 0
        return range(self.clock.back(admitted, self.budgets.lag), admitted + 1)

    def excused(self, cause: Order, deadline: int, by_crash: bool) -> bool:
        """What L0.reply and L2.send excuse (C6, C9, C10, C11)."""
        abandoned = self.lawful_abandonment()
        return (
            any(order[0] <= deadline for order, _ in self.escalations)
            or (abandoned is not None and abandoned <= deadline)
            or self.later_reject(cause, deadline)
            or (by_crash and any(cause[0] <= c[0] <= deadline and self.pending(c) for c, _ in self.crashes))
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
        if admitted is not None and self.run.rules not in [self.clock.versions[u] for u in self.decisive()]:
            raise NotARun("C4: a rules version that was not in force")
        if len(set(self.drafts)) < len(self.drafts) or self.drafts != sorted(self.drafts):
            raise NotARun("one draft per tick")
        if sent is not None and self.run.send is not None and self.drafts[self.run.send[1]] > sent:
            raise NotARun("K.declared")
        if sent is not None and self.clock.held[sent]:
            raise NotARun("a send at a held tick")
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
            "agent_death": [order[0] for order, _ in self.deaths],
            "crash": [order[0] for order, _ in self.crashes],
        }
        if outcome[1] is None or not any(cause <= resolved for cause in causes[outcome[1]]):
            raise NotARun("K.reason")
        if self.sent is not None and self.sent <= resolved and outcome[1] != ESCALATED:
            raise NotARun("K.closed")

    def touchable(self, death: Order) -> bool:
        """C13: admitted before, neither sent nor resolved before."""
        return self.admitted is not None and self.admitted < death[0] and self.unsent_before(death)

    def _check_holders(self) -> None:
        """C13 for this message alone (see ``check_holders``), and C14."""
        if len(self.deaths) < len(self.run.held) or not all(self.touchable(x) for x, _ in self.deaths):
            raise NotARun("a death touches what it cannot")
        if list(self.run.held) != sorted(self.run.held, key=lambda name: self.clock.fired[name]):
            raise NotARun("deaths are listed in the order in which they fire")
        for statement in self.scenario.statements:
            if statement.kind != "kill" or statement.target != self.message.id or statement.id not in self.clock.fired:
                continue
            if self.touchable(self.clock.fired[statement.id]) != (statement.id in self.run.held):
                raise NotARun("the holder of the target")
        starts = [order[0] for order, _ in self.deaths]
        for won in self.won:
            since = [x for x in starts if x <= won]
            if not since or (self.resolved is not None and won > self.resolved):
                raise NotARun("a won without a death, or after the end")
            if any(other != won and max(since) <= other < won for other in self.won) or self.won.count(won) > 1:
                raise NotARun("one won per death")
