"""From a run as JSON tells it back to a run: what everybody needs who reads one, whatever the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Events = Sequence[Mapping[str, Any]]
"""A run as reports tell it: the objects of `trace-event`, in order."""


class NotThisRun(Exception):
    """Events that no run of the scenario consists of; the message is a sentence, `number` the event (from 0) or None."""

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.number = number
