"""The folder of a run: a closed list of files, each read in pieces, so that no log has to fit into memory."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from wellposed.compiler.opened import Opened, Refused

INBOX, APPROVALS, SIGNALS = "inbox.jsonl", "approvals.jsonl", "signals.jsonl"
DRAFTS, OUTBOX, AUDIT, CALLS = "drafts.jsonl", "outbox.jsonl", "audit.jsonl", "model-calls.jsonl"
STATE, RUN = "state.jsonl", "run.jsonl"

HARNESS_FILES = (INBOX, APPROVALS, SIGNALS, STATE, RUN)
"""The files that the harness writes. What is wrong in one of them is no fault of the system."""
SYSTEM_FILES = (DRAFTS, OUTBOX, AUDIT, CALLS)
"""The files of which `run.jsonl` says when each line was first seen."""
FILES = (*HARNESS_FILES, *SYSTEM_FILES)


class RunFolder(Opened):
    """An open run directory. Raises as `Opened` does: no link is followed, and only regular files are read."""

    def chunks(self, name: str, size: int) -> Iterator[bytes]:
        """The bytes of the regular file of this name, `size` of them at a time."""
        descriptor = self._open(name, self._descriptor, 0)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused("not a regular file where a file is due", f"{self.path}/{name}")
            while chunk := os.read(descriptor, size):
                yield chunk
        finally:
            os.close(descriptor)

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode: the same folder under another name is the same folder."""
        status = os.fstat(self._descriptor)
        return status.st_dev, status.st_ino
