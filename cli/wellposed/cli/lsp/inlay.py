"""Hints behind expectations: the last tick that a `within` accepts, as `send due by 17`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lsprotocol import types

from wellposed.cli.lsp.analysis import Analysis
from wellposed.cli.lsp.documents import Document
from wellposed.cli.report import ScenarioResult
from wellposed.cli.timeline.schedule import Schedule, schedule_of
from wellposed.dsl.findings import Span

WHAT = {"sent": "send", "drafted": "draft", "admitted": "admission"}
"""What is due, by claim."""
MOST_TICKS = 3
"""How many ticks are listed where the scenarios of a family, or the passes of a loop, have several."""


def hints(document: Document, analysis: Analysis, asked: types.Range) -> list[types.InlayHint]:
    """The hints in a range, from an analysis of this text."""
    found: dict[tuple[int, str], set[int]] = {}
    for one in analysis.report.scenarios:
        for span, what, tick in _deadlines(one):
            if span.path == document.path:
                found.setdefault((span.end, what), set()).add(tick)
    places = document.positions
    first, last = places.offset(asked.start), places.offset(asked.end)
    return [
        types.InlayHint(
            position=places.position(end),
            label=f"{what} due by {_ticks(sorted(ticks))}",
            padding_left=True,
            tooltip="The last tick that this expectation accepts.",
        )
        for (end, what), ticks in sorted(found.items())
        if first <= end <= last
    ]


def _ticks(ticks: list[int]) -> str:
    return ", ".join(map(str, ticks)) if len(ticks) <= MOST_TICKS else f"{ticks[0]}..{ticks[-1]}"


def _deadlines(one: ScenarioResult) -> Iterator[tuple[Span, str, int]]:
    if one.bundle is None:
        return
    document = one.bundle.document
    schedule = schedule_of(document)
    moving = _moving(one, schedule)
    for pointer, claim in _atoms(document["expect"], "/expect"):
        if claim.get("within") is None or claim["claim"] not in WHAT:
            continue
        start = schedule.named(claim.get("from") or claim["of"])
        place = one.bundle.place(pointer)
        if start is None or start.tick is None or start.seq in moving or not isinstance(place, Span):
            continue
        tick = schedule.later(start.tick, claim["within"], sends=claim["claim"] == "sent")
        if tick <= document["horizon"]:
            yield place, WHAT[claim["claim"]], tick


def _moving(one: ScenarioResult, schedule: Schedule) -> set[int]:
    """The events that do not simply happen at the tick for which they are written."""
    moving = set()
    for window in () if one.verification is None else one.verification.windows:
        if window.record.startswith("/schedule/"):
            seq = int(window.record.rpartition("/")[2])
            tick = schedule.events[seq].tick
            if (window.first, window.last) != (tick, tick):
                moving.add(seq)
    return moving


def _atoms(claims: Any, pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for index, claim in enumerate(claims):
        yield from _atoms_of(claim, f"{pointer}/{index}")


def _atoms_of(claim: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if claim["claim"] == "any":
        for index, way in enumerate(claim["of"]):
            yield from _atoms(way, f"{pointer}/of/{index}")
    elif claim["claim"] == "if":
        for member in ("if", "then", "else"):
            yield from _atoms_of(claim[member], f"{pointer}/{member}")
    else:
        yield pointer, claim
