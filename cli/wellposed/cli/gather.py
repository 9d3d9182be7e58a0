"""From the paths of a command line to inputs: files through the compiler's one seam, standard input, sources to quote."""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wellposed.cli.output import reason
from wellposed.compiler.imports import Reader
from wellposed.compiler.inputs import Collected, FolderReader, Input, Kind, collect, display_path
from wellposed.compiler.limits import LIMITS
from wellposed.dsl.findings import Finding, Severity
from wellposed.dsl.source import SourceFile, read_source

STDIN = "-"
NO_SCENARIOS = "no scenarios found in "
NO_SOURCES = "no source files found in "


@dataclass(frozen=True, slots=True)
class Gathered:
    """Inputs by display path, what was unusable as findings (exit status 2), and remarks for stderr."""

    inputs: tuple[Input, ...]
    findings: tuple[Finding, ...]
    notices: tuple[str, ...]


def gather(paths: Sequence[str], stdin_filename: str) -> Gathered:
    """Read everything that the paths name; `-` is standard input under the name that was given for it."""
    named = [path for path in paths if path != STDIN]
    found = collect(named) if named else Collected((), (), ())
    inputs = {one.path: one for one in found.inputs}
    problems = list(found.problems)
    if STDIN in paths:
        one, problem = _stdin(stdin_filename)
        if one is not None:
            inputs[one.path] = one
        if problem is not None:
            problems.append(problem)
    if not problems and all(one.kind in (Kind.RULES, Kind.SKIN) for one in inputs.values()):
        problems.append(f"{NO_SCENARIOS}{', '.join(sorted(inputs))}")
    ordered = tuple(inputs[path] for path in sorted(inputs))
    return Gathered(ordered, tuple(_unusable(problem) for problem in problems), found.notices)


def gather_bundles(paths: Sequence[str]) -> Gathered:
    """As `gather`, but only bundles count, and a folder without any is itself looked at as a bundle folder."""
    inputs: dict[str, Input] = {}
    findings: list[Finding] = []
    notices: list[str] = []
    for path in paths:
        found = collect([path])
        notices += found.notices
        bundles = {one.path: one for one in found.bundles}
        location = Path(os.path.abspath(path)) if path and "\0" not in path else None
        if not bundles and location is not None and location.is_dir() and not location.is_symlink():
            one = Input(display_path(location, Path.cwd()), Kind.BUNDLE_FOLDER, b"", location)
            bundles = {one.path: one}
        elif found.problems:
            findings += [_unusable(problem) for problem in found.problems]
        elif not bundles:
            findings.append(_unusable(f"no bundles found in {path}"))
        inputs |= bundles
    return Gathered(tuple(inputs[path] for path in sorted(inputs)), tuple(findings), tuple(notices))


def gather_sources(paths: Sequence[str], stdin_filename: str) -> Gathered:
    """As `gather`, but only source files count, and rules or skins alone are enough."""
    inputs: dict[str, Input] = {}
    problems: list[str] = []
    notices: list[str] = []
    for path in paths:
        if path == STDIN:
            one, problem = _stdin(stdin_filename)
            found = Collected(() if one is None else (one,), () if problem is None else (problem,), ())
        else:
            found = collect([path])
        notices += found.notices
        wrong = [problem for problem in found.problems if not problem.startswith(NO_SCENARIOS)]
        problems += wrong if wrong or found.sources else [f"{NO_SOURCES}{path}"]
        inputs |= {one.path: one for one in found.sources}
    ordered = tuple(inputs[path] for path in sorted(inputs))
    return Gathered(ordered, tuple(map(_unusable, problems)), tuple(notices))


def nothing_in(inputs: Sequence[Input]) -> Finding:
    """WP003 for inputs that could be read and hold no scenario."""
    return _unusable(f"{NO_SCENARIOS}{', '.join(one.path for one in inputs)}")


def several_bundles(path: str) -> Finding:
    """WP004 for a path that stands for more than one bundle where one is due."""
    return _unusable(f"{path} holds several bundles, and one is due here")


def unreadable(path: str, failure: OSError | None) -> Finding:
    """WP002 or WP004 for a path that does not exist, or for what the system says to it."""
    if failure is None or isinstance(failure, FileNotFoundError | NotADirectoryError):
        return _unusable(f"{path} does not exist")
    return _unusable(f"{path} cannot be read: {reason(failure)}")


def _stdin(name: str) -> tuple[Input | None, str | None]:
    if "\0" in name or not name:
        return None, "--stdin-filename is not a possible name"
    location = Path(os.path.abspath(name))
    kind = next((kind for kind in Kind if kind is not Kind.BUNDLE_FOLDER and kind.value == location.suffix), None)
    if kind is None:
        return None, f"--stdin-filename {name} does not end in .scenario, .rules, .skin or .json"
    limit = LIMITS.bundle_bytes if kind is Kind.BUNDLE else LIMITS.source_bytes
    try:
        if sys.stdin is None:
            return None, "standard input is closed"
        raw = sys.stdin.buffer.read(limit + 1)
    except (OSError, ValueError):
        return None, "standard input cannot be read"
    return Input(display_path(location, Path.cwd()), kind, raw, location), None


def _unusable(problem: str) -> Finding:
    code = (
        "WP002"
        if problem.endswith(" does not exist")
        else "WP003"
        if problem.startswith((NO_SCENARIOS, NO_SOURCES))
        else "WP004"
    )
    return Finding(code, Severity.ERROR, problem)


class Quotable(Mapping[str, SourceFile]):
    """The texts that findings can point into, by display path: the inputs, and the imports that were read on the way.

    It is also the compiler's reader of imports, which is how it comes to know them. Texts are decoded when first
    quoted.
    """

    def __init__(self, reader: Reader | None = None) -> None:
        self._files = reader or FolderReader()
        self._raw: dict[str, bytes] = {}
        self.imports: dict[str, bytes | None] = {}
        """What was asked for as an import, by display path; None for what could not be read."""
        self._sources: dict[str, SourceFile] = {}

    def add(self, source: SourceFile) -> None:
        """A source that was decoded already."""
        self._sources[source.path] = source

    def read_import(self, folder: str, path: str) -> bytes:
        """The bytes of an imported file; raises ImportFailed."""
        shown = posixpath.normpath(posixpath.join(folder, path))
        self.imports[shown] = None
        raw = self._files.read_import(folder, path)
        self._raw[shown] = self.imports[shown] = raw
        return raw

    def __getitem__(self, path: str) -> SourceFile:
        if path not in self._sources:
            source, _ = read_source(path, self._raw[path])
            if source is None:
                raise KeyError(path)
            self._sources[path] = source
        return self._sources[path]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._raw, **self._sources})

    def __len__(self) -> int:
        return len({**self._raw, **self._sources})
