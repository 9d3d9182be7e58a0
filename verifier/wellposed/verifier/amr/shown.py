"""What is told of an item: which records it has, which of them it can do without, and the ways in which it can end."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.items import Item
from wellposed.verifier.formula import Formula, Term, all_of
from wellposed.verifier.theory import OutcomeForm

OUTCOMES = (
    ("abandoned", "operator_escalation", 1),
    ("abandoned", "rejected", 2),
    ("abandoned", "agent_death", 3),
    ("abandoned", "crash", 4),
)


def quiet_of(item: Item) -> Iterator[Formula]:
    """The records that a witness had better do without, the least telling first."""
    if item.contended is not None:
        yield item.absent(item.contended.claimed)
    for touch in item.touches:
        yield touch.untouched
        yield item.absent(touch.won)
    if item.claimed is not None:
        yield item.absent(item.claimed)
    if item.next_draft is not item.never:
        yield item.absent(item.next_draft)
        yield item.space.le(item.sent_draft, item.draft)
    yield item.absent(item.resolved)
    yield item.absent(item.send)


def records_of(item: Item) -> Iterator[tuple[int, ...]]:
    """The variables of each record of an item, that of its tick first; what follows from them belongs to none."""
    drafts = dict.fromkeys((item.draft, item.sent_draft))
    groups = [
        [item.admitted],
        [*drafts, *item.lies_in.values(), *item.carries.values()],
        [item.next_draft],
        *([send, *item.early(send)] for send in item.sends),
        [item.resolved, item.ending],
        *([touch.won, *touch.choice] for touch in item.touches),
    ]
    if item.contended is not None:
        groups += [[item.contended.claimed], [item.contended.settled]]
    if item.claimed is not None:
        groups.append([item.claimed])
    yield from (tuple(term.var for term in group) for group in groups if group[0].var)


def loose_of(item: Item) -> Iterator[tuple[int, tuple[Formula, Term]]]:
    """What says which draft is sent, and which follows on it: of an item that is not sent it says nothing.

    Until its end an item may be drafted as often as one likes.
    """
    if item.sent_draft is not item.draft:
        for term in (item.sent_draft, item.next_draft):
            yield term.var, (item.absent(item.send), item.resolved)


def outcomes_of(item: Item) -> Iterator[OutcomeForm]:
    """The ways in which an item can end, in the order in which they are shown."""
    identity = item.message.id
    yield OutcomeForm(identity, "sent", None, item.happens(item.send), item.send)
    for outcome, reason, ending in OUTCOMES:
        formula = all_of((item.absent(item.send), item.happens(item.resolved), item.ends(ending)))
        yield OutcomeForm(identity, outcome, reason, formula, item.resolved)
    admitted = item.happens(item.admitted)
    still_open = all_of((admitted, item.absent(item.send), item.absent(item.resolved)))
    yield OutcomeForm(identity, "open", None, still_open, None)
    yield OutcomeForm(identity, "not-admitted", None, item.absent(item.admitted), None)
