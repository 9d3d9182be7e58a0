"""What the implementation may write about one message in one tick, in the order admission, won, draft, send, resolution."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.oracle.basics import ESCALATED, REJECT
from tests.oracle.item import REPLIES, Item, Label
from tests.oracle.regime import OFF, SOFT
from tests.oracle.sending import after_send, mark
from tests.oracle.state import State
from tests.oracle.tick import Seen


class Written(NamedTuple):
    """The records of one message in one tick: at most one of each kind."""

    admission: str | None = None
    won: bool = False
    draft: bool = False
    send: int | None = None
    resolution: tuple[str, str | None] | None = None


Option = tuple[State, Written, tuple[Label, ...]]


def options(item: Item, before: State, seen: Seen, index: int) -> Iterator[Option]:
    """Every set of records that breaks nothing (or is tallied as a breach), with the state after the tick.

    ``before`` is the state in which the tick began.
    """
    chosen: list[Option] = [(seen.state, Written(send=seen.sent), ())]
    stages: tuple[Callable[[Item, Option, int], Iterator[Option]], ...]
    stages = (_admission, _won, _draft, _send, _resolution)
    if index < item.item.arrival:
        stages = ()  # in no log whatever: there is no message yet that a record could be about
    if item.regime.lawful and before.resolution is not None:
        stages = ()  # K.closed: a resolved item writes nothing more
    for stage in stages:
        chosen = [later for option in chosen for later in (option, *stage(item, option, index))]
    for state, written, labels in chosen:
        after = item.end_of_tick(before, state, index)
        if after is not None:
            yield after, written, labels


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
        if item.answers.all_resolved and item.status("L3.terminal", item.name) != OFF:
            after = after._replace(owed=after.owed | {("L3.terminal", item.name)})
        extra = labels
        if not item.item.required and not item.answers.all_answered:
            after = item.work_begins(after, index)
            if index >= item.item.escalated_from:
                excused: list[Label] = []
                after = item.excuse(after, ("L0.draft", *REPLIES), "escalation", excused)
                extra = (*labels, *excused)
        after = mark(item, after, "admitted", index)
        yield after, written._replace(admission=version), extra
        if item.answers.claims_always and item.status("L3.claims", item.name) == SOFT:
            # The first claim is free of everything else. Made at once it is never late, so that a system that must
            # make it does so here; one that may omit it never makes it.
            unclaimed = item.duty(after, "L3.claims", item.name, index, item.budgets.claims)
            yield unclaimed, written._replace(admission=version), extra


def _won(item: Item, option: Option, index: int) -> Iterator[Option]:
    state, written, labels = option
    if state.may_win and (state.resolution is None or not item.regime.lawful):
        after = state.without("L3.death")
        after = after._replace(orphan=-1, may_win=False, won=item.claims.tracks_won)
        yield after, written._replace(won=True), labels


def _draft(item: Item, option: Option, index: int) -> Iterator[Option]:
    state, written, labels = option
    if item.regime.lawful and (state.admitted < 0 or state.resolution is not None):
        return
    if item.answers.deferred_at_draft and (state.fresh or not state.drafts):
        if not state.fresh:
            return  # the environment's part of the tick has gone by without a first draft
        after = state._replace(fresh=False)
    elif len(state.drafts) < item.max_drafts:
        after = state._replace(drafts=(*state.drafts, 0), fresh=not state.drafts)
    else:
        return
    yield mark(item, after.without("L0.draft"), "drafted", index), written._replace(draft=True), labels


def _send(item: Item, option: Option, index: int) -> Iterator[Option]:
    """Sends are of declared drafts only (K.declared), unless anything goes; at a held tick there are none at all."""
    state, written, labels = option
    if item.item.environment.held[index]:
        return
    if len(state.sends) >= item.max_sends or written.send is not None:
        return
    if item.regime.lawful and state.resolution is not None:
        return
    for draft in range(len(state.drafts)) if item.regime.lawful else (len(state.sends),):
        after = after_send(item, state, draft, index)
        if after is not None:
            yield mark(item, after, "sent", index), written._replace(send=draft), labels


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
        after = state.without("L3.claims", "L3.death")._replace(resolution=("completed", None))
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
    died = state.orphan >= 0 and index <= item.until(state.orphan, item.budgets.death)
    crashed = state.crashed >= 0 and index <= item.open_until(state.crashed, item.budgets.crash)
    after = state.without("L1.crash", "L3.claims", "L3.death")
    if reason == ESCALATED:
        after = after._replace(owed=frozenset(o for o in after.owed if o[0] == "L3.terminal"))
    excused: list[Label] = [("excused", "L3.death/resolved")] if state.awaits("L3.death") else []
    if escalated or (not state.sends and (rejected or died or crashed)):
        after = item.excuse(after, ("L0.draft", *REPLIES), "abandonment", excused)
        yield after._replace(resolution=resolution), done, (*labels, *excused)
        return
    unlawful = item.breach(after, "L0.abandon", item.name)
    if unlawful is not None:
        yield unlawful._replace(resolution=resolution), done, (*labels, *excused)
