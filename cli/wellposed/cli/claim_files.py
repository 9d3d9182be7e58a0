"""Claims in a work tree: which folders hold one, and what lies in them. No link is followed, everything is bounded."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wellposed.cli.gather import unreadable
from wellposed.compiler.inputs import display_path
from wellposed.compiler.limits import LIMITS
from wellposed.compiler.opened import Opened, Refused, TooLarge
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Pointer, Severity
from wellposed.verifier.claims import CLAIM_FILE, MappingFiles
from wellposed.verifier.claims.mechanism import NO_FILE
from wellposed.verifier.claims.read import PARENT

TOO_LARGE = "WP900"


@dataclass(frozen=True, slots=True)
class Found:
    """The folder of a claim: its display path, and where it is."""

    path: str
    location: Path

    @property
    def root(self) -> Path:
        """The folder above `claims/`, which its scenarios belong to."""
        return self.location.parent.parent


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies in the folder of a claim, and what stands against using it."""

    files: MappingFiles
    findings: tuple[Finding, ...]


def claims_at(paths: Sequence[str]) -> tuple[tuple[Found, ...], tuple[Finding, ...]]:
    """The claims that paths stand for: a claim.yaml, the folder of one, `claims` itself, or the folder that holds it."""
    found: dict[str, Found] = {}
    problems: list[Finding] = []
    for path in paths:
        try:
            folders = _folders(path)
        except OSError as failure:
            problems.append(unreadable(path, failure))
            continue
        except ValueError:
            problems.append(unreadable(repr(path), None))
            continue
        except Refused as refused:
            problems.append(_unusable("WP004", f"{path} cannot be read: {refused.message}"))
            continue
        if not folders:
            problems.append(_unusable("WP003", f"no claims found in {path}"))
        for folder in folders:
            # With the two folders that say what it is, even where the working directory is one of them.
            place = (display_path(folder.parent.parent, Path.cwd()), folder.parent.name, folder.name)
            shown = posixpath.normpath(
                "/".join(part.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") for part in place)
            )
            found.setdefault(shown, Found(shown, folder))
    if len(found) > LIMITS.claims:
        problems.append(
            _unusable("WP004", f"more than {LIMITS.claims} claims at once; examine fewer of them at a time")
        )
        return (), tuple(problems)
    return tuple(found[path] for path in sorted(found)), tuple(problems)


def _unusable(code: str, text: str) -> Finding:
    return Finding(code, Severity.ERROR, text)


def _folders(path: str) -> list[Path]:
    """The folders of claims at a path. Raises OSError, ValueError, Refused."""
    location = Path(os.path.abspath(path))
    if not path or "\0" in path:
        raise ValueError(path)
    mode = os.lstat(location).st_mode
    if stat.S_ISLNK(mode):
        raise Refused("a link; links are not followed", path)
    if not stat.S_ISDIR(mode):
        return [location.parent] if location.name == CLAIM_FILE else []
    with Opened(location) as folder:
        names = folder.names()
        if CLAIM_FILE in names or location.parent.name == PARENT:
            return [location]
        if location.name == PARENT:
            return _below(location, folder)
    if PARENT not in names:
        return []
    with Opened(location / PARENT) as folder:
        return _below(location / PARENT, folder)


def _below(location: Path, folder: Opened) -> list[Path]:
    return [
        location / name for name in folder.names() if not name.startswith(".") and not os.path.isfile(location / name)
    ]


def lying(found: Found) -> Lying:
    """Every regular file in the folder of a claim; the rest is told."""
    return _Reading(found).result()


class _Reading:
    def __init__(self, found: Found) -> None:
        self._path = found.path
        self._location = found.location
        self._files: dict[str, bytes] = {}
        self._size = 0
        self._findings: list[Finding] = []

    def result(self) -> Lying:
        try:
            with Opened(self._location) as folder:
                self._read(folder, "", 0)
        except OSError as failure:
            self._findings.append(unreadable(self._path, failure))
        except TooLarge as refused:
            self._say(TOO_LARGE, refused.message, self._shown(refused.path))
        except Refused as refused:
            self._say(NO_FILE, f"{refused.message}: a claim is regular files in folders", self._shown(refused.path))
        return Lying(MappingFiles(self._files), tuple(self._findings))

    def _shown(self, path: str) -> str:
        """The display path of what could not be read, which lies at this path or was given one."""
        inside = path.removeprefix(self._location.as_posix())
        return path if inside == path else f"{self._path}{inside}"

    def _say(self, code: str, text: str, path: str) -> None:
        self._findings.append(Finding(code, BY_ID[code].severity, text, Pointer(path, "")))

    def _read(self, folder: Opened, below: str, depth: int) -> None:
        for name in folder.names():
            if folder.is_file(name):
                if len(self._files) >= LIMITS.claim_files:
                    raise TooLarge(f"more than {LIMITS.claim_files:,} files in the folder of a claim", self._path)
                raw = folder.read(name, LIMITS.claim_folder_bytes - self._size)
                self._size += len(raw)
                self._files[below + name] = raw
            elif depth >= LIMITS.yaml_depth:
                raise TooLarge("nested too deeply", f"{self._path}/{below}{name}")
            else:
                with folder.folder(name) as inner:
                    self._read(inner, f"{below}{name}/", depth + 1)
