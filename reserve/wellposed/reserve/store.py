"""The store of sealed entries: a private folder outside any work tree, one file per entry, named by its commitment."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wellposed.compiler.canonical import sha256
from wellposed.compiler.opened import Opened, Refused
from wellposed.compiler.profile import MAX_BYTES
from wellposed.dsl.findings import Finding
from wellposed.reserve.disk import PRIVATE, PRIVATE_FOLDER, Busy, locked, make_folder, write_whole
from wellposed.reserve.report import Refusal, at_file
from wellposed.reserve.secrecy import decrypt, encrypt
from wellposed.reserve.state import short

IN_WORK_TREE, UNUSABLE, IN_PLAIN = "WP885", "WP888", "WP889"
PLAIN, ENCRYPTED = ".json", ".age"
_NAME = re.compile(r"([0-9a-f]{64})(\.json|\.age)")
_OVERHEAD = 1 << 16


class Store:
    """A store at a path, with the identities that open its entries."""

    def __init__(self, path: Path, keys: Sequence[Any] = ()) -> None:
        self.path = path
        self._keys = keys

    def prepare(self) -> tuple[Finding, ...]:
        """Make the folder, and say when others can read it. Raises Refusal inside a work tree, and OSError."""
        tree = work_tree_around(self.path)
        if tree is not None:
            what = f"the store is inside the git repository {tree}: one `git add` would publish every entry"
            raise Refusal(at_file(IN_WORK_TREE, what, str(self.path), "put it elsewhere, with --store"))
        make_folder(self.path, PRIVATE_FOLDER)
        mode = stat.S_IMODE(self.path.stat().st_mode)
        if mode & 0o077:
            what = f"the store has mode {mode:04o}: others on this machine can look into it"
            return (at_file(IN_PLAIN, what, str(self.path), f"chmod 700 {self.path}"),)
        return ()

    def put(self, raw: bytes, to: Sequence[Any]) -> str:
        """Store a sealed document, encrypted where there are recipients, and return its commitment.

        What was written is read back, and hashed, before anything is said. Raises Refusal and OSError.
        """
        commit = sha256(raw)
        keys = list(self._keys)
        written, name = raw, commit.removeprefix("sha256:") + PLAIN
        if to:
            written, once = encrypt(raw, to)
            name = commit.removeprefix("sha256:") + ENCRYPTED
            keys = [once]
        write_whole(self.path / name, written, PRIVATE)
        again = self._read(name, keys)
        if again is None or sha256(again) != commit:
            raise Refusal(at_file(UNUSABLE, "what was written cannot be read back", str(self.path / name)))
        return commit

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the store against others who seal into it: what each compares with, the other would not see. Raises Refusal."""
        try:
            with locked(self.path):
                yield
        except Busy as busy:
            raise Refusal(at_file("WP890", str(busy), str(self.path))) from busy

    def remove(self, commit: str) -> None:
        """Take an entry out again that nobody was told of. Raises OSError."""
        for suffix in (PLAIN, ENCRYPTED):
            (self.path / f"{commit.removeprefix('sha256:')}{suffix}").unlink(missing_ok=True)

    def restorable(self, commit: str) -> bool:
        """Whether the identities at hand open an entry: the drill to make while there still is another copy."""
        try:
            return sha256(self.get(commit)) == commit
        except Refusal:
            return False

    def get(self, commit: str) -> bytes:
        """The sealed document of a commitment. Raises Refusal where it is missing, locked or damaged."""
        digits = commit.removeprefix("sha256:")
        names = [name for name in self._names() if name.startswith(digits)]
        if not names:
            raise Refusal(at_file(UNUSABLE, f"{short(commit)} is not in the store", str(self.path)))
        path = str(self.path / names[0])
        raw = self._read(names[0], self._keys)
        if raw is None:
            help = None if self._keys else "name the key that opens it with --identity FILE"
            raise Refusal(at_file(UNUSABLE, f"{short(commit)} cannot be decrypted with the identities given", path, help))
        if sha256(raw) != commit:
            raise Refusal(at_file(UNUSABLE, f"the entry hashes to {sha256(raw)}: it was changed or damaged", path))
        return raw

    def commits(self) -> list[str]:
        """The commitments of all entries, sorted."""
        return sorted({f"sha256:{name[:64]}" for name in self._names()})

    def open_entries(self) -> Iterator[tuple[str, bytes | None]]:
        """Every entry with its document, or None where no identity opens it."""
        for name in self._names():
            yield f"sha256:{name[:64]}", self._read(name, self._keys)

    def _names(self) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self.path) if _NAME.fullmatch(name))
        except FileNotFoundError:
            return []

    def _read(self, name: str, keys: Sequence[Any]) -> bytes | None:
        try:
            with Opened(self.path) as folder:
                raw = folder.read(name, MAX_BYTES + _OVERHEAD)
        except Refused as refused:
            raise Refusal(at_file(UNUSABLE, refused.message, refused.path)) from refused
        if name.endswith(PLAIN):
            return raw
        return decrypt(raw, keys) if keys else None


def work_tree_around(path: Path) -> str | None:
    """The git repository that a path lies in, whether the path exists or not; bare ones count, links are resolved."""
    here = Path(os.path.realpath(path))
    for folder in (here, *here.parents):
        if os.path.lexists(folder / ".git") or all((folder / name).exists() for name in ("HEAD", "objects", "refs")):
            return str(folder)
    return None
