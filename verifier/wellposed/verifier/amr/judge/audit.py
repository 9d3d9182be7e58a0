"""`audit.jsonl`: the envelope of every line, the three required events, and forged decisions that a line cites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from wellposed.verifier.amr.judge.folder import AUDIT, RunFiles
from wellposed.verifier.amr.judge.lines import Record
from wellposed.verifier.amr.judge.logs import Claim, ItemLog, Logs, Resolution
from wellposed.verifier.amr.judge.stamps import Stamps
from wellposed.verifier.amr.judge.stream import pieces
from wellposed.verifier.amr.judge.told import SHAPE, UNKNOWN_ID, Broken, Told

CLAIM_OUTCOMES = ("claimed", "won", "stood_down")
ITEM_OUTCOMES = ("completed", "abandoned")


_KEPT = ("event", "work_id", "agent_id", "outcome", "reason")
_LONGEST = 200
"""So much is kept of a text that is too long for what it should be, for a message to quote."""


def _short(value: Any) -> Any:
    return value[:_LONGEST] if type(value) is str else value if type(value) is int or value is None else ()


class AuditReader:
    """Reads the audit log into `logs`. `deliveries` maps the messages of the schedule to their elements in the bundle."""

    def __init__(
        self, logs: Logs, stamps: Stamps, told: Told, deliveries: Mapping[str, str], forged: frozenset[str]
    ) -> None:
        self._logs = logs
        self._stamps = stamps
        self._told = told
        self._deliveries = deliveries
        self._forged = forged
        self._early: list[tuple[int, int, Record]] = []
        self._forks: Counter[str] = Counter()
        self._events: Mapping[str, Callable[[int, int, Record], None]] = {
            "admission": self._admission,
            "claim": self._later,
            "resolution": self._later,
        }

    def read(self, folder: RunFiles) -> None:
        """Lines that are of no required event are checked and dropped."""
        stamps, events = self._stamps, self._events
        for piece in pieces(folder, AUDIT, self._told):
            suspicious = any(name in piece.text for name in self._forged) or (
                bool(self._forged) and "\\u" in piece.text
            )
            for line, record in enumerate(piece.records, start=piece.first):
                self._logs.lines += 1
                if record is None:
                    continue
                if line > stamps.until:
                    stamps.move(line)
                tick, stamp, event = stamps.tick, record.get("at"), record.get("event")
                if stamp == tick and type(stamp) is int:
                    stamps.good(stamp)
                else:
                    tick = stamps.of(line, stamp, "at")
                    if tick is None:
                        continue
                if type(event) is not str:
                    self._told.unreadable(SHAPE, "an audit line has an `event`, a text", AUDIT, line)
                elif event in events and tick is not None:
                    events[event](line, tick, record)
                if suspicious:
                    self._cited(line, record)
        # An item's records may stand before its admission, which K.admitted is about.
        for line, tick, record in self._early:
            self._of_item(line, tick, record)

    def _text(self, line: int, record: Record, member: str, longest: int | None = None) -> str | None:
        """A member that is an id or a word of the audit format; None, and told, where it is not."""
        value = record.get(member)
        most = longest or self._told.limits.id_length
        if type(value) is str and 0 < len(value) <= most:
            return value
        what = f"`{record['event']}` has `{member}`, a text of 1 to {most} characters"
        self._told.unreadable(SHAPE, what, AUDIT, line)
        return None

    def _admission(self, line: int, tick: int, record: Record) -> None:
        work = self._text(line, record, "work_id")
        message = self._text(line, record, "message_id")
        cited = self._text(line, record, "rules_hash")
        if work is None or message is None or cited is None:
            return
        if message not in self._deliveries:
            text = f"the admission of {message}, which the schedule never delivers"
            self._told.breaks(UNKNOWN_ID, "well-formed", None, text, AUDIT, line)
            return
        known = self._logs.items.get(message)
        if known is not None:
            known.again = known.again or line
            if work not in self._logs.works:
                self._second(line, ItemLog(message, work, tick, line, cited, fork=True))
            return
        item = ItemLog(message, work, tick, line, cited)
        self._logs.items[message] = item
        self._logs.works.setdefault(work, []).append(item)

    def _second(self, line: int, item: ItemLog) -> None:
        """A further item of a message that is one already."""
        most = self._told.limits.items_per_message
        self._forks[item.message] += 1
        if self._forks[item.message] < most:
            self._logs.works[item.work] = [item]
        else:
            self._told.unreadable(SHAPE, f"more than {most} work items of {item.message}", AUDIT, line)

    def _later(self, line: int, tick: int, record: Record) -> None:
        work = record.get("work_id")
        if type(work) is str and work in self._logs.works:
            self._of_item(line, tick, record)
        elif len(self._early) < self._told.limits.claims_per_item:
            self._early.append((line, tick, {name: _short(record[name]) for name in _KEPT if name in record}))
        else:
            self._told.unreadable(SHAPE, "too many records of items that were not admitted before", AUDIT, line)

    def _of_item(self, line: int, tick: int, record: Record) -> None:
        work = self._text(line, record, "work_id")
        if work is None:
            return
        items = self._logs.works.get(work)
        if items is None:
            text = f"a {record['event']} of the work item {work}, which was never admitted"
            self._told.breaks(UNKNOWN_ID, "K.admitted", None, text, AUDIT, line)
            return
        if record["event"] == "claim":
            self._claim(line, tick, record, items)
        else:
            self._resolution(line, tick, record, items)

    def _claim(self, line: int, tick: int, record: Record, items: list[ItemLog]) -> None:
        agent, outcome = self._text(line, record, "agent_id"), record.get("outcome")
        if type(record.get("reason")) is not str:
            self._told.breaks(SHAPE, "L3.claims", items[0].message, "a claim has a `reason`, a text", AUDIT, line)
        if type(outcome) is not str or outcome not in CLAIM_OUTCOMES:
            self._told.unreadable(SHAPE, f"`outcome` of a claim is one of {', '.join(CLAIM_OUTCOMES)}", AUDIT, line)
        elif agent is not None:
            for item in items:
                if len(item.claims) < self._told.limits.claims_per_item:
                    item.claims.append(Claim(tick, line, agent, outcome))
                else:
                    text = f"more than {self._told.limits.claims_per_item} claims of one item"
                    self._told.unreadable(SHAPE, text, AUDIT, line)

    def _resolution(self, line: int, tick: int, record: Record, items: list[ItemLog]) -> None:
        outcome, reason = record.get("outcome"), record.get("reason")
        if type(outcome) is not str or outcome not in ITEM_OUTCOMES:
            self._told.unreadable(SHAPE, f"`outcome` of a resolution is {' or '.join(ITEM_OUTCOMES)}", AUDIT, line)
            return
        if outcome == "abandoned" and type(reason) is not str:
            self._told.unreadable(SHAPE, "the resolution of an abandoned item has a `reason`, a text", AUDIT, line)
        for item in items:
            if len(item.resolutions) < 2:
                item.resolutions.append(
                    Resolution(tick, line, outcome, _short(reason) if type(reason) is str else None)
                )

    def _cited(self, line: int, record: Record) -> None:
        waiting: list[Any] = list(record.values())
        while waiting:
            value = waiting.pop()
            if type(value) is dict:
                waiting.extend(value.values())
            elif type(value) is list:
                waiting.extend(value)
            elif type(value) is str and value in self._forged:
                text = f"the audit line cites {value}, a forged decision"
                self._told.breach(Broken("L2.forged", None, text, "/level", AUDIT, line))
                return
