"""Writing files so that a kill at any moment leaves the old or the new one, whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PRIVATE = 0o600
SHARED = 0o644
PRIVATE_FOLDER = 0o700


class Busy(Exception):
    """Another process is writing there."""


def write_whole(path: Path, raw: bytes, mode: int = SHARED) -> None:
    """Replace the file at `path` by one with these bytes, in one step that survives a loss of power. Raises OSError."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)  # of a try that was killed
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
        try:
            left = memoryview(raw)
            while left:
                left = left[os.write(descriptor, left) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def make_folder(path: Path, mode: int = 0o755) -> None:
    """Make a folder and those above it; what is there already stays as it is. Raises OSError."""
    if not path.is_dir():
        make_folder(path.parent, mode)
        path.mkdir(mode=mode, exist_ok=True)
        _sync(path.parent)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder against others that do the same; the lock ends with the process. Raises Busy and OSError."""
    import fcntl  # not on every system; those who only read do not need it

    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Busy(f"another process is writing in {folder}") from error
        yield
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
