"""The single seam to the file system: which sources and bundles stand behind the paths of a command line.

Folders are walked in sorted order. No link is followed, nothing but regular files is opened, hidden entries are
skipped, sizes and counts are bounded (`limits`). Display paths are relative to the working directory, with `/`
between folders, and the same file found twice is one input. What is wrong becomes a sentence, never an exception.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from pathlib import Path

from wellposed.compiler.imports import ImportFailed
from wellposed.compiler.limits import LIMITS, Limits

BUNDLE_NAME = "bundle.json"
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FLAGS |= getattr(os, "O_BINARY", 0)


class Kind(Enum):
    """What an input is; the value is the suffix of its name, or the name of what makes a folder a bundle."""

    SCENARIO = ".scenario"
    RULES = ".rules"
    SKIN = ".skin"
    BUNDLE = ".json"
    BUNDLE_FOLDER = BUNDLE_NAME


SOURCES = (Kind.SCENARIO, Kind.RULES, Kind.SKIN)
_BY_SUFFIX = {kind.value: kind for kind in (*SOURCES, Kind.BUNDLE)}


@dataclass(frozen=True, slots=True)
class Input:
    """One file, or one bundle folder, for which `raw` is empty: its readers have rules of their own.

    `raw` holds at most one byte more than the limit of its kind, which the reader of that kind then refuses. `location`
    is for opening only; what is shown is `path`.
    """

    path: str
    kind: Kind
    raw: bytes
    location: Path


@dataclass(frozen=True, slots=True)
class Collected:
    """What was found, sorted by display path.

    `problems` are sentences about paths that do not give what was asked for: any of them is exit status 2. `notices`
    are sentences about what was passed over on the way.
    """

    inputs: tuple[Input, ...]
    problems: tuple[str, ...]
    notices: tuple[str, ...]

    @property
    def sources(self) -> tuple[Input, ...]:
        """The scenario, rules and skin files."""
        return tuple(one for one in self.inputs if one.kind in SOURCES)

    @property
    def bundles(self) -> tuple[Input, ...]:
        """The bundle files and bundle folders."""
        return tuple(one for one in self.inputs if one.kind not in SOURCES)


class _Refused(Exception):
    """A file that is not read; the message ends a sentence that begins with its path."""


def collect(paths: Iterable[str], base: Path | None = None, limits: Limits = LIMITS) -> Collected:
    """Find and read what `paths` name: files, folders, bundle files and bundle folders.

    `base` is the working directory unless another one is given. A path that is missing, a file of no known kind and a
    folder in which there is neither a scenario file nor a bundle are problems.
    """
    return _Collector(base or Path.cwd(), limits).run(paths)


def display_path(location: Path, base: Path) -> str:
    """How a location is shown: relative to `base`, with `/`; bytes of its name that are not UTF-8 are escaped."""
    try:
        relative = os.path.relpath(location, base)
    except ValueError:  # another drive
        relative = location.name
    posix = relative.replace(os.sep, "/")
    return posix.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


class FolderReader:
    """Reads imports from the file system, for sources whose display paths are relative to `base`."""

    def __init__(self, base: Path | None = None, limits: Limits = LIMITS) -> None:
        self._base = base or Path.cwd()
        self._limits = limits

    def read_import(self, folder: str, path: str) -> bytes:
        """The bytes of the file at `path` below `folder`; raises ImportFailed, also where a link is on the way."""
        location = self._base / folder
        try:
            for part in path.split("/"):
                location = location / part
                if stat.S_ISLNK(os.lstat(location).st_mode):
                    raise ImportFailed("is a link, or is reached through one; links are not followed")
            return _read(location, self._limits.source_bytes)
        except _Refused as problem:
            raise ImportFailed(str(problem)) from None
        except FileNotFoundError:
            raise ImportFailed("does not exist") from None
        except (OSError, ValueError) as problem:
            raise ImportFailed(f"cannot be read: {_reason(problem)}") from None


class _Collector:
    """Keeps the counts of one call of `collect`."""

    def __init__(self, base: Path, limits: Limits) -> None:
        self._base = base
        self._limits = limits
        self._inputs: dict[str, Input] = {}
        self._problems: list[str] = []
        self._notices: list[str] = []
        self._bytes = 0
        self._entries = 0

    def run(self, paths: Iterable[str]) -> Collected:
        try:
            for path in paths:
                self._argument(path)
        except _Refused as problem:
            self._problems.append(str(problem))
        inputs = sorted(self._inputs.values(), key=lambda one: one.path)
        return Collected(tuple(inputs), tuple(dict.fromkeys(self._problems)), tuple(self._notices))

    def _argument(self, path: str) -> None:
        location = Path(os.path.abspath(self._base / path)) if path and "\0" not in path else None
        shown = repr(path) if location is None else display_path(location, self._base)
        try:
            mode = os.lstat(location).st_mode if location is not None else None
        except (FileNotFoundError, NotADirectoryError):
            mode = None
        except OSError as problem:
            self._problems.append(f"{shown} cannot be read: {_reason(problem)}")
            return
        if location is None or mode is None:
            self._problems.append(f"{shown} does not exist")
        elif stat.S_ISLNK(mode):
            self._problems.append(f"{shown} is a link; links are not followed")
        elif stat.S_ISDIR(mode):
            self._folder(location, shown)
        elif (kind := _BY_SUFFIX.get(location.suffix)) is None:
            known = ", ".join(one.value for one in SOURCES)
            self._problems.append(f"{shown} is not a source file ({known}) or a bundle (.json)")
        else:
            self._file(location, kind, asked_for=True)

    def _folder(self, folder: Path, shown: str) -> None:
        found = False
        for location, kind in self._walk(folder):
            found = found or kind not in (Kind.RULES, Kind.SKIN)
            if kind is Kind.BUNDLE_FOLDER:
                self._add(Input(display_path(location, self._base), kind, b"", location))
            else:
                self._file(location, kind, asked_for=False)
        if not found:
            self._problems.append(f"no scenarios found in {shown}")

    def _walk(self, top: Path) -> Iterator[tuple[Path, Kind]]:
        """The source files and bundle folders below a folder, depth first, in sorted order."""
        waiting = [(top, 0)]
        while waiting:
            folder, depth = waiting.pop()
            entries = self._entries_of(folder)
            if any(entry.name == BUNDLE_NAME and entry.is_file(follow_symlinks=False) for entry in entries):
                yield folder, Kind.BUNDLE_FOLDER
                continue
            below: list[tuple[Path, int]] = []
            for entry in entries:
                location = folder / entry.name
                kind = _BY_SUFFIX.get(location.suffix)
                if entry.name.startswith("."):
                    continue
                if entry.is_symlink():
                    self._notices.append(f"{display_path(location, self._base)} is a link and was passed over")
                elif entry.is_dir(follow_symlinks=False):
                    if depth < self._limits.folder_depth:
                        below.append((location, depth + 1))
                    else:
                        self._problems.append(
                            f"{display_path(location, self._base)} is nested too deeply and was not read"
                        )
                elif kind in SOURCES:
                    yield location, kind
            waiting.extend(reversed(below))

    def _entries_of(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as found:
                entries = []
                for entry in found:
                    self._entries += 1
                    if self._entries > self._limits.entries:
                        raise _Refused(
                            f"more than {self._limits.entries} directory entries; check fewer folders at a time"
                        )
                    entries.append(entry)
        except OSError as problem:
            self._problems.append(f"{display_path(folder, self._base)} cannot be read: {_reason(problem)}")
            return []
        return sorted(entries, key=lambda entry: entry.name)

    def _file(self, location: Path, kind: Kind, *, asked_for: bool) -> None:
        shown = display_path(location, self._base)
        if shown in self._inputs:
            return
        limit = self._limits.bundle_bytes if kind is Kind.BUNDLE else self._limits.source_bytes
        try:
            raw = _read(location, limit)
        except _Refused as problem:
            (self._problems if asked_for else self._notices).append(f"{shown} {problem}")
        except OSError as problem:
            self._problems.append(f"{shown} cannot be read: {_reason(problem)}")
        else:
            self._add(Input(shown, kind, raw, location))

    def _add(self, one: Input) -> None:
        self._inputs.setdefault(one.path, one)
        self._bytes += len(one.raw)
        if len(self._inputs) > self._limits.files or self._bytes > self._limits.total_bytes:
            raise _Refused("too many or too large files at once; check fewer of them at a time")


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as the file system describes it, in nanoseconds and bytes: what differs may have changed."""

    modified: int
    changed: int
    size: int
    inode: int


def survey(paths: Iterable[str], others: Iterable[str] = (), base: Path | None = None) -> dict[str, Stamp | None]:
    """By display path, every file that `collect` would read now for these paths, without reading any.

    The files of a bundle folder stand there one by one. A named path that is no folder is always among them, and so
    are `others`, display paths such as those of imports; None is for what is not there.
    """
    surveyor = _Surveyor(base or Path.cwd(), LIMITS)
    named = [path for path in paths if path and "\0" not in path]
    surveyor.run(named)
    for path in (*named, *others):
        location = Path(os.path.abspath(surveyor.base / path))
        if not os.path.isdir(location):
            surveyor.note(location)
    return surveyor.stamps


def content_hash(path: str, base: Path | None = None) -> str | None:
    """The SHA-256 of the file at a display path, as far as it would be read; None where it cannot be."""
    try:
        return sha256(_read((base or Path.cwd()) / path, LIMITS.bundle_bytes)).hexdigest()
    except (_Refused, OSError, ValueError):
        return None


class _Surveyor(_Collector):
    """Goes the ways of the collector, and notes the files instead of reading them."""

    def __init__(self, base: Path, limits: Limits) -> None:
        super().__init__(base, limits)
        self.base = base
        self.stamps: dict[str, Stamp | None] = {}

    def note(self, location: Path) -> None:
        try:
            found = os.lstat(location)
        except (OSError, ValueError):
            stamp = None
        else:
            stamp = Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
        self.stamps[display_path(location, self.base)] = stamp

    def _file(self, location: Path, kind: Kind, *, asked_for: bool) -> None:
        self.note(location)

    def _add(self, one: Input) -> None:
        """A bundle folder: everything in it, one folder deep, as its readers look no further."""
        for entry in self._entries_of(one.location):
            if entry.is_dir(follow_symlinks=False):
                for inner in self._entries_of(Path(entry.path)):
                    self.note(Path(inner.path))
            else:
                self.note(Path(entry.path))


def _read(location: Path, limit: int) -> bytes:
    """At most `limit + 1` bytes of a regular file; raises _Refused for anything else and OSError as it comes."""
    descriptor = os.open(location, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _Refused("is not a regular file")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return file.read(limit + 1)
    finally:
        os.close(descriptor)


def _reason(problem: OSError | ValueError) -> str:
    """Why the system refused, in its own words but without the path, which is shown already."""
    return (
        (problem.strerror or type(problem).__name__).lower()
        if isinstance(problem, OSError)
        else "its path is not possible"
    )
