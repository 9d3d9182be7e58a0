"""Two systems per obligation whose fault is to break it: one breaks nothing else, one may do all that a log can hold.

Whether a scenario notices an obligation is the question whether some run of such a system breaks it and passes. A run
of the first is the more telling one; without the second, what cannot be broken alone would always be noticed.
"""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.dsl.vocabulary import OBLIGATIONS
from wellposed.verifier.amr.faulty.system import FaultySystem, always

USES = {
    "L1.once": "second send",
    "L1.fork": "fork",
    "L1.anchor": "anchors",
    "L3.claims": "contention",
    "L3.state": "snapshots",
    "L5.identity": "conversation",
}
"""What has to be free for an obligation to be broken."""


def _violators() -> Iterator[FaultySystem]:
    everything = tuple(row.id for row in OBLIGATIONS)
    for row in everything:
        if not row.startswith("K."):
            uses = (USES[row],) if row in USES else ()
            yield FaultySystem(row, f"breaks {row} alone", always, (row,), (row,), (), uses)
            yield FaultySystem(row, f"breaks {row}", always, (row,), everything, (), tuple(USES.values()))


VIOLATORS = tuple(_violators())
