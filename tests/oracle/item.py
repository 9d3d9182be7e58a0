"""One message under its environment: the environment's part of a tick, and the end of the run.

Obligations are monitored as they are stated: a cause opens a duty with a deadline, a response discharges it, an excuse
drops it, a deadline that passes is a breach; prohibitions are checked at the record they forbid.
"""

from collections.abc import Iterator
from itertools import product

from tests.oracle.basics import APPROVE, ESCALATED, REJECT
from tests.oracle.claims import Finish, ItemClaims
from tests.oracle.document import Statement
from tests.oracle.environment import Fact, ItemEnvironment
from tests.oracle.regime import HARD, OFF, Regime
from tests.oracle.state import Duty, State, lean

Label = tuple[str, str]
"""Something worth knowing about a step: ("fired", id), ("pending", id), ("touched", id), ("finds-approved", id),
("excused", "obligation/why") or ("required", message)."""

REPLIES = ("L0.reply", "L2.send")


class Item:
    """One message of a scenario in one environment under one regime."""

    def __init__(self, item: ItemEnvironment, regime: Regime, claims: ItemClaims, max_drafts: int) -> None:
        self.item = item
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
        self._facts = self._own_facts()
        self.start = State(fires=(-1,) * len(claims.fires))

    def _statements(self) -> Iterator[tuple[int, Statement]]:
        for index, statements in enumerate(zip(self.item.timed, self.item.triggered, strict=True)):
            for statement in (*statements[0], *statements[1]):
                yield index, statement

    def _own_facts(self) -> list[tuple[Fact, int | None]]:
        """The guesses about this message's own records, as indices."""
        environment = self.item.environment
        facts: list[tuple[Fact, int | None]] = []
        for fact, value in environment.guess.items():
            kind, name = fact
            own = name == self.name if kind != "fired" else self.scenario.by_id[name].target == self.name
            if kind != "found" and own:
                facts.append((fact, environment.index(value)))
        return facts

    def escalations(self, index: int) -> list[str]:
        """The escalations of the item fired up to an index."""
        return [signal for fired, signal in self._escalations if fired <= index]

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
        if since + budget > self.last or self.status(obligation, cause) == OFF:
            return state
        return state._replace(duties=state.duties | {Duty(obligation, cause, since + budget)})

    def work_begins(self, state: State, index: int) -> State:
        """The clocks of L0.draft and of an ungated L0.reply start: at the delivery or at the admission (C5)."""
        state = self.duty(state, "L0.draft", self.name, index, self.budgets.draft)
        return state if self.item.gated else self.duty(state, "L0.reply", self.name, index, self.budgets.reply)

    # -- the environment's part of a tick ----------------------------------------------------------------------------

    def environment_step(self, state: State, index: int) -> Iterator[tuple[State, tuple[Label, ...], tuple[str, ...]]]:
        """Every outcome of the environment's part of a tick: (state, labels, signal ids of touching deaths)."""
        due = self._due(state, index)
        deaths = [s for s in due if s.kind in ("kill", "kill-literal")]
        options = [self._touch_options(state, s) for s in deaths]
        for touched in product(*options):
            held = tuple(s.id for s, hit in zip(deaths, touched, strict=True) if hit)
            labels: list[Label] = [("touched", name) for name in held]
            after = self._apply(state, index, due, set(held), labels)
            if self._fired_as_guessed(due, index):
                yield after._replace(fresh=False), tuple(labels), held

    def _due(self, state: State, index: int) -> list[Statement]:
        """The statements of a tick in order: timed, deferred, triggered; decisions without a draft wait (C1, C2)."""
        drafted = bool(state.drafts)
        decisions = ("approve", "reject", "wrong-hash")
        due = [s for s in self.item.timed[index] if drafted or s.kind not in decisions]
        if state.fresh:
            waiting = [s for p, s in self.item.decisions if p < index]
            due += sorted(waiting, key=lambda s: s.seq)
        due += [s for s in self.item.triggered[index] if drafted or s.kind not in decisions]
        return due

    def _touch_options(self, state: State, death: Statement) -> tuple[bool, ...]:
        """Whether a death may touch this message (C13)."""
        touchable = state.admitted >= 0 and not state.closed
        found = self.item.environment.guess.get(("found", death.id))
        if death.kind == "kill" and death.target == self.name:
            return (touchable,) if found is None or found == touchable else ()
        if not touchable or (death.kind == "kill" and not found):
            return (False,)
        return (False, True)

    def _fired_as_guessed(self, due: list[Statement], index: int) -> bool:
        fired = {s.id for s in due}
        return all((guess == index) == (fact[1] in fired) for fact, guess in self._facts if fact[0] == "fired")

    def _apply(self, state: State, index: int, due: list[Statement], held: set[str], labels: list[Label]) -> State:
        if index == self.item.arrival:
            state = self._delivered(state, index, labels)
        crashes: list[Statement] = []
        rejected = False
        for statement in due:
            if statement.kind in ("approve", "reject", "wrong-hash"):
                labels.append(("fired", statement.id))
                state = self._fired(state, index, statement)
                rejected = rejected or statement.kind == "reject"
            elif statement.kind == "escalate":
                state = self._escalated(state, statement, labels)
            elif statement.kind == "crash":
                crashes.append(statement)
            elif statement.id in held:
                state = self._touched(state, index, statement)
        return self._excuses(state, index, rejected, crashes, labels)

    def _delivered(self, state: State, index: int, labels: list[Label]) -> State:
        if not self.item.required:
            if self.item.altered:
                labels.append(("excused", "L2.admit/altered"))
            return state
        labels.append(("required", self.name))
        state = self.duty(state, "L2.admit", self.name, index, self.budgets.admit)
        return self.work_begins(state, index)

    def _fired(self, state: State, index: int, decision: Statement) -> State:
        """A decision binds the latest draft declared at a tick before this one; a forgery binds nothing."""
        if decision.id in self.claims.fires:
            position = self.claims.fires.index(decision.id)
            fires = (*state.fires[:position], index, *state.fires[position + 1 :])
            state = state._replace(fires=fires)
        if decision.kind == "wrong-hash":
            return state
        if index + self.budgets.terminal <= self.last and self.status("L3.terminal", decision.id) != OFF:
            state = state._replace(owed=state.owed | {("L3.terminal", decision.id)})
        verdict = APPROVE if decision.kind == "approve" else REJECT
        state = state._replace(drafts=(*state.drafts[:-1], verdict), last=verdict)
        if verdict == REJECT:
            return state._replace(rejected=True)
        if not state.closed:
            state = self.duty(state, "L0.reply", decision.id, index, self.budgets.reply)
            state = self.duty(state, "L2.send", decision.id, index, self.budgets.send)
        return state

    def _escalated(self, state: State, signal: Statement, labels: list[Label]) -> State:
        if state.closed:
            if state.sends:
                labels.append(("excused", "L4.resolve/sent"))
            return state
        owed = {("L4.resolve", signal.id)} if self.status("L4.resolve", signal.id) != OFF else set()
        if state.last == APPROVE:
            labels.append(("finds-approved", signal.id))
            if self.status("L6.stop", signal.id) != OFF:
                owed.add(("L6.stop", signal.id))
        return state._replace(owed=state.owed | owed) if owed else state

    def _touched(self, state: State, index: int, death: Statement) -> State:
        touches = (*state.touches, index) if self.claims.tracks_claims else ()
        state = state._replace(orphan=index, may_win=True, touched=True, touches=touches)
        return self.duty(state, "L3.death", death.id, index, self.budgets.death)

    def _excuses(
        self, state: State, index: int, rejected: bool, crashes: list[Statement], labels: list[Label]
    ) -> State:
        """Excuses and crash causes of a tick, seen once all its statements have happened (C6, C7, C9, C10)."""
        escalated = index >= self.item.escalated_from
        if escalated:
            state = self.excuse(state, ("L0.draft", *REPLIES, "L1.crash"), "escalation", labels)
        if rejected and state.last == REJECT:
            state = self.excuse(state, (*REPLIES, "L1.crash"), "later-reject", labels)
        standing = not self.item.gated or state.last == APPROVE
        if crashes and state.drafts and not state.closed and not escalated and standing:
            state = self.excuse(state, REPLIES, "crash", labels)
            state = self.excuse(state, ("L1.crash",), "restart", labels)
            state = state._replace(crashed=index)
            for crash in crashes:
                labels.append(("pending", crash.id))
                state = self.duty(state, "L1.crash", crash.id, index, self.budgets.crash)
        return state

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
        for (kind, _), guess in self._facts:
            if kind != "fired" and happened[kind] != (guess == index):
                return None
        for duty in [d for d in state.duties if d.deadline <= index]:
            breached = self.breach(state, duty.obligation, duty.cause)
            if breached is None:
                return None
            state = breached
        if any(d.deadline <= index for d in state.duties):
            state = state._replace(duties=frozenset(d for d in state.duties if d.deadline > index))
        if state.orphan >= 0 and state.orphan < index + 1 - self.budgets.death:
            state = state._replace(orphan=-1)
        if state.crashed >= 0 and state.crashed < index + 1 - self.budgets.crash:
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
                if state.crashed >= 0 and state.crashed + self.budgets.crash > self.last:
                    labels.append(("excused", "L3.terminal/crash"))
                    continue
                met = state.resolution is not None
            else:
                met = state.admitted < 0 or state.resolution == ("abandoned", ESCALATED)
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
            broken=state.broken,
        )
