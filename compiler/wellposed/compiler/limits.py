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
    total_bytes: int = 128 * 2**20
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
    claim_bytes: int = 64 * 2**10
    """One `claim.yaml`."""
    yaml_depth: int = 8
    """Mappings inside mappings of a `claim.yaml`."""
    yaml_values: int = 2_000
    """Keys and items of a `claim.yaml`."""
    claims: int = 1_000
    """Claims of one invocation."""
    claim_files: int = 1_000
    """Files of the folder of one claim."""
    claim_folder_bytes: int = 64 * 2**20
    """All files of the folder of one claim together."""
    claim_runs: int = 100
    """Runs that one claim shows."""
    changed_files: int = 5_000
    """Files that one pull request adds, changes or removes; `pr --max-files` raises it."""
    changed_bytes: int = 64 * 2**20
    """Both sides of all changed files of a pull request together; `pr --max-bytes` raises it."""
    changed_scenarios: int = 200
    """Scenarios of a pull request that are verified and compared; `pr --max-scenarios` raises it."""
    changed_commits: int = 1_000
    """Commits of a pull request in which sealed entries are looked for; `pr --max-commits` raises it."""
    history: int = 200_000
    """Commits that are looked at for the place where two histories part."""
    told_files: int = 20
    """Files that are told one by one for one and the same reason; the last finding says how many more there are."""
    markdown_length: int = 60_000
    """Characters of a summary in Markdown: a comment on GitHub has at most 65,536."""


LIMITS = Limits()
