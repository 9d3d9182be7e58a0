"""Faulty systems that are late, or say that they were not; and those that never hear of a change."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair, always
from wellposed.verifier.amr.obligations.authority import admit, only
from wellposed.verifier.amr.obligations.reply import draft
from wellposed.verifier.formula import TRUE, any_of

BUDGET_ROWS = {
    "admit": "L2.admit",
    "draft": "L0.draft",
    "reply": "L0.reply",
    "send": "L2.send",
    "crash": "L1.crash",
    "death": "L3.death",
    "claims": "L3.claims",
}


def _stale(suspect: Suspect, changing: str) -> Iterator[Pair]:
    """Where that makes a difference: the rows of admission, and the first draft, as if this had never changed."""
    old = suspect.builder.before_changes(suspect.item, changing)
    if (old.rules.required, old.rules.ticks) != (suspect.item.rules.required, suspect.item.rules.ticks):
        for row in (admit, only, draft):
            for instance in row(old):
                yield TRUE, instance.formula


def stale_posture(suspect: Suspect) -> Iterator[Pair]:
    return _stale(suspect, "posture")


def stale_rules(suspect: Suspect) -> Iterator[Pair]:
    return _stale(suspect, "rules")


def contended(suspect: Suspect) -> Iterator[Pair]:
    """Every admitted item is claimed by two agents."""
    item = suspect.item
    assert item.contended is not None
    yield TRUE, any_of((item.absent(item.admitted), item.happens(item.contended.claimed)))


def _late(budget: str, row: str) -> FaultySystem:
    text = "misses one of its deadlines by one tick"
    without = (row, "L2.send") if budget == "reply" else (row,)
    if budget == "claims":
        return FaultySystem("late-by-one", text, contended, (row,), without, uses=("contention",), late=(budget, row))
    return FaultySystem("late-by-one", text, always, (row,), without, late=(budget, row))


ADMISSION = ("L2.admit", "L2.only")
STALE = (*ADMISSION, "L0.draft", "L0.reply")

SYSTEMS = (
    FaultySystem("stale-posture", "admits by the posture of the beginning", stale_posture, ADMISSION, STALE),
    FaultySystem("stale-rules", "admits by the rules of the beginning", stale_rules, ADMISSION, STALE),
    *(_late(budget, row) for budget, row in BUDGET_ROWS.items()),
    FaultySystem(
        "back-dates",
        "is one tick late with a send and stamps it in time; the tick that counts is the one at which it was seen",
        always,
        ("L2.send",),
        ("L2.send",),
        late=("send", "L2.send"),
    ),
)
