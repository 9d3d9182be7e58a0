"""anchor: proof by somebody else that the ledger up to a line existed at a time."""

from __future__ import annotations

from wellposed.reserve.lines import Line
from wellposed.reserve.state import State, Tell, short

CODE = "WP820"


def take(state: State, line: Line, tell: Tell) -> None:
    """It names a line above, with the hash that this line has now."""
    of = line.body["of"]
    if of >= line.seq:
        tell(CODE, f"the anchor is of line {of + 1}, which is not above it")
    elif state.lines[of].head != line.body["head"]:
        tell(
            CODE,
            f"the anchor is of {short(line.body['head'])}, and line {of + 1} hashes to {short(state.lines[of].head)}: "
            "the ledger was rewritten above it",
        )
    else:
        state.anchors.append(line)
