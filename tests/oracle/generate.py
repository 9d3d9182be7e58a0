"""Seeded random bundle documents over every channel, with ticks near each other and near the budgets.

``sample(seed)`` gives a document with budgets to explore it under; the same seed gives the same pair for ever.
"""

from collections.abc import Callable
from random import Random

from tests.oracle.basics import Budgets, Document, TooLarge
from tests.oracle.generate_claims import ClaimMaker
from tests.oracle.generate_rules import ANCHORS, CONVERSATIONS, NORMAL_RULES, POSTURES, plain_rules, random_rules
from tests.oracle.generate_schedule import Entry, Maker
from tests.oracle.judgement import judge
from tests.oracle.regime import FIRST_LEVEL

LEVELS = (0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 6)


def random_budgets(rng: Random) -> Budgets:
    """Scaled-down budgets, 2 to 4 visible ticks."""
    return Budgets(
        admit=rng.choice((2, 2, 3)),
        lag=rng.choice((2, 2, 3)),
        draft=rng.choice((2, 3, 4)),
        reply=rng.choice((2, 3, 4)),
        send=rng.choice((2, 2, 3)),
        crash=rng.choice((2, 3, 4)),
        death=rng.choice((2, 2, 3)),
        claims=rng.choice((2, 2, 3)),
        terminal=rng.choice((2, 3, 4)),
    )


def _focus(maker: Maker) -> None:
    """Statements that exercise the top level, near where they matter."""
    rng, level = maker.rng, maker.level
    message = maker.messages[0]
    arrival = maker.delivered[message]
    if level == 1:
        rng.choice((lambda: maker.fault("crash"), lambda: maker.redeliver(message), lambda: maker.fault("crash")))()
    elif level == 3:
        maker.kill(message, at=min(maker.horizon, arrival + rng.choice((1, 1, 2, 2, 3))))
    elif level == 4:
        maker.escalate(message, at=min(maker.horizon, max(0, arrival + rng.choice((-1, 0, 0, 1, 2, 3)))))
    elif level == 6:
        at = min(maker.horizon, arrival + rng.choice((0, 1, 1, 2, 3)))
        gap = rng.choice((0, 0, 0, 1, 1, 2, maker.budgets.send, maker.budgets.send + 1))
        maker.decide(message, "approve", at)
        maker.escalate(message, at=min(maker.horizon, at + gap))


def _storm(maker: Maker) -> None:
    """An approve, a crash and another decision within few ticks."""
    rng, message = maker.rng, maker.messages[0]
    at = min(maker.horizon, maker.delivered[message] + rng.choice((1, 2, 2, 3)))
    maker.decide(message, "approve", at)
    at = min(maker.horizon, at + rng.choice((0, 0, 1, 2)))
    maker.fault("crash", at=at)
    at = min(maker.horizon, at + rng.choice((1, 1, 2, 3)))
    kind = rng.choice(("reject", "reject", "reject", "escalate", "escalate", "approve"))
    if kind == "escalate":
        maker.escalate(message, at=at)
    else:
        maker.decide(message, kind, at)


def _grace(maker: Maker) -> None:
    """A late delivery with a change of posture at an edge of the window in which it may go either way."""
    rng, budgets = maker.rng, maker.budgets
    arrival = min(maker.horizon - 1, budgets.lag + rng.choice((1, 1, 2)))
    maker.deliver(maker.messages[0], arrival)
    edges = (-budgets.lag, -budgets.lag, 1 - budgets.lag, budgets.admit, budgets.admit + 1)
    at = min(maker.horizon, arrival + rng.choice(edges))
    maker.fault("posture", at=at, posture=rng.choice(("maintenance", "normal")))


def _statements(maker: Maker, versions: list[Entry], graceful: bool) -> None:
    rng, level = maker.rng, maker.level

    def chance(probability: float) -> bool:
        return rng.random() < probability

    if graceful:
        _grace(maker)
    for message in maker.messages:
        if message not in maker.delivered:
            maker.deliver(message)
    focused = chance(0.75)
    if focused:
        _focus(maker)
    stormed = maker.messages[0] if chance(0.24) and level in (1, 2, 3, 4, 5) else None
    for message in maker.messages:
        if message == stormed:
            _storm(maker)
        elif not (focused and level == 6):
            maker.decisions(message)
        if chance(0.15 if focused or level < 4 else 0.5):
            maker.escalate(message)
        if chance(0.05):
            maker.redeliver(message)
        if chance(0.05):
            maker.forge(message)
        if chance(0.2 if level >= 3 and not focused else 0.08):
            maker.kill(message)
    if chance(0.08):
        maker.kill(None)
    for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2))):
        maker.fault("crash")
    if chance(0.12):
        maker.fault("jump")
    if chance(0.06):
        maker.forge(None)
    if not graceful and chance(0.22 if level >= 2 else 0.1):
        maker.fault("posture", posture=rng.choice(POSTURES))
    for version in versions[1:]:
        maker.fault("rules", rules=version["name"])
    while chance(0.3) and len(maker.triggers) < 2:
        maker.triggered()


def _theorems(document: Document, budgets: Budgets, candidates: list[Entry]) -> list[Entry]:
    """Those candidates that hold in every conforming run; none when there are too many states to tell."""
    try:
        known = judge(document | {"expect": candidates}, budgets, max_states=100_000)
    except TooLarge:
        return []
    return [c for c, violated in zip(candidates, known.violated, strict=True) if not violated]


def _expectations(rng: Random, document: Document, budgets: Budgets, claims: ClaimMaker) -> list[Entry]:
    """What the author claims: anything, everything due, or (often) only what follows."""
    lenient = not document["invariants"]
    draw = rng.random()
    if lenient and draw < 0.85:
        return _theorems(document, budgets, claims.complete())
    if draw < 0.4:
        candidates = [claim for _ in range(6) for claim in claims.claims()]
        proved = _theorems(document, budgets, [c for i, c in enumerate(candidates) if c not in candidates[:i]])
        return rng.sample(proved, min(len(proved), rng.choice((1, 2, 3))))
    return claims.claims()


def random_document(
    rng: Random,
    budgets: Budgets,
    messages: int | None = None,
    horizon: int | None = None,
    level: int | None = None,
    focus: Callable[[Maker], None] | None = None,
    expecting: bool = True,
    claim_maker: type[ClaimMaker] = ClaimMaker,
) -> Document:
    """One valid bundle document; what is not given is drawn. ``focus`` adds further statements, if it is given.

    What is ``expecting`` nothing is made without the costly look for what follows from the schedule.
    """
    level = rng.choice(LEVELS) if level is None else level
    count = messages or (2 if rng.random() < (0.7 if level == 5 else 0.25) else 1)
    maker = Maker(rng, budgets, count, horizon or rng.choice((5, 6, 6, 7, 7, 8, 9)), level)
    graceful = level >= 2 and rng.random() < 0.17
    if graceful:
        versions = [NORMAL_RULES]
    elif rng.random() < 0.35:
        versions = random_rules(rng, rng.choice((1, 2, 2)))
    else:
        versions = plain_rules(rng)
    _statements(maker, versions, graceful)
    if focus is not None:
        focus(maker)
    conversations = list(dict.fromkeys(maker.conversation_of.values()))
    if rng.random() < 0.3:
        conversations = list(CONVERSATIONS)
    anchored = [c for c in conversations if rng.random() < 0.75]
    in_force = sorted(row for row, first in FIRST_LEVEL.items() if first <= level)
    document: Document = {
        "format": "wellposed-bundle/1",
        "spec": "amr/0.14",
        "id": "generated",
        "title": "generated",
        "level": level,
        "skin": "support-desk",
        "horizon": maker.horizon,
        "mode": {
            "changed_at": 0,
            "posture": "normal" if rng.random() < (0.5 if graceful else 0.85) else rng.choice(POSTURES),
        },
        "rules": versions,
        "stub": {
            "anchors": [{"anchor": ANCHORS[c], "conversation_id": c} for c in anchored],
            "replies": [
                {"conversation_id": c, "parts": ["About ", {"anchor": True}, "."] if c in anchored else ["Noted."]}
                for c in conversations
            ],
        },
        "schedule": maker.schedule(),
        "invariants": [] if rng.random() < 0.18 else in_force,
        "expect": [],
        "catches": [],
        "readings": "amr/0.14-base.1",
    }
    if not expecting:
        return document
    claims = claim_maker(rng, budgets, level, maker.horizon, document["schedule"])
    claims.anchored, claims.conversations = anchored, conversations
    return document | {"expect": _expectations(rng, document, budgets, claims)}


def sample(seed: int, messages: int | None = None) -> tuple[Document, Budgets]:
    """The document and budgets of a seed."""
    rng = Random(seed)
    budgets = random_budgets(rng)
    return random_document(rng, budgets, messages), budgets
