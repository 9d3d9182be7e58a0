"""The condition lists of admission rules: first match wins, nothing matched means not admitted."""

from typing import Any

from tests.oracle.document import Message


def _holds(op: str, left: Any, right: Any) -> bool:
    if op == "is" or op == "=":
        return bool(left == right)
    if op == "is-not" or op == "!=":
        return bool(left != right)
    if op == "in":
        return left in right
    if op == "not-in":
        return left not in right
    if op == "contains":
        return right in left
    if op == "starts-with":
        return bool(left.startswith(right))
    if op == "ends-with":
        return bool(left.endswith(right))
    if op == "<":
        return bool(left < right)
    if op == "<=":
        return bool(left <= right)
    if op == ">":
        return bool(left > right)
    if op == ">=":
        return bool(left >= right)
    raise ValueError(f"unknown operator: {op}")


def fields_of(message: Message, delivered_before: list[Message]) -> dict[str, Any]:
    """The fixed fields of a message, from the distinct messages delivered at a tick before its own (C3)."""
    same_sender = [m for m in delivered_before if m.sender == message.sender]
    return {
        "message.from": message.sender,
        "message.subject": message.subject,
        "message.body": message.body,
        "message.conversation_id": message.conversation,
        "thread.length": sum(m.conversation == message.conversation for m in delivered_before),
        "sender.messages": len(same_sender),
        "sender.conversations": len({m.conversation for m in same_sender}),
    }


def admits(rules: list[dict[str, Any]], fields: dict[str, Any], posture: str) -> bool:
    """Whether the first matching rule of a version, under a posture, admits the message with these fields."""
    values = fields | {"posture": posture}
    for rule in rules:
        if all(_holds(c["op"], values[c["field"]], c["value"]) for c in rule["when"]):
            return bool(rule["effect"] == "admit")
    return False
