"""Faults seeded into the engine: what each changes, as an edit of the source of one function.

An edit names the owner (a module or class), the function and the text that is replaced. `EQUIVALENT` lists edits that no
comparison of runs can see, with the reason.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from wellposed.verifier.amr import admission, clock, components, environment, items, outbox
from wellposed.verifier.amr import obligations as table
from wellposed.verifier.amr.obligations import authority, continuity, escalation, fleet, reply


class Edit(NamedTuple):
    """Replace `old` by `new` in the source of `owner.name`."""

    owner: Any
    name: str
    old: str
    new: str

    @property
    def id(self) -> str:
        return f"{self.owner.__name__.rpartition('.')[2]}.{self.name}: {self.old} -> {self.new or 'nothing'}"


ITEM, BUILDER, READER = items.Item, components.Builder, environment._Reader

EDITS = (
    # L0.draft, L0.reply, L2.send: bounds, causes and every excuse
    Edit(reply, "draft", "item.space.le(item.draft, end)", "item.space.lt(item.draft, end)"),
    Edit(reply, "draft", "item.escalated_by(end),", ""),
    Edit(reply, "draft", "item.abandoned_by(end),", ""),
    Edit(reply, "arrival", "if item.owed:", "if True:"),
    Edit(reply, "arrival", "if item.owed:", "if False:"),
    Edit(reply, "send_due", "item.space.le(item.send, end)", "item.space.lt(item.send, end)"),
    Edit(reply, "send_due", "item.escalated_by(end),", ""),
    Edit(reply, "send_due", "item.rejected_between(cause, end),", ""),
    Edit(reply, "send_due", "item.abandoned_by(end),", ""),
    Edit(reply, "send_due", "item.crashed_between(start, end) if crash_excuses else FALSE,", ""),
    Edit(reply, "reply", "if not item.gated or", "if False or"),
    # L1.crash
    Edit(continuity, "crash", "negate(item.pending(event, at)),", ""),
    Edit(continuity, "crash", "item.space.le(item.send, end),", ""),
    Edit(continuity, "crash", "all_of((item.abandoned(), item.space.le(item.resolved, end))),", ""),
    Edit(continuity, "crash", "item.escalated_by(end),", ""),
    Edit(continuity, "crash", "item.rejected_between(at, end),", ""),
    Edit(continuity, "crash", "later,", ""),
    # L2
    Edit(authority, "admit", "if item.rules.required:", "if False:"),
    Edit(authority, "only", "item.rules.windows]", "item.rules.versions]"),
    Edit(authority, "authority", "item.authorised(send)", "all_of(())"),
    Edit(authority, "send", "for fire in item.approves()", "for fire in ()"),
    Edit(authority, "send", "for fire in item.approves()", "for fire in item.fires"),
    # L3
    Edit(fleet, "death", "touch.untouched,", ""),
    Edit(fleet, "death", "taken,", ""),
    Edit(fleet, "death", "space.le(item.resolved, end)", "space.lt(item.resolved, end)"),
    Edit(fleet, "terminal", "for fire in item.fires", "for fire in item.approves()"),
    Edit(fleet, "terminal", "for fire in item.fires", "for fire in item.rejects()"),
    Edit(fleet, "terminal", ", running)", ")"),
    Edit(fleet, "terminal", "space.lt(horizon, item.send_by(tick", "space.le(horizon, item.send_by(tick"),
    Edit(fleet, "terminal", "space.lt(horizon, item.send_by(fire", "space.le(horizon, item.send_by(fire"),
    # L4
    Edit(escalation, "_sent_before", "item.precedes(send, event, at)", "item.space.le(send, at)"),
    Edit(escalation, "met", "else unsent", "else TRUE"),
    Edit(escalation, "met", "item.happens(item.admitted), ", ""),
    Edit(escalation, "_resolved_as_escalated", "item.ends(ESCALATED)", "all_of(())"),
    # Binding and order of decisions
    Edit(ITEM, "after", "return record.plus(1)", "return record"),
    Edit(ITEM, "_waits", "= space.le(written, record)", "= space.lt(written, record)"),
    Edit(clock.Clock, "before", "index - 1)", "index)"),
    Edit(ITEM, "before", "< (other.when, other.seq)", "> (other.when, other.seq)"),
    Edit(ITEM, "before", "else just_before", "else FALSE"),
    Edit(ITEM, "_in_order", "(rank_second, second.seq)", "(rank_second, first.seq)"),
    Edit(ITEM, "standing", "self.space.lt(tick, reject.tick)", "self.space.le(tick, reject.tick)"),
    Edit(ITEM, "standing", "self.space.le(approve.tick, tick)", "self.space.lt(approve.tick, tick)"),
    Edit(ITEM, "_overruled", "self.before(reject, approve)", "self.before(approve, reject)"),
    Edit(ITEM, "authorised", "negate(self.precedes(send, approve.decision.event, approve.tick))", "self.space.lt(approve.tick, send)"),
    Edit(ITEM, "authorised", "self.precedes(send, reject.decision.event, reject.tick)", "self.space.le(send, reject.tick)"),
    Edit(ITEM, "authorised", "negate(self.binds_sent_draft(reject, send)),", ""),
    Edit(ITEM, "authorised", "self.binds_sent_draft(approve, send),", ""),
    Edit(ITEM, "binds_sent_draft", "space.lt(sent, fire.tick)", "space.le(sent, fire.tick)"),
    Edit(ITEM, "binds_sent_draft", "space.le(fire.tick, following)", "space.lt(fire.tick, following)"),
    Edit(ITEM, "rejected_between", "self.space.le(reject.tick, deadline)", "self.space.lt(reject.tick, deadline)"),
    Edit(ITEM, "rejected_between", "self.not_standing(reject.tick)", "all_of(())"),
    # Pending, live, lawful abandonment
    Edit(ITEM, "pending", "self.space.lt(self.draft, tick)", "self.space.le(self.draft, tick)"),
    Edit(ITEM, "pending", "self.unfinished_at(crash, tick),", ""),
    Edit(ITEM, "pending", "negate(self.escalated_by(tick)),", ""),
    Edit(ITEM, "pending", "or not self.gated", "or True"),
    Edit(ITEM, "unfinished_at", "negate(self.precedes(self.send, event, tick))", "self.space.lt(tick, self.send)"),
    Edit(ITEM, "unfinished_at", "self.space.le(tick, self.resolved)", "self.space.lt(tick, self.resolved)"),
    Edit(ITEM, "live_at", "self.space.lt(self.admitted, tick)", "self.space.le(self.admitted, tick)"),
    Edit(ITEM, "escalated_by", "self.space.le(escalation, tick)", "self.space.lt(escalation, tick)"),
    Edit(ITEM, "lawfully_abandoned", "self.escalated_by(self.resolved),", "any_of(()),"),
    Edit(ITEM, "_abandoned_unsent", "space.le(reject.tick, at)", "space.lt(reject.tick, at)"),
    Edit(ITEM, "_abandoned_unsent", "self.not_standing(at)", "TRUE"),
    Edit(ITEM, "_abandoned_unsent", ", negate(reassigned)", ""),
    Edit(ITEM, "_abandoned_unsent", "space.le(touch.tick, other.won)", "space.lt(touch.tick, other.won)"),
    Edit(ITEM, "_abandoned_unsent", ", self.pending(event, tick)))", ",))"),
    # Physics
    Edit(ITEM, "physics", "yield le(self.admitted, self.draft)", ""),
    Edit(ITEM, "physics", "yield le(self.admitted, self.resolved)", ""),
    Edit(ITEM, "physics", "yield le(self.sent_draft, self.send)", ""),
    Edit(ITEM, "ended_truly", "any_of((negate(completed), self.space.le(self.send, self.resolved)))", "all_of(())"),
    Edit(ITEM, "physics", "le(self.ending, constant(ESCALATED))", "le(self.ending, constant(COMPLETED))"),
    Edit(ITEM, "_reasons", "self.space.le(tick, self.resolved)", "self.space.lt(tick, self.resolved)"),
    Edit(ITEM, "_reasons", "self.space.le(touch.tick, self.resolved)", "self.space.lt(touch.tick, self.resolved)"),
    Edit(ITEM, "death_physics", "space.le(touch.tick, touch.won)", "space.lt(touch.tick, touch.won)"),
    Edit(ITEM, "death_physics", "space.lt(touch.won, other.tick)", "space.le(touch.won, other.tick)"),
    Edit(ITEM, "death_physics", "yield any_of((space.le(touch.won, self.resolved), absent))", ""),
    Edit(ITEM, "_dies_before", "self.space.lt(first.tick", "self.space.le(first.tick"),
    Edit(ITEM, "trigger", "self.after(", "("),
    # Who is held, what is admitted, which ticks are visible
    Edit(BUILDER, "_touched", "target.live_at(death.event, tick)", "TRUE"),
    Edit(admission.Admissions, "_admission", "and not altered", ""),
    Edit(admission.Admissions, "_admission", "<= far", "< far"),
    Edit(admission.Admissions, "_admission", "near <= segment.first", "near < segment.first"),
    Edit(admission.Admissions, "_admission", "segment.last + self._answers.lag", "segment.last"),
    Edit(clock.Clock, "lands", "[1] + 1", "[1]"),
    Edit(READER, "_segments", "when - 1", "when"),
    # Held effects: which ticks are held, which windows count them
    Edit(outbox.Outbox, "of", "(closed, index - 1)", "(closed, index)"),
    Edit(outbox.Outbox, "of", "(closed, index - 1)", "(closed + 1, index - 1)"),
    Edit(outbox.Outbox, "of", "held.append((closed, clock.horizon))", "pass"),
    Edit(outbox.Outbox, "of", "(closed, clock.horizon)", "(closed, clock.horizon - 1)"),
    Edit(outbox.Outbox, "end", "if first > end", "if first >= end"),
    Edit(outbox.Outbox, "end", "max(first, start + 1)", "max(first, start)"),
    Edit(outbox.Outbox, "end", "start + budget", "start + budget - 1"),
    Edit(ITEM, "sending", "self._never_in(term, self.environment.outbox.held)", ""),
    Edit(ITEM, "send_by", "if not outbox.held:", "if True:"),
    Edit(ITEM, "send_by", "if start.var == 0:", "if True:"),
    Edit(ITEM, "send_by", "space.eq(end, there)", "TRUE"),
    Edit(ITEM, "_abandoned_unsent", "self.send_by(tick, self.answers.crash)", "tick.plus(self.answers.crash)"),
    Edit(reply, "send_due", "item.send_by(start, budget)", "start.plus(budget)"),
    Edit(reply, "draft", "start.plus(item.answers.draft)", "item.send_by(start, item.answers.draft)"),
    Edit(continuity, "crash", "item.send_by(at, item.answers.crash)", "at.plus(item.answers.crash)"),
    Edit(fleet, "terminal", "item.send_by(tick, item.answers.crash)", "tick.plus(item.answers.crash)"),
    Edit(fleet, "terminal", "item.send_by(fire.tick, item.answers.terminal)", "fire.tick.plus(item.answers.terminal)"),
    Edit(fleet, "death", "touch.tick.plus(item.answers.death)", "item.send_by(touch.tick, item.answers.death)"),
    # The oldest draft
    Edit(ITEM, "binds_sent_draft", "if fire.decision.oldest:", "if False:"),
    Edit(ITEM, "binds_sent_draft", "if fire.decision.oldest:", "if True:"),
    Edit(ITEM, "binds_sent_draft", "return space.le(sent, self.draft)", "return space.lt(self.draft, fire.tick)"),
    # Signals that wait, and repeated ones
    Edit(READER, "_signal", 'if record.get("deferred") and', "if False and"),
    Edit(READER, "_signal", "since=when", "since=0"),
    Edit(READER, "_signal", "if event.id in self._named:", "if False:"),
    Edit(ITEM, "signalled", "self.admitted, self.after(self.admitted)", "self.admitted, self.admitted"),
    Edit(BUILDER, "at", "if event.rank == TRIGGERED:", "if True:"),
)

RESOLVED_BEFORE = "an item resolved before the cause was sent or lawfully abandoned, which excuses as well"
EQUIVALENT = {
    Edit(reply, "send_due", "item.space.lt(item.resolved, start),", ""): RESOLVED_BEFORE,
    Edit(reply, "send_due", "item.space.lt(item.resolved, start)", "item.space.le(item.resolved, start)"): RESOLVED_BEFORE,
    Edit(ITEM, "_ranks", "(DEFERRED, deferred)", "(event.rank, deferred)"): (
        "of what fires in one tick, only the order of decisions on one item reaches its runs, and `before` sees to that"
    ),
    Edit(ITEM, "_abandoned_unsent", "space.lt(at, self.send)", "TRUE"): (
        "`K.closed` already forbids to abandon what was sent, but for an escalation"
    ),
    Edit(escalation, "stop_approved", "negate(revoked(item, event, at))", "all_of(())"): (
        "`L6.stop` adds nothing to `L4.stop` and `L4.resolve`"
    ),
}
"""Edits that change no conforming run, with the reason."""

BUDGET_STEPS = tuple(
    (name, step)
    for name in ("admit", "lag", "draft", "reply", "send", "crash", "death", "terminal")
    for step in (-1, 1)
)


@contextmanager
def seeded(edit: Edit) -> Iterator[None]:
    """The engine with one fault, for as long as the block runs."""
    original = inspect.getattr_static(edit.owner, edit.name)
    source = textwrap.dedent(inspect.getsource(original))
    assert source.count(edit.old) >= 1, f"{edit.id}: the text is not there"
    made: dict[str, Any] = {}
    code = compile("from __future__ import annotations\n" + source.replace(edit.old, edit.new, 1), edit.id, "exec")
    exec(code, inspect.unwrap(original).__globals__, made)  # noqa: S102  the source is this project's own
    faulty = made[edit.name]
    rows = {name: row for name, row in table.ROWS.items() if row is original}
    setattr(edit.owner, edit.name, faulty)
    for name in rows:
        table.ROWS[name] = faulty  # type: ignore[index]
    try:
        yield
    finally:
        setattr(edit.owner, edit.name, original)
        for name in rows:
            table.ROWS[name] = original  # type: ignore[index]
