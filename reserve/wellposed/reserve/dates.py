"""Times as the ledger writes them: `2026-01-02T00:00:00Z` and `2026-01-02`, UTC, so that text order is time order."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

_STAMP = "%Y-%m-%dT%H:%M:%SZ"


def stamp(moment: datetime) -> str:
    """A moment, cut to the second."""
    return moment.astimezone(UTC).strftime(_STAMP)


def moment_of(text: str) -> datetime:
    """The moment of a stamp. Raises ValueError for a day that no calendar has."""
    return datetime.strptime(text, _STAMP).replace(tzinfo=UTC)


def day(text: str) -> date:
    """The day of a stamp or date. Raises ValueError for one that no calendar has."""
    return date.fromisoformat(text[:10])


def later(text: str, days: int) -> date:
    """The day so many days after a stamp or date; the last day of the calendar where that is beyond it."""
    try:
        return day(text) + timedelta(days=days)
    except OverflowError:
        return date.max


def today() -> date:
    """The day it is, in UTC."""
    return datetime.now(UTC).date()
