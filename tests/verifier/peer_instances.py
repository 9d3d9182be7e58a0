"""The scenarios on which wellposed and its peers are compared: the known answers that the peers are told all of, small fleets, and random ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bench.instances import crowded, mixed, taken_back
from bench.peers.facts import Unsupported, read
from tests.verifier.known_answers import Event, abandoned, document, known_answers, never_sent, sent

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


def scattered(seed: int) -> dict[str, Any]:
    """A random scenario of what the peers know, its events near each other and near the budgets."""
    rng = Random(seed)
    level, horizon = rng.choice((0, 1, 2, 2, 3, 3, 4, 5, 6, 6, 6)), rng.choice((20, 30, 40, 60))
    arrivals = [(f"m{number}", rng.choice((0, 0, 0, 1, 3, 8))) for number in range(rng.choice((1, 1, 1, 2)))]
    events: list[Event] = []
    for message, _ in arrivals:
        tick = rng.randint(0, 16)
        for number in range(rng.choice((0, 1, 1, 2, 2, 3))):
            tick = min(horizon, tick + rng.choice((0, 0, 1, 1, 2, 3, 5, 6, 10)))
            kind = rng.choice(("approve", "approve", "approve", "reject", "escalate", "crash", "crash"))
            events.append((tick, kind, message, f"{message}.{number}"))
    if level >= 3 and rng.random() < 0.5:
        events.append((rng.randint(1, min(25, horizon)), "kill", "m0", "death"))
    expect = [_claim(rng, message, events) for message, _ in arrivals for _ in range(rng.choice((0, 1, 1, 2)))]
    return document(level, events, expect, horizon=horizon, messages=tuple(arrivals))


def _claim(rng: Random, message: str, events: list[Event]) -> dict[str, Any]:
    if rng.random() < 0.25:
        return _atom(rng, message, events)
    alternatives = [[_atom(rng, message, events) for _ in range(rng.choice((1, 1, 2)))] for _ in range(rng.choice((2, 3, 4)))]
    return {"claim": "any", "of": alternatives}


def _atom(rng: Random, message: str, events: list[Event]) -> dict[str, Any]:
    names = [name for _, kind, aim, name in events if aim == message and kind not in ("kill", "crash")]
    reason = rng.choice((None, "operator_escalation", "rejected", "crash", "agent_death"))
    within, start = rng.choice((2, 4, 5, 6, 10, 15, 26)), rng.choice((None, message, *names))
    once = rng.random() < 0.5
    return rng.choice(
        (
            never_sent(message),
            abandoned(reason, message),
            {"claim": "completed", "of": message},
            sent(once, None, None, message),
            sent(once, within, start, message),
            sent(once, within, start, message),
            sent(once, within, start, message),
        )
    )
