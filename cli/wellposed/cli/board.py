"""The board: judgements of several systems side by side, and what the scenarios tell them apart by.

Source: specification sections 0 (what would demote it), 5 (levels and origin) and 6 (effort beside the result).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePosixPath
from typing import Any

from wellposed.cli.judge import TWICE
from wellposed.cli.judge_baseline import load
from wellposed.dsl.findings import Finding, Pointer, Severity
from wellposed.dsl.vocabulary import LEVELS
from wellposed.verifier.judged import FAIL, PASS, combined

LEVEL_NAMES = tuple(f"L{level.number}" for level in LEVELS)


@dataclass(frozen=True, slots=True)
class Cell:
    """A level of one system: its result, the origin of its drafts, and the runs behind it."""

    result: str
    origin: str | None
    passed: int
    runs: int
    forced_advances: int
    self_reported: bool
    annulled: int
    copies: int
    """Runs with the same logs as an earlier one."""


@dataclass(frozen=True, slots=True)
class System:
    """A row of the matrix. `effort` are those of its judgements that have any."""

    name: str
    cells: Mapping[str, Cell]
    effort: tuple[Mapping[str, Any], ...]
    defects: tuple[tuple[str, Mapping[str, Any]], ...]
    """Failures that were annulled as defects of the fixture, with their scenarios."""


@dataclass(frozen=True, slots=True)
class Separation:
    """What one scenario tells apart: pairs of systems of which one passes a level and the other fails it."""

    scenario: str
    bundle: str
    systems: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    levels: tuple[str, ...]
    """The levels at which it separates a pair."""

    @property
    def possible(self) -> int:
        """How many pairs there are."""
        return len(self.systems) * (len(self.systems) - 1) // 2


@dataclass(frozen=True, slots=True)
class Board:
    """All systems, by name, and all scenarios, by id."""

    systems: tuple[System, ...]
    separations: tuple[Separation, ...]

    @property
    def clustered(self) -> tuple[str, ...]:
        """The levels at which at least two systems are decided and none differs from another."""
        found = []
        for level in LEVEL_NAMES:
            decided = [system.cells[level].result for system in self.systems if level in system.cells]
            decided = [result for result in decided if result in (PASS, FAIL)]
            if len(decided) > 1 and len(set(decided)) == 1:
                found.append(level)
        return tuple(found)


def board_of(paths: Sequence[str]) -> tuple[Board | None, tuple[Finding, ...]]:
    """The board of the judgements at these paths; those of one system are taken together. None if there is none."""
    findings: list[Finding] = []
    loaded: dict[str, dict[str, Any]] = {}
    for path in paths:
        document, wrong = load(path)
        findings += wrong
        if document is None:
            continue
        same = next((other for other, one in loaded.items() if one == document), None)
        if same is None:
            loaded[path] = document
        else:
            text = f"this is the judgement {same} again, which counts once"
            findings.append(Finding(TWICE, Severity.ERROR, text, Pointer(path, "")))
    documents: dict[str, list[Mapping[str, Any]]] = {}
    for path, document in loaded.items():
        documents.setdefault(document["system"] or _name(path, loaded), []).append(document)
    if not documents:
        return None, tuple(findings)
    systems = tuple(_system(name, documents[name]) for name in sorted(documents))
    return Board(systems, tuple(_separations(documents))), tuple(findings)


def _name(path: str, others: Mapping[str, Mapping[str, Any]]) -> str:
    """What a system without a name is called: its file, with the folders where that name stands for another one as well."""
    stem = PurePosixPath(path).stem
    taken = (one["system"] or PurePosixPath(other).stem for other, one in others.items() if other != path)
    return path if stem in taken else stem


def _system(name: str, documents: Sequence[Mapping[str, Any]]) -> System:
    scenarios = [scenario for document in documents for scenario in document["scenarios"]]
    cells = {}
    for level in LEVEL_NAMES:
        reporting = [scenario for scenario in scenarios if level in scenario["levels"]]
        if reporting:
            cells[level] = _cell(level, reporting)
    effort = tuple(document["effort"] for document in documents if document["effort"] is not None)
    defects = tuple(
        (scenario["id"], failure)
        for scenario in scenarios
        for failure in scenario["failures"]
        if failure["class"] == "fixture-defect"
    )
    return System(name, cells, effort, defects)


def _cell(level: str, scenarios: Sequence[Mapping[str, Any]]) -> Cell:
    results = {scenario["levels"][level]["result"] for scenario in scenarios}
    origins = {scenario["origin"] for scenario in scenarios if scenario["origin"] is not None}
    runs = [run for scenario in scenarios for run in scenario["levels"][level]["runs"]]
    return Cell(
        combined(results),
        next(iter(origins)) if len(origins) == 1 else "mixed" if origins else None,
        runs.count(PASS),
        len(runs),
        sum(scenario["forced_advances"] for scenario in scenarios),
        any(scenario["timing"] != "recorded" for scenario in scenarios),
        runs.count("annulled"),
        sum(run["same_as"] is not None for scenario in scenarios for run in scenario["runs"]),
    )


def _separations(documents: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Separation]:
    """Per scenario, by its bundle: a scenario with another hash is another scenario."""
    judged: dict[tuple[str, str], dict[str, dict[str, set[str]]]] = {}
    for name in sorted(documents):
        for document in documents[name]:
            for scenario in document["scenarios"]:
                levels = judged.setdefault((scenario["id"], scenario["bundle"]), {}).setdefault(name, {})
                for level, found in scenario["levels"].items():
                    levels.setdefault(level, set()).add(found["result"])
    return [_separation(identity, bundle, judged[identity, bundle]) for identity, bundle in sorted(judged)]


def _separation(identity: str, bundle: str, judged: Mapping[str, Mapping[str, set[str]]]) -> Separation:
    pairs, levels = [], set()
    for one, other in combinations(judged, 2):
        apart = [
            level
            for level in judged[one]
            if (_decided(judged[one][level]), _decided(judged[other].get(level, set()))) in ((PASS, FAIL), (FAIL, PASS))
        ]
        if apart:
            pairs.append((one, other))
            levels |= set(apart)
    return Separation(identity, bundle, tuple(judged), tuple(pairs), tuple(sorted(levels)))


def _decided(results: set[str]) -> str | None:
    return FAIL if FAIL in results else PASS if results == {PASS} else None
