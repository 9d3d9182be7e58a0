"""The state of one message within a run: exactly what the rest of the run can still depend on."""

from typing import NamedTuple


class Duty(NamedTuple):
    """An obligation whose cause has happened and whose response is awaited until the index ``deadline``."""

    obligation: str
    cause: str
    deadline: int


class State(NamedTuple):
    """One message. All ticks are indices of visible ticks; -1 stands for "not (any more)".

    ``drafts`` holds for each declared draft the last genuine decision bound to it (0, APPROVE, REJECT) and ``last`` the
    item's last one; ``fresh`` says that the first draft was declared in the tick before. ``sent_at`` is the first send,
    if a claim compares it with those of other messages. ``orphan`` is the last touching death while it can make an
    abandonment lawful, ``crashed`` the last crash that found the item pending. ``owed`` are the duties that fall due only at the horizon.
    """

    admitted: int = -1
    drafts: tuple[int, ...] = ()
    fresh: bool = False
    last: int = 0
    rejected: bool = False
    sends: tuple[int, ...] = ()
    sent_at: int = -1
    resolution: tuple[str, str | None] | None = None
    orphan: int = -1
    may_win: bool = False
    touched: bool = False
    touches: tuple[int, ...] = ()
    won: bool = False
    crashed: int = -1
    duties: frozenset[Duty] = frozenset()
    owed: frozenset[tuple[str, str]] = frozenset()
    marks: int = 0
    fires: tuple[int, ...] = ()
    broken: str | None = None

    @property
    def closed(self) -> bool:
        """Neither sent nor resolved is what "live" needs; this is the opposite."""
        return bool(self.sends) or self.resolution is not None

    def without(self, *obligations: str) -> "State":
        """The state with every duty of these obligations discharged or excused."""
        kept = frozenset(d for d in self.duties if d.obligation not in obligations)
        return self if len(kept) == len(self.duties) else self._replace(duties=kept)

    def awaits(self, obligation: str) -> bool:
        """Whether some duty of this obligation is open."""
        return any(d.obligation == obligation for d in self.duties)


def lean(state: State, more_sends: bool) -> State:
    """The state without what can no longer matter, so that equal futures are one state."""
    if state.resolution is not None:
        if state.drafts != (0,) * len(state.drafts) or state.last or state.rejected:
            state = state._replace(drafts=(0,) * len(state.drafts), last=0, rejected=False)
        kept = frozenset(o for o in state.owed if o[0] != "L3.terminal")
        return state._replace(orphan=-1, may_win=False, crashed=-1, owed=kept)
    if state.sends and not more_sends:
        return state._replace(drafts=(0,) * len(state.drafts), last=0, rejected=False, orphan=-1)
    return state
