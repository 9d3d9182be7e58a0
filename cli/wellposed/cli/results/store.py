"""Verifications kept between two runs of the tool, in the cache folder of the user and never in a tree that is checked.

A result is found again only for the same bundle, at the same place, by the same program: the key is a hash over all of
these. Whatever is wrong with the store, there is none: a result is then found anew.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import wellposed.compiler
import wellposed.dsl
import wellposed.verifier
from wellposed.cli._version import __version__
from wellposed.cli.results.codec import Unreadable, decode, encode
from wellposed.compiler import canonical
from wellposed.compiler.bundle import Bundle
from wellposed.verifier.report import Verification

MOST = 20_000
"""Results that are kept; of more, the oldest go."""
_PATIENCE = 0.2
"""Seconds that another process may hold the file, until this one goes on without."""
_BATCH = 64
"""Results that are written together."""
_FILE = "results.sqlite"
_SET_UP = "pragma synchronous = off; create table if not exists results (key blob unique, result blob);"
_OLD = "delete from results where rowid <= (select max(rowid) from results) - ?"


def folder() -> Path | None:
    """The user's cache folder for this tool; None where the system knows none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        home = os.path.expanduser("~")
        base = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return Path(base, "wellposed") if base else None


def program() -> str:
    """What tells one version of the program from another: its number, and of every module that a verdict rests on when it was
    written and how long it is."""
    stamps = []
    for package in (wellposed.dsl, wellposed.compiler, wellposed.verifier):
        for root in package.__path__:
            for path in sorted(Path(root).rglob("*.py")):
                found = path.stat()
                stamps.append([str(path), found.st_size, found.st_mtime_ns])
    return sha256(repr((__version__, stamps)).encode()).hexdigest()


class Store:
    """Results by key. `asked` are the options that a verdict depends on. Without a usable folder it knows and keeps nothing."""

    def __init__(self, asked: str) -> None:
        self._asked = sha256(f"{program()} {asked}".encode()).digest()
        self._rows = _open()
        self._fresh: list[tuple[bytes, bytes]] = []

    def get(self, bundle: Bundle) -> Verification | None:
        """What was found for this bundle, if anything was."""
        if self._rows is None:
            return None
        try:
            row = self._rows.execute("select result from results where key = ?", (self._key(bundle),)).fetchone()
            return None if row is None else decode(row[0])
        except (sqlite3.Error, Unreadable):
            return None

    def put(self, bundle: Bundle, found: Verification) -> None:
        """Keep a result, at the latest from the next `flush` on."""
        if self._rows is not None:
            with suppress(canonical.CanonicalError, TypeError):
                self._fresh.append((self._key(bundle), encode(found)))
            if len(self._fresh) >= _BATCH:
                self.flush()

    def flush(self) -> None:
        """Write what is to be kept."""
        if self._rows is not None and self._fresh:
            with suppress(sqlite3.Error), self._rows:
                self._rows.executemany("insert or replace into results values (?, ?)", self._fresh)
                self._rows.execute(_OLD, (MOST,))
        self._fresh.clear()

    def _key(self, bundle: Bundle) -> bytes:
        places = sorted(bundle.source_map.spans.items()) if bundle.source_map is not None else None
        return sha256(
            self._asked + sha256(bundle.raw).digest() + repr((bundle.path, places, bundle.skin)).encode("utf-8", "backslashreplace")
        ).digest()


def _open() -> sqlite3.Connection | None:
    """The rows in the user's folder, which is made if need be and must be the user's alone."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return None
        rows = sqlite3.connect(place / _FILE, timeout=_PATIENCE)
    except (OSError, ValueError, sqlite3.Error):
        return None
    try:
        rows.executescript(_SET_UP)
        return rows
    except sqlite3.OperationalError:  # somebody else is writing, or it cannot be written
        rows.close()
    except sqlite3.DatabaseError:  # no database (any more): the next run begins a new one
        rows.close()
        with suppress(OSError):
            (place / _FILE).unlink()
    return None
