"""Reading a git repository without running anything of it: objects by their ids, each hashed again before it is believed.

Only plumbing is used (`rev-parse`, `cat-file --batch`, `for-each-ref` and `ls-files` for what is no object),
with a fixed environment. Commits and trees are parsed here, so that replace refs, grafts, attributes, filters, hooks and the
configuration of the repository change nothing, and a missing object is never fetched.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from wellposed.reserve.trees import NotReadable

__all__ = ["Commit", "GitError", "GitTree", "MissingObject", "Repository"]

_SETTINGS = {
    "safe.directory": "*",  # nothing of the repository is run, so it may belong to anybody
    "safe.bareRepository": "explicit",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.commitGraph": "false",
    "core.attributesFile": os.devnull,
    "protocol.allow": "never",
}
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_GRAFT_FILE": os.devnull,
    "LC_ALL": "C",
}
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_HEADER = re.compile(rb"([0-9a-f]+) (blob|tree|commit|tag) ([0-9]+)")
MAX_OBJECT = 80 << 20
"""Bytes of an object that is read at all."""
_MAX_TREE = 16 << 20
_PIECE = 1 << 20
_KEPT_TREES = 4096
_TREE, _LINK, _MODULE = "40000", "120000", "160000"


class GitError(Exception):
    """The repository cannot be read; `str()` is one sentence."""


class MissingObject(GitError):
    """An object is not in the repository, as in a shallow or partial clone."""


@dataclass(frozen=True, slots=True)
class Commit:
    """What is needed of a commit."""

    id: str
    tree: str
    parents: tuple[str, ...]


class Repository:
    """The objects of a repository, read through one `git cat-file --batch`. Raises GitError; use it as a context."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("git")
        if program is None:
            raise GitError("git is not installed, and the history is read through it")
        self._program = program
        self.folder = folder
        self._trees: dict[str, Mapping[str, tuple[str, str]]] = {}
        self._git_dir: str | None = None
        self._git_dir = self._ask("rev-parse", "--absolute-git-dir")
        self._batch = subprocess.Popen(
            self._command("cat-file", "--batch"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment(), cwd=folder,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self._batch.stdin, self._batch.stdout):
            if stream is not None:
                stream.close()
        self._batch.wait()

    def _command(self, *arguments: str) -> list[str]:
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        where = [] if self._git_dir is None else [f"--git-dir={self._git_dir}"]
        return [self._program, "--no-pager", *settings, *where, *arguments]

    def _run(self, *arguments: str) -> bytes:
        try:
            done = subprocess.run(
                self._command(*arguments), cwd=self.folder, env=_environment(), stdin=subprocess.DEVNULL,
                capture_output=True, check=False,
            )  # fmt: skip
        except OSError as error:
            raise GitError(f"git cannot be run here: {(error.strerror or '').lower()}") from error
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
            raise GitError(f"git {arguments[0]}: {said[-1].removeprefix('fatal: ') if said else 'failed'}")
        return done.stdout

    def _ask(self, *arguments: str) -> str:
        return self._run(*arguments).decode("utf-8", "surrogateescape").removesuffix("\n")

    def top(self) -> Path | None:
        """The top of the work tree, or None for a bare repository."""
        git_dir = Path(self._git_dir or "")
        return git_dir.parent if git_dir.name == ".git" else None

    def resolve(self, revision: str) -> str:
        """The id of the commit that a revision names."""
        if revision.startswith("-") or "\0" in revision:
            raise GitError("a revision does not begin with a hyphen")
        try:
            return self._ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        except GitError:
            raise GitError(f"there is no commit {revision[:80]!a} in this repository") from None

    def _object(self, id: str) -> tuple[str, bytes] | None:
        """Kind and bytes of an object; None where it is not there. Its id is computed again from what comes."""
        stdin, stdout = self._batch.stdin, self._batch.stdout
        if stdin is None or stdout is None or not _ID.fullmatch(id):
            raise GitError(f"{id[:64]!a} is not the id of an object")
        try:
            stdin.write(id.encode() + b"\n")
            stdin.flush()
            header = _HEADER.fullmatch(stdout.readline().rstrip(b"\n"))
            if header is None:
                return None
            size = int(header.group(3))
            if size > MAX_OBJECT:
                for start in range(0, size + 1, _PIECE):  # what follows must be the answer to the next question
                    stdout.read(min(_PIECE, size + 1 - start))
                raise GitError(f"object {id} has {size} bytes; at most {MAX_OBJECT} are read")
            raw = stdout.read(size)
            stdout.read(1)
        except (OSError, ValueError) as error:
            raise GitError("git cat-file has ended") from error
        kind = header.group(2)
        digest = hashlib.sha1 if len(id) == 40 else hashlib.sha256
        if digest(b"%s %d\0" % (kind, size) + raw, usedforsecurity=False).hexdigest() != id:
            raise GitError(f"object {id} is not what its id says: the repository is damaged, or was tampered with")
        return kind.decode(), raw

    def _required(self, id: str, kind: str) -> bytes:
        found = self._object(id)
        if found is None:
            raise MissingObject(f"the {kind} {id} is missing from this repository")
        if found[0] != kind:
            raise GitError(f"{id} is a {found[0]} where a {kind} is due")
        return found[1]

    def commit(self, id: str) -> Commit:
        """A commit by its id."""
        tree, parents = "", []
        for line in self._required(id, "commit").split(b"\n"):
            name, _, value = line.partition(b" ")
            if name == b"tree":
                tree = value.decode("ascii", "replace")
            elif name == b"parent":
                parents.append(value.decode("ascii", "replace"))
            else:
                break
        return Commit(id, tree, tuple(parents))

    def has(self, id: str) -> bool:
        """Whether an object is there."""
        return self._object(id) is not None

    def tree(self, id: str) -> Mapping[str, tuple[str, str]]:
        """Mode and id of each entry of a tree, by name; names that are not UTF-8 are escaped."""
        if id not in self._trees:
            if len(self._trees) > _KEPT_TREES:
                self._trees.clear()
            self._trees[id] = self._parsed_tree(id)
        return self._trees[id]

    def _parsed_tree(self, id: str) -> dict[str, tuple[str, str]]:
        raw = self._required(id, "tree")
        if len(raw) > _MAX_TREE:
            raise GitError(f"the tree {id} has {len(raw)} bytes; at most {_MAX_TREE} are read")
        width, at, found = len(id) // 2, 0, {}
        names: set[bytes] = set()
        while at < len(raw):
            end = raw.find(b"\0", at)
            if end < 0:
                raise GitError(f"the tree {id} is damaged")
            mode, _, name = raw[at:end].partition(b" ")
            if name in names or not name or b"/" in name:
                raise GitError(f"the tree {id} has {name.decode('utf-8', 'replace')[:80]!a} twice, or as no name: readers differ in what they see")
            names.add(name)
            found[name.decode("utf-8", "surrogateescape")] = (_mode(mode), raw[end + 1 : end + 1 + width].hex())
            at = end + 1 + width
        return found

    def entry(self, tree: str, path: str) -> tuple[str, str] | None:
        """Mode and id of what is at a path below a tree; None where nothing is, or where a folder on the way is none."""
        mode, id = _TREE, tree
        for name in path.split("/") if path else []:
            if mode != _TREE:
                return None
            found = self.tree(id).get(name)
            if found is None:
                return None
            mode, id = found
        return mode, id

    def blob(self, id: str) -> bytes:
        """The bytes of a blob."""
        return self._required(id, "blob")

    def first_parents(self, commit: str) -> Iterator[Commit]:
        """A commit, its first parent, and so on. Raises MissingObject where the clone is shallow."""
        known = self.commit(commit)
        while True:
            yield known
            if not known.parents:
                return
            known = self.commit(known.parents[0])

    def replaced(self) -> list[str]:
        """The refs that would make other programs see one object in the place of another."""
        return self._ask("for-each-ref", "--format=%(refname)", "refs/replace/").split()

    def index(self) -> Iterator[tuple[str, str]]:
        """Path and id of every file in the index; in a hook, in the index of the commit that is being made."""
        for line in self._run("ls-files", "--stage", "-z").split(b"\0"):
            meta, _, name = line.partition(b"\t")
            parts = meta.split()
            if len(parts) == 3 and parts[0].decode() not in (_MODULE, _LINK):
                yield name.decode("utf-8", "backslashreplace"), parts[1].decode()

    def files(self, tree: str, below: str = "") -> Iterator[tuple[str, str]]:
        """Path and id of every regular file below a tree."""
        waiting = [(below, tree)]
        while waiting:
            path, id = waiting.pop()
            for name, (mode, inner) in self.tree(id).items():
                shown = f"{path}/{name}" if path else name
                if mode == _TREE:
                    waiting.append((shown, inner))
                elif mode not in (_LINK, _MODULE):
                    yield shown, inner

    def blobs(self, limit: int) -> Iterator[str]:
        """The ids of all blobs of at most `limit` bytes that the repository holds, reachable or not."""
        listing = self._run(
            "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname) %(objecttype) %(objectsize)"
        )
        for line in listing.decode("ascii").splitlines():
            id, kind, size = line.split()
            if kind == "blob" and int(size) <= limit:
                yield id


class GitTree:
    """The files of a commit as a tree; see `trees.Tree`."""

    def __init__(self, repository: Repository, tree: str) -> None:
        self.repository = repository
        self.id = tree

    def read(self, path: str, limit: int) -> bytes:
        """As `Tree.read`. Raises GitError where the repository itself cannot be read."""
        found = self.repository.entry(self.id, path)
        if found is None:
            raise NotReadable("is missing")
        mode, id = found
        if mode in (_TREE, _LINK, _MODULE):
            kind = {_TREE: "a folder", _LINK: "a link", _MODULE: "a submodule"}[mode]
            raise NotReadable(f"is not read: {kind} where a file is due")
        raw = self.repository.blob(id)
        if len(raw) > limit:
            raise NotReadable(f"is a file of {len(raw)} bytes; at most {limit} are read")
        return raw

    def names(self, path: str) -> list[str]:
        """As `Tree.names`."""
        found = self.repository.entry(self.id, path)
        if found is None or found[0] != _TREE:
            return []
        return sorted(name + ("/" if mode == _TREE else "") for name, (mode, _) in self.repository.tree(found[1]).items())


def _mode(raw: bytes) -> str:
    """The mode as git understands it, which old programs wrote with a zero in front."""
    return raw.decode("ascii", "replace").lstrip("0")


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name == "GIT_INDEX_FILE"}
    return {**kept, **_ENVIRONMENT}
