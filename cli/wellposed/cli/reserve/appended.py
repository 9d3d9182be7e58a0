"""What is said after lines were added: the lines, and the checkpoint that others should remember."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellposed.cli.reserve.end import Outcome

if TYPE_CHECKING:
    from wellposed.reserve.ledger import Appended


def appended(written: Appended) -> Outcome:
    """The checkpoint is the result; that the lines still have to be committed is a remark."""
    count = written.raw.count(b"\n")
    first = written.seq - count + 1
    lines = f"line {written.seq + 1}" if count == 1 else f"lines {first + 1} to {written.seq + 1}"
    members = {"lines": {"from": first, "to": written.seq}, "checkpoint": written.checkpoint}
    remark = f"{lines} added to the ledger; commit it, and put the checkpoint where others will remember it"
    return Outcome(f"{written.checkpoint}\n", members, notices=(remark,), data=True)
