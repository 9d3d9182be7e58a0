"""What the steps of a verification share: the reserve that is looked at, and what came out so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from wellposed.compiler.bundle import Bundle
from wellposed.dsl.findings import Finding
from wellposed.reserve.dates import today
from wellposed.reserve.gitblobs import Repository
from wellposed.reserve.lines import Chain, Line
from wellposed.reserve.state import State
from wellposed.reserve.trees import Tree

FOLDER = "reserve"


@dataclass(frozen=True, slots=True)
class Options:
    """What to look at. Without a revision the files of the folder are, and no history.

    `since` are checkpoints (seq and head) that the reader remembers; `clones` repositories of submissions by name;
    `roots` a file of certificates that the reader trusts for time stamps.
    """

    place: Path
    revision: str | None = "HEAD"
    folder: str = FOLDER
    since: tuple[tuple[int, str], ...] = ()
    as_of: date = field(default_factory=today)
    now: date = field(default_factory=today)
    require_anchor: bool = False
    roots: Path | None = None
    clones: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Anchored:
    """An anchor whose proof was checked: everything up to line `seq` existed at `time` (a stamp), what follows `recorded` did not."""

    seq: int
    kind: str
    time: str
    recorded: int


@dataclass(slots=True)
class Case:
    """One verification on its way. Steps add findings, and sentences about what was and what could not be checked."""

    options: Options
    repository: Repository | None
    revision: str | None
    tree: Tree
    chain: Chain = field(default_factory=lambda: Chain((), ()))
    state: State = field(default_factory=State)
    readable: bool = True
    findings: list[Finding] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    introduced: list[tuple[int, str]] = field(default_factory=list)
    anchored: list[Anchored] = field(default_factory=list)
    revealed: dict[str, Bundle] = field(default_factory=dict)
    manifests: list[Applied] = field(default_factory=list)

    def path(self, name: str) -> str:
        """The display path of a file of the reserve."""
        return f"{self.options.folder}/{name}"

    def commit_of(self, line: Line) -> str | None:
        """The commit in which a line of the ledger first was there, where the history says so."""
        return next((commit for count, commit in self.introduced if count >= line.number), None)

    def in_time(self, line: Line) -> bool:
        """Whether a verified anchor proves a seal or announce line before anything was made of its batch.

        The proof is part of the chain: where it was recorded above the announcement, or the first result, these are later.
        """
        batch = self.state.batches.get(line.body["batch"])
        then = None
        if batch is not None and batch.announce is not None:
            results = [one.line for entry in batch.entries for one in entry.results]
            then = batch.announce if line.type == "seal" else min(results, key=lambda one: one.seq, default=None)
        return any(line.seq <= one.seq and (then is None or one.recorded < then.seq) for one in self.anchored)


@dataclass(frozen=True, slots=True)
class Applied:
    """A manifest that is the one an apply line promised; `files` has the logs of each run that are what it says."""

    line: Line
    bundle: Bundle | None
    manifest: Mapping[str, Any]
    files: tuple[Mapping[str, bytes], ...]
    path: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The result. `figures` are counts by name; `caveats` what no reader can see from here without memory of his own."""

    options: Options
    revision: str | None
    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    unchecked: tuple[str, ...]
    caveats: tuple[str, ...]
    figures: Mapping[str, int]
    forfeits: Mapping[str, int]
    batches: tuple[Mapping[str, Any], ...]
    ledger: str | None
    head: tuple[int, str] | None
    anchored: tuple[Anchored, ...]
    state: State
