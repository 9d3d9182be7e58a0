"""Findings of a review: about a file of the pull request, with the severity of the table of codes."""

from __future__ import annotations

from collections.abc import Sequence

from wellposed.cli.review.objects import shown
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label, Place, Pointer, Severity


def at(
    code: str,
    message: str,
    place: Place | str | None,
    *,
    labels: Sequence[Label] = (),
    detail: Sequence[str] = (),
    notes: Sequence[str] = (),
    help: str | None = None,
    scenario: str | None = None,
    severity: Severity | None = None,
) -> Finding:
    """A finding; a path stands for the file as a whole. Paths and details are spelled out where they are not UTF-8."""
    return Finding(
        code,
        severity or BY_ID[code].severity,
        message,
        Pointer(shown(place), "") if isinstance(place, str) else place,
        labels=tuple(labels),
        detail=tuple(map(shown, detail)),
        notes=tuple(notes),
        help=help,
        scenario=scenario,
    )
