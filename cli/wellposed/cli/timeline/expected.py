"""The deadlines that a scenario's author sets: the last tick that each `within` accepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.cli.timeline.chart import Mark
from wellposed.cli.timeline.schedule import Schedule

Claim = Mapping[str, Any]


def deadlines(document: Mapping[str, Any], schedule: Schedule, moving: frozenset[int]) -> dict[str, tuple[Mark, ...]]:
    """Per message, its deadlines in order. Those that count from an event whose tick hangs on the run are left out.

    `moving` are the places of these events in the schedule.
    """
    found: dict[str, dict[tuple[int, str], None]] = {}
    for claim in _atoms(document["expect"]):
        within = claim.get("within")
        if within is None or claim["claim"] == "claims-settle":
            continue
        origin = claim.get("from") or claim["of"]
        start = schedule.named(origin)
        if start is None or start.tick is None or start.seq in moving:
            continue
        tick = schedule.later(start.tick, within, sends=claim["claim"] == "sent")
        if tick <= document["horizon"]:
            since = "" if origin == claim["of"] else f" of {origin}"
            once = " once" if claim.get("once") else ""
            found.setdefault(claim["of"], {})[tick, f"{claim['claim']}{once} within {within}{since}"] = None
    return {message: tuple(Mark(*one) for one in sorted(marks)) for message, marks in found.items()}


def _atoms(claims: Any) -> Iterator[Claim]:
    for claim in claims:
        match claim["claim"]:
            case "any":
                for way in claim["of"]:
                    yield from _atoms(way)
            case "if":
                yield from _atoms((claim["if"], claim["then"], claim["else"]))
            case _:
                yield claim
