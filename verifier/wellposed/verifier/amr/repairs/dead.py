"""A stimulus that never finds its target: at a tick at which it does, or left out."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Remove, Replace
from wellposed.verifier.amr.repairs.case import Case, Json, Proposal, message_of

_MOVABLE = ("signals", "faults")


def repairs(case: Case) -> Iterator[Proposal]:
    """The event at the nearest ticks at which some item may be there to be found, and the schedule without it."""
    for pointer in case.found("WP604"):
        entry = case.document["schedule"][int(pointer.rpartition("/")[2])]
        if "at" in entry and entry["channel"] in _MOVABLE:
            for tick in _ticks(case, entry):
                words = f"move `{case.statement(entry)}` to {tick}, where it can find something"
                yield Proposal(words, pointer, (Replace(f"{pointer}/at", tick),))
        yield Proposal(f"remove `{case.statement(entry)}`", pointer, (Remove(pointer),))


def _ticks(case: Case, entry: Json) -> list[int]:
    """Where items stand between two steps: admitted, drafted, decided, not yet sent."""
    target = entry["record"].get("target")
    aimed = [message_of(target["holder_of"])] if isinstance(target, dict) else list(case.deliveries)
    indexes = set()
    for message in aimed:
        for record in ("admitted", "drafted"):
            window = case.window(message, record)
            if window is not None:
                indexes.add(window.last + 1)
        sent = case.outcome(message, "sent")
        if sent is not None:
            indexes |= {sent.first, sent.last}
        decided = [case.clock.index(one["at"]) for one in case.approvals(message)]
        indexes |= {index + step for index in decided for step in (-1, 1)}
    ticks = {case.clock.tick(index) for index in indexes if index >= 0}
    return sorted((tick for tick in ticks if tick <= case.horizon), key=lambda tick: (abs(tick - entry["at"]), tick))
