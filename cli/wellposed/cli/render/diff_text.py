"""Two scenarios compared, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.cli.render.escape import escape
from wellposed.cli.review.diff import Difference, EventChange, Side
from wellposed.verifier.compare import Change
from wellposed.verifier.mutants import KILLED
from wellposed.verifier.report import Outcome, Trace
from wellposed.verifier.tables import alone


def render(found: Difference, one: str = "A", other: str = "B") -> str:
    """Hashes, verdicts, levels and catches before and after; then what is newly allowed and forbidden, a run each.

    `one` and `other` are what the scenarios are called.
    """
    return "\n".join(_lines(found, one, other)) + "\n"


def _lines(found: Difference, name: str, other: str) -> Iterator[str]:
    for word, side in (("before", found.before), ("after ", found.after)):
        yield f"{word}  {escape(side.source)}  {escape(side.bundle.id)}  L{side.bundle.level}  {side.verification.verdict}"
        yield f"        {side.bundle.hash}"
    comparison = found.comparison
    yield "changed: " + (", ".join(map(escape, comparison.changed)) or "nothing, the bundles are the same")
    yield from _parted("level", found.before.verification.levels, found.after.verification.levels)
    yield from _catches(found.before, found.after)
    yield from map(_event, found.events)
    yield ""
    if comparison.undecided:
        yield "Not decided within the work budget."
    elif comparison.same_runs:
        yield from _change("newly allowed", comparison.allowed, found.before, name)
        yield from _change("newly forbidden", comparison.forbidden, found.after, other)
    else:
        yield "The scenarios differ in more than what they expect, so their lawful outcomes are compared."
        for one in comparison.outcomes:
            yield f"{escape(one.item)}: {_outcome(one.before)} -> {_outcome(one.after)}"
            yield from _run(one.run)
        if not comparison.outcomes:
            yield "every item can end in the same ways at the same ticks"


def _parted(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*before, *after)):
        had, has = before.get(name, "none"), after.get(name, "none")
        if had != has:
            yield f"{what} {escape(name)}: {had} -> {has}"


def _catches(before: Side, after: Side) -> Iterator[str]:
    if before.cells is None or after.cells is None:
        yield "faulty systems: not compared, as one side has no row of the kill matrix"
        return
    always = [sum(value == KILLED for value in side.values()) for side in (before.cells, after.cells)]
    yield f"faulty systems always caught: {always[0]} -> {always[1]}"
    yield from _parted("system", before.cells, after.cells)


def _event(one: EventChange) -> str:
    name = f"schedule: {escape(f'{one.channel} {one.id}')}"
    if one.before is None:
        return f"{name} added, {_when(one.after)}"
    if one.after is None:
        return f"{name} removed, {_when(one.before)}"
    told = []
    if _when(one.before) != _when(one.after):
        told.append(f"moved: {_when(one.before)} -> {_when(one.after)}")
    had, has = _content(one.before), _content(one.after)
    parts = [part for part in dict.fromkeys((*had, *has)) if had.get(part) != has.get(part)]
    if parts:
        told.append(f"changed in {', '.join(map(escape, parts))}")
    return f"{name} {' and '.join(told)}"


def _content(event: Mapping[str, Any]) -> dict[str, object]:
    """The members of an event and of its record, without those that tell its tick."""
    members = {**event, **event["record"]}
    return {name: value for name, value in members.items() if name not in ("at", "when", "record")}


def _when(event: Mapping[str, Any] | None) -> str:
    """The tick of an event, or the event of the run that it follows."""
    assert event is not None, "an event is on one side at least"
    if "at" in event:
        return f"at {event['at']}"
    return escape(f"when {event['when']['work_id']} is {event['when']['event']}")


def _change(what: str, change: Change | None, failing: Side, name: str) -> Iterator[str]:
    if change is None:
        yield f"{what}: nothing"
        return
    texts = [one.text for one in failing.verification.expectations]
    yield f"{what}: a conforming run that fails in {name}: " + "; ".join(
        escape(texts[index]) for index in change.failed
    )
    yield from _run(change.run)


def _run(run: Trace) -> Iterator[str]:
    if run:
        yield from (f"  {escape(line)}" for line in alone(run, "the system"))


def _outcome(outcome: Outcome | None) -> str:
    if outcome is None:
        return "not lawful"
    name = outcome.outcome + (f" ({outcome.reason})" if outcome.reason else "")
    return name if outcome.first is None else f"{name} at {outcome.first} to {outcome.last}"
