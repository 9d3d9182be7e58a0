"""Trees of files as the reserve reads them: the same questions to a commit and to a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

from wellposed.compiler.opened import Opened, Refused, TooLarge

__all__ = ["Folder", "NotReadable", "Tree"]


class NotReadable(Exception):
    """A file of a tree that is not there, is none, or is too large; the message continues a sentence that names it."""


class Tree(Protocol):
    """Files by POSIX paths. No link is ever followed."""

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file; raises NotReadable."""
        ...

    def names(self, path: str) -> list[str]:
        """The names in a folder, sorted, folders with a `/` behind them; none where there is no such folder."""
        ...


class Folder:
    """A folder of the file system as a tree."""

    def __init__(self, top: Path) -> None:
        self._top = top

    def read(self, path: str, limit: int) -> bytes:
        """As `Tree.read`."""
        try:
            *folders, name = path.split("/")
            with Opened(self._top) as folder:
                return _inside(folder, folders, lambda last: last.read(name, limit))
        except TooLarge as refused:
            raise NotReadable(f"is {refused.message}") from refused
        except Refused as refused:
            raise NotReadable(f"is not read: {refused.message}") from refused
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotReadable("is missing") from error
        except OSError as error:
            raise NotReadable(f"cannot be read: {(error.strerror or '').lower()}") from error

    def names(self, path: str) -> list[str]:
        """As `Tree.names`."""
        try:
            with Opened(self._top) as folder:
                return _inside(folder, path.split("/") if path else [], _named)
        except (Refused, OSError):
            return []


_T = TypeVar("_T")


def _inside(folder: Opened, path: list[str], then: Callable[[Opened], _T]) -> _T:
    if not path:
        return then(folder)
    with folder.folder(path[0]) as inner:
        return _inside(inner, path[1:], then)


def _named(folder: Opened) -> list[str]:
    return [name if folder.is_file(name) else f"{name}/" for name in folder.names()]
