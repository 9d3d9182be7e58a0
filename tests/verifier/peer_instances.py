"""The scenarios on which wellposed and its peers are compared: the known answers that the peers are told all of, and small fleets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.instances import crowded, mixed, taken_back
from bench.peers.facts import Unsupported, read
from tests.verifier.known_answers import known_answers

EVERY = 7
"""Of the known answers that make up a grid, each so-manieth is taken."""


def instances() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and document."""
    for place, known in enumerate(known_answers()):
        if "delivered at" in known.name and place % EVERY:
            continue
        try:
            read(known.document)
        except Unsupported:
            continue
        yield known.name, known.document
    yield "a fleet of five", mixed(5, 60)
    yield "four taken back", taken_back(4, 60)
    yield "crowded", crowded(60)
