"""What to do about a finding, in the words of the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wellposed.verifier.report import Outcome

EXERCISING: Mapping[str, str] = {
    "L0": "deliver a message that the rules admit",
    "L1": "add a redelivery, a repeat, a second message, or a crash between the draft and the send",
    "L2": "deliver a message that the rules admit or refuse",
    "L3": "kill the agent of an item that is admitted, unsent and unresolved at that tick in some run",
    "L4": "escalate an item that may still be neither sent nor resolved at that tick",
    "L5": "deliver two messages with one subject or sender in different conversations, both admitted",
    "L6": "escalate an item while an approval is in force and the send may still be outstanding",
}


def accept_set(message: str, outcomes: Sequence[Outcome]) -> str:
    """An expectation that accepts exactly the outcomes given; with their ticks where there is only one."""
    if len(outcomes) == 1 and outcomes[0].first is not None:
        only = outcomes[0]
        return f"{_claim(message, only)}, somewhere in {only.first}..{only.last}"
    claims = [_claim(message, outcome) for outcome in outcomes]
    if len(claims) == 1:
        return claims[0]
    return "any of " + " or ".join(f"{{ {claim} }}" for claim in claims)


def _claim(message: str, outcome: Outcome) -> str:
    if outcome.outcome == "abandoned":
        return f"{message} abandoned because {outcome.reason}"
    words = {"sent": "sent exactly once", "open": "open", "not-admitted": "not admitted"}
    return f"{message} {words[outcome.outcome]}"


def aim(channel: str, record: Mapping[str, Any]) -> str:
    """What an event looks for."""
    if channel == "approvals":
        if "match" in record:
            return "it waits for a draft of the item, and no conforming run declares one in time"
        return "it is meant for a moment at which some item is admitted and unsent, and there is none"
    if channel == "signals":
        if record["signal_type"] == "OPERATOR_ESCALATION":
            return "the message is never admitted, so there is no item to escalate"
        return "at that tick no item is admitted and still neither sent nor resolved, so no agent holds anything"
    return "at that tick every item is sent or resolved, or nothing is delivered yet, so there is nothing to lose"
