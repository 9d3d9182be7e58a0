"""One message under its environment: its constraints, the end of a tick and the end of the run.

Obligations are monitored as they are stated: a cause opens a duty with a deadline, a response discharges it, an excuse
drops it, a deadline that passes is a breach; prohibitions are checked at the record they forbid.
"""

from collections.abc import Iterator
from itertools import chain

from tests.oracle.claims import Finish, ItemClaims, start_of
from tests.oracle.document import Statement
from tests.oracle.environment import Fact, ItemEnvironment, concerns
from tests.oracle.regime import HARD, OFF, Regime
from tests.oracle.state import Duty, State, lean

Label = tuple[str, str]
"""Something worth knowing about a step: ("fired", id), ("pending", id), ("touched", id), ("excused", "obligation/why"),
("owed", message); of an escalation, crash or dangling forgery that fires while the item is neither sent nor resolved
("live", id); of an escalation that has a cause of L4.resolve or L6.stop ("finds-live", id) and ("finds-approved", id)."""

REPLIES = ("L0.reply", "L2.send")
OF_SENDS = (*REPLIES, "L1.crash")
"""What is due within a window of sends."""


class Item:
    """One message of a scenario in one environment under one regime."""

    def __init__(self, item: ItemEnvironment, regime: Regime, claims: ItemClaims, max_drafts: int) -> None:
        self.item = item
        self.answers = item.environment.scenario.answers
        self.until = item.environment.until
        self.open_until = item.environment.open_until
        self.regime = regime
        self.claims = claims
        self.max_drafts = max_drafts
        self.name = item.message.id
        self.last = item.environment.last
        self.budgets = item.environment.budgets
        self.scenario = item.environment.scenario
        self.max_sends = 1 if regime.lawful and self.status("L1.once", self.name) == HARD else 2
        self.crashes = [index for index, s in self._statements() if s.kind == "crash"]
        self._escalations = [(index, s.id) for index, s in self._statements() if s.kind == "escalate"]
        self.facts = self._own_facts()
        self.start = State(fires=(-1,) * len(claims.fires))

    def _statements(self) -> Iterator[tuple[int, Statement]]:
        parts = zip(self.item.timed, self.item.waiting, self.item.triggered, strict=True)
        for index, statements in enumerate(parts):
            for statement in chain.from_iterable(statements):
                yield index, statement

    def _own_facts(self) -> list[tuple[Fact, int | None]]:
        """The guesses about this message's own records, as indices."""
        environment = self.item.environment
        facts: list[tuple[Fact, int | None]] = []
        for fact in environment.guess:
            kind, name = fact
            own = name == self.name if kind != "fired" else self.scenario.by_id[name].target == self.name
            if kind not in ("found", "hits") and own:
                facts.append((fact, environment.index(fact)))
        return facts

    def escalations(self, index: int) -> list[str]:
        """The escalations of the item fired up to an index."""
        return [signal for fired, signal in self._escalations if fired <= index]

    def fires_at(self, signal: str, index: int) -> bool:
        """Whether a signal fires at this index."""
        return self.item.environment.fires[signal] == index

    def compared_at(self, index: int) -> list[Statement]:
        """The events of a tick that do not concern the message, but that a claim compares with its send."""
        names = {c["after"] for c in self.claims.atoms if c["claim"] == "not-sent-after"}
        named = [self.scenario.by_id[name] for name in sorted(names)]
        others = [statement for statement in named if not concerns(statement, self.name)]
        return [s for s in others if start_of(self.item, self.claims, (), s.id) == index]

    # -- constraints -------------------------------------------------------------------------------------------------

    def status(self, obligation: str, cause: str) -> str:
        """HARD, SOFT or OFF for one instance on this message."""
        return self.regime.status((obligation, self.name, cause))

    def breach(self, state: State, obligation: str, cause: str) -> State | None:
        """The state after a breach of an instance, None when it cuts the run."""
        status = self.status(obligation, cause)
        if status == OFF:
            return state
        if status == HARD or (self.regime.single and state.broken not in (None, obligation)):
            return None
        return state._replace(broken=obligation if self.regime.single else "*")

    def duty(self, state: State, obligation: str, cause: str, since: int, budget: int) -> State:
        """The state in which an obligation waits for its response; a deadline beyond the horizon is not due."""
        deadline = (self.open_until if obligation in OF_SENDS else self.until)(since, budget)
        if self.answers.due_at_horizon:
            deadline = min(deadline, self.last)
        if deadline > self.last or self.status(obligation, cause) == OFF:
            return state
        return state._replace(duties=state.duties | {Duty(obligation, cause, deadline)})

    def work_begins(self, state: State, index: int) -> State:
        """The clocks of L0.draft and of an ungated L0.reply start: at the delivery or at the admission (C5)."""
        state = self.duty(state, "L0.draft", self.name, index, self.budgets.draft)
        if self.item.gated and not self.answers.reply_from_arrival:
            return state
        return self.duty(state, "L0.reply", self.name, index, self.budgets.reply)

    @staticmethod
    def excuse(state: State, obligations: tuple[str, ...], why: str, labels: list[Label]) -> State:
        """The state without these duties, with a label for each that was still open."""
        labels += [("excused", f"{name}/{why}") for name in obligations if state.awaits(name)]
        return state.without(*obligations)

    # -- the end of a tick and of the run ----------------------------------------------------------------------------

    def end_of_tick(self, before: State, state: State, index: int) -> State | None:
        """The state carried to the next tick: deadlines have passed, guesses were kept, nothing useless remains."""
        happened = {
            "admitted": before.admitted < 0 <= state.admitted,
            "drafted": not before.drafts and bool(state.drafts),
            "sent": not before.sends and bool(state.sends),
        }
        if self.answers.deferred_at_draft and state.fresh:
            return None
        for (kind, _), guess in self.facts:
            if kind != "fired" and happened[kind] != (guess == index):
                return None
        for duty in [d for d in state.duties if d.deadline <= index]:
            breached = self.breach(state, duty.obligation, duty.cause)
            if breached is None:
                return None
            state = breached
        if any(d.deadline <= index for d in state.duties):
            state = state._replace(duties=frozenset(d for d in state.duties if d.deadline > index))
        if state.orphan >= 0 and self.until(state.orphan, self.budgets.death) <= index:
            state = state._replace(orphan=-1)
        if state.crashed >= 0 and self.open_until(state.crashed, self.budgets.crash) <= index:
            state = state._replace(crashed=-1)
        if not self.regime.lawful:
            drafts = (0,) * len(state.drafts)
            may_win = state.may_win and self.claims.tracks_won
            return state._replace(drafts=drafts, last=0, rejected=False, orphan=-1, crashed=-1, may_win=may_win)
        return lean(state, self.max_sends > 1)

    def finish(self, state: State, labels: list[Label]) -> State | None:
        """Check what falls due at the horizon; None when the run is cut there."""
        for obligation, cause in sorted(state.owed):
            if obligation == "L3.terminal":
                if state.crashed >= 0 and self.open_until(state.crashed, self.budgets.crash) > self.last:
                    labels.append(("excused", "L3.terminal/crash"))
                    continue
                met = state.resolution is not None
            else:
                met = state.admitted < 0  # an abandonment settles what it finds owed
            after = state if met else self.breach(state, obligation, cause)
            if after is None:
                return None
            state = after
        return state

    def summary(self, state: State) -> Finish:
        """What claims and verdicts look at in a finished run."""
        abandoned = state.resolution is not None and state.resolution[0] == "abandoned"
        return Finish(
            admitted=state.admitted,
            sends=state.sends,
            resolution=state.resolution,
            orphaned=state.touched and (state.won or abandoned),
            touches=state.touches,
            marks=state.marks,
            sent_at=state.sent_at,
            broken=state.broken,
        )
