"""leak and forfeit: an entry is no longer secret, or will never be opened."""

from __future__ import annotations

from wellposed.reserve.lines import Line
from wellposed.reserve.state import FORFEITED, LEAKED, LIVE, OPEN, State, Tell, short

WRONG_STATE = "WP850"


def leak(state: State, line: Line, tell: Tell) -> None:
    """A live entry became known. It has to be revealed or forfeited all the same, and is not applied any more."""
    entry = state.entry(line, tell)
    if entry is None:
        return
    if entry.state not in LIVE:
        tell(WRONG_STATE, f"{short(entry.commit)} is {entry.state} already")
        return
    entry.state, entry.leak = LEAKED, line


def forfeit(state: State, line: Line, tell: Tell) -> None:
    """An entry is given up, for a reason that is counted under its class."""
    entry = state.entry(line, tell)
    if entry is None:
        return
    if entry.state not in OPEN:
        tell(WRONG_STATE, f"{short(entry.commit)} is {entry.state} already")
        return
    entry.state, entry.forfeit = FORFEITED, line
