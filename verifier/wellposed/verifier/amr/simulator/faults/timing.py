"""Faulty systems that are late, or say that they were not; and those that never hear of a change."""

from __future__ import annotations

from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.amr.simulator.faults.claims import Contending
from wellposed.verifier.amr.simulator.faults.faulty import Faulty
from wellposed.verifier.amr.simulator.law import Law
from wellposed.verifier.amr.simulator.pace import NEVER
from wellposed.verifier.amr.simulator.ticket import Ticket


class _Stale(Faulty):
    """Admits by what was in force at the beginning; what it cites is right where anything can be."""

    def citable(self, ticket: Ticket) -> list[str]:
        by_the_old = super().citable(ticket)
        by_the_new = [rules for rules in self._in_force() if self._lawful(ticket, rules)]
        return (by_the_new or by_the_old) if by_the_old else []

    def _in_force(self) -> list[str]:
        pairs = (self.memory.policy(tick) for tick in self.calendar.back(self.budgets.lag))
        return list(dict.fromkeys(rules for _, rules in pairs))

    def _lawful(self, ticket: Ticket, rules: str) -> bool:
        pairs = (self.memory.policy(tick) for tick in self.calendar.back(self.budgets.lag))
        return self.brief.level < 2 or any(r == rules and self.admits(ticket, p, r) for p, r in pairs)


class StalePosture(_Stale):
    """Admits by the posture of the beginning."""

    def policy(self, tick: int) -> tuple[str, str]:
        return self.memory.policy(0)[0], self.memory.policy(tick)[1]


class StaleRules(_Stale):
    """Admits by the rules of the beginning."""

    def policy(self, tick: int) -> tuple[str, str]:
        return self.memory.policy(tick)[0], self.memory.policy(0)[1]


class _Late(Faulty):
    """Takes one tick more than a row allows, and at least once it needs it."""

    shows = True
    row = ""
    freed: tuple[str, ...] = ()
    """Rows that nobody can keep who is late with this one."""
    _in_time = False

    @classmethod
    def first_level(cls) -> int:
        return OBLIGATION_BY_ID[cls.row].level

    def allowed(self, row: str) -> int:
        if row in self.freed:
            return NEVER
        return super().allowed(row) + (row == self.row and not self._in_time)

    def must(self, ticket: Ticket) -> bool:
        """Whether the row demands something now."""
        return MUST[self.row](self, ticket)

    def due_in_time(self, ticket: Ticket) -> bool:
        """Whether this is the last tick at which what the row demands would come in time."""
        self._in_time = True
        due = self.must(ticket)
        self._in_time = False
        return due

    def handle(self, ticket: Ticket) -> None:
        due = self.due_in_time(ticket)
        super().handle(ticket)
        if due and self.due_in_time(ticket):
            self.trial.showed = True


MUST = {
    "L0.draft": Law.must_draft,
    "L0.reply": Law.must_send,
    "L1.crash": Law.must_settle,
    "L2.admit": lambda law, ticket: law.brief.level >= 2 and ticket.admitted is None and law.must_admit(ticket),
    "L2.send": Law.must_send,
    "L3.claims": Law.must_stand_down,
    "L3.death": Law.must_reassign,
}


class LateAdmission(_Late):
    row = "L2.admit"
    lazy = frozenset({"admit"})

    def must_admit(self, ticket: Ticket) -> bool:
        """Late for nothing but itself: where a draft is due with the admission, there is no time for that."""
        return super().must_admit(ticket) or self.must_draft(ticket)


class LateDraft(_Late):
    row = "L0.draft"
    lazy = frozenset({"draft", "give up"})


class LateReply(_Late):
    row = "L0.reply"
    lazy = frozenset({"send", "give up"})
    freed = ("L2.send",)


class LateSend(_Late):
    row = "L2.send"
    lazy = frozenset({"send", "give up"})


class LateSettlement(_Late):
    row = "L1.crash"
    lazy = frozenset({"send", "give up"})


class LateReassignment(_Late):
    row = "L3.death"
    lazy = frozenset({"reassign", "give up", "complete"})


class LateStandDown(Contending, _Late):
    row = "L3.claims"
    lazy = frozenset({"settle"})

    def closes(self, ticket: Ticket) -> bool:
        """Claims may go on behind the end of their item, but nobody takes up what is over."""
        return ticket.orphaned


class BackDates(LateSend):
    """Is late with a send and stamps it in time."""

    def emit(self, ticket: Ticket, draft: str, at: int | None = None) -> None:
        late = self.brief.level >= 2 and self.must_send(ticket)
        super().emit(ticket, draft, self.calendar.back(1)[0] if late else at)


LATE = (LateAdmission, LateDraft, LateReply, LateSend, LateSettlement, LateReassignment, LateStandDown)
"""The variants of one system, one for each budget."""
