"""Random rule versions and conversations for generated bundle documents."""

from random import Random
from typing import Any

SUBJECTS = ("order status", "refund request")
SENDERS = ("ada@example.test", "bob@example.test")
POSTURES = ("normal", "maintenance", "vip-only")
BODIES = ("Where is it?", "Please answer.")
CONVERSATIONS = ("order", "refund")
ANCHORS = {"order": "ORD-1001", "refund": "REF-2002"}

ALL_RULES: dict[str, Any] = {"name": "all", "rules": [{"id": "all", "effect": "admit", "when": []}]}
NORMAL_RULES: dict[str, Any] = {
    "name": "open",
    "rules": [{"id": "open", "effect": "admit", "when": [{"field": "posture", "op": "is", "value": "normal"}]}],
}


def _condition(rng: Random) -> dict[str, Any]:
    choices: list[tuple[str, str, Any]] = [
        ("posture", "is", "normal"),
        ("posture", "is", rng.choice(POSTURES)),
        ("posture", "is-not", rng.choice(POSTURES)),
        ("posture", "in", sorted(rng.sample(POSTURES, 2))),
        ("message.subject", "contains", rng.choice(("order", "refund", "re"))),
        ("message.subject", "starts-with", rng.choice(("order", "refund"))),
        ("message.from", "is", rng.choice(SENDERS)),
        ("message.from", "not-in", [rng.choice(SENDERS)]),
        ("message.conversation_id", "is", rng.choice(CONVERSATIONS)),
        ("message.body", "ends-with", rng.choice(("?", "."))),
        ("sender.messages", rng.choice((">=", "=")), rng.choice((0, 1))),
        ("sender.messages", "<", rng.choice((1, 2))),
        ("sender.conversations", rng.choice(("<=", "!=")), rng.choice((0, 1))),
        ("thread.length", rng.choice(("=", ">=", "<=")), rng.choice((0, 1))),
        ("thread.length", ">", 0),
    ]
    field, op, value = rng.choice(choices)
    return {"field": field, "op": op, "value": value}


def _version(rng: Random, name: str) -> dict[str, Any]:
    rules = []
    for number in range(rng.choice((1, 1, 2, 2, 3))):
        effect = rng.choice(("admit", "admit", "admit", "refuse"))
        conditions = [_condition(rng) for _ in range(rng.choice((1, 1, 2)))]
        rules.append({"id": f"r{number + 1}", "effect": effect, "when": conditions})
    if rng.random() < 0.5:
        rules.append({"id": "rest", "effect": rng.choice(("admit", "admit", "refuse")), "when": []})
    return {"name": name, "rules": rules}


def random_rules(rng: Random, count: int) -> list[dict[str, Any]]:
    """``count`` versions of different content; the first is in force at tick 0."""
    versions: list[dict[str, Any]] = []
    while len(versions) < count:
        version = _version(rng, f"desk-v{len(versions) + 1}")
        if all(version["rules"] != other["rules"] for other in versions):
            versions.append(version)
    return versions


def plain_rules(rng: Random) -> list[dict[str, Any]]:
    """Rules that admit everything in posture normal: the whole, or only while the posture is normal."""
    if rng.random() < 0.6:
        return [ALL_RULES]
    return [NORMAL_RULES]
