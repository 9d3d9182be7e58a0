"""The sources of one side of a pull request: read from git objects, compiled, and found again through what they import."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from wellposed.cli.gather import Gathered
from wellposed.cli.pipeline import Verify, examine
from wellposed.cli.report import Report
from wellposed.cli.review.files import strange
from wellposed.cli.review.objects import Entry, Objects
from wellposed.compiler.imports import Importer, ImportFailed, module_of
from wellposed.compiler.inputs import Input, Kind
from wellposed.compiler.limits import LIMITS
from wellposed.dsl import tree as syntax
from wellposed.dsl.parser import parse
from wellposed.dsl.source import read_source
from wellposed.reserve.gitblobs import MissingObject

SCENARIO = Kind.SCENARIO.value
IMPORTED = (Kind.RULES.value, Kind.SKIN.value)
_NOTHING = "WP003"


class Side:
    """The files of one commit. Only regular files are read, and none that is larger than its kind may be."""

    def __init__(self, objects: Objects, tree: str) -> None:
        self.objects = objects
        self.tree = tree
        self._files: dict[str, Entry] | None = None

    @property
    def files(self) -> Mapping[str, Entry]:
        """Every regular file by its path, but for those whose names deceive. Raises TooMany, GitError."""
        if self._files is None:
            every = self.objects.regular_files(self.tree)
            self._files = {path: entry for path, entry in every if next(strange(path), None) is None}
        return self._files

    def read(self, path: str, limit: int) -> bytes | None:
        """The bytes of a regular file; None where there is none, or where it is larger than `limit`. Raises GitError."""
        found = self.objects.entry(self.tree, path)
        if found is None or not Entry(*found).is_file or self.objects.size(found[1]) > limit:
            return None
        return self.objects.blob(found[1])

    def read_import(self, folder: str, path: str) -> bytes:
        """As `compiler.imports.Reader`: the bytes of an imported file. Raises ImportFailed, GitError."""
        found = self.objects.entry(self.tree, posixpath.normpath(posixpath.join(folder, path)))
        if found is None:
            raise ImportFailed("does not exist")
        if not Entry(*found).is_file:
            raise ImportFailed("is a link, a folder or a submodule; only files are read")
        try:
            size = self.objects.size(found[1])
        except MissingObject:
            raise ImportFailed("cannot be read: its object is missing") from None
        if size > LIMITS.source_bytes:
            raise ImportFailed(f"is a file of {size} bytes; at most {LIMITS.source_bytes} are read")
        return self.objects.blob(found[1])

    def scenarios(self, skipped: Sequence[str]) -> Iterator[str]:
        """The paths of the scenario files that are not below one of the skipped folders."""
        for path in self.files:
            if path.endswith(SCENARIO) and not below(path, skipped):
                yield path

    def importing(self, wanted: frozenset[str], among: Iterable[str]) -> list[str]:
        """Those scenario files that bring in one of the wanted files, by themselves or through others."""
        importer = Importer(self)
        found = []
        for path in among:
            raw = self.read(path, LIMITS.source_bytes)
            file = None if raw is None or b"import" not in raw else parsed(path, raw)
            if file is None:
                continue
            modules, _ = importer.reachable(module_of(file, path, ()))
            if not wanted.isdisjoint(modules):
                found.append(path)
        return found

    def examined(self, paths: Iterable[str], bundles: Iterable[str], verify: Verify | None) -> Report:
        """Sources and bundles, compiled and, with `verify`, verified. Raises GitError, WitnessRejected."""
        inputs = []
        for path, kind, limit in (
            *((path, Kind.SCENARIO, LIMITS.source_bytes) for path in paths),
            *((path, Kind.BUNDLE, LIMITS.bundle_bytes) for path in bundles),
        ):
            raw = self.read(path, limit)
            if raw is not None:
                inputs.append(Input(path, kind, raw, Path(path)))
        if not inputs:
            return Report()
        report = examine(Gathered(tuple(inputs), (), ()), verify, reader=self)
        found = tuple(one for one in report.findings if one.code != _NOTHING)
        return Report(report.scenarios, found, report.suppressed, report.sources)


def parsed(path: str, raw: bytes) -> syntax.File | None:
    """The syntax tree of a source, None where it has errors of syntax."""
    source, _ = read_source(path, raw)
    return None if source is None else parse(source)[0]


def below(path: str, folders: Sequence[str]) -> bool:
    """Whether a path lies in one of these folders."""
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)
