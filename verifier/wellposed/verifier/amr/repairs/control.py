"""A scenario in which nothing is due: a positive control, one more message that the rules admit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from wellposed.compiler.bundle_edits import Insert
from wellposed.verifier.amr.repairs.case import BUDGETS, Case, Json, Proposal

ADMITTED_FROM = 2
"""The level from which an admission is due."""
_ID = "control"
_TEXTS = {"message.from": "from", "message.subject": "subject", "message.body": "body"}


def repairs(case: Case) -> Iterator[Proposal]:
    """A message like the first one, changed so that a rule admits it, and the expectation that it is admitted."""
    if not case.deliveries:
        return
    id = next(one for one in _ids() if one not in case.deliveries)
    like = next(iter(case.deliveries.values()))["record"]
    for pointer in case.found("WP602"):
        for record in _records(case, like):
            for at in _ticks(case):
                entry = {"at": at, "channel": "inbox", "record": {**record, "id": id, "at": at}}
                words = f"add a positive control: mail that the rules admit, delivered at {at}"
                claim: Json = {"claim": "admitted", "of": id, "within": BUDGETS.admit}
                if case.level < ADMITTED_FROM:
                    claim = {"claim": "drafted", "of": id, "within": BUDGETS.draft}
                yield Proposal(words, pointer, (Insert("/schedule", entry), Insert("/expect", claim)))


def _ids() -> Iterator[str]:
    yield _ID
    yield from (f"{_ID}-{number}" for number in count(2))


def _ticks(case: Case) -> list[int]:
    """Those of the deliveries, and the last before and the first after each change that are decided."""
    changes = [one["at"] for one in case.timed("faults") if one["record"]["fault"] in ("posture", "rules")]
    indexes = {case.clock.index(one["at"]) for one in case.deliveries.values()}
    indexes |= {max(indexes) + 1}
    for change in map(case.clock.index, changes):
        indexes |= {change - BUDGETS.admit - 1, change + BUDGETS.lag}
    return [
        tick for tick in (case.clock.tick(index) for index in sorted(indexes) if index >= 0) if tick <= case.horizon
    ]


def _records(case: Case, like: Json) -> Iterator[Mapping[str, Any]]:
    """The message as it is, and as each rule that admits would have its texts."""
    yield like
    for version in case.document["rules"]:
        for rule in version["rules"]:
            if rule["effect"] == "admit":
                record = dict(like)
                for condition in rule["when"]:
                    member = _TEXTS.get(condition["field"])
                    if member is not None:
                        record[member] = _satisfying(record[member], condition["op"], condition["value"])
                if record != like:
                    yield record


def _satisfying(text: str, op: str, value: Any) -> str:
    """A text that meets a condition, near the one that there is; those that exclude something are left to chance."""
    match op:
        case "is":
            return str(value)
        case "in":
            return text if text in value else str(value[0])
        case "contains":
            return text if value in text else str(value)
        case "starts-with":
            return text if text.startswith(value) else f"{value}{text}"
        case "ends-with":
            return text if text.endswith(value) else f"{text}{value}"
    return text
