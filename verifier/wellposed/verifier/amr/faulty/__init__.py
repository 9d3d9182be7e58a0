"""THE table of faulty systems: edits of the model that err in one way each. Several rows of one id are its variants."""

from __future__ import annotations

from wellposed.verifier.amr.faulty import authority, copies, escalation, recovery, threads, timing, work
from wellposed.verifier.amr.faulty.system import FaultySystem

SYSTEMS: tuple[FaultySystem, ...] = (
    *work.SYSTEMS,
    *authority.SYSTEMS,
    *escalation.SYSTEMS,
    *copies.SYSTEMS,
    *recovery.SYSTEMS,
    *timing.SYSTEMS,
    *threads.SYSTEMS,
)

__all__ = ["SYSTEMS", "FaultySystem"]
