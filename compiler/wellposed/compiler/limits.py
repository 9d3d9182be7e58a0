"""Every count that bounds what the compiler is willing to read or do, in one table.

A limit is there so that hostile or mistaken input costs little and ends in a sentence; no published scenario comes
near one.
"""

from __future__ import annotations

from dataclasses import dataclass

from wellposed.compiler.profile import MAX_BYTES
from wellposed.compiler.shapes import MAX_ENTRIES
from wellposed.dsl.source import MAX_SOURCE_BYTES


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes, lengths in Unicode code points, the rest are counts."""

    source_bytes: int = MAX_SOURCE_BYTES
    """One `.scenario`, `.rules` or `.skin` file."""
    bundle_bytes: int = MAX_BYTES
    """One bundle, as a file and as a document in the making."""
    records: int = MAX_ENTRIES
    """Entries of one schedule, and everything together that loops and families make of one file."""
    scenarios: int = 10_000
    """Scenarios that the families of one file make."""
    text_length: int = 100_000
    """One string of a bundle, with its placeholders replaced."""
    total_bytes: int = 512 * 2**20
    """All files of one invocation together."""
    files: int = 50_000
    """Files of one invocation that are sources or bundles."""
    entries: int = 500_000
    """Directory entries that one invocation looks at."""
    folder_depth: int = 32
    """How deep below a folder on the command line files are looked for."""
    imports: int = 256
    """Files that one source brings in, directly and through others."""
    path_length: int = 1_024
    """The path of an import."""
    id_length: int = 64
    """An id as the author writes it."""
    expanded_id_length: int = 128
    """An id with indices or the values of parameters, which has dots."""
    suggestion_cells: int = 2_000_000
    """Cells of edit-distance tables that one source's did-you-mean hints may cost."""
    chain_labels: int = 16
    """Places of a cycle that one finding points at."""


LIMITS = Limits()
