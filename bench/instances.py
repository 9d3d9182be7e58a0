"""Scenarios of any number of messages for the measurements, in the shapes of the published library."""

from __future__ import annotations

from typing import Any

from tests.verifier.known_answers import abandoned, document, either, never_sent, sent

Event = tuple[Any, ...]


def mixed(messages: int, horizon: int) -> dict[str, Any]:
    """A fleet: every message delivered within the first 20 ticks and approved at 25; some are also rejected before that,
    some escalated in the tick of the approval, one agent dies and the process crashes once. Every expectation is given."""
    arrivals = [(f"m{number}", number % 20) for number in range(messages)]
    events: list[Event] = [(31, "kill", "m0", "death"), (33, "crash", None, "crash")]
    expect: list[dict[str, Any]] = []
    for number, (name, _) in enumerate(arrivals):
        if number % 4 == 1:
            events.append((22, "reject", name, f"no{number}"))
        events.append((36, "approve", name, f"go{number}"))
        if number % 4 == 2:
            events.append((36, "escalate", name, f"stop{number}"))
            expect.append(never_sent(name))
            expect.append(abandoned(None, name))
        else:
            expect.append(either(sent(True, 5, f"go{number}", name), abandoned(None, name)))
    return document(6, events, expect, horizon=horizon, messages=tuple(arrivals))
