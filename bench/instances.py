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


def taken_back(messages: int, horizon: int) -> dict[str, Any]:
    """Every message is delivered within the first 20 ticks, approved at 36 and escalated 0, 3 or 7 ticks after that."""
    arrivals = [(f"m{number}", number % 20) for number in range(messages)]
    events: list[Event] = []
    expect: list[dict[str, Any]] = []
    for number, (name, _) in enumerate(arrivals):
        gap = (0, 3, 7)[number % 3]
        events += [(36, "approve", name, f"go{number}"), (36 + gap, "escalate", name, f"stop{number}")]
        reply, given_up = sent(True, 5, f"go{number}", name), abandoned("operator_escalation", name)
        expect += {0: [never_sent(name), given_up], 3: [either(reply, given_up)], 7: [reply]}[gap]
    return document(6, events, expect, horizon=horizon, messages=tuple(arrivals))


def held(messages: int, horizon: int) -> dict[str, Any]:
    """Every message is delivered within the first 20 ticks and approved then, or at 36; effects are held five times, the
    last time to the end."""
    arrivals = [(f"m{number}", number % 20) for number in range(messages)]
    switches = ((25, 28), (33, 34), (37, 44), (46, 60), (horizon - 3, None))
    events: list[Event] = [(first, "hold", None, f"hold{first}") for first, _ in switches]
    events += [(end, "release", None, f"release{end}") for _, end in switches if end is not None]
    events.append((39, "crash", None, "crash"))
    for number, (name, at) in enumerate(arrivals):
        events.append((at if number % 2 else 36, "approve", name, f"go{number}"))
    expect = [either(sent(True, None, None, name), abandoned("crash", name)) for name, _ in arrivals]
    return document(2, events, expect, horizon=horizon, messages=tuple(arrivals))


def crowded(horizon: int) -> dict[str, Any]:
    """One message with 32 approvals, 8 rejections and 8 crashes between the ticks 12 and 43."""
    events: list[Event] = []
    for group in range(8):
        at = 12 + 4 * group
        approvals = (at, at + 1, at + 3, at + 3)
        events += [(tick, "approve", "m1", f"go{group}.{number}") for number, tick in enumerate(approvals)]
        events += [(at + 1, "crash", None, f"crash{group}"), (at + 2, "reject", "m1", f"no{group}")]
    return document(2, events, [either(sent(True), abandoned())], horizon=horizon)
