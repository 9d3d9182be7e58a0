"""What a run in the checker's terms cannot show: several resolutions, two items of a message, one item for two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wellposed.verifier.amr.checker import WELL_FORMED
from wellposed.verifier.amr.judge.folder import AUDIT, OUTBOX
from wellposed.verifier.amr.judge.logs import ItemLog, Logs
from wellposed.verifier.amr.judge.resolve import versions_of
from wellposed.verifier.amr.judge.told import Broken


def only_in_logs(logs: Logs, document: Mapping[str, Any]) -> Iterator[Broken]:
    """The breaches that only the logs themselves show."""
    versions, level = versions_of(document), document["level"]
    for message, item in logs.items.items():
        for second in item.resolutions[1:2]:
            text = f"resolved at {item.resolutions[0].tick} and again at {second.tick}"
            yield Broken("K.closed", message, text, "/level", AUDIT, second.line)
        if item.hash not in versions and level < 2:
            text = f"the admission cites the rules hash {item.hash}, which no rules version has"
            yield Broken(WELL_FORMED, message, text, "/level", AUDIT, item.line)
    obligation = "L5.identity" if level >= 5 else WELL_FORMED
    for work, items in logs.works.items():
        for item in items:
            if item.fork:
                yield from _of_fork(item)
        beside = frozenset(item.message for item in items[1:])
        if beside:
            text = f"{', '.join(sorted(beside))} and {items[0].message} are one work item, {work}"
            yield Broken(obligation, items[0].message, text, "/level", AUDIT, items[1].line, beside=beside)


def _of_fork(item: ItemLog) -> Iterator[Broken]:
    """The effects of a second item of a message: each is one too many, and nobody can have approved it."""
    for send in item.sends:
        for obligation, why in (
            ("L1.once", "a second item of the message"),
            ("L2.authority", "whose drafts no decision binds"),
        ):
            text = f"sent at {send.tick} for {item.work}, {why}"
            yield Broken(obligation, item.message, text, "/level", OUTBOX, send.line)
