"""Generated documents on which an alternative answer matters: the general ones with a few statements more.

``sample_for(flag, seed)`` gives a document with budgets; the same pair of arguments gives the same pair for ever.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from tests.oracle.answers import BASE, Answers
from tests.oracle.basics import Budgets, Document
from tests.oracle.generate import random_budgets, random_document
from tests.oracle.generate_rules import CONVERSATIONS
from tests.oracle.generate_schedule import Maker


@dataclass(frozen=True)
class Focus:
    """Where to look for scenarios on which an answer matters: levels, how many messages, statements to add."""

    levels: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    messages: tuple[int, ...] = (1, 1, 1, 2)
    add: Callable[[Maker], None] | None = None


def _behind_arrival(maker: Maker, *steps: int) -> int:
    """A tick some steps behind the delivery of the first message, or of another one."""
    message = maker.rng.choice((maker.messages[0], *maker.messages))
    return min(maker.horizon, max(0, maker.delivered[message] + maker.rng.choice(steps)))


def _crash(maker: Maker) -> None:
    """A crash, often with a rejection in its tick, before or behind it."""
    at = _behind_arrival(maker, 1, 1, 2, 3)
    draw = maker.rng.random()
    if draw < 0.25:
        maker.decide(maker.messages[0], "reject", at)
    maker.fault("crash", at=at)
    if 0.25 <= draw < 0.5:
        maker.decide(maker.messages[0], "reject", at)


def _crowd(maker: Maker) -> None:
    """Several events of one tick, some of them about the first message, behind an approval that may come before."""
    rng, message = maker.rng, maker.messages[0]
    at = _behind_arrival(maker, 1, 2, 2, 3)
    maker.decide(message, "approve", max(0, at - rng.choice((0, 1, 1, 1))))
    makers: list[Callable[[], object]] = [
        lambda: maker.escalate(message, at=at),
        lambda: maker.fault("crash", at=at),
        lambda: maker.kill(message, at=at),
        lambda: maker.decide(message, rng.choice(("approve", "reject")), at),
        lambda: maker.fault("posture", at=at, posture="normal"),
    ]
    for make in rng.sample(makers, rng.choice((2, 2, 3))):
        make()


def _one_conversation(maker: Maker) -> None:
    if maker.rng.random() < 0.8:
        for entry in maker.entries:
            if entry["channel"] == "inbox":
                entry["record"]["conversation_id"] = CONVERSATIONS[0]
        maker.conversation_of = dict.fromkeys(maker.conversation_of, CONVERSATIONS[0])


def _escalated_late(maker: Maker) -> None:
    """An approval and an escalation, in one tick or a few apart."""
    at = _behind_arrival(maker, 0, 1, 2)
    maker.decide(maker.messages[0], "approve", at)
    maker.escalate(maker.messages[0], at=min(maker.horizon, at + maker.rng.choice((0, 1, 1, 2, 3))))


def _jump(maker: Maker) -> None:
    maker.fault("jump", at=_behind_arrival(maker, -1, 0, 1, 2))


def _deaths(maker: Maker) -> None:
    aimed = maker.rng.random() < 0.5
    maker.kill(maker.messages[0] if aimed else None, at=_behind_arrival(maker, 1, 2, 2, 3))


def _change(maker: Maker) -> None:
    maker.fault("posture", posture=maker.rng.choice(("normal", "maintenance", "maintenance")))


def _crash_behind_approval(maker: Maker) -> None:
    at = _behind_arrival(maker, 1, 1, 2)
    maker.decide(maker.messages[0], "approve", at)
    maker.fault("crash", at=min(maker.horizon, at + maker.rng.choice((0, 1, 1, 2))))


def _both_decisions(maker: Maker) -> None:
    at = _behind_arrival(maker, 0, 1, 2)
    kinds = ["approve", "reject", maker.rng.choice(("approve", "reject"))]
    maker.rng.shuffle(kinds)
    for kind in kinds:
        maker.decide(maker.messages[0], kind, at)
        at = min(maker.horizon, at + maker.rng.choice((0, 0, 1, 1, 2)))


FOCUS: dict[str, Focus] = {
    "reply_from_arrival": Focus(),
    "waiting_is_pending": Focus(levels=(1, 2, 3, 4, 6), add=_crash),
    "draft_due": Focus(),
    "open_windows": Focus(),
    "interleaved": Focus(levels=(0, 2, 3, 4, 4, 6, 6), add=_crowd),
    "deferred_at_draft": Focus(),
    "item_per_conversation": Focus(messages=(2,), add=_one_conversation),
    "due_at_horizon": Focus(),
    "claims_always": Focus(levels=(3, 4, 5, 6)),
    "condemns_finished": Focus(levels=(4, 5, 6), add=_escalated_late),
    "jumps_cost_all": Focus(add=_jump),
    "one_item_per_agent": Focus(messages=(2, 2, 2, 1), add=_deaths),
    "always_gated": Focus(levels=(0, 1)),
    "same_tick_is_before": Focus(levels=(4, 4, 5, 6, 6), add=_escalated_late),
    "arrival_decides": Focus(add=_change),
    "all_resolved": Focus(levels=(3, 4, 5, 6)),
    "crash_keeps_send_due": Focus(levels=(2, 3, 4, 6), add=_crash_behind_approval),
    "reject_is_final": Focus(add=_both_decisions),
    "all_answered": Focus(add=_change),
    "lag": Focus(add=_change),
}
"""One entry per alternative; ``lag`` is a budget of 0 and no flag."""


def alternative(flag: str, budgets: Budgets) -> tuple[Budgets, Answers]:
    """The budgets and answers of an alternative, from those of the base."""
    if flag == "lag":
        return replace(budgets, lag=0), BASE
    if flag == "open_windows":
        closed = ("lag", "terminal")
        smaller = {name: value - 1 for name, value in vars(budgets).items() if name not in closed}
        budgets = replace(budgets, **smaller)
    return budgets, replace(BASE, **{flag: not getattr(BASE, flag)})


def sample_for(flag: str, seed: int, tiny: bool = False, expecting: bool = True) -> tuple[Document, Budgets]:
    """The document and the base's budgets of a seed; a tiny one has a single message and few ticks.

    Without ``expecting`` it is the same document with no expectations.
    """
    rng = Random(f"{flag} {seed}")
    focus = FOCUS[flag]
    budgets = random_budgets(rng)
    messages = 1 if tiny else rng.choice(focus.messages)
    horizon = 3 if tiny else rng.choice((4, 5, 6) if messages == 2 else (5, 6, 7, 8))
    level = rng.choice(focus.levels)
    return random_document(rng, budgets, messages, horizon, level, focus.add, expecting), budgets
