"""The runs of a verification as rows: what a lawful system does, lane by lane."""

from __future__ import annotations

from collections.abc import Sequence

from wellposed.cli.timeline.chart import Mark, Row
from wellposed.cli.timeline.schedule import Event
from wellposed.verifier.report import Trace, TraceEvent, Verification
from wellposed.verifier.tables import ENVIRONMENT, first_difference

PASSING, FAILING, BOTH, ONE = "a run that passes", "a run that fails", "both runs", "a lawful run"
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
        self._written = {event.seq: event.tick for event in events}
        self._passing = self._by_item(verification.passing)
        self._failing = self._by_item(verification.failing)
        two = bool(self._passing and self._failing)
        self.difference = first_difference(verification.passing, verification.failing) if two else None

    def rows(self, item: str | None) -> tuple[Row, ...]:
        """The rows of a lane: one where the runs agree on it or where there is only one, none where nothing happens."""
        passing, failing = tuple(self._passing.get(item, ())), tuple(self._failing.get(item, ()))
        if not self._failing:
            return (Row(ONE, passing),) if passing else ()
        if not self._passing:
            return (Row(FAILING, failing),) if failing else ()
        if passing == failing:
            return (Row(BOTH, passing),) if passing else ()
        return Row(PASSING, self._parted(passing, failing)), Row(FAILING, self._parted(failing, passing))

    def _by_item(self, trace: Trace) -> dict[str | None, list[Mark]]:
        marks: dict[str | None, list[Mark]] = {}
        for event in trace:
            text = self._text(event)
            if text is not None:
                marks.setdefault(event.item, []).append(Mark(event.tick, text))
        return marks

    def _text(self, event: TraceEvent) -> str | None:
        """A few words; None for an event of the environment that is drawn already, at the tick it is written for."""
        if event.actor == ENVIRONMENT:
            seq = event.data["seq"]
            moved = isinstance(seq, int) and self._written[seq] != event.tick
            return event.text if moved or "held" in event.data else None
        word = event.data.get("outcome") or event.data["event"]
        return WORDS.get(str(word), str(word))

    def _parted(self, own: tuple[Mark, ...], other: tuple[Mark, ...]) -> tuple[Mark, ...]:
        return tuple(
            Mark(mark.tick, mark.text, parting=mark.tick == self.difference and mark not in other) for mark in own
        )
