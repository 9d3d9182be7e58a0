"""Entries as an operator names them: by the beginning of their hash."""

from __future__ import annotations

from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.state import Entry, State

CODE = "WP890"
_LEAST = 8


def entry(state: State, text: str) -> Entry:
    """The one entry whose hash begins like that. Raises Refusal."""
    digits = text.removeprefix("sha256:").rstrip("…")
    found = [one for one in state.entries.values() if one.commit.removeprefix("sha256:").startswith(digits)]
    if len(digits) < _LEAST:
        raise Refusal(at_file(CODE, f"{text!r} is too short to name an entry: at least {_LEAST} digits of its hash", None))
    if len(found) != 1:
        what = "no entry" if not found else f"{len(found)} entries"
        raise Refusal(at_file(CODE, f"{what} of this ledger begin with {digits[:64]}", None))
    return found[0]
