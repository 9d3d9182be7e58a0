"""The folder of a run: a closed list of files, each read in pieces, so that no log has to fit into memory."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import blake2b
from typing import Protocol

from wellposed.compiler.opened import Opened, Refused

INBOX, APPROVALS, SIGNALS = "inbox.jsonl", "approvals.jsonl", "signals.jsonl"
DRAFTS, OUTBOX, AUDIT, CALLS = "drafts.jsonl", "outbox.jsonl", "audit.jsonl", "model-calls.jsonl"
STATE, RUN = "state.jsonl", "run.jsonl"

HARNESS_FILES = (INBOX, APPROVALS, SIGNALS, STATE, RUN)
"""The files that the harness writes. What is wrong in one of them is no fault of the system."""
SYSTEM_FILES = (DRAFTS, OUTBOX, AUDIT, CALLS)
"""The files of which `run.jsonl` says when each line was first seen."""
FILES = (*HARNESS_FILES, *SYSTEM_FILES)


class RunFiles(Protocol):
    """The files of one run, wherever they come from."""

    def names(self) -> list[str]:
        """Their names, sorted."""
        ...

    def chunks(self, name: str, size: int) -> Iterator[bytes]:
        """The bytes of the file of this name, about `size` of them at a time."""
        ...

    @property
    def identity(self) -> tuple[int, int]:
        """Equal for the same run, (0, 0) where nobody can know."""
        ...


class Digested:
    """The files of a run, and a digest of all that was read of them, file by file."""

    def __init__(self, files: RunFiles) -> None:
        self._files = files
        self._read = blake2b(digest_size=32)

    def names(self) -> list[str]:
        """See `RunFiles`."""
        return self._files.names()

    def chunks(self, name: str, size: int) -> Iterator[bytes]:
        """See `RunFiles`."""
        self._read.update(f"\0{name}\0".encode(errors="surrogateescape"))
        for chunk in self._files.chunks(name, size):
            self._read.update(chunk)
            yield chunk

    @property
    def identity(self) -> tuple[int, int]:
        """See `RunFiles`."""
        return self._files.identity

    @property
    def content(self) -> bytes:
        """The digest."""
        return self._read.digest()


class RunFolder(Opened):
    """An open run directory. Raises as `Opened` does: no link is followed, and only regular files are read."""

    def chunks(self, name: str, size: int) -> Iterator[bytes]:
        """The bytes of the regular file of this name, `size` of them at a time."""
        if not self.is_file(name):
            raise Refused("a link, or no regular file, where a file is due", f"{self.path}/{name}")
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
