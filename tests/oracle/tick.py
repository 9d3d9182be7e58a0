"""The environment's part of a tick for one message, with the sends that may lie between its events.

Causes open duties here and excuses drop them; the records of the tick come afterwards.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from tests.oracle.basics import APPROVE, REJECT
from tests.oracle.document import Statement
from tests.oracle.environment import DECISIONS
from tests.oracle.item import REPLIES, Item, Label
from tests.oracle.regime import OFF
from tests.oracle.sending import after_send, mark
from tests.oracle.state import Duty, State


class Seen(NamedTuple):
    """One outcome of the environment's part of a tick: the signal ids of touching deaths, and the draft that was sent
    before the last event, if the tick has such a send."""

    state: State
    labels: tuple[Label, ...]
    held: tuple[str, ...]
    sent: int | None = None


def environment_step(item: Item, state: State, index: int) -> Iterator[Seen]:
    """Every outcome of the environment's part of a tick; the first one is that of a system that does nothing."""
    yield from _played(item, state, index, _due(item, state, index, drafting=False))
    if item.answers.deferred_at_draft and not state.drafts and item.max_drafts:
        # The tick of the first draft: what waits for it fires in it, so that the draft is decided upon here.
        due = _due(item, state, index, drafting=True)
        yield from _played(item, state._replace(drafts=(0,), fresh=True), index, due, drafting=True)
    if item.answers.interleaved:
        yield from _interleaved(item, state, index, _due(item, state, index, drafting=False))


def _interleaved(item: Item, state: State, index: int, due: list[Statement]) -> Iterator[Seen]:
    """The outcomes with a send before the last event, of a draft of an earlier tick.

    Only events that concern the message or that a claim compares with its send tell such places apart.
    """
    closed = state.resolution is not None and item.regime.lawful
    if closed or len(state.sends) >= item.max_sends or item.item.environment.held[index]:
        return
    for place in range(len(due)):
        for draft in range(len(state.drafts)):
            yield from _played(item, state, index, due, send=(place, draft))


def _played(
    item: Item,
    state: State,
    index: int,
    due: list[Statement],
    drafting: bool = False,
    send: tuple[int, int] | None = None,
) -> Iterator[Seen]:
    """The outcomes of these events; ``send`` are the number of events before a send and the draft it sends."""
    place = len(due) if send is None else send[0]
    deaths = [(s, position >= place) for position, s in enumerate(due) if s.kind in ("kill", "kill-literal")]
    options = [_touch_options(item, state, s, behind) for s, behind in deaths]
    fired_as_guessed = _fired_as_guessed(item, due, index)
    for touched in product(*options) if fired_as_guessed else ():
        held = tuple(s.id for (s, _), hit in zip(deaths, touched, strict=True) if hit)
        labels: list[Label] = [("touched", name) for name in held]
        after = _apply(item, state._replace(fresh=drafting), index, due, set(held), labels, send)
        if after is not None:
            yield Seen(after, tuple(labels), held, None if send is None else send[1])


def _due(item: Item, state: State, index: int, drafting: bool) -> list[Statement]:
    """The statements of a tick in order: timed, those that waited, triggered; decisions without a draft wait (C1, C2).

    ``drafting``: the first draft is written in this tick, and what waits for it fires in this tick too.
    """
    drafted = bool(state.drafts)
    timed = [s for s in item.item.timed[index] if drafted or s.kind not in DECISIONS]
    waiting = list(item.item.waiting[index])
    if drafting or state.fresh:
        waiting += [s for p, s in item.item.decisions if p < index or drafting and p == index]
    triggered = [s for s in item.item.triggered[index] if drafted or s.kind not in DECISIONS]
    if item.answers.interleaved:
        for statement in item.compared_at(index):
            environment = item.item.environment
            waits = environment.fires[statement.id] != index or statement.id in environment.waited
            (waiting if waits else triggered if statement.trigger else timed).append(statement)
    return [s for part in (timed, waiting, triggered) for s in sorted(part, key=lambda s: s.seq)]


def _touch_options(item: Item, state: State, death: Statement, behind_send: bool) -> tuple[bool, ...]:
    """Whether a death may touch this message (C13)."""
    touchable = state.admitted >= 0 and not state.closed and not behind_send
    guess = item.item.environment.guess
    found = guess.get(("found", death.id))
    if death.kind == "kill" and death.target == item.name:
        return (touchable,) if found is None or found == touchable else ()
    if death.kind == "kill" and item.answers.one_item_per_agent:
        return (False,)
    if ("hits", death.id) in guess:
        hit = guess[("hits", death.id)] == item.name
        return (hit,) if touchable or not hit else ()
    if not touchable or (death.kind == "kill" and not found):
        return (False,)
    return (False, True)


def _fired_as_guessed(item: Item, due: list[Statement], index: int) -> bool:
    fired = {s.id for s in due if s.kind in DECISIONS}
    return all((guess == index) == (fact[1] in fired) for fact, guess in item.facts if fact[0] == "fired")


def _apply(
    item: Item,
    state: State,
    index: int,
    due: list[Statement],
    held: set[str],
    labels: list[Label],
    send: tuple[int, int] | None,
) -> State | None:
    """The state behind all events, with a send between them if there is one; None when the send cuts the run."""
    if index == item.item.arrival:
        state = _delivered(item, state, index, labels)
    crashes: list[Statement] = []
    rejected: tuple[frozenset[Duty], int] | None = None  # what the last rejection finds open, how many crashes
    for position, statement in enumerate(due):
        if send is not None and position == send[0]:
            after = after_send(item, state, send[1], index, due[:position])
            if after is None:
                return None
            state = after
        if statement.kind in ("escalate", "crash", "dangling") and not state.closed:
            labels.append(("live", statement.id))
        if statement.kind in DECISIONS and statement.target == item.name:
            labels.append(("fired", statement.id))
            state = _fired(item, state, index, statement)
            if statement.kind == "reject":
                rejected = state.duties, len(crashes)
        elif statement.kind == "escalate" and statement.target == item.name:
            state = _escalated(item, state, statement, labels)
        elif statement.kind == "crash" and not state.closed:
            crashes.append(statement)
        elif statement.id in held:
            state = _touched(item, state, index, statement)
    state = _excuses(item, state, index, rejected, crashes, labels)
    return state if send is None else mark(item, state, "sent", index, {s.id for s in due[: send[0]]})


def _delivered(item: Item, state: State, index: int, labels: list[Label]) -> State:
    if item.item.required:
        state = item.duty(state, "L2.admit", item.name, index, item.budgets.admit)
    elif item.item.altered:
        labels.append(("excused", "L2.admit/altered"))
    if item.item.required or item.answers.all_answered:
        labels.append(("owed", item.name))
        state = item.work_begins(state, index)
    return state


def _fired(item: Item, state: State, index: int, decision: Statement) -> State:
    """A decision binds the latest draft declared at a tick before this one, or the oldest; a forgery binds nothing."""
    if decision.id in item.claims.fires:
        position = item.claims.fires.index(decision.id)
        fires = (*state.fires[:position], index, *state.fires[position + 1 :])
        state = state._replace(fires=fires)
    if decision.kind == "wrong-hash":
        return state
    counts = item.open_until(index, item.budgets.terminal) <= item.last and not item.answers.all_resolved
    if counts and item.status("L3.terminal", decision.id) != OFF:
        state = state._replace(owed=state.owed | {("L3.terminal", decision.id)})
    verdict = APPROVE if decision.kind == "approve" else REJECT
    bound = 0 if decision.oldest else len(state.drafts) - 1
    on_draft, on_item = state.drafts[bound], state.last
    if item.answers.reject_is_final:
        on_draft, on_item = (REJECT if old == REJECT else verdict for old in (on_draft, on_item))
    else:
        on_draft = on_item = verdict
    drafts = (*state.drafts[:bound], on_draft, *state.drafts[bound + 1 :])
    state = state._replace(drafts=drafts, last=on_item)
    if verdict == REJECT:
        return state._replace(rejected=True)
    if not state.closed:
        if not item.answers.reply_from_arrival:
            state = item.duty(state, "L0.reply", decision.id, index, item.budgets.reply)
        state = item.duty(state, "L2.send", decision.id, index, item.budgets.send)
    return state


def _escalated(item: Item, state: State, signal: Statement, labels: list[Label]) -> State:
    owed = {("L4.resolve", signal.id)} if item.status("L4.resolve", signal.id) != OFF else set()
    if state.closed and not item.answers.condemns_finished:
        if state.sends:
            labels.append(("excused", "L4.resolve/sent"))
        return state
    if not state.closed:
        labels.append(("finds-live", signal.id))
        if state.last == APPROVE:
            labels.append(("finds-approved", signal.id))
            if item.status("L6.stop", signal.id) != OFF:
                owed.add(("L6.stop", signal.id))
    return state._replace(owed=state.owed | owed) if owed else state


def _touched(item: Item, state: State, index: int, death: Statement) -> State:
    touches = (*state.touches, index) if item.claims.tracks_claims else ()
    state = state._replace(orphan=index, may_win=True, touched=True, touches=touches)
    return item.duty(state, "L3.death", death.id, index, item.budgets.death)


def _excuses(
    item: Item,
    state: State,
    index: int,
    rejected: tuple[frozenset[Duty], int] | None,
    crashes: list[Statement],
    labels: list[Label],
) -> State:
    """Excuses and crash causes of a tick, seen once all its statements have happened (C6, C7, C9, C10).

    A rejection excuses what it finds open, and the end of a crash that stands before it in the tick.
    """
    escalated = index >= item.item.escalated_from
    if escalated:
        state = item.excuse(state, ("L0.draft", *REPLIES, "L1.crash"), "escalation", labels)
    overtaken = 0
    if rejected and state.last == REJECT:
        found, overtaken = rejected
        behind = state.duties - found
        state = item.excuse(state._replace(duties=state.duties & found), (*REPLIES, "L1.crash"), "later-reject", labels)
        state = state._replace(duties=state.duties | behind)
    standing = not item.item.gated or state.last == APPROVE or item.answers.waiting_is_pending
    if crashes and state.drafts and not state.fresh and not escalated and standing:
        replies = ("L0.reply",) if item.answers.crash_keeps_send_due else REPLIES
        state = item.excuse(state, replies, "crash", labels)
        state = item.excuse(state, ("L1.crash",), "restart", labels)
        state = state._replace(crashed=index)
        for position, crash in enumerate(crashes):
            labels.append(("pending", crash.id))
            if position >= overtaken and not state.closed:
                state = item.duty(state, "L1.crash", crash.id, index, item.budgets.crash)
    return state
