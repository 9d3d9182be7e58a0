"""The two sides of a pull request as git objects: the commits, where their histories part, and what differs between their trees.

Nothing is read but objects, each hashed again; the work tree, the index, attributes, filters, hooks, replace refs and the
configuration of the repository take no part. Sizes are asked for before anything large is read.
"""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from wellposed.compiler.limits import LIMITS
from wellposed.reserve.gitblobs import GitError, MissingObject, Repository, _environment

FOLDER, LINK, MODULE, PROGRAM = "40000", "120000", "160000", "100755"
_FILES = ("100644", "100664", PROGRAM)


class TooMany(Exception):
    """More than a limit allows; `limit` is its name in the table of limits, `str()` one sentence."""

    def __init__(self, limit: str, sentence: str) -> None:
        super().__init__(sentence)
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Entry:
    """What a tree has at a path."""

    mode: str
    id: str

    @property
    def is_file(self) -> bool:
        """A regular file, executable or not: nothing else is ever read."""
        return self.mode in _FILES


@dataclass(frozen=True, slots=True)
class Changed:
    """A path that the two sides do not have alike; None where a side has nothing. A folder is told by its files.

    Bytes of a name that are not UTF-8 are lone surrogates, as Python escapes them; `shown` spells them out.
    """

    path: str
    before: Entry | None
    after: Entry | None


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two histories part: the best common ancestors, and whether some of the history is not here."""

    ancestors: tuple[str, ...]
    cut: bool


def shown(path: str) -> str:
    """A path as it is shown and reported: bytes that are not UTF-8 are spelled out."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class Objects(Repository):
    """A repository whose objects can also be asked for their size, and whose trees are read without losing an entry."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._sizes = subprocess.Popen(
            self._command("cat-file", "--batch-check=%(objecttype) %(objectsize)"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment(), cwd=folder,
        )  # fmt: skip

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        for stream in (self._sizes.stdin, self._sizes.stdout):
            if stream is not None:
                stream.close()
        self._sizes.wait()

    def size(self, id: str) -> int:
        """The size of a blob in bytes. Raises MissingObject, GitError."""
        stdin, stdout = self._sizes.stdin, self._sizes.stdout
        assert stdin is not None and stdout is not None, "both are pipes"
        try:
            stdin.write(id.encode() + b"\n")
            stdin.flush()
            kind, _, size = stdout.readline().strip().partition(b" ")
        except OSError as error:
            raise GitError("git cat-file has ended") from error
        if kind != b"blob" or not size.isdigit():
            if kind in (b"tree", b"commit", b"tag"):
                raise GitError(f"{id} is a {kind.decode()} where a blob is due")
            raise MissingObject(f"the blob {id} is missing from this repository")
        return int(size)

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """The entries of a tree. Raises GitError, also for a name that is a path, or stands twice: two readers would see two trees."""
        raw = self._required(tree, "tree")
        width, at = len(tree) // 2, 0
        found: dict[str, Entry] = {}
        while at < len(raw):
            end = raw.find(b"\0", at)
            if end < 0 or end + 1 + width > len(raw):
                raise GitError(f"the tree {tree} is damaged")
            mode, _, name = raw[at:end].partition(b" ")
            path = name.decode("utf-8", "surrogateescape")
            if path in found or not path or "/" in path:
                what = "twice" if path in found else "as a name"
                raise GitError(f"the tree {tree} has {shown(path)[:80]!a} {what}")
            at = end + 1 + width
            found[path] = Entry(mode.decode("ascii", "replace").lstrip("0"), raw[end + 1 : at].hex())
        return found

    def parting(self, base: str, head: str, limit: int = LIMITS.history) -> Parting:
        """The best common ancestors of two commits, from the parents that the commits name.

        Raises TooMany where more than `limit` commits would have to be looked at.
        """
        below = _Ancestry(self, limit)
        of_base, of_head = below.of(base), below.of(head)
        common = of_base & of_head
        worse = {ancestor for one in common for ancestor in below.parents.get(one, ()) if ancestor in common}
        waiting = deque(worse)
        while waiting:
            for ancestor in below.parents.get(waiting.popleft(), ()):
                if ancestor not in worse:
                    worse.add(ancestor)
                    waiting.append(ancestor)
        return Parting(tuple(sorted(common - worse)), below.cut)

    def own_commits(self, head: str, base: str, limit: int) -> tuple[list[str], bool]:
        """The commits of head's history that are not in base's, newest first, and whether there are more than `limit`."""
        below = _Ancestry(self, LIMITS.history)
        known = below.of(base)
        seen, waiting, own = {head}, deque([head]), list[str]()
        while waiting:
            id = waiting.popleft()
            if id in known:
                continue
            if len(own) == limit:
                return own, True
            own.append(id)
            for parent in below.parents_of(id):
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return own, False

    def changes(self, before: str | None, after: str | None, limit: int) -> Iterator[Changed]:
        """The files in which two trees differ, by path; what the two have alike is not looked into.

        Raises TooMany for more than `limit`, or for a tree that is too large or nested too deeply, and GitError.
        """
        count = looked = 0
        waiting: list[tuple[str, str | None, str | None, int]] = [("", before, after, 0)]
        while waiting:
            folder, old, new, depth = waiting.pop()
            if depth > LIMITS.folder_depth:
                raise TooMany("folder_depth", f"folders are nested more than {LIMITS.folder_depth} deep in the pull request")
            had = {} if old is None else self.entries(old)
            has = {} if new is None else self.entries(new)
            looked += len(had) + len(has)
            if looked > LIMITS.entries:
                raise TooMany("entries", f"the changed folders have more than {LIMITS.entries} entries")
            for name in sorted({*had, *has}):
                one, other = had.get(name), has.get(name)
                if one == other:
                    continue
                path = f"{folder}/{name}" if folder else name
                trees = [entry.id if entry is not None and entry.mode == FOLDER else None for entry in (one, other)]
                if any(trees):
                    waiting.append((path, trees[0], trees[1], depth + 1))
                leaves = [None if entry is None or entry.mode == FOLDER else entry for entry in (one, other)]
                if any(leaves):
                    count += 1
                    if count > limit:
                        raise TooMany("changed_files", f"the pull request changes more than {limit} files; nothing of it was looked at")
                    yield Changed(path, leaves[0], leaves[1])

    def regular_files(self, tree: str) -> Iterator[tuple[str, Entry]]:
        """Every regular file of a tree, by path. Raises TooMany, GitError."""
        for one in self.changes(None, tree, LIMITS.entries):
            if one.after is not None and one.after.is_file:
                yield one.path, one.after


class _Ancestry:
    """The commits behind others, each read once."""

    def __init__(self, repository: Objects, limit: int) -> None:
        self._repository = repository
        self._limit = limit
        self.parents: dict[str, tuple[str, ...]] = {}
        self.cut = False

    def parents_of(self, id: str) -> tuple[str, ...]:
        """The parents that are here."""
        if id not in self.parents:
            if len(self.parents) >= self._limit:
                raise TooMany("history", f"the histories part more than {self._limit} commits ago, or never")
            named = self._repository.commit(id).parents
            here = tuple(parent for parent in named if self._repository.has(parent))
            self.cut = self.cut or len(here) < len(named)
            self.parents[id] = here
        return self.parents[id]

    def of(self, commit: str) -> set[str]:
        """A commit and all that is behind it."""
        seen, waiting = {commit}, deque([commit])
        while waiting:
            for parent in self.parents_of(waiting.popleft()):
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
        return seen
