"""What the implementation may write about one message in one tick, in the order admission, won, draft, send, resolution."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.oracle.basics import APPROVE, ESCALATED, REJECT
from tests.oracle.claims import marks_of
from tests.oracle.item import REPLIES, Item, Label
from tests.oracle.state import State


class Written(NamedTuple):
    """The records of one message in one tick: at most one of each kind."""

    admission: str | None = None
    won: bool = False
    draft: bool = False
    send: int | None = None
    resolution: tuple[str, str | None] | None = None


Option = tuple[State, Written, tuple[Label, ...]]


def options(item: Item, before: State, index: int) -> Iterator[Option]:
    """Every set of records that breaks nothing (or is tallied as a breach), with the state after the tick."""
    chosen: list[Option] = [(before, Written(), ())]
    stages: tuple[Callable[[Item, Option, int], Iterator[Option]], ...]
    stages = (_admission, _won, _draft, _send, _resolution)
    if item.regime.lawful and before.resolution is not None:
        stages = ()  # K.closed: a resolved item writes nothing more
    for stage in stages:
        chosen = [later for option in chosen for later in (option, *stage(item, option, index))]
    for state, written, labels in chosen:
        after = item.end_of_tick(before, state, index)
        if after is not None:
            yield after, written, labels


def _mark(item: Item, state: State, record: str, index: int) -> State:
    if not item.claims.atoms:
        return state
    return state._replace(marks=marks_of(item.item, item.claims, state.fires, record, index, state.marks))


def _admission(item: Item, option: Option, index: int) -> Iterator[Option]:
    state, written, labels = option
    if state.admitted >= 0 or index < item.item.arrival:
        return
    for version in sorted(item.item.possible[index]):
        after: State | None = state
        if version not in item.item.lawful[index]:
            after = item.breach(state, "L2.only", item.name)
        if after is None:
            continue
        kept = index if item.claims.tracks_claims else item.item.arrival
        after = after.without("L2.admit")._replace(admitted=kept)
        extra = labels
        if not item.item.required:
            after = item.work_begins(after, index)
            if index >= item.item.escalated_from:
                excused: list[Label] = []
                after = item.excuse(after, ("L0.draft", *REPLIES), "escalation", excused)
                extra = (*labels, *excused)
        yield _mark(item, after, "admitted", index), written._replace(admission=version), extra


def _won(item: Item, option: Option, index: int) -> Iterator[Option]:
    state, written, labels = option
    if state.may_win and (state.resolution is None or not item.regime.lawful):
        after = state.without("L3.death")
        after = after._replace(orphan=-1, may_win=False, won=item.claims.tracks_won)
        yield after, written._replace(won=True), labels


def _draft(item: Item, option: Option, index: int) -> Iterator[Option]:
    state, written, labels = option
    if len(state.drafts) >= item.max_drafts:
        return
    if item.regime.lawful and (state.admitted < 0 or state.resolution is not None):
        return
    after = state.without("L0.draft")
    after = after._replace(drafts=(*state.drafts, 0), fresh=not state.drafts)
    yield _mark(item, after, "drafted", index), written._replace(draft=True), labels


def _send(item: Item, option: Option, index: int) -> Iterator[Option]:
    """Sends are of declared drafts only (K.declared), unless anything goes."""
    state, written, labels = option
    if len(state.sends) >= item.max_sends:
        return
    if not item.regime.lawful:
        after = state._replace(sends=(*state.sends, len(state.sends)))
        yield _mark(item, after, "sent", index), written._replace(send=len(state.sends)), labels
        return
    if state.resolution is not None:
        return
    for draft, authority in enumerate(state.drafts):
        sent = _sent(item, state, draft, authority, index)
        if sent is not None:
            yield _mark(item, sent, "sent", index), written._replace(send=draft), labels


def _sent(item: Item, state: State, draft: int, authority: int, index: int) -> State | None:
    breaches: list[tuple[str, str]] = []
    if state.sends:
        breaches.append(("L1.once", item.name))
    if authority != APPROVE:
        breaches.append(("L2.authority", item.name))
    breaches += [("L4.stop", signal) for signal in item.escalations(index)]
    breaches += [owed for owed in state.owed if owed[0] == "L6.stop"]
    for obligation, cause in breaches:
        after = item.breach(state, obligation, cause)
        if after is None:
            return None
        state = after
    kept = draft if item.max_sends > 1 else 0
    return state.without(*REPLIES, "L1.crash")._replace(sends=(*state.sends, kept))


def _resolution(item: Item, option: Option, index: int) -> Iterator[Option]:
    state, written, labels = option
    if state.resolution is not None:
        return
    if not item.regime.lawful:
        for resolution in item.claims.resolutions:
            yield state._replace(resolution=resolution), written._replace(resolution=resolution), labels
        return
    if state.admitted < 0:
        return
    if state.sends:
        after = state.without("L3.death")._replace(resolution=("completed", None))
        yield after, written._replace(resolution=("completed", None)), labels
    for reason in _reasons(item, state, index):
        yield from _abandoned(item, option, index, reason)


def _reasons(item: Item, state: State, index: int) -> Iterator[str]:
    """The reasons that name a cause that has happened; a sent item may be abandoned for an escalation only (C11, C12)."""
    if index >= item.item.escalated_from:
        yield ESCALATED
    if state.sends:
        return
    if state.rejected:
        yield "rejected"
    if state.touched:
        yield "agent_death"
    if any(crash <= index for crash in item.crashes):
        yield "crash"


def _abandoned(item: Item, option: Option, index: int, reason: str) -> Iterator[Option]:
    state, written, labels = option
    resolution = ("abandoned", reason)
    done = written._replace(resolution=resolution)
    escalated = index >= item.item.escalated_from
    rejected = state.rejected and state.last == REJECT
    died = state.orphan >= index - item.budgets.death and state.orphan >= 0
    crashed = state.crashed >= index - item.budgets.crash and state.crashed >= 0
    after = state.without("L1.crash", "L3.death")
    excused: list[Label] = [("excused", "L3.death/resolved")] if state.awaits("L3.death") else []
    if escalated or (not state.sends and (rejected or died or crashed)):
        after = item.excuse(after, ("L0.draft", *REPLIES), "abandonment", excused)
        yield after._replace(resolution=resolution), done, (*labels, *excused)
        return
    unlawful = item.breach(after, "L0.abandon", item.name)
    if unlawful is not None:
        yield unlawful._replace(resolution=resolution), done, (*labels, *excused)
