"""The runs of a verification as rows: what a lawful system does, lane by lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wellposed.cli.timeline.chart import Mark, Row, RowKind
from wellposed.cli.timeline.schedule import Event
from wellposed.verifier.report import Trace, TraceEvent, Verification
from wellposed.verifier.tables import ENVIRONMENT, first_difference

WORDS = {
    "admission": "admits",
    "draft": "drafts",
    "send": "sends",
    "completed": "completes",
    "abandoned": "abandons",
    "reassignment": "reassigns",
    "claimed": "two claim it",
    "settled": "one has won",
}


class Runs:
    """The one or two runs of a verification."""

    def __init__(self, verification: Verification, events: Sequence[Event]) -> None:
        self._written = {event.seq: event for event in events}
        self._passing = self._by_item(verification.passing)
        self._failing = self._by_item(verification.failing)
        two = bool(self._passing and self._failing)
        self.difference = first_difference(verification.passing, verification.failing) if two else None

    def rows(self, item: str | None) -> tuple[Row, ...]:
        """The rows of a lane: one where the runs agree on it or where there is only one, none where nothing happens."""
        passing, failing = tuple(self._passing.get(item, ())), tuple(self._failing.get(item, ()))
        if not self._failing:
            return (_row(RowKind.ONE, passing),) if passing else ()
        if not self._passing:
            return (_row(RowKind.FAILING, failing),) if failing else ()
        if passing == failing:
            return (_row(RowKind.BOTH, passing),) if passing else ()
        return (
            _row(RowKind.PASSING, self._parted(passing, failing)),
            _row(RowKind.FAILING, self._parted(failing, passing)),
        )

    def _by_item(self, trace: Trace) -> dict[str | None, list[Mark]]:
        marks: dict[str | None, list[Mark]] = {}
        for event in trace:
            mark = self._mark(event)
            if mark is not None:
                marks.setdefault(event.item, []).append(mark)
        return marks

    def _mark(self, event: TraceEvent) -> Mark | None:
        """What is drawn; None for an event of the environment that is drawn already, at the tick it is written for."""
        if event.actor == ENVIRONMENT:
            seq = event.data["seq"]
            moved = isinstance(seq, int) and self._written[seq].tick != event.tick
            if not (moved or "held" in event.data):
                return None
            kind = self._written[seq].kind if isinstance(seq, int) else ""
            return Mark(event.tick, event.text, kind=kind, detail=event.text, seq=seq if isinstance(seq, int) else None)
        word = str(event.data.get("outcome") or event.data["event"])
        return Mark(event.tick, WORDS.get(word, word), kind=word, detail=event.text)

    def _parted(self, own: tuple[Mark, ...], other: tuple[Mark, ...]) -> tuple[Mark, ...]:
        return tuple(replace(mark, parting=mark.tick == self.difference and mark not in other) for mark in own)


def _row(kind: RowKind, marks: tuple[Mark, ...]) -> Row:
    return Row(kind.value, kind, marks)
