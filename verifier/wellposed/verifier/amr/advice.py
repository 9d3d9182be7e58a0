"""What to do about a finding, in the words of the language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wellposed.verifier.amr.claims import Json, atoms, spoken_of
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


ON_THE_WAY = ("admitted", "drafted", "claims-settle")
"""What comes before an item ends, of which its ends say nothing unless one is that it is not admitted."""
MANY = 3
"""With more lawful outcomes than this, or with one that an idle system has too, to accept them all would say nothing."""


def lawful(document: Mapping[str, Any], claim: Json, outcomes: Mapping[str, Sequence[Outcome]]) -> str:
    """What holds in every conforming run of the items that a claim speaks of, as an expectation where one says it.

    Nothing where that is not known, or no answer to a claim that is about other records than how an item ends.
    """
    level = int(document["level"])
    if level < 2 and {atom["claim"] for atom in atoms(claim)} <= {"admitted", "not-admitted"}:
        return f"an admission is owed, or forbidden, only from level L2 on, and this scenario is L{level}"
    if level < 3 and any(atom["claim"] == "state-agrees" for atom in atoms(claim)):
        return f"snapshots owe agreement only from level L3 on, and this scenario is L{level}"
    spoken = _astray(claim, outcomes) if claim["claim"] == "only-sent" else spoken_of(claim)
    known = [item for item in spoken if item in outcomes]
    on_the_way = all(atom["claim"] in ON_THE_WAY for atom in atoms(claim))
    if on_the_way and not any(end.outcome == "not-admitted" for item in known for end in outcomes[item]):
        return ""
    return "; ".join(_of_item(document, item, outcomes[item]) + _why_not(claim, item, outcomes[item]) for item in known)


def _why_not(claim: Json, item: str, ends: Sequence[Outcome]) -> str:
    """Why an item cannot end as a claim asks, where that is the physics of every log and so in no core."""
    asked = {atom["claim"] for atom in atoms(claim) if atom.get("of") == item}
    outcomes = {end.outcome for end in ends}
    if "abandoned" in asked and "abandoned" not in outcomes:
        return " (no event here is a cause to abandon it)"
    return " (only what is sent is completed)" if "completed" in asked and "sent" not in outcomes else ""


def _astray(claim: Json, outcomes: Mapping[str, Sequence[Outcome]]) -> Sequence[str]:
    """The first messages for which exactly these sends are not all that can happen, or else those that are named."""
    astray = []
    for item, ends in outcomes.items():
        sent = [end.outcome == "sent" for end in ends]
        if not all(sent) if item in claim["of"] else any(sent):
            astray.append(item)
    return (astray or claim["of"])[:MANY]


def _of_item(document: Mapping[str, Any], item: str, outcomes: Sequence[Outcome]) -> str:
    claims = [_claim(item, outcome) for outcome in outcomes]
    if len(claims) == 1:
        return _only(document, item, outcomes[0])
    if len(claims) > MANY or any(outcome.outcome in ("open", "not-admitted") for outcome in outcomes):
        ways = ", ".join(_way(outcome) for outcome in outcomes)
        return f"{item} can end as {ways}: expect what these have in common"
    return "`any of " + " or ".join(f"{{ {claim} }}" for claim in claims) + "`"


def _only(document: Mapping[str, Any], item: str, outcome: Outcome) -> str:
    """The one way in which an item ends; with its window where ticks can simply be counted from the delivery."""
    claim = _claim(item, outcome)
    if outcome.first is None or outcome.last is None:
        return f"`{claim}`"
    entries = document["schedule"]
    if outcome.outcome == "sent" and not any(entry["record"].get("fault") in ("jump", "hold") for entry in entries):
        delivered = next(entry["at"] for entry in entries if entry["record"].get("id") == item)
        return f"`{claim} within {outcome.last - delivered}`"
    return f"`{claim}`, which falls in {outcome.first}..{outcome.last}"


def _way(outcome: Outcome) -> str:
    reason = f"({outcome.reason})" if outcome.reason is not None else ""
    ticks = f" {outcome.first}..{outcome.last}" if outcome.first is not None else ""
    return f"{outcome.outcome}{reason}{ticks}"


def _claim(message: str, outcome: Outcome) -> str:
    if outcome.outcome == "abandoned":
        return f"{message} abandoned because {outcome.reason}"
    words = {"sent": "sent exactly once", "open": "open", "not-admitted": "not admitted"}
    return f"{message} {words[outcome.outcome]}"


def aim(channel: str, record: Mapping[str, Any]) -> str:
    """What an event looks for."""
    if channel == "approvals":
        if "match" in record:
            return "it waits for a draft of the item, and no conforming run declares one in time: the item is never admitted, or admitted too late"
        return "it is meant for a moment at which some item is admitted and unsent, and there is none"
    if channel == "signals":
        if record["signal_type"] == "OPERATOR_ESCALATION":
            return "the message is never admitted, so there is no item to escalate"
        return "at that tick no item is admitted and still neither sent nor resolved, so no agent holds anything"
    return "at that tick every item is sent or resolved, or nothing is delivered yet, so there is nothing to lose"
