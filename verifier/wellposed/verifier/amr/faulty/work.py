"""Faulty systems that do not do the work, or not to its end."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair
from wellposed.verifier.amr.items import COMPLETED
from wellposed.verifier.formula import TRUE, all_of, negate

DUE = (
    *("L0.draft", "L0.reply", "L1.crash", "L2.admit", "L2.send"),
    *("L3.claims", "L3.death", "L3.terminal", "L4.resolve"),
)


def idle(suspect: Suspect) -> Iterator[Pair]:
    """No record at all."""
    yield TRUE, suspect.item.absent(suspect.item.admitted)


def never_drafts(suspect: Suspect) -> Iterator[Pair]:
    yield TRUE, suspect.item.absent(suspect.item.draft)


def abandons(suspect: Suspect) -> Iterator[Pair]:
    """Every admitted item is unsent and abandoned."""
    yield suspect.item.happens(suspect.item.admitted), all_of((suspect.unsent(), suspect.item.abandoned()))


def completes(suspect: Suspect) -> Iterator[Pair]:
    """Every admitted item is unsent and completed."""
    item = suspect.item
    yield item.happens(item.admitted), all_of((suspect.unsent(), item.happens(item.resolved), item.ends(COMPLETED)))


def stops(suspect: Suspect) -> Iterator[Pair]:
    """Neither a send nor a resolution."""
    yield TRUE, all_of((suspect.unsent(), suspect.unresolved()))


def lies(suspect: Suspect) -> Iterator[Pair]:
    """From level 3 on, where snapshots are looked at, they disagree."""
    if suspect.item.environment.level >= 3:
        yield TRUE, negate(suspect.says(suspect.snapshots))


SYSTEMS = (
    FaultySystem("idle", "does nothing at all", idle, ("L0.draft", "L0.reply", "L2.admit"), DUE),
    FaultySystem(
        "admits-never-drafts",
        "admits its work and never drafts a reply",
        never_drafts,
        ("L0.draft",),
        ("L0.draft", "L0.reply", "L1.crash", "L2.send", "L3.terminal"),
    ),
    FaultySystem(
        "abandons-everything",
        "abandons every item, whatever has happened",
        abandons,
        ("L0.abandon", "K.reason"),
        ("L0.abandon", "L0.draft", "L0.reply", "L1.crash", "L2.send", "L4.resolve", "L6.stop"),
        ("K.reason",),
    ),
    FaultySystem(
        "completes-unsent",
        "reports every item as completed and sends nothing",
        completes,
        ("K.completed",),
        ("L0.reply", "L1.crash", "L2.send", "L4.resolve", "L6.stop"),
        ("K.completed",),
    ),
    FaultySystem(
        "silent-abandon",
        "drafts, and then neither sends nor says that it gave up",
        stops,
        ("L0.reply", "L1.crash", "L2.send", "L3.terminal"),
        ("L0.reply", "L1.crash", "L2.send", "L3.death", "L3.terminal", "L4.resolve", "L6.stop"),
    ),
    FaultySystem("state-lies", "shows a state that its logs contradict", lies, ("L3.state",), ("L3.state",), uses=("snapshots",)),
)
