"""genesis: the first line, and no other."""

from __future__ import annotations

from wellposed.reserve.lines import Line
from wellposed.reserve.state import State, Tell

CODE = "WP806"


def check_first(state: State, line: Line, tell: Tell) -> None:
    """The first line is a genesis line."""
    if line.seq == 0 and line.type != "genesis":
        tell(CODE, f"the ledger begins with a line of type {line.type}; the first line is the genesis")


def take(state: State, line: Line, tell: Tell) -> None:
    """There is one, and it says under which rules the rest stands."""
    if line.seq != 0:
        tell(CODE, "a second genesis line: the rules of a ledger are fixed in its first line")
        return
    state.genesis = line
