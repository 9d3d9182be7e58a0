"""Replacing a file by another content: as a whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from wellposed.cli.output import reason


class RewriteError(Exception):
    """The file is what it was; `str()` says why, to follow "cannot write it:"."""


def rewrite(location: Path, before: bytes, after: bytes) -> None:
    """Put `after` in the place of `before`, with the same permissions. Raises RewriteError.

    The new content is written beside the file, under a hidden name, and takes its place in one step; a file that has
    changed since it was read is left alone.
    """
    try:
        mode = os.lstat(location).st_mode
        if not stat.S_ISREG(mode) or location.read_bytes() != before:
            raise RewriteError("it has changed in the meantime")
        descriptor, name = tempfile.mkstemp(prefix=f".{location.name}.", dir=location.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(after)
                file.flush()
                os.fsync(descriptor)
            os.chmod(name, stat.S_IMODE(mode))
            os.replace(name, location)
        finally:
            with suppress(FileNotFoundError):  # where it has become the file
                os.unlink(name)
    except OSError as failure:
        raise RewriteError(reason(failure)) from failure
