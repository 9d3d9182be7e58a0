"""From a verified scenario to its chart."""

from __future__ import annotations

from collections import defaultdict

from wellposed.cli.report import ScenarioResult
from wellposed.cli.timeline.chart import Bar, Chart, Lane, Mark, Row, RowKind
from wellposed.cli.timeline.expected import deadlines
from wellposed.cli.timeline.runs import Runs
from wellposed.cli.timeline.schedule import Event, schedule_of
from wellposed.compiler.bundle import Bundle
from wellposed.verifier.report import Outcome, Verification, Window

EVENT = "/schedule/"
EVERY_RUN, SOME_RUN = "in every run", "in some run"


def chart_of(one: ScenarioResult) -> Chart | None:
    """The chart of one scenario; None for one that has no bundle, of which nothing is known."""
    if one.bundle is None:
        return None
    return _Builder(one, one.bundle, one.verification or Verification(one.verdict or "not verified")).chart()


class _Builder:
    def __init__(self, one: ScenarioResult, bundle: Bundle, verification: Verification) -> None:
        self._one = one
        self._bundle = bundle
        self._verification = verification
        self._schedule = schedule_of(bundle.document)
        self._runs = Runs(verification, self._schedule.events)
        self._events: defaultdict[str | None, list[Event]] = defaultdict(list)
        for event in self._schedule.events:
            self._events[event.item].append(event)
        windows = [(self._event(window), window) for window in verification.windows]
        self._drawn = {event for event, _ in windows}
        self._windows: defaultdict[str | None, list[tuple[Event | None, Window]]] = defaultdict(list)
        for cause, window in windows:
            # The death of a message's agent concerns all that the agent holds, and stands in that message's lane.
            lane = window.item if cause is None else cause.item
            if cause is None or _moves(cause, window):
                self._windows[lane].append((cause, window))
        moving = frozenset(cause.seq for cause, window in windows if cause is not None and _moves(cause, window))
        self._deadlines = deadlines(bundle.document, self._schedule, moving)

    def chart(self) -> Chart:
        document = self._bundle.document
        lanes = [self._surroundings(), *(self._item(message) for message in self._schedule.conversations)]
        shared = sorted({event.tick for event in self._schedule.events if event.shared and event.tick is not None})
        title = str(document["title"])
        return Chart(
            self._one.id,
            "" if title == self._one.id else title,
            self._one.source,
            self._bundle.level,
            self._verification.verdict,
            self._bundle.horizon,
            tuple(lane for lane in lanes if lane.rows),
            tuple(self._schedule.clock.jumps),
            tuple(shared),
            self._runs.difference,
            tuple(self._remarks()),
        )

    def _event(self, window: Window) -> Event | None:
        """The event of the schedule whose window this is, if it is not that of a record."""
        return self._schedule.events[int(window.record[len(EVENT) :])] if window.record.startswith(EVENT) else None

    def _surroundings(self) -> Lane:
        head, *rows = self._happenings("environment", None)
        if self._schedule.held:
            held = tuple(Bar(*stretch) for stretch in self._schedule.held)
            rows.append(Row("effects held", RowKind.HELD, held=held))
        rows += [*self._records(None), *self._runs.rows(None)]
        return Lane.of([head, *rows] if head.marks or rows else [])

    def _item(self, message: str) -> Lane:
        conversation = self._schedule.conversations[message]
        rows = self._happenings(f"{message} in {conversation}", message)
        if message in self._deadlines:
            rows.append(Row("expected", RowKind.EXPECTED, deadlines=self._deadlines[message]))
        rows += self._records(message)
        outcomes = self._verification.outcomes.get(message, ())
        rows += [_outcome(outcome, alone=len(outcomes) == 1) for outcome in outcomes]
        return Lane.of([*rows, *self._runs.rows(message)], message, conversation)

    def _happenings(self, label: str, item: str | None) -> list[Row]:
        """The events of a lane; those that wait for a record have a row each, unless that record has a window."""
        own = self._events[item]
        marks = tuple(
            Mark(event.tick, event.text, kind=event.kind, seq=event.seq) for event in own if event.tick is not None
        )
        waiting = [event for event in own if event.tick is None and event not in self._drawn]
        return [
            Row(label, RowKind.EVENTS, marks),
            *(
                Row(event.text, RowKind.WAITING, remark=f"when {event.trigger}", of=event.kind, seq=event.seq)
                for event in waiting
            ),
        ]

    def _records(self, item: str | None) -> list[Row]:
        """The windows of an item's records, and of the events of its lane whose tick hangs on a run."""
        return [_record(event, window) for event, window in self._windows[item]]

    def _remarks(self) -> list[str]:
        remarks = [f"{row.verdict}: {row.text}" for row in self._verification.expectations if row.verdict != "proved"]
        return remarks + [f"core: {member.text}" for member in self._verification.core]


def _moves(event: Event, window: Window) -> bool:
    """Whether an event does not simply happen at the tick for which it is written."""
    return (window.first, window.last) != (event.tick, event.tick)


def _record(event: Event | None, window: Window) -> Row:
    bars = (Bar(window.first, window.last),)
    if event is None:
        return Row(window.record, RowKind.WINDOW, bars=bars, of=window.record)
    if event.trigger:
        return Row(f"{event.text} when {event.trigger}", RowKind.WINDOW, bars=bars, of=event.kind, seq=event.seq)
    return Row(f"{event.text} fires", RowKind.WINDOW, bars=bars, of=event.kind)


def _outcome(outcome: Outcome, alone: bool) -> Row:
    label = outcome.outcome.replace("-", " ")
    if outcome.reason is not None:
        label += f"({outcome.reason})"
    if outcome.first is None or outcome.last is None:
        return Row(label, RowKind.OUTCOME, remark=EVERY_RUN if alone else SOME_RUN, of=outcome.outcome)
    bars = (Bar(outcome.first, outcome.last),)
    return Row(label, RowKind.OUTCOME, bars=bars, of=outcome.outcome, reason=outcome.reason or "")
