"""THE table of faulty systems: edits of the model that err in one way each. Several rows of one id are its variants."""

from __future__ import annotations

from typing import NamedTuple

from wellposed.verifier.amr.faulty import authority, copies, escalation, recovery, threads, timing, work
from wellposed.verifier.amr.faulty.system import FaultySystem
from wellposed.verifier.amr.faulty.words import WORDS

SYSTEMS: tuple[FaultySystem, ...] = (
    *work.SYSTEMS,
    *authority.SYSTEMS,
    *escalation.SYSTEMS,
    *copies.SYSTEMS,
    *recovery.SYSTEMS,
    *timing.SYSTEMS,
    *threads.SYSTEMS,
)



class Fault(NamedTuple):
    """What is told of a faulty system, all its variants together: `text` continues "a system that".

    `cause` and `consequence` are its policy in words; `owes_not` are the rows that an item with the cause does not keep.
    `unforced` says why no schedule can make every timing of it show the fault; it is "" where one can.
    """

    id: str
    text: str
    cause: str
    consequence: str
    attacks: tuple[str, ...]
    owes_not: tuple[str, ...]
    unforced: str


def _told(id: str) -> Fault:
    rows = [row for row in SYSTEMS if row.id == id]
    attacks = dict.fromkeys(attacked for row in rows for attacked in row.attacks)
    owes_not = dict.fromkeys(one for row in rows for one in (*row.without, *row.relaxes))
    return Fault(id, rows[0].text, *WORDS[id], tuple(attacks), tuple(owes_not), rows[0].unforced)


FAULTS = tuple(_told(id) for id in dict.fromkeys(row.id for row in SYSTEMS))

__all__ = ["FAULTS", "SYSTEMS", "Fault", "FaultySystem"]
