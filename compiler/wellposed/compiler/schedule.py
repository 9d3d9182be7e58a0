"""The schedule: statements put in order, given ids and turned into events."""

from __future__ import annotations

from collections.abc import Mapping

from wellposed.compiler.conditions import unknown_posture
from wellposed.compiler.identities import identify
from wellposed.compiler.library import Library
from wellposed.compiler.messages import Thread, delivery
from wellposed.compiler.reporting import Reporter
from wellposed.compiler.scenario import (
    Action,
    AgentDeath,
    Crash,
    DanglingForgery,
    Decision,
    Delivery,
    Escalation,
    Event,
    Hold,
    HolderDeath,
    Jump,
    PostureChange,
    Redelivery,
    Release,
    Repeatable,
    Repetition,
    RulesChange,
    Trigger,
    WrongHashForgery,
)
from wellposed.compiler.scope import Placed, Scope
from wellposed.compiler.texts import check_id, check_real, plain, spelled
from wellposed.compiler.times import Times
from wellposed.dsl import tree
from wellposed.dsl.findings import Span
from wellposed.dsl.vocabulary import GHOST_PREFIX, POSTURES


class Schedule:
    """The events of one scenario in `seq` order: by tick, then as written, triggered ones last; none with an error."""

    def __init__(self, scope: Scope, times: Times, threads: Mapping[str, Thread], library: Library) -> None:
        self._scope = scope
        self._times = times
        self._threads = threads
        self._library = library
        self._reporter: Reporter = scope.reporter
        self._triggers = {id(block): self._trigger(block) for block in scope.triggers}
        ordered = self._ordered()
        ids = identify(ordered, self._reporter)
        actions = self._actions()
        events = (self._event(placed, actions.get(placed.order), ids) for placed in ordered)
        self.events = tuple(event for event in events if event is not None)

    def _ordered(self) -> list[Placed]:
        timed: list[tuple[int, Placed]] = []
        triggered: list[Placed] = []
        for placed in self._scope.placed:
            tick = self._times.tick(placed.block)
            if tick is not None:
                timed.append((tick, placed))
            elif isinstance(placed.block, tree.When):
                triggered.append(placed)
        timed.sort(key=lambda pair: pair[0])
        return [placed for _, placed in timed] + triggered

    def _trigger(self, block: tree.When) -> Trigger | None:
        message = self._scope.message(block.message)
        return None if message is None else Trigger(block.message.text, block.event)

    def _event(self, placed: Placed, action: Action | None, ids: Mapping[int, str]) -> Event | None:
        if action is None:
            return None
        at = self._times.tick(placed.block)
        trigger = self._triggers[id(placed.block)] if isinstance(placed.block, tree.When) else None
        if at is None and trigger is None:
            return None
        timing = placed.block.tick.span if isinstance(placed.block, tree.At) else _head(placed.block)
        name = _id(action, ids.get(placed.order))
        return Event(at, trigger, name, action, placed.statement.span, timing)

    def _actions(self) -> dict[int, Action]:
        """What each statement does, by its order in the text; originals are looked at before their copies."""
        first: list[Placed] = []
        again: list[Placed] = []
        for placed in self._scope.placed:
            is_copy = isinstance(placed.statement, tree.Redeliver | tree.Repeat)
            (again if is_copy else first).append(placed)
        actions: dict[int, Action] = {}
        for placed in (*first, *again):
            action = self._action(placed, actions)
            if action is not None:
                actions[placed.order] = action
        return actions

    def _action(self, placed: Placed, actions: Mapping[int, Action]) -> Action | None:
        statement = placed.statement
        scope = self._scope
        match statement:
            case tree.Deliver():
                return self._deliver(statement, placed.block)
            case tree.Redeliver():
                first = scope.message(statement.message)
                original = None if first is None else actions.get(first.order)
                return Redelivery(original) if isinstance(original, Delivery) else None
            case tree.Decide():
                known = scope.message(statement.message)
                return Decision(statement.decision, statement.draft, statement.message.text) if known else None
            case tree.Repeat():
                return self._repeat(statement, actions)
            case tree.ForgeDangling():
                return self._dangling(statement)
            case tree.ForgeWrongHash():
                known = scope.message(statement.message)
                return WrongHashForgery(statement.decision, statement.message.text) if known else None
            case tree.Escalate():
                known = self._about(statement, placed.block)
                return Escalation(statement.message.text, statement.deferred) if known else None
            case tree.KillAgentOf():
                known = self._about(statement, placed.block)
                return HolderDeath(statement.message.text, statement.deferred) if known else None
            case tree.KillAgent():
                return self._kill(statement)
            case tree.Crash():
                return Crash()
            case tree.Jump():
                return self._jump(statement, placed.block)
            case tree.ChangePosture():
                if statement.posture.text in POSTURES:
                    return PostureChange(statement.posture.text)
                unknown_posture(statement.posture, self._reporter)
                return None
            case tree.ChangeRules():
                known_rules = self._library.find_rules(statement.rules, self._reporter)
                return None if known_rules is None else RulesChange(known_rules.name)
            case tree.HoldEffects():
                return Hold() if self._is_timed("`hold effects`", statement, placed.block) else None
            case tree.ReleaseEffects():
                return Release() if self._is_timed("`release effects`", statement, placed.block) else None

    def _about(self, statement: tree.Escalate | tree.KillAgentOf, block: tree.At | tree.When) -> Placed | None:
        """The message that a signal is about, or None after reporting that it cannot be said so here."""
        timed = not statement.deferred or self._is_timed("a deferred signal", statement, block)
        known = self._scope.message(statement.message)
        return known if timed else None

    def _is_timed(self, what: str, statement: tree.Statement, block: tree.At | tree.When) -> bool:
        if isinstance(block, tree.At):
            return True
        deferred = isinstance(statement, tree.Escalate | tree.KillAgentOf)
        self._reporter.add(
            "WP237",
            statement.span,
            f"{what} cannot stand under `when`",
            labels=((_head(block), "its tick would depend on the system under test"),),
            help="leave `deferred` out, or write it at a tick: `at 12 escalate m1 deferred`"
            if deferred
            else "write it at a tick: `at 12 hold effects`, `at 20 release effects`",
        )
        return False

    def _deliver(self, statement: tree.Deliver, block: tree.At | tree.When) -> Delivery | None:
        if isinstance(block, tree.When):
            self._reporter.add(
                "WP214",
                statement.span,
                "a message cannot be delivered under `when`",
                labels=((_head(block), "its tick would depend on the system under test"),),
                help=f"deliver it at a tick: `at 0 deliver {spelled(statement.message.text)} in …`",
            )
        conversation = self._scope.conversation(statement.conversation)
        if conversation is None:
            return None
        found = delivery(statement, self._threads[conversation.name.text], self._reporter)
        return found if isinstance(block, tree.At) else None

    def _repeat(self, statement: tree.Repeat, actions: Mapping[int, Action]) -> Repetition | None:
        first = self._scope.original(statement.original)
        original = None if first is None else actions.get(first.order)
        if isinstance(original, Repeatable):
            return Repetition(statement.original.text, original)
        return None

    def _dangling(self, statement: tree.ForgeDangling) -> DanglingForgery | None:
        draft = plain(statement.draft, self._reporter, "draft id")
        if not draft.startswith(GHOST_PREFIX):
            self._reporter.add(
                "WP307",
                statement.draft.span,
                f'a system could declare a draft "{draft}", so this approval may not be a forgery',
                help=f'no system may use ids that start with `{GHOST_PREFIX}`: write "{GHOST_PREFIX}1"',
            )
            return None
        if not check_id(draft, statement.draft.span, self._reporter, "draft id"):
            return None
        return DanglingForgery(statement.decision, draft)

    def _kill(self, statement: tree.KillAgent) -> AgentDeath | None:
        agent = plain(statement.agent, self._reporter, "agent id")
        fine = check_id(agent, statement.agent.span, self._reporter, "agent id")
        return AgentDeath(agent) if check_real(agent, statement.agent.span, self._reporter, "agent") and fine else None

    def _jump(self, statement: tree.Jump, block: tree.At | tree.When) -> Jump | None:
        what = "the length of this jump" if statement.relative else "the target of this jump"
        amount = self._times.number(statement.amount, what)
        if amount is None:
            return None
        if not statement.relative:
            return Jump(to=amount, by=None)
        if isinstance(block, tree.When):
            return Jump(to=None, by=amount)
        at = self._times.tick(block)
        return None if at is None else Jump(to=at + amount, by=None)


def _id(action: Action, own: str | None) -> str:
    if isinstance(action, Redelivery):
        return action.original.message
    if isinstance(action, Repetition):
        return action.id
    assert own is not None, "every other statement makes a record of its own"
    return own


def _head(block: tree.When) -> Span:
    """The trigger's message, for `when` itself has no span of its own."""
    return block.message.span
