"""Level 1: one send per item, and work that a crash found pending is settled (seed section 4, L1)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations.instance import Instance, happens_at, send_deadline
from wellposed.verifier.formula import all_of, any_of, negate


def once(item: Item) -> Iterator[Instance]:
    """L1.once: at most one send per item."""
    if len(item.sends) > 1:
        yield Instance(item.message.pointer, item.absent(item.sends[1]), f"{item.message.id} is sent at most once")


def crash(item: Item) -> Iterator[Instance]:
    """L1.crash: what a crash found pending is sent or abandoned within the budget; a further such crash restarts it."""
    for event, at in item.crashes:
        end = item.send_by(at, item.answers.crash)
        later = item.crashed_between(at.plus(1), end, but=event)
        formula = any_of(
            (
                negate(item.pending(event, at)),
                item.space.le(item.send, end),
                all_of((item.abandoned(), item.space.le(item.resolved, end))),
                item.escalated_by(end),
                item.rejected_between(at, end),
                later,
            )
        )
        by = send_deadline(item, at, item.answers.crash, "the crash")
        text = f"crash at {happens_at(item, event)}: if it finds {item.message.id} pending, a send or an abandonment is due {by}"
        yield Instance(event.pointer, formula, text)
