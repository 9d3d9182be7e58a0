"""A run told event by event, back to the run: the inverse of `narrate`, for traces that somebody else wrote.

What is read are the system's records and what dying agents held. The environment's part follows from these and the
schedule, so in the end the run is told again and has to come out the same, word for word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellposed.verifier.amr.answers import Answers
from wellposed.verifier.amr.checker import WELL_FORMED, check_run
from wellposed.verifier.amr.narrate import trace
from wellposed.verifier.amr.run import Contention, Draft, ItemRun, Run, Violation
from wellposed.verifier.replay import Events, NotThisRun
from wellposed.verifier.report import Trace

_MEMBERS: Mapping[str, Mapping[str, type]] = {
    "admission": {},
    "claimed-first": {},
    "claimed": {},
    "settled": {},
    "reassignment": {},
    "draft": {"conversation": str, "carries": list},
    "send": {"draft": int},
    "resolution": {"outcome": str},
}
"""The records of a system and what has to be there to understand one; what else there is, the comparison at the end sees."""


def retold(document: Mapping[str, Any], events: Events, answers: Answers) -> tuple[Run, Trace, tuple[Violation, ...]]:
    """The run that the events tell, told again, and everything that it breaks. Raises NotThisRun."""
    run = _run(document, events)
    violations = check_run(document, run, answers)
    stray = next((one for one in violations if one.obligation == WELL_FORMED), None)
    if stray is not None:
        raise NotThisRun(f"no log of this scenario: {stray.text}")
    told = trace(document, run, answers)
    for number, (given, due) in enumerate(zip(events, told, strict=False)):
        if dict(given) != dict(due.data):
            raise NotThisRun(
                f"event {number + 1} is not what a run with these records has there: {due.text}, at {due.tick}", number
            )
    if len(events) != len(told):
        raise NotThisRun(f"{len(events)} events, and a run with these records has {len(told)}")
    return run, told, violations


class _Records:
    """The records of one item as they come."""

    def __init__(self) -> None:
        self.admitted: tuple[int, str | None] | None = None
        self.forked = False
        self.drafts: list[Draft] = []
        self.sends: list[tuple[int, int]] = []
        self.resolution: tuple[int, str, str | None] | None = None
        self.won: list[int] = []
        self.claimed: int | None = None
        self.contended: int | None = None
        self.settled: int | None = None

    def item(self) -> ItemRun:
        return ItemRun(
            None if self.admitted is None else self.admitted[0],
            None if self.admitted is None else self.admitted[1],
            tuple(self.drafts),
            tuple(self.sends),
            self.resolution,
            tuple(self.won),
            None if self.contended is None else Contention(self.contended, self.settled),
            self.claimed,
            self.forked,
        )


def _run(document: Mapping[str, Any], events: Events) -> Run:
    messages = {entry["record"]["id"] for entry in document["schedule"] if entry["channel"] == "inbox"}
    horizon = int(document["horizon"])
    records: dict[str, _Records] = {}
    held: dict[str, frozenset[str]] = {}
    agrees = True
    for number, event in enumerate(events):
        tick, item, kind = event.get("tick"), event.get("item"), event.get("event")
        if type(tick) is not int or not 0 <= tick <= horizon:
            raise NotThisRun(f"event {number + 1} has no `tick` of 0..{horizon}", number)
        if event.get("actor") == "environment":
            if kind == "death" and type(event.get("id")) is str:
                names = _names(event.get("held"), number)
                held[event["id"]] = held.get(event["id"], frozenset()) | names
        elif kind == "snapshot":
            agrees = False
        elif type(item) is not str or item not in messages:
            raise NotThisRun(f"event {number + 1} is of no message of the schedule", number)
        else:
            _record(records.setdefault(item, _Records()), tick, event, number)
    # A death that held nothing is told so as well; a run says nothing of it.
    return Run(
        {item: one.item() for item, one in records.items()},
        {name: those for name, those in held.items() if those},
        agrees,
    )


def _record(of: _Records, tick: int, event: Mapping[str, Any], number: int) -> None:
    kind = event.get("event")
    if type(kind) is not str or kind not in _MEMBERS:
        raise NotThisRun(f"event {number + 1} is no record that a system makes", number)
    for member, kind_of in _MEMBERS[kind].items():
        if type(event.get(member)) is not kind_of:
            raise NotThisRun(f"event {number + 1}, of kind {kind}, needs a `{member}`", number)
    match kind:
        case "admission":
            of.forked = of.admitted is not None
            of.admitted = of.admitted or (tick, _text(event.get("rules"), number))
        case "claimed-first":
            of.claimed = tick
        case "claimed":
            of.contended = tick
        case "settled":
            of.settled = tick
        case "reassignment":
            of.won.append(tick)
        case "draft":
            of.drafts.append(Draft(tick, event["conversation"], _names(event["carries"], number)))
        case "send":
            if not 1 <= event["draft"] <= len(of.drafts):
                raise NotThisRun(f"event {number + 1} sends a draft that is not declared before it", number)
            of.sends.append((tick, event["draft"] - 1))
        case "resolution":
            of.resolution = tick, event["outcome"], _text(event.get("reason"), number)


def _text(value: object, number: int) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise NotThisRun(f"event {number + 1} has something else where a text is due", number)


def _names(value: object, number: int) -> frozenset[str]:
    if type(value) is not list or not all(type(one) is str for one in value):
        raise NotThisRun(f"event {number + 1} has something else where a list of names is due", number)
    return frozenset(value)
