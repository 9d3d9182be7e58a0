"""The files of a claim's folder, wherever they come from: a work tree, git objects, a test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from wellposed.compiler.canonical import sha256

CLAIM_FILE = "claim.yaml"


class Unreadable(Exception):
    """A file that cannot be read; the message ends a sentence that begins with its path."""


class ClaimFiles(Protocol):
    """The files of the folder of one claim, by POSIX paths below it. Who gives them bounds their number and size."""

    def names(self) -> Sequence[str]:
        """The paths of all files, sorted."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of the file at this path. Raises Unreadable, also for a path that `names` does not have."""
        ...


@dataclass(frozen=True, slots=True)
class MappingFiles:
    """Files that are in memory."""

    files: Mapping[str, bytes]

    def names(self) -> Sequence[str]:
        """The paths of all files, sorted."""
        return sorted(self.files)

    def read(self, path: str) -> bytes:
        """The bytes of the file at this path. Raises Unreadable."""
        if path not in self.files:
            raise Unreadable("does not exist")
        return self.files[path]


class RunOf:
    """One run in the folder of a claim, as the judge reads one: every file read once, before it is judged."""

    def __init__(self, files: ClaimFiles, folder: str) -> None:
        """Raises Unreadable."""
        below = f"{folder}/"
        names = [name.removeprefix(below) for name in files.names() if name.startswith(below)]
        if not names:
            raise Unreadable("is no folder of this claim with files in it")
        self._files = {name: files.read(below + name) for name in names}

    def names(self) -> list[str]:
        """The names of the files, and the paths of those that lie deeper, sorted."""
        return sorted(self._files)

    def chunks(self, name: str, size: int) -> Iterator[bytes]:
        """The bytes of a file, `size` of them at a time."""
        raw = self._files[name]
        return (raw[start : start + size] for start in range(0, len(raw), size))

    @property
    def identity(self) -> tuple[int, int]:
        """Nobody can know whether two copies are the same run."""
        return 0, 0

    @property
    def content(self) -> str:
        """A digest of all files: equal for copies."""
        return sha256(
            b"".join(sha256(name.encode()).encode() + sha256(raw).encode() for name, raw in sorted(self._files.items()))
        )
