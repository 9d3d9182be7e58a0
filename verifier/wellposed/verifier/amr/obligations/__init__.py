"""The obligation table: one function per row, which yields the row's instances for one work item.

A row of `vocabulary.OBLIGATIONS` that needs no function is listed in `BY_CONSTRUCTION` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations import authority, continuity, escalation, fleet, identity, reply
from wellposed.verifier.amr.obligations.instance import Instance
from wellposed.verifier.theory import Constraint

Row = Callable[[Item], Iterator[Instance]]

ROWS: Mapping[str, Row] = {
    "L0.draft": reply.draft,
    "L0.reply": reply.reply,
    "L0.abandon": reply.abandon,
    "L1.once": continuity.once,
    "L1.anchor": identity.anchor,
    "L1.crash": continuity.crash,
    "L2.admit": authority.admit,
    "L2.only": authority.only,
    "L2.authority": authority.authority,
    "L2.send": authority.send,
    "L3.claims": fleet.claims,
    "L3.death": fleet.death,
    "L3.terminal": fleet.terminal,
    "L4.stop": escalation.stop,
    "L4.resolve": escalation.resolve,
    "L5.identity": identity.conversation,
    "L6.stop": escalation.stop_approved,
}

BY_CONSTRUCTION: Mapping[str, str] = {
    "K.declared": "a send is written as the send of a draft of its item, at or after the draft's tick",
    "K.redeclare": "a run declares every draft once",
    "K.admitted": "physics of the item: admission before draft, send and resolution",
    "K.completed": "physics of the item: a completed item was sent",
    "K.reason": "physics of the item: a reason names a cause that has happened",
    "K.closed": "physics of the item: nothing of an item after its resolution",
    "L1.fork": "a run admits every message at most once",
    "L2.forged": "forged records are no decisions, so nothing in a run rests on them",
    "L3.state": "the snapshot is a choice of its own, made only where an expectation asks for it",
}


@cache
def in_force(obligation: str, level: int, answers: Answers) -> bool:
    """Whether a row holds at a level, under the answers given."""
    if obligation == "L0.draft" and not answers.draft_due:
        return False
    if obligation == "L2.authority" and answers.always_gated:
        return True
    return OBLIGATION_BY_ID[obligation].level <= level


def instances(item: Item, level: int) -> Iterator[Constraint]:
    """Every instance of every row in force at `level` for one item; rows that the schedule satisfies anyway are left out."""
    for obligation, row in ROWS.items():
        if in_force(obligation, level, item.answers):
            for instance in row(item):
                if not instance.trivial:
                    due = OBLIGATION_BY_ID[obligation].due and instance.forced
                    yield Constraint(obligation, item.message.id, instance.pointer, instance.formula, instance.text, due)
