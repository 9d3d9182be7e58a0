"""Faulty systems that mix up messages, conversations and their anchors, or who owns an item."""

from __future__ import annotations

from collections.abc import Iterator

from wellposed.verifier.amr.environment import Message
from wellposed.verifier.amr.faulty.suspect import Suspect
from wellposed.verifier.amr.faulty.system import FaultySystem, Pair
from wellposed.verifier.formula import TRUE, all_of, negate


def _follows(suspect: Suspect, field: str) -> bool:
    """Whether a message with the same field, which can be admitted, comes before this one in the inbox."""
    environment, own = suspect.item.environment, suspect.item.message

    def earlier(other: Message) -> bool:
        return (other.at, other.seq) < (own.at, own.seq) and other.text[field] == own.text[field]

    return any(earlier(other) and suspect.builder.admissible(other) for other in environment.messages.values())


def merges_by_subject(suspect: Suspect) -> Iterator[Pair]:
    if _follows(suspect, "message.subject"):
        yield TRUE, suspect.item.absent(suspect.item.admitted)


def ignores_follow_ups(suspect: Suspect) -> Iterator[Pair]:
    if _follows(suspect, "message.conversation_id"):
        yield TRUE, suspect.item.absent(suspect.item.admitted)


def replies_elsewhere(suspect: Suspect) -> Iterator[Pair]:
    """Where there are two conversations, every reply lies in the wrong one."""
    if len(suspect.item.environment.conversations) > 1:
        yield TRUE, negate(suspect.says(suspect.item.lies_in[suspect.item.message.conversation]))


def stuffs_context(suspect: Suspect) -> Iterator[Pair]:
    """Every reply carries the anchor that was declared first, and no other."""
    anchors = suspect.item.environment.document["stub"]["anchors"]
    for conversation, carried in suspect.item.carries.items() if anchors else ():
        chosen = suspect.says(carried)
        yield TRUE, chosen if conversation == anchors[0]["conversation_id"] else negate(chosen)


def never_settles(suspect: Suspect) -> Iterator[Pair]:
    """Every admitted item is claimed by two agents, and the claims are never settled."""
    item = suspect.item
    assert item.contended is not None
    contended = all_of((item.happens(item.contended.claimed), item.absent(item.contended.settled)))
    yield item.happens(item.admitted), contended


OWED = ("L2.admit", "L0.draft", "L0.reply")
CLAIMS = ("L3.claims",)
UNFORCED = (
    "Agents contend at a tick of their own choosing. Where that is in the last ticks, the claims are due beyond the horizon, "
    "and no schedule can move them forward."
)

SYSTEMS = (
    FaultySystem("double-owner", "lets two agents win one item", never_settles, CLAIMS, CLAIMS, uses=("contention",), unforced=UNFORCED),
    FaultySystem("no-stand-down", "never lets the agent stand down that has lost a claim", never_settles, CLAIMS, CLAIMS, uses=("contention",), unforced=UNFORCED),
    FaultySystem("merges-by-subject", "takes two messages with one subject for one item", merges_by_subject, OWED, OWED),
    FaultySystem("ignores-follow-ups", "takes no notice of a second message in a conversation", ignores_follow_ups, OWED, OWED),
    FaultySystem(
        "replies-in-wrong-conversation",
        "replies in another conversation than the message's",
        replies_elsewhere,
        ("L5.identity",),
        ("L5.identity",),
        uses=("conversation",),
    ),
    FaultySystem(
        "stuffs-context",
        "puts the first thread's anchor into every reply",
        stuffs_context,
        ("L1.anchor",),
        ("L1.anchor",),
        uses=("anchors",),
    ),
)
