"""Random claims, every form of them, biased to what can follow from a schedule."""

from random import Random
from typing import Any

from tests.oracle.basics import ABANDON_REASONS, Budgets

Claim = dict[str, Any]
Entry = dict[str, Any]


def sent(of: str, within: int | None = None, start: str | None = None, once: bool = False) -> Claim:
    """A ``sent`` claim; without ``start`` a window begins at the message."""
    start = (start or of) if within is not None else None
    return {"claim": "sent", "of": of, "once": once, "within": within, "from": start}


def abandoned(of: str, reason: str | None = None) -> Claim:
    """An ``abandoned`` claim."""
    return {"claim": "abandoned", "of": of, "reason": reason}


def simple(kind: str, of: str) -> Claim:
    """A claim with no part but its message."""
    return {"claim": kind, "of": of}


class ClaimMaker:
    """Draws claims about a finished schedule."""

    def __init__(self, rng: Random, budgets: Budgets, level: int, horizon: int, schedule: list[Entry]) -> None:
        self.rng = rng
        self.budgets = budgets
        self.level = level
        self.horizon = horizon
        self.schedule = schedule
        self.messages = list(dict.fromkeys(e["record"]["id"] for e in schedule if e["channel"] == "inbox"))
        records = {self._name(e): e for e in reversed(schedule)}
        self.names = sorted(records)
        self.anchored: list[str] = []
        self.conversations: list[str] = []

    @staticmethod
    def _name(entry: Entry) -> str:
        record = entry["record"]
        return str(record.get("approval_id") or record.get("signal_id") or record.get("fault_id") or record["id"])

    def _of_kind(self, message: str, channel: str, key: str, value: str) -> list[str]:
        return [
            self._name(e)
            for e in self.schedule
            if e["channel"] == channel
            and e["record"].get(key) == value
            and "forged" not in e["record"]
            and f"work:{message}" in (e["record"].get("target"), e["record"].get("match", {}).get("work_id"))
        ]

    def _near(self, budget: int) -> int:
        return max(0, budget + self.rng.choice((-1, 0, 0, 0, 1)))

    def claims(self) -> list[Claim]:
        """Between none and three claims."""
        rng = self.rng
        count = rng.choice((0, 1, 1, 1, 1, 2, 2, 3))
        found: list[Claim] = []
        for _ in range(count):
            claim = self._likely() if rng.random() < 0.6 else self._any_form()
            if claim not in found:
                found.append(claim)
        return found

    def complete(self) -> list[Claim]:
        """Claims that demand everything due, as far as simple claims can."""
        found: list[Claim] = []
        for message in self.messages:
            escalations = self._of_kind(message, "signals", "signal_type", "OPERATOR_ESCALATION")
            approvals = self._of_kind(message, "approvals", "decision", "approve")
            found.append({"claim": "admitted", "of": message, "within": self.budgets.admit})
            if escalations:
                found.append(abandoned(message, ABANDON_REASONS[0]))
                continue
            found.append({"claim": "drafted", "of": message, "within": self.budgets.draft})
            if approvals:
                within = min(self.budgets.send, self.budgets.reply) if self.level >= 2 else self.budgets.reply
                found.append(sent(message, within, approvals[0], once=True))
                found.append(simple("completed", message))
            elif self.level < 2:
                found.append(sent(message, self.budgets.reply, once=True))
        return found

    def _likely(self) -> Claim:
        """A claim that the schedule suggests."""
        rng, budgets = self.rng, self.budgets
        of = rng.choice(self.messages)
        escalations = self._of_kind(of, "signals", "signal_type", "OPERATOR_ESCALATION")
        approvals = self._of_kind(of, "approvals", "decision", "approve")
        rejections = self._of_kind(of, "approvals", "decision", "reject")
        pool: list[Claim] = [{"claim": "admitted", "of": of, "within": budgets.admit}]
        if escalations:
            last = rng.choice(escalations)
            ends = [simple("never-sent", of), abandoned(of, ABANDON_REASONS[0])]
            pool += [*ends, *ends, {"claim": "not-sent-after", "of": of, "after": last}]
            pool.append({"claim": "any", "of": [[sent(of)], [abandoned(of, ABANDON_REASONS[0])]]})
        elif rejections:
            pool += [simple("never-sent", of), abandoned(of, "rejected"), abandoned(of), simple("open", of)]
        elif approvals:
            go = rng.choice(approvals)
            pool += [sent(of, budgets.send, go, once=True), sent(of, self._near(budgets.send), go), sent(of, once=True)]
            pool += [simple("completed", of)]
        elif self.level >= 2:
            pool += [simple("never-sent", of), simple("open", of), {"claim": "drafted", "of": of, "within": None}]
        else:
            pool += [sent(of, budgets.reply, once=True), sent(of)]
        if len(self.messages) > 1:
            pool.append({"claim": "distinct", "of": list(self.messages)})
        pool += [{"claim": "claims-settle", "of": of, "within": self._near(budgets.claims)}]
        pool += [{"claim": "state-agrees"}, simple("reassigned-or-orphaned", of), simple("not-admitted", of)]
        pool += [{"claim": "reply-in", "of": of, "conversation": rng.choice(self.conversations)}]
        if self.anchored:
            pool += [{"claim": "reply-anchor", "of": of, "conversation": rng.choice(self.anchored)}]
        return rng.choice(pool)

    def _atom(self) -> Claim:
        """Any simple claim."""
        rng, budgets = self.rng, self.budgets
        of = rng.choice(self.messages)
        name = rng.choice(self.names)
        pool: list[Claim] = [
            {"claim": "admitted", "of": of, "within": rng.choice((None, self._near(budgets.admit)))},
            {"claim": "drafted", "of": of, "within": rng.choice((None, self._near(budgets.draft)))},
            simple("not-admitted", of),
            simple("never-sent", of),
            simple("completed", of),
            simple("open", of),
            simple("reassigned-or-orphaned", of),
            sent(of, once=rng.random() < 0.5),
            sent(of, self._near(budgets.reply), once=rng.random() < 0.5),
            sent(of, self._near(budgets.send), name, once=rng.random() < 0.5),
            {"claim": "not-sent-after", "of": of, "after": name},
            abandoned(of, rng.choice((None, *ABANDON_REASONS))),
            {"claim": "reply-in", "of": of, "conversation": rng.choice(self.conversations)},
            {"claim": "claims-settle", "of": of, "within": self._near(budgets.claims)},
            {"claim": "state-agrees"},
        ]
        if self.anchored:
            pool.append({"claim": "reply-anchor", "of": of, "conversation": rng.choice(self.anchored)})
        if len(self.messages) > 1:
            pool.append({"claim": "distinct", "of": list(self.messages)})
        return rng.choice(pool)

    def _any_form(self) -> Claim:
        """A simple claim, an ``any`` or an ``if``."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.6:
            return self._atom()
        if draw < 0.85:
            groups = [[self._part() for _ in range(rng.choice((1, 1, 2)))] for _ in range(rng.choice((2, 2, 3)))]
            return {"claim": "any", "of": groups}
        return {"claim": "if", "if": self._atom(), "then": self._part(), "else": self._part()}

    def _part(self) -> Claim:
        draw = self.rng.random()
        if draw < 0.5:
            return self._atom()
        return self._likely()
