"""What claims notice of a record, and what forbids a send, of a tick or between two of its events."""

from collections.abc import Iterator

from tests.oracle.basics import APPROVE
from tests.oracle.claims import marks_of
from tests.oracle.document import Statement
from tests.oracle.item import REPLIES, Item
from tests.oracle.state import State


def mark(item: Item, state: State, record: str, index: int, seen: set[str] | None = None) -> State:
    """The state in which the claims have noticed a record; ``seen`` are the events of the tick before it, if not all."""
    if not item.claims.atoms:
        return state
    return state._replace(marks=marks_of(item.item, item.claims, state, record, index, seen))


def after_send(item: Item, state: State, draft: int, index: int, seen: list[Statement] | None = None) -> State | None:
    """The state behind a send, None when it cuts the run; ``seen`` are the events of the tick before it, if not all."""
    if item.claims.tracks_sent and not state.sends:
        state = state._replace(sent_at=index)
    if not item.regime.lawful:
        return state._replace(sends=(*state.sends, len(state.sends)))
    for obligation, cause in _forbidding(item, state, draft, index, seen):
        after = item.breach(state, obligation, cause)
        if after is None:
            return None
        state = after
    if item.answers.same_tick_is_before:
        kept = [o for o in state.owed if o[0] not in ("L4.resolve", "L6.stop") or not item.fires_at(o[1], index)]
        state = state._replace(owed=frozenset(kept))
    kept_draft = draft if item.max_sends > 1 else 0
    return state.without(*REPLIES, "L1.crash")._replace(sends=(*state.sends, kept_draft))


def _forbidding(
    item: Item, state: State, draft: int, index: int, seen: list[Statement] | None
) -> Iterator[tuple[str, str]]:
    """What a send of this draft breaches."""
    if state.sends:
        yield "L1.once", item.name
    if state.drafts[draft] != APPROVE:
        yield "L2.authority", item.name
    past = index - 1 if item.answers.same_tick_is_before or seen is not None else index
    stopping = item.escalations(past)
    if seen is not None and not item.answers.same_tick_is_before:
        stopping += [s.id for s in seen if s.kind == "escalate" and s.target == item.name]
    yield from (("L4.stop", signal) for signal in stopping)
    yield from (owed for owed in state.owed if owed[0] == "L6.stop" and owed[1] in stopping)
