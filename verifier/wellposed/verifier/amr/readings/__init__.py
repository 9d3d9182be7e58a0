"""THE table of readings, one module per topic: how the specification is read where it is silent or contradicts itself.

Ids are kept for ever. A changed answer makes another version of the table (`vocabulary.READINGS`), because a verdict is
a function of the bundle and that version.
"""

from __future__ import annotations

from wellposed.verifier.amr.readings import admission, clock, crash, decisions, documents, escalation, fleet
from wellposed.verifier.amr.readings.row import Alternative, Reading

READINGS: tuple[Reading, ...] = (
    *clock.ROWS,
    *admission.ROWS,
    *decisions.ROWS,
    *crash.ROWS,
    *fleet.ROWS,
    *escalation.ROWS,
    *documents.ROWS,
)
ALTERNATIVES = {alternative.id: alternative for reading in READINGS for alternative in reading.alternatives}

__all__ = ["ALTERNATIVES", "READINGS", "Alternative", "Reading"]
