"""Levels 1 and 5: a reply carries the anchor of its own thread and stays in its own conversation (seed section 4)."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.items import Item
from wellposed.verifier.amr.obligations.instance import Instance
from wellposed.verifier.formula import all_of, any_of, constant


def anchor(item: Item) -> Iterator[Instance]:
    """L1.anchor: every draft carries the anchor of its own conversation and no sibling's, where its own declares one."""
    own = item.message.conversation
    if own not in item.environment.anchored:
        return
    formula = all_of(
        item.space.eq(carried, constant(int(conversation == own))) for conversation, carried in item.carries.items()
    )
    formula = any_of((item.absent(item.draft), formula))
    yield Instance(item.message.pointer, formula, f"a reply to {item.message.id} carries the anchor of {own} and no other")


def conversation(item: Item) -> Iterator[Instance]:
    """L5.identity: every draft is declared in its message's own conversation."""
    own = item.message.conversation
    formula = all_of(
        item.space.eq(lies, constant(int(conversation == own))) for conversation, lies in item.lies_in.items()
    )
    formula = any_of((item.absent(item.draft), formula))
    yield Instance(item.message.pointer, formula, f"a reply to {item.message.id} stays in conversation {own}")
