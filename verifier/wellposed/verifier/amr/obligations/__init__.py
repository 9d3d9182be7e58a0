"""The obligation table: one function per row, which yields the row's instances for one work item.

A row of `vocabulary.OBLIGATIONS` that needs no function is listed in `BY_CONSTRUCTION` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from wellposed.dsl.vocabulary import OBLIGATION_BY_ID
from wellposed.verifier.amr.budgets import Budgets
from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations import authority, continuity, escalation, fleet, identity, reply
from wellposed.verifier.amr.obligations.instance import Instance
from wellposed.verifier.theory import Constraint

Row = Callable[[Item, Budgets], Iterator[Instance]]

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

UNFORCED = frozenset({"L3.claims"})
"""Rows whose cause is the system's own choice: no schedule makes them due, so leaving them undone is no omission."""

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


def instances(item: Item, level: int, budgets: Budgets) -> Iterator[Constraint]:
    """Every instance of every row in force at `level` for one item; rows that the schedule satisfies anyway are left out."""
    for identity_, row in ROWS.items():
        definition = OBLIGATION_BY_ID[identity_]
        if definition.level > level:
            continue
        due = definition.due and identity_ not in UNFORCED
        for instance in row(item, budgets):
            if not instance.trivial:
                yield Constraint(
                    identity_, item.message.id, instance.pointer, instance.formula, instance.text, due
                )
