"""One finding of a check, with the severity that the table of codes gives it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from wellposed.compiler.limits import LIMITS
from wellposed.dsl.codes import BY_ID
from wellposed.dsl.findings import Finding, Label, Span

SHOWN = 60


def found(
    code: str,
    place: Span,
    message: str,
    *,
    help: str,
    labels: Iterable[tuple[Span | None, str]] = (),
    notes: tuple[str, ...] = (),
) -> Finding:
    """A finding of no scenario yet; labels without a place are left out, and so are those above a limit."""
    placed = (Label(span, text) for span, text in labels if span is not None)
    return Finding(
        code=code,
        severity=BY_ID[code].severity,
        message=message,
        place=place,
        labels=tuple(islice(placed, LIMITS.chain_labels)),
        notes=notes,
        help=help,
    )


def shown(text: str) -> str:
    """A text of the fixture in quotes, its end left out where it is long; renderers escape what is in it."""
    return f'"{text}"' if len(text) <= SHOWN else f'"{text[:SHOWN]}…"'


def ticks(count: int) -> str:
    """`1 tick`, `2 ticks`."""
    return "1 tick" if count == 1 else f"{count} ticks"
