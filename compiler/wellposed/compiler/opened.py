"""A folder held open by its descriptor: no link is followed on the way, and only regular files are read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

_MAX_NAMES = 10_000
_CHUNK = 1 << 20


class Refused(Exception):
    """A directory entry that is not looked into; `path` is its display path."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


class TooLarge(Refused):
    """A file above the limit it is read under."""


class Opened:
    """An open folder. Everything below it is reached through its descriptor, so that replacing a parent changes nothing.

    Raises `Refused` for links, files that are not regular, folders that are none and files above a size limit, and
    `OSError` (`FileNotFoundError` included) for what the system refuses.
    """

    def __init__(self, path: Path | str, inside: Opened | None = None) -> None:
        shown = path.as_posix() if isinstance(path, Path) else path
        self.path: str = shown if inside is None else f"{inside.path}/{shown}"
        parent: int | None = None if inside is None else inside._descriptor
        mode = os.stat(path, dir_fd=parent, follow_symlinks=False).st_mode
        if not stat.S_ISDIR(mode):
            raise Refused(f"{_kind(mode)} where a folder is due", self.path)
        self._descriptor: int = self._open(shown, parent, os.O_DIRECTORY)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._descriptor)

    def _open(self, name: str, parent: int | None, more: int) -> int:
        # O_NONBLOCK: opening a FIFO without a writer would otherwise wait for one.
        try:
            return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | more, dir_fd=parent)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO):
                raise Refused("a link or device where a file is due", self.path) from error
            raise

    def names(self) -> list[str]:
        """The names in the folder, sorted; of a folder with very many, the first few that the system gives."""
        found = []
        with os.scandir(self._descriptor) as entries:
            for entry in entries:
                found.append(entry.name)
                if len(found) > _MAX_NAMES:
                    break
        return sorted(found)

    def folder(self, name: str) -> Opened:
        """The folder of this name inside."""
        return Opened(name, self)

    def is_file(self, name: str) -> bool:
        """Whether the entry of this name is a regular file."""
        return stat.S_ISREG(os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_mode)

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of the regular file of this name, at most `limit` of them."""
        path = f"{self.path}/{name}"
        mode = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_mode
        if not stat.S_ISREG(mode):
            raise Refused(f"{_kind(mode)} where a file is due", path)
        descriptor = self._open(name, self._descriptor, 0)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Refused(f"{_kind(status.st_mode)} where a file is due", path)
            if status.st_size > limit:
                raise TooLarge(f"a file of {status.st_size} bytes; at most {limit} are read", path)
            raw = b"".join(iter(lambda: os.read(descriptor, _CHUNK), b""))
        finally:
            os.close(descriptor)
        return raw


def _kind(mode: int) -> str:
    for test, name in (
        (stat.S_ISLNK, "a link"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISREG, "a file"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if test(mode):
            return name
    return "a device"
