"""What a board says, in words that the page and the Markdown share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.cli.board import LEVEL_NAMES, Board, Cell, Separation, System

TITLE = "Feature matrix"
HEAD = ("system", *LEVEL_NAMES)
EFFORT_HEAD = ("system", "runs", "implementation", "adapters", "translation of the rules", "development")
SEPARATION_HEAD = ("scenario", "systems", "pairs told apart", "by levels")
EXPLAINED = (
    "A level is passed by five runs in a row from fresh sandboxes, in each scenario that tests it; one failing run fails it.",
    "Each cell: the result, how replies were drafted, the runs that pass of those judged, how often the clock was forced on.",
    "Levels are reported independently of one another.",
)
BESIDE = "Effort stands beside the results and is no part of them: a heavy pass and a light pass are both passes."
DEMOTION = (
    "A scenario tells two systems apart if one passes a level and the other fails it. Where honest systems cluster at every "
    "level, the levels are not where they differ."
)


def cell(one: Cell | None) -> tuple[str, str]:
    """The result, and what stands below it."""
    if one is None:
        return "", ""
    parts = [one.origin or "no drafts", f"{one.passed} of {_count(one.runs, 'run')}", f"{one.forced_advances} forced"]
    if one.annulled:
        parts.append(f"{one.annulled} annulled")
    if one.copies:
        parts.append(f"{one.copies} with the same logs as another")
    if one.self_reported:
        parts.append("ticks self-reported")
    return one.result, ", ".join(parts)


def efforts(board: Board) -> Iterator[tuple[str, ...]]:
    """A row for each submission; what the submitter says himself is marked as such."""
    for system in board.systems:
        for effort in system.effort:
            seen = effort["harness_observed"]
            hours = effort["self_reported"]["development_hours"]
            said = "not said" if hours is None else f"{_count(hours, 'hour')} (self-reported)"
            parts = (seen[part] for part in ("implementation", "adapters", "rules_translation"))
            yield system.name, str(seen["runs"]), *(_count(part["lines"], "line") for part in parts), said


def separation(one: Separation) -> tuple[str, ...]:
    """The row of a scenario in the demotion test."""
    told = f"{len(one.pairs)} of {one.possible}" if one.possible else "only one system"
    return one.scenario, str(len(one.systems)), told, ", ".join(one.levels) or "none"


def conclusions(board: Board) -> Iterator[str]:
    """What the matrix says about the scenarios and the levels."""
    several = [one for one in board.separations if one.possible]
    idle = [one.scenario for one in several if not one.pairs]
    if idle:
        yield f"No two systems are told apart by {_listed(idle)}."
    if board.clustered:
        yield f"All systems that are decided agree at {_listed(board.clustered)}."
    systems = len(board.systems)
    yield f"With {_count(systems, 'system')} this is an impression, not a statistic, and who chose the systems has biased it."


def defects(board: Board) -> Iterator[str]:
    """Failures that count for nothing, with the reason that was given."""
    for system in board.systems:
        yield from (_defect(system, scenario, failure) for scenario, failure in system.defects)


def _defect(system: System, scenario: str, failure: Mapping[str, Any]) -> str:
    return f"{system.name}, {scenario}, {failure['id']}: {failure['justification']}"


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
