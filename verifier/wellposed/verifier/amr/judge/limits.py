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
    """Claims of one work item that are kept, and records of items before their admission."""
    drafts_per_item: int = 10_000
    """Drafts of one work item that are kept."""
    sends_per_item: int = 1_000
    """Effects of one work item that are kept: the second is one too many."""
    orphans: int = 10_000
    """Drafts of items that nobody admitted, and effects of drafts that nobody declared, whose ids are kept."""
    items_per_message: int = 1_000
    """Work items that are kept of one message: the second is one too many."""
    calls_per_draft: int = 1_000
    """Model calls that one draft names."""
    evidence: int = 12
    """Lines of logs that one failure names."""


LIMITS = JudgeLimits()
