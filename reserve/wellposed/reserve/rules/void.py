"""void: a result is taken back, because the scenario itself was wrong."""

from __future__ import annotations

from wellposed.reserve.lines import Line
from wellposed.reserve.rules.apply import announced
from wellposed.reserve.state import REVEALED, State, Tell, short

CODE = "WP845"


def take(state: State, line: Line, tell: Tell) -> None:
    """There is a result to take back. Every void is counted."""
    entry = state.entry(line, tell)
    if entry is None or announced(state, line, tell) is None:
        return
    name = line.body["submission"]
    standing = [one for one in entry.of(name) if one.voided is None]
    if not standing:
        tell(CODE, f"there is no result of {name} on {short(entry.commit)} to void")
        return
    for one in standing:
        one.voided = line
        one.voided_after_reveal = entry.state == REVEALED
