"""Which constraints are in force in an exploration, and what happens when one is breached."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Instance

FIRST_LEVEL: dict[str, int] = {
    "L0.draft": 0,
    "L0.reply": 0,
    "L0.abandon": 0,
    "L1.once": 0,
    "L1.fork": 0,
    "L1.anchor": 1,
    "L1.crash": 1,
    "L2.admit": 2,
    "L2.only": 2,
    "L2.authority": 2,
    "L2.forged": 2,
    "L2.send": 2,
    "L3.claims": 3,
    "L3.death": 3,
    "L3.terminal": 3,
    "L3.state": 3,
    "L4.stop": 4,
    "L4.resolve": 4,
    "L5.identity": 5,
    "L6.stop": 6,
}
"""Every obligation row and the level from which it is in force (C20)."""

RESPONSES = frozenset(
    ("L0.draft", "L0.reply", "L1.crash", "L2.admit", "L2.send", "L3.death", "L3.terminal", "L4.resolve")
)
"""The rows that demand something; the others forbid something (C31)."""

HARD, SOFT, OFF = "hard", "soft", "off"


def in_force(row: str, level: int, answers: Answers = BASE) -> bool:
    """Whether an obligation row binds a scenario of a level under these answers."""
    if row == "L0.draft" and not answers.draft_due:
        return False
    if row == "L2.authority" and answers.always_gated:
        return True
    return FIRST_LEVEL[row] <= level


def responses(answers: Answers) -> frozenset[str]:
    """The rows whose breach is an omission. Contention is no part of a log here, but a first claim that is due is."""
    return RESPONSES | {"L3.claims"} if answers.claims_always else RESPONSES


@dataclass(frozen=True)
class Regime:
    """The constraints of one exploration.

    ``status`` says for an instance whether a breach cuts the run (HARD), is remembered (SOFT) or does not matter (OFF).
    ``lawful`` is K with the harness rules: without it any well-formed log is a run. ``single`` makes the memory of a
    run the one obligation it breaches and cuts a run that breaches two; otherwise the memory is only that it breached.
    """

    status: Callable[[Instance], str]
    lawful: bool = True
    single: bool = False


def conforming(level: int, answers: Answers = BASE) -> Regime:
    """K and the obligations of levels 0..level."""
    return Regime(lambda instance: HARD if in_force(instance[0], level, answers) else OFF)


def omitting(level: int, answers: Answers = BASE) -> Regime:
    """K and every prohibition; whether something due is omitted is remembered (C31)."""
    due = responses(answers)

    def status(instance: Instance) -> str:
        if not in_force(instance[0], level, answers):
            return OFF
        return SOFT if instance[0] in due else HARD

    return Regime(status)


def breaking_one(level: int, *without: str) -> Regime:
    """K and all obligations, of which a run may breach one (in any number of instances), which is remembered.

    The rows ``without`` are left out altogether.
    """

    def status(instance: Instance) -> str:
        in_force = FIRST_LEVEL[instance[0]] <= level and instance[0] not in without
        return SOFT if in_force else OFF

    return Regime(status, single=True)


def exactly(instances: frozenset[Instance]) -> Regime:
    """K and exactly these instances."""
    return Regime(lambda instance: HARD if instance in instances else OFF)


def anything() -> Regime:
    """No constraint at all: the universe U of well-formed logs."""
    return Regime(lambda instance: OFF, lawful=False)
