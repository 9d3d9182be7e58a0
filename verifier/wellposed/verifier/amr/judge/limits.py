"""Every count that bounds what the judge reads, keeps and tells of one run, in one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JudgeLimits:
    """Sizes are in bytes, lengths in Unicode code points, the rest are counts."""

    chunk_bytes: int = 1 << 18
    """How much of a log is read at a time; a longer line is read in as many pieces as it takes."""
    line_bytes: int = 8 * 2**20
    """One line of a log."""
    id_length: int = 128
    """An id that a system chooses."""
    findings_per_file: int = 20
    """Findings told of one file of a run; how many more there are is told with the last one."""
    claims_per_item: int = 10_000
    """Claims of one work item that are kept."""
    calls_per_draft: int = 1_000
    """Model calls that one draft names."""
    evidence: int = 12
    """Lines of logs that one failure names."""


LIMITS = JudgeLimits()
