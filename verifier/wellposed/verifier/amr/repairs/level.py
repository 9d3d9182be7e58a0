"""A level that nothing in the scenario exercises, or under which it fails: a lower one, or the stimulus that it lacks."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.compiler.bundle_edits import Insert, Replace
from wellposed.verifier.amr.repairs.case import WORK, Case, Json, Proposal


def repairs(case: Case) -> Iterator[Proposal]:
    """The highest level that is exercised; for L1 a redelivery, for L3 the death of an agent."""
    for pointer in case.found("WP603"):
        exercised = [level for level, state in case.verification.levels.items() if state == "exercised"]
        if exercised:
            level = int(exercised[-1].removeprefix("L"))
            yield Proposal(
                f"declare L{level}, the highest level that is exercised", pointer, (Replace("/level", level),)
            )
        for words, entry in _stimuli(case):
            yield Proposal(words, pointer, (Insert("/schedule", entry),))


def lower(case: Case) -> Iterator[Proposal]:
    """Lower levels for failing expectations, which may not hold where more is owed; the nearest first."""
    for index in case.failing[:1]:
        for level in reversed(range(case.level)):
            yield Proposal(f"declare L{level}", f"/expect/{index}", (Replace("/level", level),))


def _stimuli(case: Case) -> Iterator[tuple[str, Json]]:
    for message, delivery in case.deliveries.items():
        name = case.names.record(message)
        admitted, drafted = (case.window(message, record) for record in ("admitted", "drafted"))
        if case.level == 1 and admitted is not None:
            at = case.clock.tick(case.clock.index(delivery["at"]) + 2)
            record = {**delivery["record"], "at": at}
            if at <= case.horizon:
                yield f"deliver {name} a second time", {"at": at, "channel": "inbox", "record": record}
        for before in (admitted, drafted) if case.level == 3 else ():
            if before is not None and before.last < case.clock.horizon:
                at = case.clock.tick(before.last + 1)
                target = {"holder_of": WORK + message}
                record = {"signal_id": f"{message}.death.1", "signal_type": "AGENT_DEATH", "target": target, "at": at}
                yield f"kill the agent of {name}", {"at": at, "channel": "signals", "record": record}
