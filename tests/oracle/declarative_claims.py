"""The truth of expectations on a finished run, by trying every free choice; and what the run exercises."""

from collections.abc import Iterator
from itertools import chain, combinations, product
from typing import Any

from tests.oracle.basics import Budgets, Trace
from tests.oracle.declarative import ItemLog
from tests.oracle.declarative_clock import Order, Unseen
from tests.oracle.declarative_runs import item_logs
from tests.oracle.document import Scenario

Claim = dict[str, Any]
Choice = dict[str, Any]


class Story:
    """A finished run of all messages, with the questions of claims."""

    def __init__(
        self, scenario: Scenario, budgets: Budgets, trace: Trace, unseen: tuple[Unseen, ...] | None = None
    ) -> None:
        self.scenario, self.budgets = scenario, budgets
        self.logs = {log.message.id: log for log in item_logs(scenario, budgets, trace, unseen)}
        self.last = next(iter(self.logs.values())).last

    def order_of(self, name: str) -> Order | None:
        """When a named statement happens in this run."""
        statement = self.scenario.by_id[name]
        log = self.logs.get(statement.target or "")
        if log is not None and statement.kind in ("approve", "reject", "wrong-hash"):
            return log.fires(statement)
        return next(iter(self.logs.values())).clock.fired.get(name)

    def choices(self) -> Iterator[Choice]:
        """Every combination of the free choices (C24, C25, C26)."""
        options: list[list[tuple[tuple[str, str], Any]]] = []
        for name, log in self.logs.items():
            own = log.message.conversation
            conversations = [own] if self.scenario.level >= 5 else list(self.scenario.conversations)
            anchors = list(self.scenario.anchors)
            sets = [set(c) for c in chain.from_iterable(combinations(anchors, n) for n in range(len(anchors) + 1))]
            if self.scenario.level >= 1 and own in anchors:
                sets = [{own}]
            options.append([(("conversation", name), c) for c in conversations])
            options.append([(("anchors", name), s) for s in sets])
            options.append([(("contention", name), c) for c in self._contentions(log)])
        agrees = [True] if self.scenario.level >= 3 else [True, False]
        options.append([(("agrees", ""), a) for a in agrees])
        for combination in product(*options):
            yield {f"{kind} {name}": value for (kind, name), value in combination}

    def _contentions(self, log: ItemLog) -> list[tuple[int, int | None] | None]:
        """None, or (first claimed, settled or None)."""
        found: list[tuple[int, int | None] | None] = [None]
        if log.admitted is None:
            return found
        for first in range(log.admitted, self.last + 1):
            for settled in [*range(first, self.last + 1), None]:
                if self.scenario.level < 3 or self._settles_in_time(log, first, settled):
                    found.append((first, settled))
        return found

    def _settles_in_time(self, log: ItemLog, first: int, settled: int | None) -> bool:
        deadline = log.clock.until(first, self.budgets.claims)
        while True:
            later = [log.clock.until(x, self.budgets.claims) for (x, *_), _ in log.deaths if first <= x <= deadline]
            if not later or max(later) <= deadline:
                break
            deadline = max(later)
        if self.scenario.answers.due_at_horizon:
            deadline = min(deadline, self.last)
        return deadline > self.last or (settled is not None and settled <= deadline)

    def holds(self, claim: Claim, choice: Choice) -> bool:
        """Whether a claim holds in this run under a choice."""
        kind = claim["claim"]
        if kind == "any":
            return any(all(self.holds(c, choice) for c in group) for group in claim["of"])
        if kind == "if":
            return self.holds(claim["then" if self.holds(claim["if"], choice) else "else"], choice)
        if kind == "state-agrees":
            return bool(choice["agrees "])
        if kind == "distinct":
            return all(self.logs[m].admitted is not None for m in claim["of"])
        if kind == "only-sent":
            sent = {name: log.sent for name, log in self.logs.items() if log.sent is not None}
            if sorted(sent) != sorted(claim["of"]):
                return False
            return not claim["ordered"] or claim["of"] == sorted(claim["of"], key=lambda name: sent[name])
        return self._about(claim, self.logs[claim["of"]], choice)

    def _about(self, claim: Claim, log: ItemLog, choice: Choice) -> bool:
        kind, name = claim["claim"], log.message.id
        abandoned = log.outcome is not None and log.outcome[0] == "abandoned"
        if kind == "admitted":
            return log.admitted is not None and self._within(log, log.admitted, log.arrival, claim["within"])
        if kind == "drafted":
            return any(self._within(log, d, log.arrival, claim["within"]) for d in log.drafts)
        if kind == "sent":
            start = log.arrival
            if claim["from"] is not None:
                order = self.order_of(claim["from"])
                start = self.last + 1 if order is None else order[0]
            if log.sent is None or claim["within"] is None:
                return log.sent is not None
            return start <= log.sent and log.sent <= log.clock.until_open(start, self._ticks(claim["within"]))
        if kind == "not-sent-after":
            order = self.order_of(claim["after"])
            if order is None or log.send_order is None:
                return True
            if self.scenario.by_id[claim["after"]].kind == "escalate":
                return not log.sent_behind_escalation(order)
            return log.send_order < order
        if kind == "claims-settle":
            contention = choice[f"contention {name}"]
            if contention is None:
                return True
            end = log.clock.until(contention[0], self._ticks(claim["within"]))
            return end > self.last or (contention[1] is not None and contention[1] <= end)
        if kind == "abandoned":
            return abandoned and claim["reason"] in (None, (log.outcome or ("", None))[1])
        if kind == "reassigned-or-orphaned":
            return any(
                any(w >= x for w in log.won) or (abandoned and (log.resolved or 0) >= x) for (x, *_), _ in log.deaths
            )
        return {
            "not-admitted": log.admitted is None,
            "never-sent": log.sent is None,
            "completed": log.outcome is not None and log.outcome[0] == "completed",
            "open": log.sent is None and log.resolved is None,
            "reply-in": log.sent is not None and choice.get(f"conversation {name}") == claim.get("conversation"),
            "reply-anchor": log.sent is not None and claim.get("conversation") in choice.get(f"anchors {name}", ()),
        }[kind]

    def _within(self, log: ItemLog, tick: int, start: int, within: int | None) -> bool:
        return within is None or start <= tick <= log.clock.until(start, self._ticks(within))

    def _ticks(self, within: int) -> int:
        return within - 1 if self.scenario.answers.open_windows else within

    def truths(self) -> set[tuple[bool, ...]]:
        """The truth of all expectations together, under every choice."""
        return {tuple(self.holds(claim, choice) for claim in self.scenario.expect) for choice in self.choices()}

    # -- what the run exercises (C28) and what its stimuli find (C29) -------------------------------------------------

    def exercises(self) -> set[int]:
        """The levels this run exercises, whatever the scenario's own."""
        logs = list(self.logs.values())
        live = [(log, order) for log in logs for order, _ in log.escalations if log.admitted is not None]
        levels = {2}
        if any(log.work_starts() is not None for log in logs):
            levels.add(0)
        pending = any(log.pending(order) for log in logs for order, _ in log.crashes)
        if self.scenario.duplicates or pending or len(logs) > 1 or len(self.scenario.anchors) > 1:
            levels.add(1)
        owned = [log.admitted is not None if self.scenario.answers.claims_always else bool(log.deaths) for log in logs]
        if any(owned):
            levels.add(3)
        if any(log.live_at_escalation(order) for log, order in live):
            levels.add(4)
        for one, two in combinations([log for log in logs if log.admitted is not None], 2):
            a, b = one.message, two.message
            if a.conversation != b.conversation and (a.subject == b.subject or a.sender == b.sender):
                levels.add(5)
        for log in logs:
            for order, _ in log.escalations:
                if log.approved_before(order) and log.live_at_escalation(order):
                    levels.add(6)
        return levels

    def finds(self) -> set[str]:
        """The stimuli that find what they are aimed at in this run."""
        found: set[str] = set()
        clock = next(iter(self.logs.values())).clock
        for statement in self.scenario.statements:
            if statement.id not in clock.fired:
                continue
            order = clock.fired[statement.id]
            if statement.kind in ("approve", "reject", "wrong-hash"):
                hit = self.order_of(statement.id) is not None
            elif statement.kind == "escalate":
                hit = self.logs[statement.target or ""].admitted is not None
            elif statement.kind in ("kill", "kill-literal"):
                hit = any(statement.id in log.run.held for log in self.logs.values())
            else:
                hit = any(
                    log.arrival <= order[0] and log.admitted is not None and log.unsent_before(order)
                    for log in self.logs.values()
                )
            if hit:
                found.add(statement.id)
        return found
